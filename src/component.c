/* SPDX-License-Identifier: Apache-2.0
 *
 * component.c: building and destroying components (docs/resolution.md, R7).
 */
#include <stdlib.h>

#include "component.h"
#include "error.h"
#include "names.h"

struct rung_component {
    const rung_component_spec *spec;
    rung_platform *platform;
    bool owns_platform;
    rung_component_cell cell;
    rung_built built;
};

static const char *id_of(const rung_component_spec *spec)
{
    return spec->id == NULL ? "?" : spec->id;
}

static const char *kind_of(const rung_component_spec *spec)
{
    return rung_kind_text(spec->kind->registry, spec->kind->id);
}

static rung_status fail_none(const rung_component *c, uint32_t variant, rung_error *err)
{
    rung_text t = rung_error_begin(err, RUNG_ERR_NO_COMPONENT);
    rung_text_join(
        &t, (const char *const[]){kind_of(c->spec), " ", id_of(c->spec), ": no factory, and no builder along ", NULL});
    rung_component_tell(c->platform, c->spec->kind->id, variant, &t);
    return RUNG_ERR_NO_COMPONENT;
}

/* A builder's text as one line, whatever it holds. */
static const char *one_line(rung_error *told)
{
    told->text[sizeof told->text - 1] = '\0';
    for (char *at = told->text; *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = ' ';
    return told->text;
}

/* What a builder or the factory answered, as the answer of rung_component_build. */
static rung_status conclude(rung_component *c, rung_status status, rung_error *told, rung_error *err)
{
    const char *what = one_line(told);
    if (status == RUNG_OK && c->built.object != NULL)
        return RUNG_OK;
    if (status == RUNG_OK) {
        status = RUNG_ERR_ARGUMENT;
        what = "the builder made nothing";
    } else if (what[0] == '\0') {
        what = rung_status_text(status);
    }
    if (c->built.object != NULL && c->built.destroy != NULL)
        c->built.destroy(c->built.object);
    c->built = (rung_built){NULL, NULL};
    return RUNG_FAIL(err, status, kind_of(c->spec), " ", id_of(c->spec), " on ", c->cell.device, ": ", what);
}

static rung_status build(rung_component *c, const void *instance, uint32_t variant, rung_error *err)
{
    const rung_component_spec *spec = c->spec;
    const rung_registry *registry = spec->kind->registry;
    rung_error told = {.status = RUNG_OK};
    uint32_t builder = rung_component_choose(c->platform, spec->kind->id, variant);
    if (builder != RUNG_NONE) {
        rung_component_fill(registry, builder, &c->cell);
        c->cell.chosen = 1;
        uint32_t ordinal = builder - registry->kinds[spec->kind->id].first_builder;
        rung_status status = spec->kind->build(ordinal, spec, instance, c->platform, &c->built, &told);
        return conclude(c, status, &told, err);
    }
    if (spec->factory == NULL)
        return fail_none(c, variant, err);
    c->cell = (rung_component_cell){.kind = kind_of(spec),
                                    .device = rung_platform_device(c->platform, 0),
                                    .variant = rung_variant_name(registry, variant),
                                    .symbol = "",
                                    .source = "factory",
                                    .id = RUNG_NONE,
                                    .built = 1,
                                    .chosen = 1};
    return conclude(c, spec->factory(instance, &c->built, &told), &told, err);
}

rung_status rung_component_build(rung_platform *platform, const rung_component_spec *spec, const void *instance,
                                 uint32_t variant, rung_component **out, rung_error *err)
{
    if (spec == NULL || spec->kind == NULL || spec->kind->build == NULL || out == NULL)
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, spec == NULL ? "no spec given" : "no kind or place given");
    const rung_registry *registry = spec->kind->registry;
    rung_status status = rung_registry_check(registry, err);
    if (status != RUNG_OK)
        return status;
    if (spec->kind->id >= registry->n_kinds || (platform != NULL && platform->head.registry != registry))
        return RUNG_FAIL(err, RUNG_ERR_ARGUMENT, "the platform is of another registry than the kind");
    /* First what can fail without leaving anything behind. */
    rung_component *c = calloc(1, sizeof *c);
    if (c == NULL)
        return RUNG_FAIL(err, RUNG_ERR_MEMORY, "out of memory");
    c->spec = spec;
    c->platform = platform;
    if (platform == NULL) {
        status = rung_platform_open(registry, NULL, 0, &c->platform, err);
        c->owns_platform = status == RUNG_OK;
    }
    if (status == RUNG_OK)
        status = build(c, instance, variant < registry->n_variants ? variant : 0, err);
    if (status != RUNG_OK) {
        rung_component_destroy(c);
        return status;
    }
    *out = c;
    return rung_succeed(err);
}

void rung_component_destroy(rung_component *component)
{
    if (component == NULL)
        return;
    if (component->built.destroy != NULL)
        component->built.destroy(component->built.object);
    if (component->owns_platform)
        rung_platform_close(component->platform);
    free(component);
}

void *rung_component_object(const rung_component *component)
{
    return component == NULL ? NULL : component->built.object;
}

rung_platform *rung_component_platform(const rung_component *component)
{
    return component == NULL ? NULL : component->platform;
}

const char *rung_component_id(const rung_component *component)
{
    return component == NULL ? NULL : id_of(component->spec);
}

const rung_component_cell *rung_component_built_by(const rung_component *component)
{
    return component == NULL ? NULL : &component->cell;
}
