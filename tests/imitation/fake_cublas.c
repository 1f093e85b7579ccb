/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_cublas.c: libcublas.so.13 as far as kernels of variant `cublas` use it, on the imitated libcuda.so.1: products
 * by the plain formula, queued as work of the stream, so that they see device memory when their turn comes. Steered by
 * RUNG_FAKE_CUBLAS (steer.h): the name of an entry gives the status that it returns.
 *
 * What the library asks for is checked: a handle that lives, used by one thread at a time; a workspace on 256 bytes,
 * set after the stream, since setting that takes it back, and there whenever there is work, since the library would
 * allocate; leading dimensions; types that go together. What breaks a rule is counted, and gives
 * CUBLAS_STATUS_INVALID_VALUE.
 */
#include <dlfcn.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "fake_cuda.h"
#include "steer.h"

#define VARIABLE "RUNG_FAKE_CUBLAS"
#define ENTRY    __attribute__((visibility("default")))

enum { SUCCESS = 0, NOT_INITIALIZED = 1, INVALID_VALUE = 7, EXECUTION_FAILED = 13, NOT_SUPPORTED = 15 };
enum { OP_N = 0, OP_T = 1 };
enum { R_32F = 0, R_64F = 1, R_16BF = 14 };
enum { COMPUTE_32F = 68, COMPUTE_64F = 70 };

typedef struct handle {
    struct handle *next; /* of all there have been */
    bool live;
    void *stream, *workspace;
    size_t bytes;
    int busy;         /* threads in a call */
    uintptr_t set_by; /* the thread that set the stream: nobody else may use what it set */
} handle;

static handle *all;
static int violations, live;

/* What tests ask: how often a rule was broken, and how many handles there are. */
ENTRY int rung_fake_cublas_violations(void);
ENTRY int rung_fake_cublas_handles(void);
int rung_fake_cublas_violations(void)
{
    return __atomic_load_n(&violations, __ATOMIC_SEQ_CST);
}
int rung_fake_cublas_handles(void)
{
    return __atomic_load_n(&live, __ATOMIC_SEQ_CST);
}

static int violation(const char *what)
{
    (void)fprintf(stderr, "fake libcublas.so.13: %s\n", what);
    __atomic_add_fetch(&violations, 1, __ATOMIC_SEQ_CST);
    return INVALID_VALUE;
}

static rung_fake_cuda_run_fn *find_run(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (driver == NULL)
        return NULL;
    void *address = dlsym(driver, "rung_fake_cuda_run");
    (void)dlclose(driver);
    rung_fake_cuda_run_fn *run;
    memcpy(&run, &address, sizeof run);
    return run;
}

/* ---- handles ----------------------------------------------------------------------------------------------------- */

/* 0, or what the entry returns. Ends with leave(). */
static int enter(handle *h, const char *entry)
{
    if (h == NULL || !h->live)
        return violation("a handle that does not live");
    if (__atomic_add_fetch(&h->busy, 1, __ATOMIC_SEQ_CST) != 1) {
        (void)__atomic_sub_fetch(&h->busy, 1, __ATOMIC_SEQ_CST);
        return violation("two threads use one handle at once");
    }
    const int steered = steer_entry(VARIABLE, entry, SUCCESS);
    if (steered != SUCCESS)
        (void)__atomic_sub_fetch(&h->busy, 1, __ATOMIC_SEQ_CST);
    return steered;
}

static int leave(handle *h, int status)
{
    (void)__atomic_sub_fetch(&h->busy, 1, __ATOMIC_SEQ_CST);
    (void)sched_yield(); /* whoever else wants the handle may try */
    return status;
}

static uintptr_t this_thread(void)
{
    static __thread char mine;
    return (uintptr_t)&mine;
}

ENTRY int cublasCreate_v2(void **out);
int cublasCreate_v2(void **out)
{
    const int steered = steer_entry(VARIABLE, "cublasCreate_v2", SUCCESS);
    if (steered != SUCCESS)
        return steered;
    if (find_run() == NULL)
        return NOT_INITIALIZED;
    handle *h = calloc(1, sizeof *h); /* never freed, so that a destroyed one is told from one that lives */
    if (h == NULL)
        return NOT_INITIALIZED;
    h->live = true;
    h->next = __atomic_load_n(&all, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(&all, &h->next, h, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        continue;
    __atomic_add_fetch(&live, 1, __ATOMIC_SEQ_CST);
    *out = h;
    return SUCCESS;
}

ENTRY int cublasDestroy_v2(void *of);
int cublasDestroy_v2(void *of)
{
    handle *h = of;
    const int status = enter(h, "cublasDestroy_v2");
    if (status != SUCCESS)
        return status;
    h->live = false;
    __atomic_sub_fetch(&live, 1, __ATOMIC_SEQ_CST);
    return leave(h, SUCCESS);
}

ENTRY int cublasSetMathMode(void *of, int mode);
int cublasSetMathMode(void *of, int mode)
{
    handle *h = of;
    const int status = enter(h, "cublasSetMathMode");
    if (status != SUCCESS)
        return status;
    return leave(h, mode == 0 ? SUCCESS : violation("a mode that is not the default one"));
}

ENTRY int cublasSetStream_v2(void *of, void *stream);
int cublasSetStream_v2(void *of, void *stream)
{
    handle *h = of;
    const int status = enter(h, "cublasSetStream_v2");
    if (status != SUCCESS)
        return status;
    h->stream = stream;
    h->workspace = NULL;
    h->set_by = this_thread();
    return leave(h, SUCCESS);
}

ENTRY int cublasSetWorkspace_v2(void *of, void *workspace, size_t bytes);
int cublasSetWorkspace_v2(void *of, void *workspace, size_t bytes)
{
    handle *h = of;
    const int status = enter(h, "cublasSetWorkspace_v2");
    if (status != SUCCESS)
        return status;
    if (h->set_by != this_thread())
        return leave(h, violation("a workspace, and the stream is another thread's"));
    if (workspace == NULL || (uintptr_t)workspace % 256 != 0)
        return leave(h, violation("a workspace that is not aligned to 256 bytes"));
    if (bytes > 32 * 1024 * 1024)
        return leave(h, violation("more of a workspace than the kernels' registry declares"));
    h->workspace = workspace;
    h->bytes = bytes;
    return leave(h, SUCCESS);
}

/* ---- products ---------------------------------------------------------------------------------------------------- */

/* By columns: C = alpha op(A) op(B) + beta C. */
typedef struct product {
    int op_a, op_b, factors, out;
    int64_t m, n, k, ld_a, ld_b, ld_c;
    double alpha, beta;
    const void *a, *b;
    void *c, *workspace;
    size_t bytes;
} product;

enum { MARKED = 4096 };

static double number(const void *from, int type, int64_t at)
{
    if (type == R_64F)
        return ((const double *)from)[at];
    if (type == R_32F)
        return (double)((const float *)from)[at];
    const uint32_t bits = (uint32_t)((const uint16_t *)from)[at] << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static void multiply(const void *argument)
{
    product p;
    memcpy(&p, argument, sizeof p);
    memset(p.workspace, 0x5a, p.bytes < MARKED ? p.bytes : MARKED); /* nobody else may need what is there */
    for (int64_t j = 0; j < p.n; j++) {
        for (int64_t i = 0; i < p.m; i++) {
            double sum = 0.0;
            for (int64_t l = 0; l < p.k; l++)
                sum += number(p.a, p.factors, p.op_a == OP_N ? i + l * p.ld_a : l + i * p.ld_a) *
                       number(p.b, p.factors, p.op_b == OP_N ? l + j * p.ld_b : j + l * p.ld_b);
            const int64_t at = i + j * p.ld_c;
            sum *= p.alpha;
            if (p.beta != 0.0)
                sum += p.beta * number(p.c, p.out, at);
            if (p.out == R_64F)
                ((double *)p.c)[at] = sum;
            else
                ((float *)p.c)[at] = (float)sum;
        }
    }
}

static bool types_fit(int a, int b, int c, int compute)
{
    if (compute == COMPUTE_64F)
        return a == R_64F && b == R_64F && c == R_64F;
    return compute == COMPUTE_32F && a == b && (a == R_32F || a == R_16BF) && c == R_32F;
}

static bool lead_fits(int64_t lead, int64_t rows)
{
    return lead >= (rows > 1 ? rows : 1);
}

ENTRY int cublasGemmEx_64(void *of, int op_a, int op_b, int64_t m, int64_t n, int64_t k, const void *alpha,
                          const void *a, int type_a, int64_t ld_a, const void *b, int type_b, int64_t ld_b,
                          const void *beta, void *c, int type_c, int64_t ld_c, int compute, int algorithm);
int cublasGemmEx_64(void *of, int op_a, int op_b, int64_t m, int64_t n, int64_t k, const void *alpha, const void *a,
                    int type_a, int64_t ld_a, const void *b, int type_b, int64_t ld_b, const void *beta, void *c,
                    int type_c, int64_t ld_c, int compute, int algorithm)
{
    handle *h = of;
    const int status = enter(h, "cublasGemmEx_64");
    if (status != SUCCESS)
        return status;
    if (!types_fit(type_a, type_b, type_c, compute) || algorithm != -1)
        return leave(h, NOT_SUPPORTED);
    if (h->set_by != this_thread())
        return leave(h, violation("a product on the stream of another thread"));
    if (h->workspace == NULL)
        return leave(h, violation("no workspace: the library would allocate"));
    if (m < 0 || n < 0 || k < 0 || op_a < OP_N || op_a > OP_T || op_b < OP_N || op_b > OP_T ||
        !lead_fits(ld_a, op_a == OP_N ? m : k) || !lead_fits(ld_b, op_b == OP_N ? k : n) || !lead_fits(ld_c, m))
        return leave(h, violation("sizes that do not go together"));
    product p = {op_a, op_b, type_a, type_c, m, n, k, ld_a, ld_b, ld_c, 0.0, 0.0, a, b, c, h->workspace, h->bytes};
    p.alpha = number(alpha, type_c, 0);
    p.beta = number(beta, type_c, 0);
    rung_fake_cuda_run_fn *run = find_run();
    return leave(h, run != NULL && run(h->stream, multiply, &p, sizeof p) == 0 ? SUCCESS : EXECUTION_FAILED);
}
