/* SPDX-License-Identifier: Apache-2.0
 *
 * tune_decide.c: kernel by kernel, against those of older archs of the same op, device and variant.
 */
#include <stdlib.h>
#include <string.h>

#include "rk/rk.h"
#include "say.h"
#include "tune.h"

typedef struct group {
    const tune_table *table;
    const char *op, *device, *variant;
    tune_ladder ladder;
} group;

static cell_key key_of(const group *g, size_t i)
{
    return (cell_key){g->op, g->device, g->ladder.arch[i], g->variant};
}

static tune_pair compare(const group *g, size_t newer, size_t older)
{
    cell_key a = key_of(g, newer), b = key_of(g, older);
    return tune_compare(g->table, &a, &b);
}

static tune_verdict verdict_of(const group *g, size_t newer, size_t older)
{
    tune_pair pair = compare(g, newer, older);
    free(pair.size);
    return pair.verdict;
}

static bool proven(const group *g, size_t i)
{
    cell_key key = key_of(g, i);
    char *why = tune_unproven(g->table, &key);
    bool is = why == NULL;
    free(why);
    return is;
}

/* The arch that rung i stands behind now, although its own is newer: the oldest of them; NULL: it stands at its own
 * place. */
static const char *now_behind(const tune_ladder *ladder, size_t i)
{
    for (size_t j = ladder->count; j-- > i + 1;)
        if (ladder->place[j] < ladder->place[i])
            return ladder->arch[j];
    return NULL;
}

/* Behind the rung that every machine has, nothing is ever called. */
static bool ends_the_chain(const group *g, size_t i)
{
    return strcmp(g->device, "cpu") == 0 && strcmp(g->ladder.arch[i], "generic") == 0;
}

/* Whether i can be put behind j: nothing that stands between is then called in its place without being faster. */
static bool may_follow(const group *g, size_t i, size_t j)
{
    if (ends_the_chain(g, j) || !proven(g, j) || verdict_of(g, i, j) != TUNE_OLDER)
        return false;
    for (size_t k = i + 1; k < j; k++) {
        bool steps_back = verdict_of(g, k, j) == TUNE_OLDER;
        if (!proven(g, k) || (verdict_of(g, i, k) != TUNE_OLDER && !steps_back))
            return false;
    }
    return true;
}

/* The oldest that i should stand behind; i itself when there is none. */
static size_t wanted(const group *g, size_t i)
{
    for (size_t j = g->ladder.count; proven(g, i) && j-- > i + 1;)
        if (may_follow(g, i, j))
            return j;
    return i;
}

/* Whether what the registry says now, that i stands behind another, is to be taken back: the rung that it stands
 * behind, or i itself when it is to stay. */
static size_t refuted(const group *g, size_t i, const char *now)
{
    for (size_t j = i + 1; now != NULL && proven(g, i) && j < g->ladder.count; j++) {
        tune_verdict verdict = verdict_of(g, i, j);
        if (verdict == TUNE_OLDER)
            return i;
        if (strcmp(g->ladder.arch[j], now) == 0)
            return verdict == TUNE_NEWER && proven(g, j) ? j : i;
    }
    return i;
}

/* Of all older ones the one that is ahead of i the most; i itself where none was measured at the same sizes. */
static size_t nearest_rival(const group *g, size_t i)
{
    size_t best = i;
    double ratio = 0;
    for (size_t j = i + 1; j < g->ladder.count; j++) {
        tune_pair pair = compare(g, i, j);
        free(pair.size);
        if (pair.verdict != TUNE_APART && pair.ratio > ratio) {
            ratio = pair.ratio;
            best = j;
        }
    }
    return best;
}

static char *reason(const group *g, size_t i, size_t j, const tune_row *row, tune_verdict verdict)
{
    cell_key key = key_of(g, i), other = key_of(g, j);
    const char *name = other.arch;
    char *unproven = tune_unproven(g->table, &key);
    if (unproven == NULL)
        unproven = tune_unproven(g->table, &other);
    if (unproven != NULL)
        return unproven;
    if (row->change)
        return row->proposed != NULL ? say_format("%s is faster at every size", name)
                                     : say_format("faster than %s at every size", name);
    switch (verdict) {
    case TUNE_OLDER:
        if (row->now != NULL && strcmp(row->now, name) == 0)
            return say_format("%s is faster at every size, and stands in front already", name);
        if (ends_the_chain(g, j))
            return say_format("%s is faster at every size; behind it this one would never be called", name);
        return say_format("%s is faster at every size, but a kernel between them is not", name);
    case TUNE_CLOSE:
        return say_format("%s is faster at every size, by less than the margin", name);
    case TUNE_MIXED:
        return say_format("mixed: each is faster at some size than the other, %s", name);
    case TUNE_NOISE:
        return say_format("within the noise of %s at some size", name);
    case TUNE_NEWER:
    case TUNE_APART:
        break;
    }
    return say_format("faster than %s at every size", name);
}

static void add_row(tune_table *t, const group *g, size_t i)
{
    const char *now = now_behind(&g->ladder, i);
    size_t want = wanted(g, i), back = want == i ? refuted(g, i, now) : i;
    size_t j = want != i ? want : back != i ? back : nearest_rival(g, i);
    if (j == i)
        return;
    tune_row row = {.op = g->op,
                    .device = g->device,
                    .arch = g->ladder.arch[i],
                    .variant = g->variant,
                    .now = now,
                    .against = g->ladder.arch[j]};
    tune_pair pair = compare(g, i, j);
    row.ratio = pair.ratio;
    row.sizes = pair.sizes;
    row.size = pair.size;
    row.proposed = want != i ? g->ladder.arch[want] : back != i ? NULL : now;
    row.change = back != i || (want != i && (now == NULL || strcmp(row.proposed, now) != 0));
    row.why = reason(g, i, j, &row, pair.verdict);
    if (t->count == t->room) {
        t->room = t->room != 0 ? 2 * t->room : 32;
        t->row = say_realloc(t->row, t->room * sizeof *t->row);
    }
    t->row[t->count++] = row;
    t->changes += row.change ? 1 : 0;
}

static bool same_group(const bench_row *a, const bench_row *b)
{
    return strcmp(a->op, b->op) == 0 && strcmp(a->device, b->device) == 0 && strcmp(a->variant, b->variant) == 0;
}

/* Error line and false when the registry has no such kernel. */
static bool is_known(const bench_file *bench, const bench_row *row)
{
    rung_error err;
    rung_cell cell;
    if (rung_cell_find(&rk_registry, row->op, row->device, row->arch, row->variant, &cell, &err) == RUNG_OK)
        return true;
    say_error("%s: %s", bench->name, err.text);
    return false;
}

/* The rows of the group that begins with result `first`. */
static bool decide_group(tune_table *t, size_t first)
{
    const bench_row *row = t->bench->row;
    group g = {.table = t, .op = row[first].op, .device = row[first].device, .variant = row[first].variant};
    const char *archs[TUNE_RUNGS];
    size_t count = 0;
    for (size_t i = first; i < t->bench->count; i++) {
        bool fresh = same_group(&row[first], &row[i]) && count < TUNE_RUNGS;
        for (size_t a = 0; fresh && a < count; a++)
            fresh = strcmp(archs[a], row[i].arch) != 0;
        if (fresh)
            archs[count++] = row[i].arch;
    }
    if (!tune_ladder_of(g.op, g.device, g.variant, archs, count, &g.ladder))
        return false;
    for (size_t i = 0; i < g.ladder.count; i++)
        add_row(t, &g, i);
    return true;
}

bool tune_known(const bench_file *bench)
{
    for (size_t i = 0; i < bench->count; i++)
        if (!is_known(bench, &bench->row[i]))
            return false;
    return true;
}

bool tune_decide(tune_table *t)
{
    bool good = tune_known(t->bench);
    for (size_t i = 0; good && i < t->bench->count; i++) {
        bool first = true;
        for (size_t j = 0; first && j < i; j++)
            first = !same_group(&t->bench->row[j], &t->bench->row[i]);
        good = !first || decide_group(t, i);
    }
    return good;
}

void tune_free(tune_table *t)
{
    for (size_t i = 0; i < t->count; i++) {
        free(t->row[i].size);
        free(t->row[i].why);
    }
    free(t->row);
}
