/* SPDX-License-Identifier: Apache-2.0
 *
 * rank.c: the list of backends, best first.
 */
#include <string.h>

#include "names.h"
#include "rank.h"

/* Available before unavailable, then by score; equal ones stay in the registry's order. */
static bool comes_before(const rung_backend *a, const rung_backend *b)
{
    if (a->available != b->available)
        return a->available != 0;
    return a->score > b->score;
}

static bool is_same_framework(const rung_registry *registry, uint32_t a, uint32_t b)
{
    return strcmp(rung_pool(registry, registry->backends[a].framework),
                  rung_pool(registry, registry->backends[b].framework)) == 0;
}

static bool is_first_of_framework(const rung_registry *registry, uint32_t row)
{
    for (uint32_t before = 0; before < row; before++)
        if (is_same_framework(registry, before, row))
            return false;
    return true;
}

/* Whether a framework enters with line a rather than with b, which stands before it. An unavailable one would enter
 * with the best line whose device is there, or with its last. */
static bool is_better(const rung_line *a, const rung_line *b)
{
    if (a->backend.available || b->backend.available)
        return comes_before(&a->backend, &b->backend);
    if ((a->nearness == RUNG_HOLDS) != (b->nearness == RUNG_HOLDS))
        return a->nearness == RUNG_HOLDS;
    return a->nearness == RUNG_HOLDS ? a->backend.score > b->backend.score : true;
}

/* The line that the framework of `first` enters with, and its row: ties of score are settled by it. */
static uint32_t best_line(const rung_registry *registry, uint32_t first, const rung_facts *facts, rung_line *best)
{
    uint32_t best_row = first;
    rung_judge_line(registry, first, facts, best);
    for (uint32_t row = first + 1; row < registry->n_backends; row++) {
        if (!is_same_framework(registry, first, row))
            continue;
        rung_line line;
        rung_judge_line(registry, row, facts, &line);
        if (is_better(&line, best)) {
            *best = line;
            best_row = row;
        }
    }
    return best_row;
}

void rung_rank(const rung_registry *registry, const rung_facts *facts, rung_choice *out)
{
    uint32_t rows[RUNG_BACKENDS_MAX];
    out->count = 0;
    for (uint32_t first = 0; first < registry->n_backends && out->count < RUNG_BACKENDS_MAX; first++) {
        if (!is_first_of_framework(registry, first))
            continue;
        rung_line line;
        uint32_t row = best_line(registry, first, facts, &line);
        uint32_t at = out->count++;
        for (; at > 0; at--) {
            const rung_backend *above = &out->ranked[at - 1];
            if (comes_before(above, &line.backend) || (!comes_before(&line.backend, above) && rows[at - 1] < row))
                break;
            out->ranked[at] = *above;
            rows[at] = rows[at - 1];
        }
        out->ranked[at] = line.backend;
        rows[at] = row;
    }
}
