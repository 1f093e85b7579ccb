/* SPDX-License-Identifier: Apache-2.0
 *
 * describe.c: platforms and cells in words.
 */
#include "describe.h"

#include <stdlib.h>
#include <string.h>

#include "candidates.h"
#include "json.h"
#include "rk/rk.h"
#include "say.h"
#include "table.h"

char *describe_chain(const rung_platform *platform)
{
    char *text = say_format("%s", "");
    for (uint32_t d = 0; rung_platform_device(platform, d) != NULL; d++) {
        for (uint32_t s = 0; rung_platform_arch_step(platform, d, s) != NULL; s++) {
            char *longer = say_format("%s%s%s/%s", text, text[0] != '\0' ? " > " : "",
                                      rung_platform_device(platform, d), rung_platform_arch_step(platform, d, s));
            free(text);
            text = longer;
        }
    }
    return text;
}

char *describe_reason(rung_reason reason, const char *detail)
{
    if (reason == RUNG_REASON_NONE)
        return say_format("%s", "");
    const char *text = rung_reason_text(reason);
    if (detail[0] == '\0' || strcmp(detail, text) == 0)
        return say_format("%s", text);
    if (reason == RUNG_REASON_CPU_LACKS || reason == RUNG_REASON_SYSTEM_DISABLED)
        return say_format("%s %s", text, detail);
    return say_format("%s (%s)", text, detail);
}

json_t *describe_platform_json(const rung_platform *platform)
{
    json_t *root = json_object();
    json_put(root, "platform", json_text(rung_platform_text(platform)));
    json_put(root, "reason", json_text(rung_platform_reason(platform)));
    json_put(root, "version", json_text(RUNG_VERSION_STRING));
    json_t *chain = json_array();
    for (uint32_t d = 0; rung_platform_device(platform, d) != NULL; d++) {
        json_t *device = json_object();
        json_put(device, "device", json_text(rung_platform_device(platform, d)));
        json_put(device, "index", json_count(rung_platform_index(platform, d)));
        json_put(device, "arch", json_text(rung_platform_arch(platform, d)));
        json_put(device, "detected", json_text(rung_platform_detected(platform, d)));
        json_t *archs = json_array();
        for (uint32_t s = 0; rung_platform_arch_step(platform, d, s) != NULL; s++)
            json_add(archs, json_text(rung_platform_arch_step(platform, d, s)));
        json_put(device, "archs", archs);
        json_add(chain, device);
    }
    json_put(root, "chain", chain);
    return root;
}

static int add_candidate(const candidate *c, void *user)
{
    json_t *one = json_object();
    json_put(one, "platform", json_text(c->name));
    json_put(one, "usable", json_boolean(c->usable));
    json_put(one, "reason", json_text(c->reason));
    json_add(user, one);
    return 0;
}

json_t *describe_candidates_json(const rung_platform *platform)
{
    json_t *list = json_array();
    candidates_rejected(platform, add_candidate, list);
    return list;
}

void describe_variant_json(json_t *to, uint32_t variant)
{
    const char *name = rung_variant_name(&rk_registry, variant);
    json_put(to, "variant", json_text(name != NULL ? name : rung_variant_name(&rk_registry, 0)));
    json_put(to, "variant_not_declared", json_boolean(name == NULL));
}

/* What kernels and builders have in common. */
static void put_verdict(json_t *root, bool declared, bool chosen, rung_reason reason, const char *detail)
{
    json_put(root, "declared", json_boolean(declared));
    json_put(root, "available", json_boolean(reason == RUNG_REASON_NONE));
    json_put(root, "chosen", json_boolean(chosen));
    json_put(root, "reason", reason == RUNG_REASON_NONE ? json_null() : json_text(rung_reason_text(reason)));
    json_put(root, "detail", json_text(detail));
}

static void put_origin(json_t *root, bool planned, bool built, bool experimental, const char *source,
                       const char *symbol)
{
    json_put(root, "planned", json_boolean(planned));
    json_put(root, "built", json_boolean(built));
    json_put(root, "experimental", json_boolean(experimental));
    json_put(root, "source", json_text(source));
    json_put(root, "symbol", json_text(symbol));
}

json_t *describe_cell_json(const rung_cell *cell)
{
    json_t *root = json_object();
    json_put(root, "op", json_text(cell->op));
    json_put(root, "device", json_text(cell->device));
    json_put(root, "arch", json_text(cell->arch));
    json_put(root, "variant", json_text(cell->variant));
    put_verdict(root, cell->declared, cell->chosen, cell->reason, cell->detail);
    put_origin(root, cell->planned, cell->built, cell->experimental, cell->source, cell->symbol);
    json_put(root, "workspace", json_count(cell->workspace));
    return root;
}

json_t *describe_component_json(const rung_component_cell *cell)
{
    json_t *root = json_object();
    json_put(root, "kind", json_text(cell->kind));
    json_put(root, "device", json_text(cell->device));
    json_put(root, "variant", json_text(cell->variant));
    put_verdict(root, cell->declared, cell->chosen, cell->reason, cell->detail);
    put_origin(root, cell->planned, cell->built, cell->experimental, cell->source, cell->symbol);
    return root;
}

static int print_candidate(const candidate *c, void *user)
{
    const char *cells[] = {c->name, c->reason};
    table_row(user, cells);
    return 0;
}

void describe_candidates(const rung_platform *platform, FILE *to)
{
    table *t = table_new(2, NULL);
    candidates_rejected(platform, print_candidate, t);
    table_end(t, to, 2);
}
