/* SPDX-License-Identifier: Apache-2.0
 *
 * cublas.h: products of matrices by NVIDIA's cuBLAS, for the kernels of variant `cublas`. The library is opened at run
 * time by the registry's requirement; nothing of it is needed to build. Its numbers and prototypes are those of the
 * documented interface: https://docs.nvidia.com/cuda/cublas/ and cublas_api.h of CUDA 13.0, the same since 12.0.
 *
 * One handle for each device of a platform, made by the first call, which may not be one that is captured. Its stream
 * and workspace belong to a call from when they are set until its work is queued: a lock is held so long, so that calls
 * of several threads on one device follow each other. The workspace is the caller's: the library allocates nothing
 * then, and calls may be captured.
 */
#ifndef KERNELS_CUDA_CUBLAS_H
#define KERNELS_CUDA_CUBLAS_H

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rung/launch.h"

/* ---- the interface ----------------------------------------------------------------------------------------------- */

typedef enum cublas_status {
    CUBLAS_SUCCESS = 0,
    CUBLAS_ALLOC_FAILED = 3,
    CUBLAS_INVALID_VALUE = 7,
    CUBLAS_ARCH_MISMATCH = 8,
    CUBLAS_NOT_SUPPORTED = 15
} cublas_status;

enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1 };
enum { CUBLAS_DEFAULT_MATH = 0 }; /* at least the precision that is asked for: no tf32 for float */
enum { CUBLAS_GEMM_DEFAULT = -1 };
enum { CUDA_R_32F = 0, CUDA_R_64F = 1, CUDA_R_16BF = 14 };
enum { CUBLAS_COMPUTE_32F = 68, CUBLAS_COMPUTE_64F = 70 };

typedef int cublas_create_fn(void **handle);
typedef int cublas_destroy_fn(void *handle);
typedef int cublas_set_math_mode_fn(void *handle, int mode);
typedef int cublas_set_stream_fn(void *handle, void *stream);
typedef int cublas_set_workspace_fn(void *handle, void *workspace, size_t bytes);
typedef int cublas_gemm_ex_fn(void *handle, int op_a, int op_b, int64_t m, int64_t n, int64_t k, const void *alpha,
                              const void *a, int type_a, int64_t ld_a, const void *b, int type_b, int64_t ld_b,
                              const void *beta, void *c, int type_c, int64_t ld_c, int compute, int algorithm);

/* ---- the handle of a device -------------------------------------------------------------------------------------- */

typedef struct cublas {
    pthread_mutex_t lock;
    void *handle;
    cublas_destroy_fn *destroy;
    cublas_set_stream_fn *set_stream;
    cublas_set_workspace_fn *set_workspace;
    cublas_gemm_ex_fn *gemm_ex;
} cublas;

/* The library that the requirement has opened: the newer one where the process has both. Version 12 is served by naming
 * it in the registry's requirement. */
static inline void *cublas_library(void)
{
    void *library = dlopen("libcublas.so.13", RTLD_NOW | RTLD_NOLOAD);
    return library != NULL ? library : dlopen("libcublas.so.12", RTLD_NOW | RTLD_NOLOAD);
}

/* Whoever needs the handle cannot do without it: only more memory would help, or another variant. */
static inline rung_status cublas_refused(const char *call, int status, char *figures, size_t size)
{
    (void)snprintf(figures, size, "%s returned %d", call, status);
    return status == CUBLAS_ALLOC_FAILED ? RUNG_ERR_MEMORY : RUNG_ERR_UNAVAILABLE;
}

static inline rung_status cublas_open(cublas *b, char *figures, size_t size)
{
    void *library = cublas_library();
    if (library == NULL) {
        (void)snprintf(figures, size, "libcublas.so.13 is not open");
        return RUNG_ERR_UNAVAILABLE;
    }
    cublas_create_fn *create;
    cublas_set_math_mode_fn *set_math_mode;
    const struct {
        const char *name;
        void *to; /* all pointers to functions have one representation: POSIX, dlsym */
    } functions[] = {
        {"cublasCreate_v2", &create},
        {"cublasDestroy_v2", &b->destroy},
        {"cublasSetMathMode", &set_math_mode},
        {"cublasSetStream_v2", &b->set_stream},
        {"cublasSetWorkspace_v2", &b->set_workspace},
        {"cublasGemmEx_64", &b->gemm_ex},
    };
    const char *missing = NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions && missing == NULL; i++) {
        void *address = dlsym(library, functions[i].name);
        memcpy(functions[i].to, &address, sizeof address);
        missing = address == NULL ? functions[i].name : NULL;
    }
    (void)dlclose(library); /* the requirement keeps it open */
    if (missing != NULL) {
        (void)snprintf(figures, size, "libcublas has no %s", missing);
        return RUNG_ERR_UNAVAILABLE;
    }
    int status = create(&b->handle);
    if (status != CUBLAS_SUCCESS)
        return cublas_refused("cublasCreate", status, figures, size);
    status = set_math_mode(b->handle, CUBLAS_DEFAULT_MATH);
    if (status == CUBLAS_SUCCESS)
        return RUNG_OK;
    (void)b->destroy(b->handle);
    return cublas_refused("cublasSetMathMode", status, figures, size);
}

static inline rung_status cublas_make(void **object, char *figures, size_t size)
{
    cublas *b = calloc(1, sizeof *b);
    if (b == NULL)
        return RUNG_ERR_MEMORY;
    rung_status status = RUNG_ERR_MEMORY;
    if (pthread_mutex_init(&b->lock, NULL) == 0) {
        status = cublas_open(b, figures, size);
        if (status == RUNG_OK) {
            *object = b;
            return status;
        }
        (void)pthread_mutex_destroy(&b->lock);
    }
    free(b);
    return status;
}

static inline void cublas_drop(void *object)
{
    cublas *b = object;
    (void)b->destroy(b->handle);
    (void)pthread_mutex_destroy(&b->lock);
    free(b);
}

/* Weak: one for all ops, so that they share the handle. */
extern const rung_keep rk_cublas_kept;
__attribute__((weak, visibility("hidden"))) const rung_keep rk_cublas_kept = {cublas_make, cublas_drop};

/* ---- products ---------------------------------------------------------------------------------------------------- */

/* A row-major product C = alpha op(A) op(B) + beta C. */
typedef struct cublas_product {
    bool tn; /* A is k by m and B is k by n; else m by k and n by k */
    size_t m, n, k;
    int factors, out, compute; /* types */
    const void *alpha, *beta;  /* of the type of C */
} cublas_product;

static inline rung_status cublas_answer(int status)
{
    switch (status) {
    case CUBLAS_SUCCESS:
        return RUNG_OK;
    case CUBLAS_ALLOC_FAILED:
        return RUNG_ERR_MEMORY;
    case CUBLAS_INVALID_VALUE:
        return RUNG_ERR_ARGUMENT;
    case CUBLAS_ARCH_MISMATCH:
    case CUBLAS_NOT_SUPPORTED:
        return RUNG_ERR_UNAVAILABLE;
    default:
        return RUNG_ERR_DEVICE;
    }
}

/* The library asks for 256 bytes of alignment, contexts promise 64; the registry declares 256 bytes more than the 32
 * MiB that it recommends. A larger workspace is the caller's beyond what is declared. */
enum { CUBLAS_WORKSPACE = 32 * 1024 * 1024 };

static inline int cublas_set_workspace(const cublas *b, const rung_ctx *cx)
{
    const size_t skip = (256 - (uintptr_t)cx->workspace % 256) % 256;
    return b->set_workspace(b->handle, (unsigned char *)cx->workspace + skip, CUBLAS_WORKSPACE);
}

/* The library's matrices are by columns: what it is given is C^T = alpha op(B)^T op(A)^T + beta C^T. */
static inline rung_status cublas_multiply(const rung_ctx *cx, const cublas_product *p, void *c, const void *a,
                                          const void *b)
{
    if (p->m == 0 || p->n == 0)
        return RUNG_OK;
    if (p->m > INT64_MAX || p->n > INT64_MAX || p->k > INT64_MAX)
        return RUNG_ERR_ARGUMENT;
    void *kept;
    const rung_status ready = rung_kept(cx, &rk_cublas_kept, &kept);
    if (ready != RUNG_OK)
        return ready;
    cublas *with = kept;
    const int64_t m = (int64_t)p->m, n = (int64_t)p->n, k = (int64_t)p->k;
    const int64_t lead = k > 0 ? k : 1; /* a leading dimension of 0 is not legal */
    (void)pthread_mutex_lock(&with->lock);
    int status = with->set_stream(with->handle, rung_stream(cx)); /* takes the workspace back, so it comes first */
    if (status == CUBLAS_SUCCESS)
        status = cublas_set_workspace(with, cx);
    if (status == CUBLAS_SUCCESS)
        status = with->gemm_ex(with->handle, p->tn ? CUBLAS_OP_N : CUBLAS_OP_T, p->tn ? CUBLAS_OP_T : CUBLAS_OP_N, n, m,
                               k, p->alpha, b, p->factors, p->tn ? n : lead, a, p->factors, p->tn ? m : lead, p->beta,
                               c, p->out, n, p->compute, CUBLAS_GEMM_DEFAULT);
    (void)pthread_mutex_unlock(&with->lock);
    return cublas_answer(status);
}

#endif
