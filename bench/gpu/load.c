/* SPDX-License-Identifier: Apache-2.0
 *
 * load.c: what comes before the first result: opening a platform, the device's context, and for each op the first call,
 * which loads its image; where that has no machine code for the device, the driver compiles its PTX.
 */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "../clock.h"
#include "cases.h"
#include "measures.h"
#include "say.h"
#include "sets.h"
#include "testbed.h"

/* The library logs each compilation of PTX. */
static unsigned compilations;
static void hear(rung_log_level level, const char *line, void *user)
{
    (void)level;
    (void)user;
    compilations += strstr(line, "compile its PTX") != NULL;
}

static double since_ms(double start_ns)
{
    return (bench_now_ns() - start_ns) * 1e-6;
}

static rung_status call_once(bed *b, const sets *s, rung_ctx *cx, double *ms)
{
    void *arrays[MOST_ARRAYS];
    sets_of(s, 0, arrays);
    const double start_ns = bench_now_ns();
    rung_status status = bench_case_call(s->of, cx, arrays, s->dims);
    if (rung_queue_wait(b->queue, NULL) != RUNG_OK)
        status = RUNG_ERR_DEVICE;
    *ms = since_ms(start_ns);
    return status;
}

typedef struct first_call {
    double first_ms, second_ms;
    bool compiled;
} first_call;

static bool time_first_call(bed *b, const bench_case *of, first_call *out, rung_error *err)
{
    sets s;
    const uint32_t op = rung_op_find(&rk_registry, of->op);
    rung_ctx cx = rung_ctx_of(b->platform);
    cx.memory = RUNG_MEMORY_DEVICE;
    cx.queue = b->queue;
    cx.workspace_size = rung_workspace(b->platform, op, RK_VARIANT_DEFAULT, RUNG_MEMORY_DEVICE);
    if (sets_make(b, of, of->tiny, &s, err) != RUNG_OK)
        return false;
    uintptr_t at = 0;
    rung_buffer *workspace = cx.workspace_size > 0 ? bed_memory(b, cx.workspace_size, &at, err) : NULL;
    cx.workspace = (void *)at;
    compilations = 0;
    rung_status status = call_once(b, &s, &cx, &out->first_ms);
    if (status == RUNG_OK)
        status = call_once(b, &s, &cx, &out->second_ms);
    out->compiled = compilations > 0;
    rung_buffer_destroy(workspace);
    sets_free(&s);
    if (status != RUNG_OK)
        *err = (rung_error){status, "the call failed"};
    return status == RUNG_OK;
}

/* Nothing where another arch serves the op. */
static void say_first_call(bed *b, const bench_case *of)
{
    rung_error err = {RUNG_OK, ""};
    rung_resolution r;
    first_call f = {0.0, 0.0, false};
    bool good = rung_resolve(b->platform, rung_op_find(&rk_registry, of->op), RK_VARIANT_DEFAULT, RUNG_MEMORY_DEVICE,
                             &r, &err) == RUNG_OK;
    if (good && strcmp(r.cell.arch, b->arch) != 0)
        return;
    good = good && time_first_call(b, of, &f, &err);
    say_begin("first call");
    say_text("op", of->op);
    say_text("arch", b->arch);
    say_text("error", good ? NULL : err.text);
    say_number("first_ms", f.first_ms);
    say_number("second_ms", f.second_ms);
    say_flag("compiled", f.compiled);
    say_end();
}

static bool say_opening(const char *arch)
{
    char chain[64];
    rung_platform *platform = NULL;
    rung_queue *queue = NULL;
    rung_error err = {RUNG_OK, ""};
    bed_chain(arch, chain, sizeof chain);
    double start_ns = bench_now_ns();
    bool good = testbed_open(chain, RUNG_OPEN_NO_ENV | RUNG_OPEN_EXPERIMENTAL, &platform, &err) == RUNG_OK;
    const double open_ms = since_ms(start_ns);
    start_ns = bench_now_ns();
    good = good && rung_queue_create(platform, &queue, &err) == RUNG_OK;
    const double context_ms = since_ms(start_ns);
    say_begin("opening");
    say_text("arch", arch);
    say_text("error", good ? NULL : err.text);
    say_number("open_ms", open_ms);
    say_number("context_ms", context_ms);
    say_end();
    rung_queue_destroy(queue);
    rung_platform_close(platform);
    return good;
}

int measure_load(const settings *s, char **items, int count)
{
    rung_log_set(hear, NULL, RUNG_LOG_INFO);
    for (int i = 0; i < count && time_is_left(s); i++) {
        rung_error err;
        bed b;
        if (!say_opening(items[i])) /* before the card is opened here: its context is part of it */
            continue;
        if (!bed_open(&b, s, &err))
            return MEASURE_NO_DEVICE;
        const char *last = "";
        for (size_t c = 0; c < bench_cases_count && bed_arch(&b, items[i], true, &err); c++) {
            if (strcmp(bench_cases[c].op, last) != 0)
                say_first_call(&b, &bench_cases[c]);
            last = bench_cases[c].op;
        }
        bed_close(&b);
    }
    rung_log_set(NULL, NULL, RUNG_LOG_INFO);
    return MEASURED;
}
