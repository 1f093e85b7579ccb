/* SPDX-License-Identifier: Apache-2.0
 *
 * matrix_ladder.c: rungs with their verdicts. On the platform that is shown these are those of `rung explain`; on one
 * that was only opened to be looked at, what this machine lacks comes second to what the registry and the build have.
 */
#include "matrix_ladder.h"

#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "json.h"
#include "say.h"

enum { MARK_NONE, MARK_CALLED, MARK_FIRST, MARK_FURTHER };

typedef struct ladder {
    const rung_platform *platform;
    bool shown;
    bool found; /* the first that would be called has been met */
    json_t *rungs;
    matrix_texts *texts;
} ladder;

/* What kernels and builders have in common. */
typedef struct rung_seen {
    const char *device, *arch, *variant, *detail; /* arch NULL: of a component */
    bool has_code, experimental, chosen;
    rung_reason reason;
} rung_seen;

char *matrix_key(const char *device, const char *arch, const char *variant)
{
    return arch != NULL ? say_format("%s/%s/%s", device, arch, variant) : say_format("%s/%s", device, variant);
}

static json_t *place(matrix_texts *texts, const char *text)
{
    json_t *known = json_object_get(texts->index, text);
    if (known != NULL)
        return json_incref(known);
    json_t *number = json_count(json_array_size(texts->list));
    json_add(texts->list, json_text(text));
    json_put(texts->index, text, json_incref(number));
    return number;
}

static bool in_chain(const rung_platform *platform, const char *device, const char *arch)
{
    const char *name, *step;
    for (uint32_t d = 0; (name = rung_platform_device(platform, d)) != NULL; d++) {
        if (strcmp(name, device) != 0)
            continue;
        if (arch == NULL)
            return true;
        for (uint32_t s = 0; (step = rung_platform_arch_step(platform, d, s)) != NULL; s++)
            if (strcmp(step, arch) == 0)
                return true;
    }
    return false;
}

static void add(ladder *l, const rung_seen *seen)
{
    char *why = describe_reason(seen->reason, seen->detail);
    char *verdict;
    int mark = MARK_NONE;
    if (l->shown) {
        mark = seen->chosen ? MARK_CALLED : MARK_NONE;
        verdict = say_format("%s", seen->chosen                       ? "chosen"
                                   : seen->reason == RUNG_REASON_NONE ? "available, further down"
                                                                      : why);
    } else if (!seen->has_code || seen->experimental) {
        verdict = say_format("%s", why);
    } else if (!in_chain(l->platform, seen->device, seen->arch)) {
        verdict = say_format("not in this chain");
    } else {
        mark = l->found ? MARK_FURTHER : MARK_FIRST;
        l->found = true;
        verdict = say_format("%s%s%s", mark == MARK_FIRST ? "would be called" : "further down",
                             why[0] != '\0' ? "; on this machine: " : "", why);
    }
    char *key = matrix_key(seen->device, seen->arch, seen->variant);
    json_t *rung = json_array();
    json_add(rung, place(l->texts, key));
    json_add(rung, place(l->texts, verdict));
    json_add(rung, json_count((unsigned long long)mark));
    json_add(l->rungs, rung);
    free(key);
    free(verdict);
    free(why);
}

static int add_kernel(const rung_cell *c, void *user)
{
    const rung_seen seen = {
        c->device,      c->arch,  c->variant, c->detail, c->declared && c->built && !c->planned, c->experimental != 0,
        c->chosen != 0, c->reason};
    add(user, &seen);
    return 0;
}

static int add_builder(const rung_component_cell *c, void *user)
{
    const rung_seen seen = {
        c->device,      NULL,     c->variant, c->detail, c->declared && c->built && !c->planned, c->experimental != 0,
        c->chosen != 0, c->reason};
    add(user, &seen);
    return 0;
}

json_t *matrix_ladder(const rung_platform *platform, bool shown, uint32_t op, uint32_t kind, uint32_t variant,
                      matrix_texts *texts)
{
    ladder l = {platform, shown, false, json_array(), texts};
    if (op != RUNG_NONE)
        rung_explain(platform, op, variant, add_kernel, &l);
    else
        rung_component_explain(platform, kind, variant, add_builder, &l);
    return l.rungs;
}

const char *matrix_ladder_next(const json_t *rungs, const matrix_texts *texts, const char *key)
{
    bool passed = false;
    for (size_t i = 0; i < json_array_size(rungs); i++) {
        const json_t *rung = json_array_get(rungs, i);
        const json_t *text = json_array_get(texts->list, (size_t)json_integer_value(json_array_get(rung, 0)));
        if (passed && json_integer_value(json_array_get(rung, 2)) >= MARK_FIRST)
            return json_string_value(text);
        if (strcmp(json_string_value(text), key) == 0)
            passed = true;
    }
    return NULL;
}
