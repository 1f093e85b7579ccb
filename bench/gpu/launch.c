/* SPDX-License-Identifier: Apache-2.0
 *
 * launch.c: what it costs the host to put a call on a queue, beside cuLaunchKernel itself with the same kernel, grid
 * and arguments: flow_match_step on cuda/generic, on so few elements that the device keeps up.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>

#include "../clock.h"
#include "measures.h"
#include "rk/kernels/flow_match_step.h"
#include "say.h"

enum { CALLS = 64, ROUNDS = 101, TINY_ROUNDS = 3, ELEMENTS = 256, THREADS = 256, ARRAYS = 3 };

typedef struct launches {
    bed b;
    void *image, *function;
    rung_ctx cx;
    rung_buffer *buffers[ARRAYS];
    float *arrays[ARRAYS]; /* on the device */
} launches;

typedef bool way_fn(launches *l);

static bool bare(launches *l)
{
    size_t n = ELEMENTS;
    float dt = -0.05F;
    void *arguments[] = {&l->arrays[0], &l->arrays[1], &l->arrays[2], &n, &dt};
    return l->b.card.launch(l->function, ELEMENTS / THREADS, 1, 1, THREADS, 1, 1, 0, l->b.stream, arguments, NULL) == 0;
}

static bool plain(launches *l)
{
    return rk_flow_match_step(&l->cx, l->arrays[0], l->arrays[1], l->arrays[2], ELEMENTS, 0.75, 0.7) == RUNG_OK;
}

static bool buffers(launches *l)
{
    return rk_flow_match_step_buf(&l->cx, l->buffers[0], l->buffers[1], l->buffers[2], ELEMENTS, 0.75, 0.7) == RUNG_OK;
}

static const struct {
    const char *key;
    way_fn *run;
} ways[] = {{"bare_ns", bare}, {"plain_ns", plain}, {"buffer_ns", buffers}};
enum { WAYS = sizeof ways / sizeof ways[0] };

/* ---- preparing --------------------------------------------------------------------------------------------------- */

/* NULL where the build has no kernels for CUDA. */
extern const rung_launched rk_flow_match_step__cuda_generic__cell __attribute__((weak));

/* The driver may hold an image twice: this one is the launches' own. */
static const char *load(launches *l)
{
    void *kernel = NULL;
    const rung_launched *cell = &rk_flow_match_step__cuda_generic__cell;
    if (cell == NULL)
        return "cuda/generic is not built";
    if (l->b.card.image_load(&l->image, cell->image->data, NULL, NULL, 0, NULL, NULL, 0) != 0)
        return "cuLibraryLoadData failed";
    if (l->b.card.kernel(&kernel, l->image, "rk_flow_match_step__cuda_generic") != 0 ||
        l->b.card.function(&l->function, kernel) != 0)
        return "the kernel is not in its image";
    return NULL;
}

static const char *prepare(launches *l, rung_error *err)
{
    if (!bed_arch(&l->b, "generic", true, err))
        return err->text;
    const char *why = load(l);
    for (int i = 0; i < ARRAYS && why == NULL; i++) {
        void *host = rung_buffer_create(l->b.platform, ELEMENTS * sizeof(float), &l->buffers[i], err) == RUNG_OK
                         ? rung_buffer_host(l->buffers[i])
                         : NULL;
        for (int j = 0; host != NULL && j < ELEMENTS; j++)
            ((float *)host)[j] = 1.0F;
        l->arrays[i] = host == NULL ? NULL : rung_buffer_device(l->buffers[i], NULL, err);
        if (l->arrays[i] == NULL)
            why = "no memory on the device";
    }
    l->cx = rung_ctx_of(l->b.platform);
    l->cx.memory = RUNG_MEMORY_DEVICE;
    l->cx.queue = l->b.queue;
    return why;
}

/* ---- timing ------------------------------------------------------------------------------------------------------ */

static bool round_of(launches *l, way_fn *run, double *ns)
{
    const double start = bench_now_ns();
    for (int i = 0; i < CALLS; i++)
        if (!run(l))
            return false;
    *ns = (bench_now_ns() - start) / CALLS;
    return rung_queue_wait(l->b.queue, NULL) == RUNG_OK;
}

/* The ways take turns; the first turn warms up. */
static bool time_ways(launches *l, double *medians_ns)
{
    static double ns[WAYS][ROUNDS + 1];
    const int rounds = l->b.settings->tiny ? TINY_ROUNDS : ROUNDS;
    for (int turn = 0; turn <= rounds; turn++)
        for (int w = 0; w < WAYS; w++)
            if (!round_of(l, ways[w].run, &ns[w][turn]))
                return false;
    for (int w = 0; w < WAYS; w++) {
        double spread;
        medians_ns[w] = bench_median(ns[w] + 1, (size_t)rounds, &spread);
    }
    return true;
}

int measure_launch(const settings *s)
{
    static launches l;
    rung_error err;
    if (!bed_open(&l.b, s, &err))
        return MEASURE_NO_DEVICE;
    double medians_ns[WAYS];
    const char *why = prepare(&l, &err);
    if (why == NULL && !time_ways(&l, medians_ns))
        why = "a launch failed";
    say_begin("launch");
    say_text("state", why == NULL ? "timed" : "failed");
    say_text("why", why);
    for (int w = 0; w < WAYS && why == NULL; w++)
        say_number(ways[w].key, medians_ns[w]);
    say_end();
    for (int i = 0; i < ARRAYS; i++)
        rung_buffer_destroy(l.buffers[i]);
    if (l.image != NULL)
        (void)l.b.card.image_unload(l.image);
    bed_close(&l.b);
    return why == NULL ? MEASURED : MEASURE_FAILED;
}
