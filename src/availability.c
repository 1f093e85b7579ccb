/* SPDX-License-Identifier: Apache-2.0
 *
 * availability.c: why a cell can or cannot be called: the first reason that applies, in docs/resolution.md's order.
 */
#include "cpu.h"
#include "gpu/native.h"
#include "names.h"
#include "platform.h"

static rung_model model_of(const rung_registry *registry, uint32_t arch)
{
    return (rung_model)registry->arch_names[arch].model;
}

static bool is_cpu_model(rung_model model)
{
    return model == RUNG_MODEL_X86 || model == RUNG_MODEL_AARCH64;
}

/* ---- what the build knows ---------------------------------------------------------------------------------------- */

static rung_model build_model(void)
{
#if defined(__x86_64__)
    return RUNG_MODEL_X86;
#elif defined(__aarch64__)
    return RUNG_MODEL_AARCH64;
#else
    return RUNG_MODEL_NONE;
#endif
}

static const char *model_text(rung_model model)
{
    return model == RUNG_MODEL_X86 ? "x86" : "aarch64";
}

static void say_left_out(const rung_registry *registry, uint32_t device, const char *arch, rung_text *detail)
{
    rung_text_join(detail, (const char *const[]){"this build leaves out ", rung_device_text(registry, device), NULL});
    if (arch != NULL)
        rung_text_join(detail, (const char *const[]){"/", arch, NULL});
}

/* Which of the build's options has left out a kernel of a CUDA device. */
static void say_no_image(const rung_registry *registry, const rung_arch_row *arch, rung_text *detail)
{
    if (arch->device >= RUNG_ON_COUNT || registry->toolkits[arch->device] == NULL)
        rung_text_add(detail, "this build was made without nvcc");
    else
        rung_text_join(detail, (const char *const[]){rung_pool(registry, arch->name),
                                                     " is not among this build's RUNG_CUDA_ARCHS", NULL});
}

static bool says_requirement(const rung_registry *registry, uint32_t first, uint32_t n, rung_text *detail)
{
    for (uint32_t i = 0; i < n; i++) {
        const rung_requirement_row *row = &registry->requirements[registry->cell_requirements[first + i]];
        if (row->met)
            continue;
        rung_text_join(
            detail, (const char *const[]){"needs ", rung_pool(registry, row->name), ", which this build lacks", NULL});
        return true;
    }
    return false;
}

static void explain_not_built(const rung_registry *registry, const rung_cell_row *row, rung_text *detail)
{
    if (detail == NULL || says_requirement(registry, row->first_requirement, row->requirements, detail))
        return;
    const rung_arch_row *arch = &registry->arch_names[row->arch];
    rung_model model = (rung_model)arch->model;
    if (arch->rank != 0 && is_cpu_model(model) && model != build_model())
        rung_text_join(detail, (const char *const[]){"only in builds for ", model_text(model), NULL});
    else if (model == RUNG_MODEL_CUDA)
        say_no_image(registry, arch, detail);
    else
        say_left_out(registry, arch->device, rung_pool(registry, arch->name), detail);
}

/* ---- archs ------------------------------------------------------------------------------------------------------- */

rung_reason rung_cpu_misses(const rung_cpu *cpu, rung_model model, uint64_t wanted, rung_text *feature)
{
    uint64_t lacking = wanted & ~(cpu->features | cpu->disabled);
    uint64_t missing = lacking != 0 ? lacking : wanted & ~cpu->features;
    if (missing == 0)
        return RUNG_REASON_NONE;
    unsigned bit = 0;
    while ((missing >> bit & 1) == 0)
        bit++;
    const char *name = rung_feature_name(model, bit);
    if (feature != NULL)
        rung_text_add(feature, name == NULL ? "?" : name);
    return lacking != 0 ? RUNG_REASON_CPU_LACKS : RUNG_REASON_SYSTEM_DISABLED;
}

/* Whether the platform string holds the device below this arch and below what was detected. A name that is no cap, such
 * as the detected arch itself, is the same platform as no name. */
static bool is_capped(const rung_registry *registry, const rung_position *position, uint32_t arch)
{
    const rung_arch_row *row = &registry->arch_names[arch];
    const rung_arch *at = &position->at;
    if (!position->asked || row->rank == 0)
        return false;
    if (at->rank == 0 ? at->id == RUNG_NONE : (at->model != row->model || row->rank <= at->rank))
        return false; /* a name of no rank says nothing of the others, unless it is a listed portable one */
    if (position->detected[0] == '\0')
        return position->state == RUNG_REASON_NONE;
    return row->model == position->found.model && at->rank < position->found.rank;
}

static void say_capped(const rung_platform *p, const rung_position *position, rung_text *detail)
{
    if (detail == NULL)
        return;
    rung_text_add(detail, "capped at ");
    rung_text_add(detail, position->arch);
    if (p->from_env)
        rung_text_add(detail, " by RUNG_PLATFORM");
}

static void say_not_of(const rung_position *position, const char *what, rung_text *detail)
{
    if (detail == NULL)
        return;
    rung_text_add(detail, what);
    rung_text_add(detail, position->arch[0] == '\0' ? "an unknown arch" : position->arch);
}

static void say_not_of_device(const rung_registry *registry, const rung_position *position, const rung_arch_row *arch,
                              rung_text *detail)
{
    if (detail == NULL)
        return;
    const char *target = rung_pool(registry, arch->target);
    rung_text_add(detail, target);
    rung_text_add(detail, target[0] == '\0' ? "this device is " : ", this device is ");
    rung_text_add(detail, position->detected);
}

static rung_reason judge_cpu_arch(const rung_platform *p, const rung_position *position, uint32_t arch,
                                  rung_text *detail)
{
    const rung_arch_row *row = &p->head.registry->arch_names[arch];
    if (row->rank == 0)
        return RUNG_REASON_NONE;
    rung_model model = (rung_model)row->model;
    if (model != rung_cpu_model(&p->cpu)) {
        if (detail != NULL) {
            rung_text_add(detail, "for ");
            rung_text_add(detail, model_text(model));
            rung_text_add(detail, ", this processor is ");
            rung_text_add(detail, p->cpu.family);
        }
        return RUNG_REASON_ARCH_INVALID;
    }
    rung_reason reason = rung_cpu_misses(&p->cpu, model, rung_level_features(model, row->rank), detail);
    if (reason == RUNG_REASON_NONE && !rung_is_step(p->head.registry, position->at.row, arch)) {
        say_not_of(position, "not below ", detail);
        return RUNG_REASON_ARCH_INVALID;
    }
    return reason;
}

static void say_outside(const rung_registry *registry, uint32_t device, rung_text *detail)
{
    if (detail != NULL)
        rung_text_join(detail, (const char *const[]){rung_device_text(registry, device),
                                                     " is not in this platform's chain", NULL});
}

/* Why no cell of a listed arch can run on this platform. CAPPED comes before all others, so that one answer serves. */
static rung_reason judge_arch(const rung_platform *p, uint32_t arch, rung_text *detail)
{
    const rung_registry *registry = p->head.registry;
    const rung_arch_row *row = &registry->arch_names[arch];
    const rung_position *position = rung_position_of(p, row->device);
    if (position == NULL) {
        say_outside(registry, row->device, detail);
        return RUNG_REASON_DEVICE_ABSENT;
    }
    bool step = rung_is_step(registry, position->at.row, arch);
    if (!step && is_capped(registry, position, arch)) {
        say_capped(p, position, detail);
        return RUNG_REASON_CAPPED;
    }
    rung_reason state = rung_position_state(position, detail);
    if (state != RUNG_REASON_NONE)
        return state;
    if (position->is_cpu)
        return judge_cpu_arch(p, position, arch, detail);
    if (!step) {
        say_not_of(position, "not for ", detail);
        return RUNG_REASON_ARCH_INVALID;
    }
    /* A platform string changes what is tried, not what the device can run: sm90a is for sm90 alone, even where a newer
     * device is capped at it. */
    if (position->detected[0] != '\0' && !rung_is_step(registry, position->found.row, arch)) {
        say_not_of_device(registry, position, row, detail);
        return RUNG_REASON_ARCH_INVALID;
    }
    return RUNG_REASON_NONE;
}

void rung_judge_archs(rung_platform *p)
{
    for (uint32_t i = 0; i < p->head.registry->n_archs; i++)
        p->arch_reason[i] = (uint8_t)judge_arch(p, i, NULL);
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

static bool reaches(const rung_platform *p, const rung_position *position, uint32_t memory)
{
    if (memory == RUNG_MEMORY_HOST)
        return position->host;
    return memory == RUNG_MEMORY_ANY || position == &p->position[rung_memory_position(p)];
}

static void say_memory(const rung_platform *p, uint32_t memory, rung_text *detail)
{
    if (detail == NULL)
        return;
    const rung_position *position = &p->position[rung_memory_position(p)];
    rung_text_add(detail, memory == RUNG_MEMORY_HOST ? "the data is in host memory" : "the data is in memory of ");
    if (memory != RUNG_MEMORY_HOST)
        rung_text_add(detail, rung_device_text(p->head.registry, position->device));
}

/* Features are those of the family `model`; of the running one for NONE. */
static rung_reason judge_features(const rung_platform *p, rung_model model, uint64_t features, rung_text *detail)
{
    if (features == 0)
        return RUNG_REASON_NONE;
    rung_model running = rung_cpu_model(&p->cpu);
    if (!is_cpu_model(model))
        model = running;
    const rung_cpu nothing = {.family = ""};
    return rung_cpu_misses(model == running ? &p->cpu : &nothing, model, features, detail);
}

static rung_reason judge_driver(const rung_registry *registry, const rung_position *position, uint32_t first,
                                uint32_t n, rung_text *detail)
{
    for (uint32_t i = 0; i < n; i++) {
        const rung_requirement_row *row = &registry->requirements[registry->cell_requirements[first + i]];
        if (row->kind != RUNG_REQUIREMENT_DRIVER || (position->driver != 0 && position->driver >= row->minimum))
            continue;
        if (detail != NULL) {
            rung_text_join(detail, (const char *const[]){rung_pool(registry, row->name), " is driver ", NULL});
            rung_text_version(detail, row->minimum);
            rung_text_add(detail, position->driver == 0 ? " or newer, this one's version is not known" : ", this is ");
            if (position->driver != 0)
                rung_text_version(detail, position->driver);
        }
        return RUNG_REASON_REQUIREMENT_UNMET;
    }
    return RUNG_REASON_NONE;
}

/* What was declared and built. */
static rung_reason judge_flags(const rung_platform *p, uint8_t flags)
{
    if (flags & RUNG_CELL_PLANNED)
        return RUNG_REASON_PLANNED;
    if (!(flags & RUNG_CELL_BUILT))
        return RUNG_REASON_NOT_BUILT;
    if ((flags & RUNG_CELL_EXPERIMENTAL) && (p == NULL || !(p->flags & RUNG_OPEN_EXPERIMENTAL)))
        return RUNG_REASON_EXPERIMENTAL;
    return RUNG_REASON_NONE;
}

static rung_reason judge_use(const rung_platform *p, uint32_t item, uint8_t flags, rung_text *detail)
{
    return flags & RUNG_CELL_FIRST_USE ? rung_use_demoted(&p->uses, item, detail) : RUNG_REASON_NONE;
}

/* Of the device that is there; of the arch in force where none is. */
static uint32_t capability_of(const rung_position *position)
{
    return position->detected[0] != '\0' ? position->found.rank : position->at.rank;
}

/* What has become of a device that could be used when the platform was opened, and whether its driver takes images of
 * this build at all. */
static rung_reason judge_use_of_device(const rung_registry *registry, const rung_position *position,
                                       const rung_cell_row *row, rung_text *detail)
{
    if (row->entries == 0)
        return rung_position_state(position, detail);
    rung_reason reason = rung_image_judge_driver(registry, position->device, position->driver, detail);
    return reason == RUNG_REASON_NONE ? rung_position_state(position, detail) : reason;
}

rung_reason rung_judge(const rung_registry *registry, const rung_platform *p, uint32_t cell, uint32_t memory,
                       rung_text *detail)
{
    const rung_cell_row *row = &registry->cells[cell];
    rung_reason reason = judge_flags(p, row->flags);
    if (reason == RUNG_REASON_NOT_BUILT)
        explain_not_built(registry, row, detail);
    if (reason != RUNG_REASON_NONE || p == NULL)
        return reason;
    const rung_position *position = rung_position_of(p, registry->arch_names[row->arch].device);
    rung_reason arch = (rung_reason)p->arch_reason[row->arch];
    if (position == NULL) /* which is a reason of the arch */
        return detail == NULL ? arch : judge_arch(p, row->arch, detail);
    if (arch != RUNG_REASON_CAPPED && !reaches(p, position, memory)) {
        say_memory(p, memory, detail);
        return RUNG_REASON_MEMORY;
    }
    if (arch == RUNG_REASON_NONE || arch == RUNG_REASON_ARCH_INVALID)
        reason = judge_use_of_device(registry, position, row, detail);
    if (reason != RUNG_REASON_NONE)
        return reason;
    if (arch != RUNG_REASON_NONE)
        return detail == NULL ? arch : judge_arch(p, row->arch, detail);
    if (row->entries != 0)
        reason = rung_image_judge(registry, row->arch, capability_of(position), position->driver, detail);
    if (reason != RUNG_REASON_NONE)
        return reason;
    reason = judge_features(p, model_of(registry, row->arch), row->features, detail);
    if (reason == RUNG_REASON_NONE && row->requirements != 0)
        reason = judge_driver(registry, position, row->first_requirement, row->requirements, detail);
    return reason == RUNG_REASON_NONE ? judge_use(p, cell, row->flags, detail) : reason;
}

rung_reason rung_judge_builder(const rung_registry *registry, const rung_platform *p, uint32_t builder,
                               rung_text *detail)
{
    const rung_builder_row *row = &registry->builders[builder];
    rung_reason reason = judge_flags(p, row->flags);
    if (reason == RUNG_REASON_NOT_BUILT && detail != NULL &&
        !says_requirement(registry, row->first_requirement, row->requirements, detail))
        say_left_out(registry, row->device, NULL, detail);
    if (reason != RUNG_REASON_NONE || p == NULL)
        return reason;
    const rung_position *position = rung_position_of(p, row->device);
    if (position == NULL) {
        say_outside(registry, row->device, detail);
        return RUNG_REASON_DEVICE_ABSENT;
    }
    reason = rung_position_state(position, detail);
    if (reason != RUNG_REASON_NONE)
        return reason;
    reason = judge_features(p, (rung_model)row->model, row->features, detail);
    if (reason == RUNG_REASON_NONE)
        reason = judge_driver(registry, position, row->first_requirement, row->requirements, detail);
    uint32_t item = rung_item_of_builder(registry, builder);
    return reason == RUNG_REASON_NONE ? judge_use(p, item, row->flags, detail) : reason;
}
