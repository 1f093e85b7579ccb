/* SPDX-License-Identifier: Apache-2.0
 *
 * cells.c: the time of a cell on the sizes of a case, called as a program would call it.
 */
#include <stdio.h>
#include <string.h>

#include "items.h"
#include "measures.h"
#include "say.h"
#include "sets.h"
#include "timing.h"

typedef struct cell_item {
    const char *op, *arch, *variant, *name;
} cell_item;

static const double limit_s = 4.0; /* for the timed turns of one cell */

typedef struct call {
    const sets *sets;
    rung_ctx cx;
} call;

static rung_status work(bed *b, void *user, size_t turn)
{
    (void)b;
    const call *c = user;
    void *arrays[MOST_ARRAYS];
    sets_of(c->sets, turn, arrays);
    return bench_case_call(c->sets->of, &c->cx, arrays, c->sets->dims);
}

/* ---- which cell -------------------------------------------------------------------------------------------------- */

typedef struct sought {
    const cell_item *item;
    rung_cell found;
    bool there;
} sought;

static int seek(const rung_cell *cell, void *user)
{
    sought *s = user;
    if (strcmp(cell->op, s->item->op) != 0 || strcmp(cell->device, "cuda") != 0 ||
        strcmp(cell->arch, s->item->arch) != 0 || strcmp(cell->variant, s->item->variant) != 0)
        return 0;
    s->found = *cell;
    s->there = true;
    return 1;
}

/* Whether calls of the op and variant reach the cell; why not, in err, UNAVAILABLE where this machine cannot run it. An
 * image that does not load is no such reason: it was made for it. */
static bool is_chosen(const bed *b, const cell_item *item, rung_error *err)
{
    sought s = {.item = item};
    (void)rung_matrix(&rk_registry, b->platform, seek, &s);
    if (s.there && s.found.chosen)
        return true;
    const bool told = s.there && s.found.reason != RUNG_REASON_NONE;
    err->status = told && s.found.reason != RUNG_REASON_LOAD_FAILED ? RUNG_ERR_UNAVAILABLE : RUNG_ERR_NO_KERNEL;
    (void)snprintf(err->text, sizeof err->text, "%s%s%s",
                   told ? rung_reason_text(s.found.reason) : "another cell is called in its place",
                   told && s.found.detail[0] != '\0' ? ": " : "", told ? s.found.detail : "");
    return false;
}

/* Experimental cells are let in for their own sake alone: one of sm90a would be called in place of sm90's. */
static bool is_experimental(const cell_item *item)
{
    rung_cell cell;
    return rung_cell_find(&rk_registry, item->op, "cuda", item->arch, item->variant, &cell, NULL) == RUNG_OK &&
           cell.experimental;
}

/* ---- timing ------------------------------------------------------------------------------------------------------ */

/* On these sizes. The first call may demote the cell, and another would be timed: it is asked again afterwards. */
static timing_end time_sizes(bed *b, const cell_item *item, const bench_case *of, const size_t *dims, timing *out,
                             rung_error *err)
{
    call c = {.cx = rung_ctx_of(b->platform)};
    sets s;
    rung_buffer *workspace = NULL;
    uintptr_t at = 0;
    c.sets = &s;
    c.cx.variant = rung_variant_find(&rk_registry, item->variant);
    c.cx.memory = RUNG_MEMORY_DEVICE;
    c.cx.queue = b->queue;
    if (sets_make(b, of, dims, &s, err) != RUNG_OK)
        return TIMING_FAILED;
    timing_end end = TIMING_OK;
    c.cx.workspace_size =
        rung_workspace(b->platform, rung_op_find(&rk_registry, item->op), c.cx.variant, RUNG_MEMORY_DEVICE);
    if (c.cx.workspace_size > 0) {
        workspace = bed_memory(b, c.cx.workspace_size, &at, err);
        c.cx.workspace = (void *)at;
        end = workspace == NULL ? TIMING_FAILED : TIMING_OK;
    }
    if (end == TIMING_OK)
        end = time_work(b, work, &c, limit_s, out, err);
    if ((end != TIMING_FAILED || err->status == RUNG_ERR_NO_KERNEL) && !is_chosen(b, item, err))
        end = TIMING_FAILED;
    rung_buffer_destroy(workspace);
    sets_free(&s);
    return end;
}

/* What was timed, and what had to be left out of it. */
typedef struct found {
    size_t dims[DIMENSIONS];
    unsigned for_memory, for_time; /* how often sizes were halved */
    timing timing;
} found;

static bool time_cell(bed *b, const cell_item *item, const bench_case *of, found *f, rung_error *err)
{
    memcpy(f->dims, b->settings->tiny ? of->tiny : of->dims, sizeof f->dims);
    if (!bed_arch(b, item->arch, is_experimental(item), err) || !is_chosen(b, item, err))
        return false;
    for (;;) {
        timing_end end = time_sizes(b, item, of, f->dims, &f->timing, err);
        if (end == TIMING_OK)
            return true;
        if (end == TIMING_FAILED && err->status != RUNG_ERR_MEMORY)
            return false;
        if (!bench_case_halve(of, f->dims)) {
            if (end == TIMING_SLOW)
                *err = (rung_error){RUNG_ERR_DEVICE, "it is too slow on the smallest sizes"};
            return false;
        }
        *(end == TIMING_SLOW ? &f->for_time : &f->for_memory) += 1;
    }
}

static void say_found(const bench_case *of, const found *f)
{
    char sizes[96], note[96] = "";
    bench_case_text(of, f->dims, sizes, sizeof sizes);
    if (f->for_memory > 0)
        (void)snprintf(note, sizeof note, "sizes halved %u times for want of memory", f->for_memory);
    else if (f->for_time > 0)
        (void)snprintf(note, sizeof note, "sizes halved %u times for want of time", f->for_time);
    const double median_s = f->timing.median_s, flops = bench_case_flops(of, f->dims);
    say_text("bound", bound_text(of->bound));
    say_text("sizes", sizes);
    say_text("note", note[0] == '\0' ? NULL : note);
    say_count("launches", f->timing.turns);
    say_number("median_us", median_s * 1e6);
    say_number("best_us", f->timing.best_s * 1e6);
    say_number("spread_us", f->timing.spread_s * 1e6);
    say_number("gbps", bench_case_bytes(of, f->dims) * 1e-9 / median_s);
    if (of->bound == BY_PRODUCT)
        say_number("gflops", flops * 1e-9 / median_s);
    else
        say_text("gflops", NULL);
}

/* The exit status that makes another process go on, or MEASURED. */
static int measure(bed *b, const cell_item *item)
{
    rung_error err = {RUNG_ERR_UNKNOWN, "no such case"};
    found f = {.for_memory = 0};
    const bench_case *of = bench_case_find(item->op, item->name);
    const bool good = of != NULL && time_cell(b, item, of, &f, &err);
    say_begin("cell");
    say_text("op", item->op);
    say_text("arch", item->arch);
    say_text("variant", item->variant);
    say_text("case", item->name);
    say_text("state", good ? "timed" : err.status == RUNG_ERR_UNAVAILABLE ? "unavailable" : "failed");
    say_text("why", good ? NULL : err.text);
    if (good)
        say_found(of, &f);
    say_end();
    return good || err.status == RUNG_ERR_UNAVAILABLE ? MEASURED : MEASURE_AGAIN;
}

int measure_cells(const settings *s, char **items, int count)
{
    bed b;
    rung_error err;
    if (!bed_open(&b, s, &err))
        return MEASURE_NO_DEVICE;
    int end = MEASURED;
    for (int i = 0; i < count && end == MEASURED && time_is_left(s); i++) {
        const char *parts[4] = {NULL};
        if (item_parts(items[i], parts, 4) < 4) {
            end = MEASURE_USAGE;
            break;
        }
        const cell_item item = {parts[0], parts[1], parts[2], parts[3]};
        end = measure(&b, &item);
    }
    bed_close(&b);
    return end;
}
