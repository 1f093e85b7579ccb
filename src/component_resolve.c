/* SPDX-License-Identifier: Apache-2.0
 *
 * component_resolve.c: the ladder of a kind: device by device, the asked variant and then what it falls to.
 */
#include "component.h"
#include "error.h"
#include "log.h"
#include "names.h"
#include "nearest.h"

/* The builder of exactly this key among those of a kind, RUNG_NONE. */
static uint32_t builder_of(const rung_registry *registry, uint32_t kind, uint32_t device, uint32_t variant)
{
    const rung_kind_row *row = &registry->kinds[kind];
    for (uint32_t i = row->first_builder; i < row->first_builder + row->builders; i++)
        if (registry->builders[i].device == device && registry->builders[i].variant == variant)
            return i;
    return RUNG_NONE;
}

typedef struct rung_ladder {
    const rung_platform *p;
    uint32_t kind;
    uint32_t variants[2], n_variants; /* the asked one, then what it falls to */
} rung_ladder;

static rung_ladder ladder_of(const rung_platform *p, uint32_t kind, uint32_t variant)
{
    bool falls = variant != 0 && !(p->head.registry->variants[variant].flags & RUNG_VARIANT_STRICT);
    return (rung_ladder){p, kind, {variant, 0}, falls ? 2 : 1};
}

/* One rung of a ladder; false past its end. */
static bool rung_at(const rung_ladder *ladder, uint32_t rung, uint32_t *device, uint32_t *variant, uint32_t *builder)
{
    uint32_t position = rung / ladder->n_variants;
    if (position >= ladder->p->positions)
        return false;
    *device = ladder->p->position[position].device;
    *variant = ladder->variants[rung % ladder->n_variants];
    *builder = builder_of(ladder->p->head.registry, ladder->kind, *device, *variant);
    return true;
}

/* The first rung whose builder is available, RUNG_NONE; *at is its builder. */
static uint32_t first_available(const rung_ladder *ladder, uint32_t *at)
{
    uint32_t device;
    uint32_t variant;
    for (uint32_t rung = 0; rung_at(ladder, rung, &device, &variant, at); rung++)
        if (*at != RUNG_NONE && rung_judge_builder(ladder->p->head.registry, ladder->p, *at, NULL) == RUNG_REASON_NONE)
            return rung;
    *at = RUNG_NONE;
    return RUNG_NONE;
}

uint32_t rung_component_choose(rung_platform *p, uint32_t kind, uint32_t variant)
{
    const rung_registry *registry = p->head.registry;
    rung_ladder ladder = ladder_of(p, kind, variant);
    rung_log_fork(p);
    for (;;) {
        uint32_t builder;
        if (first_available(&ladder, &builder) == RUNG_NONE)
            return RUNG_NONE;
        const rung_builder_row *row = &registry->builders[builder];
        uint32_t item = rung_item_of_builder(registry, builder);
        if (rung_use_ready(&p->uses, item, row->flags)) {
            rung_use_device(p, row->device); /* by the builder, whether or not it has a first use */
            return builder;
        }
        (void)rung_use_first(p, item, row->device);
    }
}

void rung_component_fill(const rung_registry *registry, uint32_t builder, rung_component_cell *out)
{
    const rung_builder_row *row = &registry->builders[builder];
    *out = (rung_component_cell){
        .kind = rung_kind_text(registry, row->kind),
        .device = rung_device_text(registry, row->device),
        .variant = rung_pool(registry, registry->variants[row->variant].name),
        .symbol = rung_pool(registry, row->symbol),
        .source = rung_pool(registry, row->source),
        .id = builder,
        .declared = 1,
        .built = (row->flags & RUNG_CELL_BUILT) != 0,
        .planned = (row->flags & RUNG_CELL_PLANNED) != 0,
        .experimental = (row->flags & RUNG_CELL_EXPERIMENTAL) != 0,
    };
}

static void judge(const rung_registry *registry, const rung_platform *p, uint32_t builder, rung_component_cell *out)
{
    rung_component_fill(registry, builder, out);
    rung_text detail = rung_text_in(out->detail, sizeof out->detail);
    out->reason = rung_judge_builder(registry, p, builder, &detail);
}

void rung_component_tell(const rung_platform *p, uint32_t kind, uint32_t variant, rung_text *t)
{
    const rung_registry *registry = p->head.registry;
    for (uint32_t i = 0; i < p->positions; i++)
        rung_text_join(
            t, (const char *const[]){i == 0 ? "" : ", ", rung_device_text(registry, p->position[i].device), NULL});
    rung_ladder ladder = ladder_of(p, kind, variant);
    uint32_t device;
    uint32_t asked;
    uint32_t builder;
    bool told = false;
    for (uint32_t rung = 0; rung_at(&ladder, rung, &device, &asked, &builder); rung++) {
        if (builder == RUNG_NONE)
            continue;
        rung_component_cell cell;
        judge(registry, p, builder, &cell);
        rung_text_join(t, (const char *const[]){told ? "; " : ": ", cell.device, " ", cell.variant, " ", NULL});
        rung_why(cell.reason, cell.detail, t);
        told = true;
    }
    if (!told)
        rung_text_add(t, ": none is declared");
}

rung_status rung_component_resolve(const rung_platform *platform, uint32_t kind, uint32_t variant,
                                   rung_component_resolution *out, rung_error *err)
{
    if (platform == NULL || out == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, platform == NULL ? "no platform given" : "no place given");
    const rung_registry *registry = platform->head.registry;
    if (kind >= registry->n_kinds)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "no kind has this id");
    bool declared = variant < registry->n_variants;
    rung_ladder ladder = ladder_of(platform, kind, declared ? variant : 0);
    uint32_t builder;
    uint32_t rung = first_available(&ladder, &builder);
    if (rung == RUNG_NONE) {
        rung_text t = rung_error_begin(err, RUNG_ERR_NO_COMPONENT);
        rung_text_join(&t, (const char *const[]){rung_kind_text(registry, kind), ", variant ",
                                                 rung_variant_name(registry, ladder.variants[0]), ": no builder along ",
                                                 NULL});
        rung_component_tell(platform, kind, ladder.variants[0], &t);
        return RUNG_ERR_NO_COMPONENT;
    }
    *out = (rung_component_resolution){.variant_not_declared = !declared, .rung = rung};
    rung_component_fill(registry, builder, &out->cell);
    out->cell.chosen = 1;
    return rung_succeed(err);
}

rung_status rung_component_resolve_name(const rung_platform *platform, const char *kind, const char *variant,
                                        rung_component_resolution *out, rung_error *err)
{
    if (platform == NULL || kind == NULL || out == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "no platform, kind or place given");
    const rung_registry *registry = platform->head.registry;
    uint32_t id = rung_kind_find(registry, kind);
    if (id == RUNG_NONE)
        return rung_fail_name(registry, "unknown kind ", kind, rung_kind_name, err);
    return rung_component_resolve(platform, id, rung_variant_named(registry, variant), out, err);
}

rung_status rung_component_explain(const rung_platform *platform, uint32_t kind, uint32_t variant,
                                   rung_component_cell_fn *fn, void *user)
{
    if (platform == NULL || fn == NULL || kind >= platform->head.registry->n_kinds)
        return RUNG_ERR_ARGUMENT;
    const rung_registry *registry = platform->head.registry;
    rung_ladder ladder = ladder_of(platform, kind, variant < registry->n_variants ? variant : 0);
    uint32_t winner;
    first_available(&ladder, &winner);
    uint32_t device;
    uint32_t asked;
    uint32_t builder;
    for (uint32_t rung = 0; rung_at(&ladder, rung, &device, &asked, &builder); rung++) {
        rung_component_cell cell;
        if (builder == RUNG_NONE)
            cell = (rung_component_cell){.kind = rung_kind_text(registry, kind),
                                         .device = rung_device_text(registry, device),
                                         .variant = rung_pool(registry, registry->variants[asked].name),
                                         .symbol = "",
                                         .source = "",
                                         .id = RUNG_NONE,
                                         .reason = RUNG_REASON_NOT_DECLARED};
        else
            judge(registry, platform, builder, &cell);
        cell.chosen = builder != RUNG_NONE && builder == winner;
        if (fn(&cell, user) != 0)
            break;
    }
    return RUNG_OK;
}

rung_status rung_component_cell_find(const rung_registry *registry, const char *kind, const char *device,
                                     const char *variant, rung_component_cell *out, rung_error *err)
{
    rung_status status = rung_registry_check(registry, err);
    if (status != RUNG_OK)
        return status;
    if (kind == NULL || device == NULL || out == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "no kind, device or place given");
    if (variant == NULL)
        variant = rung_variant_name(registry, 0);
    uint32_t kind_id = rung_kind_find(registry, kind);
    if (kind_id == RUNG_NONE)
        return rung_fail_name(registry, "unknown kind ", kind, rung_kind_name, err);
    uint32_t device_id = rung_device_find(registry, device);
    if (device_id == RUNG_NONE)
        return rung_fail_name(registry, "unknown device ", device, rung_device_name, err);
    uint32_t variant_id = rung_variant_find(registry, variant);
    if (variant_id == RUNG_NONE)
        return rung_fail_name(registry, "unknown variant ", variant, rung_variant_name, err);
    uint32_t builder = builder_of(registry, kind_id, device_id, variant_id);
    if (builder == RUNG_NONE)
        return RUNG_FAIL(err, RUNG_ERR_UNKNOWN, kind, " has no builder on ", device, ", variant ", variant);
    judge(registry, NULL, builder, out);
    return rung_succeed(err);
}

/* The generated table holds the builders of all kinds in the order of their keys. */
rung_status rung_component_matrix(const rung_registry *registry, const rung_platform *platform,
                                  rung_component_cell_fn *fn, void *user)
{
    rung_status status = rung_registry_check(registry, NULL);
    if (status != RUNG_OK)
        return status;
    if (fn == NULL || (platform != NULL && platform->head.registry != registry))
        return RUNG_ERR_ARGUMENT;
    for (uint32_t i = 0; i < registry->n_builders; i++) {
        const rung_builder_row *row = &registry->builders[i];
        rung_component_cell cell;
        judge(registry, platform, i, &cell);
        if (platform != NULL) {
            rung_ladder ladder = ladder_of(platform, row->kind, row->variant);
            uint32_t winner;
            first_available(&ladder, &winner);
            cell.chosen = winner == i;
        }
        if (fn(&cell, user) != 0)
            break;
    }
    return RUNG_OK;
}
