/* SPDX-License-Identifier: Apache-2.0
 *
 * A chain of ops on buffers: with what weights two known factors stand in four volumes, by least squares. The data is
 * brought once to the device whose kernels are chosen, what one op writes stays there for the next, and of the results
 * the weights alone come back. On a machine without a GPU the same calls run on the processor, and nothing is copied.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "rk/rk.h"

enum { SIDE = 10, N = SIDE * SIDE * SIDE, K = 2, T = 4 };

static const double factors[K * 4] = {3, 3, 3, 2, 6, 5, 4, 1.5}; /* x, y, z and width of each, mm */
static const double truth[K * T] = {1, 2, 3, 4, 4, 3, 2, 1};

static void need(rung_status status, const char *what, const char *text)
{
    if (status == RUNG_OK)
        return;
    fprintf(stderr, "%s: %s%s%s\n", what, rung_status_text(status), text[0] == '\0' ? "" : ": ", text);
    exit(EXIT_FAILURE);
}

static rung_buffer *make(rung_platform *platform, size_t bytes)
{
    rung_buffer *buffer;
    rung_error err;
    need(rung_buffer_create(platform, bytes, &buffer, &err), "buffer", err.text);
    return buffer;
}

/* The buffer's memory on the host, to be filled before the first call. */
static double *host(rung_buffer *buffer)
{
    double *memory = rung_buffer_host(buffer);
    need(memory == NULL ? RUNG_ERR_MEMORY : RUNG_OK, "buffer", "");
    return memory;
}

static void fill(double *xyz, double *x)
{
    for (int i = 0; i < N; i++) {
        const int at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        for (int t = 0; t < T; t++)
            x[i * T + t] = 0;
        for (int k = 0; k < K; k++) {
            double d2 = 0;
            for (int a = 0; a < 3; a++)
                d2 += pow(at[a] - factors[4 * k + a], 2);
            for (int t = 0; t < T; t++)
                x[i * T + t] += truth[k * T + t] * exp(-d2 / (2 * pow(factors[4 * k + 3], 2)));
        }
        for (int a = 0; a < 3; a++)
            xyz[3 * i + a] = at[a];
    }
}

static void print_kernel(const rung_platform *platform, uint32_t op)
{
    char text[256];
    rung_error err;
    need(rung_resolved_source(platform, op, RK_VARIANT_DEFAULT, RUNG_MEMORY_ANY, text, sizeof text, &err), "kernel",
         err.text);
    printf("%s\n", text);
}

int main(void)
{
    rung_platform *platform;
    rung_queue *queue;
    rung_error err;
    need(rung_platform_open(&rk_registry, NULL, 0, &platform, &err), "platform", err.text);
    need(rung_queue_create(platform, &queue, &err), "queue", err.text);
    rung_buffer *xyz = make(platform, sizeof(double[N * 3])), *theta = make(platform, sizeof factors);
    rung_buffer *x = make(platform, sizeof(double[N * T])), *f = make(platform, sizeof(double[N * K]));
    rung_buffer *gram = make(platform, sizeof(double[K * K])), *chol = make(platform, sizeof(double[K * K]));
    rung_buffer *rhs = make(platform, sizeof truth), *w = make(platform, sizeof truth);
    fill(host(xyz), host(x));
    double *to = host(theta);
    for (int i = 0; i < K * 4; i++)
        to[i] = factors[i];

    /* Calls on a queue do not wait. Scratch for those kernels that ask for it follows the device as well. */
    rung_ctx cx = rung_ctx_of(platform);
    rung_buffer *scratch = make(platform, rung_workspace(platform, RK_OP_GEMM_TN, RK_VARIANT_DEFAULT, RUNG_MEMORY_ANY));
    cx.workspace_buffer = scratch;
    cx.queue = queue;
    need(rk_rbf_factors_buf(&cx, f, NULL, xyz, theta, N, K), "rbf_factors", "");
    need(rk_gemm_tn_buf(&cx, gram, f, f, K, K, N, 1, 0), "gemm_tn", "");
    need(rk_gemm_tn_buf(&cx, rhs, f, x, K, T, N, 1, 0), "gemm_tn", "");
    need(rk_ridge_solve_buf(&cx, w, chol, gram, rhs, 0, K, T), "ridge_solve", "");

    const double *weights = rung_buffer_read(w); /* waits for the calls that w comes from */
    need(weights == NULL ? RUNG_ERR_DEVICE : RUNG_OK, "weights", "");
    rung_transfers moved = rung_platform_transfers(platform);
    printf("platform %s\n", rung_platform_text(platform));
    print_kernel(platform, RK_OP_RBF_FACTORS);
    print_kernel(platform, RK_OP_GEMM_TN);
    print_kernel(platform, RK_OP_RIDGE_SOLVE);
    printf("copies: %llu to devices (%llu bytes), %llu to the host (%llu bytes)\nweights",
           (unsigned long long)moved.to_device, (unsigned long long)moved.to_device_bytes,
           (unsigned long long)moved.to_host, (unsigned long long)moved.to_host_bytes);
    int good = 1;
    for (int i = 0; i < K * T; i++) {
        printf(" %.3f", weights[i]);
        good = good && fabs(weights[i] - truth[i]) < 1e-9;
    }
    printf("\n");

    rung_buffer *const all[] = {xyz, theta, x, f, gram, chol, rhs, w, scratch};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        rung_buffer_destroy(all[i]);
    rung_queue_destroy(queue);
    rung_platform_close(platform);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
