/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_kernels: the matrix products of the fit on every CPU level of this machine, beside OpenBLAS, in GFLOP/s.
 *
 * All go through the same dispatched call: a platform for each level, and the variant `openblas`. They take turns; the
 * median over the turns is printed, and its ratio to OpenBLAS's. One thread: start it with OPENBLAS_NUM_THREADS=1.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>

#include "../clock.h"
#include "rk/rk.h"

enum { TURNS = 31, CASES = 9, WAYS = 5 };

/* m, n, k of tiles of 256 voxels with 20 factors (80 derivatives) and 300 volumes, and of longer tiles. */
static const struct {
    int nt; /* A B^T, else A^T B */
    size_t m, n, k;
} cases[CASES] = {{0, 20, 20, 256},  {0, 20, 80, 256},  {0, 20, 300, 256},  {0, 80, 80, 256}, {0, 20, 300, 1024},
                  {0, 80, 80, 1024}, {1, 256, 20, 300}, {1, 1024, 20, 300}, {1, 1024, 20, 20}};

static const char *const levels[WAYS] = {"cpu/generic", "cpu/neon", "cpu/x86-64-v3", "cpu/x86-64-v4", "openblas"};

static double run(const rung_ctx *cx, int which, double *c, const double *a, const double *b)
{
    const size_t m = cases[which].m;
    const size_t n = cases[which].n;
    const size_t k = cases[which].k;
    const double flops = 2.0 * (double)m * (double)n * (double)k;
    const int repeat = (int)(2e6 / flops) + 1;
    double start = bench_now_ns();
    for (int i = 0; i < repeat; i++) {
        rung_status status =
            cases[which].nt ? rk_gemm_nt(cx, c, a, b, m, n, k, 1.0, 0.0) : rk_gemm_tn(cx, c, a, b, m, n, k, 1.0, 0.0);
        if (status != RUNG_OK)
            return 0.0;
    }
    return flops * repeat / (bench_now_ns() - start);
}

int main(void)
{
    enum { LARGEST = 1024 * 300 };
    double *memory = aligned_alloc(64, 3 * LARGEST * sizeof(double));
    if (memory == NULL)
        return 1;
    for (size_t i = 0; i < (size_t)3 * LARGEST; i++)
        memory[i] = (double)(i % 17) / 17.0 - 0.5;

    rung_platform *platforms[WAYS];
    rung_ctx contexts[WAYS];
    for (int w = 0; w < WAYS; w++) {
        const int blas = w == WAYS - 1;
        rung_resolution r;
        rung_error err;
        if (rung_platform_open(&rk_registry, blas ? "cpu" : levels[w], RUNG_OPEN_NO_ENV, &platforms[w], &err) !=
            RUNG_OK) {
            printf("%s: left out: %s\n", levels[w], err.text);
            platforms[w] = NULL;
            continue;
        }
        contexts[w] = rung_ctx_of(platforms[w]);
        contexts[w].threads = 1;
        contexts[w].variant = blas ? RK_VARIANT_OPENBLAS : RK_VARIANT_DEFAULT;
        if (rung_resolve(platforms[w], RK_OP_GEMM_TN, contexts[w].variant, RUNG_MEMORY_HOST, &r, &err) != RUNG_OK) {
            printf("%s: left out: %s\n", levels[w], err.text);
            rung_platform_close(platforms[w]);
            platforms[w] = NULL;
        }
    }

    printf("%-22s", "GFLOP/s, ratio");
    for (int w = 0; w < WAYS; w++)
        if (platforms[w] != NULL)
            printf(" %16s", levels[w]);
    putchar('\n');
    for (int i = 0; i < CASES; i++) {
        double speed[WAYS] = {0};
        double samples[WAYS][TURNS];
        for (int turn = -1; turn < TURNS; turn++) {
            for (int w = 0; w < WAYS; w++) {
                if (platforms[w] == NULL)
                    continue;
                double one = run(&contexts[w], i, memory, memory + LARGEST, memory + 2 * (size_t)LARGEST);
                if (turn >= 0) /* the turn -1 warms up */
                    samples[w][turn] = one;
            }
        }
        printf("%s %4zu x %3zu x %4zu ", cases[i].nt ? "A B^T" : "A^T B", cases[i].m, cases[i].n, cases[i].k);
        for (int w = 0; w < WAYS; w++) {
            double spread;
            if (platforms[w] != NULL)
                speed[w] = bench_median(samples[w], TURNS, &spread);
        }
        for (int w = 0; w < WAYS; w++) {
            if (platforms[w] != NULL && speed[WAYS - 1] > 0.0)
                printf(" %9.1f (%4.2f)", speed[w], speed[w] / speed[WAYS - 1]);
            else if (platforms[w] != NULL)
                printf(" %16.1f", speed[w]);
        }
        putchar('\n');
    }
    for (int w = 0; w < WAYS; w++)
        rung_platform_close(platforms[w]);
    free(memory);
    return 0;
}
