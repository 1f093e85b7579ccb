/* SPDX-License-Identifier: Apache-2.0
 *
 * frameworks.c: from a Python to what it has.
 */
#include "frameworks.h"

#include <string.h>

#include "log.h"
#include "part.h"
#include "scan.h"
#include "version.h"

/* ---- states ------------------------------------------------------------------------------------------------------ */

static const struct {
    const char *name, *text;
} states[RUNG_FRAMEWORK_STATE_COUNT] = {
    [RUNG_FRAMEWORK_INSTALLED] = {"installed", "installed"},
    [RUNG_FRAMEWORK_ABSENT] = {"absent", "not installed"},
    [RUNG_FRAMEWORK_NAMESPACE] = {"namespace", "something else has its name"},
    [RUNG_FRAMEWORK_REMOVED] = {"removed", "removed in part: its files are missing"},
    [RUNG_FRAMEWORK_UNREADABLE] = {"unreadable", "its name or its version cannot be read"},
    [RUNG_FRAMEWORK_MISMATCH] = {"mismatch", "its parts do not fit together"},
    [RUNG_FRAMEWORK_NO_PYTHON] = {"no_python", "there is no Python to look at"},
};

const char *rung_framework_state_name(rung_framework_state state)
{
    return (unsigned)state < RUNG_FRAMEWORK_STATE_COUNT ? states[state].name : "unknown";
}

const char *rung_framework_state_text(rung_framework_state state)
{
    return (unsigned)state < RUNG_FRAMEWORK_STATE_COUNT ? states[state].text : "unknown";
}

/* ---- detection --------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    rung_judge_fn *judge;
} frameworks[RUNG_FRAMEWORKS] = {
    {"jax", rung_judge_jax},
    {"pytorch", rung_judge_torch},
    {"numpy", rung_judge_numpy},
    {"tensorflow", rung_judge_tensorflow},
};

_Static_assert(sizeof(((rung_python *)0)->prefix) >= RUNG_PLACE_MAX, "a prefix is told whole");
_Static_assert(sizeof(((rung_framework *)0)->path) >= RUNG_PLACE_MAX, "a path is told whole");

static void set_python(const rung_place *place, rung_python *out)
{
    rung_text prefix = rung_text_in(out->prefix, sizeof out->prefix);
    rung_text_add(&prefix, place->prefix);
    rung_text by = rung_text_in(out->found_by, sizeof out->found_by);
    rung_text_add(&by, place->found_by);
    const char *digits = place->lib + strcspn(place->lib, "0123456789");
    rung_text version = rung_text_in(out->version, sizeof out->version);
    rung_text_addn(&version, digits, strspn(digits, "0123456789."));
}

static void look_at(const rung_world *world, const rung_place *place, rung_python *out)
{
    rung_sites sites;
    rung_install install;
    uint64_t start = rung_probe_start(world);
    rung_sites_find(world, place, &sites);
    rung_dists_find(world, place, &sites, &install);
    rung_probe_told(world, start, "python", "list packages", sites.count > 0 ? rung_site(&sites, 0) : "no folder");
    for (unsigned i = 0; i < RUNG_FRAMEWORKS; i++) {
        rung_framework *framework = &out->framework[i];
        start = rung_probe_start(world);
        frameworks[i].judge(&install, framework);
        rung_probe_told(world, start, framework->name, "read metadata",
                        framework->state == RUNG_FRAMEWORK_INSTALLED ? framework->version
                                                                     : rung_framework_state_name(framework->state));
    }
}

void rung_python_detect_in(const rung_world *world, const char *python, rung_python *out)
{
    rung_place place;
    uint64_t start = rung_probe_start(world);
    memset(out, 0, sizeof *out);
    bool found = rung_place_find(world, python, &place);
    rung_probe_told(world, start, "python", "find", found ? place.prefix : place.why);
    for (unsigned i = 0; i < RUNG_FRAMEWORKS; i++) {
        rung_framework *framework = &out->framework[i];
        framework->name = frameworks[i].name;
        if (!found) {
            framework->state = RUNG_FRAMEWORK_NO_PYTHON;
            rung_part_say(framework, RUNG_PARTS(place.why));
        }
    }
    if (found) {
        set_python(&place, out);
        look_at(world, &place, out);
    }
}

void rung_python_detect(const char *python, rung_python *out)
{
    rung_world world = rung_this_world();
    rung_log_listen(&world);
    rung_python_detect_in(&world, python, out);
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

rung_span rung_framework_named(rung_span asked)
{
    static const char *const aliases[][2] = {{"torch", "pytorch"}, {"tf", "tensorflow"}};
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (rung_span_is(asked, aliases[i][0]))
            return (rung_span){aliases[i][1], strlen(aliases[i][1])};
    return asked;
}

const rung_framework *rung_python_framework(const rung_python *python, const char *name)
{
    if (python == NULL || name == NULL)
        return NULL;
    rung_span asked = rung_framework_named((rung_span){name, strlen(name)});
    for (unsigned i = 0; i < RUNG_FRAMEWORKS; i++)
        if (python->framework[i].name != NULL && rung_span_is(asked, python->framework[i].name))
            return &python->framework[i];
    return NULL;
}

int rung_framework_within(const rung_framework *framework, const char *minimum, const char *before)
{
    int order = 0;
    if (framework == NULL || framework->state != RUNG_FRAMEWORK_INSTALLED ||
        !rung_version_compare(framework->version, framework->version, &order))
        return 0;
    if (minimum != NULL && minimum[0] != '\0' &&
        (!rung_version_compare(framework->version, minimum, &order) || order < 0))
        return 0;
    return before == NULL || before[0] == '\0' ||
           (rung_version_compare(framework->version, before, &order) && order < 0);
}
