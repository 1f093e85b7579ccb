/* SPDX-License-Identifier: Apache-2.0
 *
 * line.c: whether one line of the ranking holds on a machine, and if not, which fact is against it.
 */
#include <string.h>

#include "names.h"
#include "rank.h"

/* Of the devices of one line, the order in which they are tried. */
static const char *const order[] = {"tpu", "cuda", "rocm", "metal", "opencl", "accel", "cpu"};

/* Text with a figure in every place of the placeholder. */
static void put_figure(rung_text *out, const char *text, const char *placeholder, uint32_t figure)
{
    const char *at;
    while ((at = strstr(text, placeholder)) != NULL) {
        rung_text_addn(out, text, (size_t)(at - text));
        rung_text_uint(out, figure);
        text = at + strlen(placeholder);
    }
    rung_text_add(out, text);
}

/* "cuda: hidden by the environment (CUDA_VISIBLE_DEVICES=-1)" */
static void why_not_usable(rung_text *t, unsigned on, const rung_seen *seen)
{
    rung_text_join(t, (const char *const[]){rung_on_name(on), ": ", rung_device_state_text(seen->state), NULL});
    if (seen->detail[0] != '\0')
        rung_text_join(t, (const char *const[]){" (", seen->detail, ")", NULL});
    if (seen->state == RUNG_STATE_NOT_ASKED)
        rung_text_add(t, "; `rung doctor` finds out");
}

/* ---- what frameworks were built for ------------------------------------------------------------------------------ */

static unsigned built_for(unsigned on)
{
    switch (1u << on) {
    case RUNG_ON_CUDA:
        return RUNG_BUILT_CUDA;
    case RUNG_ON_ROCM:
        return RUNG_BUILT_ROCM;
    case RUNG_ON_METAL:
        return RUNG_BUILT_METAL;
    case RUNG_ON_TPU:
        return RUNG_BUILT_TPU;
    default:
        return 0; /* no framework that is known brings kernels for it */
    }
}

/* The number before the first dot, 0 where there is none. */
static uint32_t major_of(const char *version)
{
    uint32_t major = 0;
    for (int digits = 0; *version >= '0' && *version <= '9' && digits < 4; digits++, version++)
        major = major * 10 + (uint32_t)(*version - '0');
    return *version == '.' || *version == '\0' ? major : 0;
}

/* Whether an installed framework can use a usable kind of device. CUDA programs run with every driver of their major
 * version or a later one: "minor version compatibility" in NVIDIA's CUDA Compatibility guide. */
static bool can_drive(const rung_framework *framework, unsigned on, const rung_seen *seen, rung_text *why)
{
    if (!(framework->built & built_for(on))) {
        rung_text_join(why, (const char *const[]){framework->name, " ", framework->version,
                                                  " has no build or plug-in for ", rung_on_name(on), NULL});
        return false;
    }
    uint32_t wanted = 1u << on == RUNG_ON_CUDA ? major_of(framework->cuda) : 0;
    if (wanted != 0 && seen->driver_version != 0 && seen->driver_version >> 16 < wanted) {
        rung_text_join(why, (const char *const[]){framework->name, " ", framework->version, " is built for CUDA ",
                                                  framework->cuda, ", the driver supports CUDA ", NULL});
        rung_text_version(why, seen->driver_version);
        return false;
    }
    return true;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* What is known of one device of a line. */
typedef struct candidate {
    unsigned on; /* RUNG_ON_COUNT: none */
    rung_nearness nearness;
    char why[sizeof((rung_backend *)NULL)->reason];
} candidate;

static void look_at(const rung_framework *framework, unsigned on, const rung_facts *facts, candidate *out)
{
    const rung_seen *seen = &facts->seen[on];
    rung_text why = rung_text_in(out->why, sizeof out->why);
    out->on = on;
    if (1u << on == RUNG_ON_CPU) {
        out->nearness = RUNG_HOLDS;
    } else if (seen->state != RUNG_STATE_USABLE) {
        out->nearness = rung_state_is_nothing(seen->state) ? RUNG_FAR : RUNG_THERE;
        why_not_usable(&why, on, seen);
    } else {
        bool installed = framework != NULL && framework->state == RUNG_FRAMEWORK_INSTALLED;
        out->nearness = !installed || can_drive(framework, on, seen, &why) ? RUNG_HOLDS : RUNG_REFUSED;
    }
}

/* The device of a line that is nearest to being used, the first of equally near ones. */
static candidate nearest_device(uint32_t devices, const rung_framework *framework, const rung_facts *facts)
{
    candidate best = {.on = RUNG_ON_COUNT, .nearness = devices == 0 ? RUNG_HOLDS : RUNG_FAR};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        unsigned on = rung_on_of(order[i]);
        if (!(devices & 1u << on))
            continue;
        candidate one;
        look_at(framework, on, facts, &one);
        if (best.on == RUNG_ON_COUNT || one.nearness > best.nearness)
            best = one;
    }
    return best;
}

/* "not installed in /usr (Python 3.11, python3 on PATH)", or with the framework's own detail. */
static void why_not_installed(rung_text *t, const rung_framework *framework, const rung_python *python)
{
    rung_text_add(t, rung_framework_state_text(framework->state));
    if (framework->detail[0] != '\0')
        rung_text_join(t, (const char *const[]){": ", framework->detail, NULL});
    else if (python->prefix[0] != '\0')
        rung_text_join(t, (const char *const[]){" (Python ", python->version, " of ", python->prefix, ", ",
                                                python->found_by, ")", NULL});
}

/* False, and why, when a framework that only Python can drive cannot be had at all. */
static bool is_installed(const rung_framework *framework, const rung_facts *facts, rung_text *why)
{
    if (!facts->full)
        rung_text_add(why, "only Python can drive it");
    else if (framework == NULL)
        rung_text_add(why, "this version of Rung does not look for it");
    else if (framework->state != RUNG_FRAMEWORK_INSTALLED)
        why_not_installed(why, framework, &facts->python);
    else
        return true;
    return false;
}

static void judge_framework(const rung_registry *registry, const rung_backend_row *row, const rung_facts *facts,
                            rung_line *out)
{
    rung_backend *backend = &out->backend;
    const rung_framework *framework =
        facts->full ? rung_python_framework(&facts->python, rung_pool(registry, row->framework)) : NULL;
    candidate device = nearest_device(row->devices, framework, facts);
    rung_text reason = rung_text_in(backend->reason, sizeof backend->reason);
    bool installed = is_installed(framework, facts, &reason);
    if (installed && device.nearness != RUNG_HOLDS)
        rung_text_add(&reason, device.why);
    backend->available = installed && device.nearness == RUNG_HOLDS;
    out->nearness = device.nearness;

    rung_text kind = rung_text_in(backend->kind, sizeof backend->kind);
    rung_text_add(&kind, rung_on_name(device.on));
    rung_text name = rung_text_in(backend->device, sizeof backend->device);
    uint32_t index = device.on == RUNG_ON_COUNT ? 0 : facts->seen[device.on].index;
    put_figure(&name, row->device == 0 ? "none" : rung_pool(registry, row->device), "{index}", index);
    if (framework != NULL) {
        rung_text version = rung_text_in(backend->version, sizeof backend->version);
        rung_text_add(&version, framework->version);
    }
}

static void judge_native(const rung_backend_row *row, const rung_facts *facts, rung_line *out)
{
    const rung_native *native = &facts->native;
    rung_backend *backend = &out->backend;
    unsigned on = rung_on_of(native->device);
    bool opened = native->platform[0] != '\0';
    bool holds = opened && on < RUNG_ON_COUNT && (row->devices & 1u << on);
    backend->native = 1;
    backend->available = holds;
    out->nearness = holds ? RUNG_HOLDS : RUNG_FAR;
    rung_text kind = rung_text_in(backend->kind, sizeof backend->kind);
    rung_text device = rung_text_in(backend->device, sizeof backend->device);
    rung_text version = rung_text_in(backend->version, sizeof backend->version);
    rung_text_add(&version, RUNG_VERSION_STRING);
    rung_text reason = rung_text_in(backend->reason, sizeof backend->reason);
    rung_text_add(&kind, native->device);
    rung_text_add(&device, opened ? native->platform : "none");
    if (!opened)
        rung_text_join(&reason, (const char *const[]){"no platform can be opened: ", native->why, NULL});
    else if (!holds)
        rung_text_join(&reason, (const char *const[]){"the platform that is opened is ", native->platform, NULL});
}

static bool is_limited(const rung_backend_row *row, const rung_facts *facts)
{
    return row->limited_below != 0 && facts->host.memory != 0 && facts->host.memory >> 20 < row->limited_below;
}

void rung_judge_line(const rung_registry *registry, uint32_t row, const rung_facts *facts, rung_line *out)
{
    const rung_backend_row *r = &registry->backends[row];
    *out = (rung_line){0};
    rung_backend *backend = &out->backend;
    rung_text name = rung_text_in(backend->name, sizeof backend->name);
    rung_text_add(&name, rung_pool(registry, r->framework));
    if (strcmp(backend->name, "native") == 0)
        judge_native(r, facts, out);
    else
        judge_framework(registry, r, facts, out);
    bool limited = is_limited(r, facts);
    backend->score = limited ? r->limited_score : r->score;
    if (!backend->available)
        return;
    unsigned on = rung_on_of(backend->kind);
    uint32_t count = on == RUNG_ON_COUNT || facts->seen[on].count == 0 ? 1 : facts->seen[on].count;
    rung_text reason = rung_text_in(backend->reason, sizeof backend->reason);
    put_figure(&reason, rung_pool(registry, limited ? r->limited_reason : r->reason), "{count}", count);
}
