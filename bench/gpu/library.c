/* SPDX-License-Identifier: Apache-2.0
 *
 * library.c: the rate of cuBLAS, opened at run time, for the products that the cells are timed on: with its own
 * workspace and choice of algorithm, straight, so that there is a rate whether or not a cell of variant `cublas` is.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "items.h"
#include "measures.h"
#include "say.h"
#include "sets.h"
#include "timing.h"

/* Numbers and prototypes of cublas_api.h of CUDA 13.0, the same since 12.0. */
enum { OP_N = 0, OP_T = 1, GEMM_DEFAULT = -1 };
enum { R_32F = 0, R_64F = 1, R_16BF = 14 };
enum { COMPUTE_32F = 68, COMPUTE_64F = 70, COMPUTE_32F_FAST_TF32 = 77 };
enum { WORKSPACE_BYTES = 32 << 20 };

typedef struct library {
    const char *name;
    void *handle;
    int (*create)(void **handle);
    int (*destroy)(void *handle);
    int (*set_stream)(void *handle, void *stream);
    int (*set_workspace)(void *handle, void *workspace, size_t bytes);
    int (*gemm)(void *handle, int op_a, int op_b, int64_t m, int64_t n, int64_t k, const void *alpha, const void *a,
                int type_a, int64_t ld_a, const void *b, int type_b, int64_t ld_b, const void *beta, void *c,
                int type_c, int64_t ld_c, int compute, int algorithm);
} library;

static bool find(void *from, const char *name, void *to)
{
    void **address = to;
    *address = dlsym(from, name);
    return *address != NULL;
}

/* NULL, or why there is none. It stays open. */
static const char *open_library(library *l)
{
    static const char *const names[] = {"libcublas.so.13", "libcublas.so.12"};
    void *opened = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && opened == NULL; i++) {
        l->name = names[i];
        opened = dlopen(names[i], RTLD_NOW);
    }
    if (opened == NULL)
        return "library missing: neither libcublas.so.13 nor libcublas.so.12 can be opened";
    if (!find(opened, "cublasCreate_v2", &l->create) || !find(opened, "cublasDestroy_v2", &l->destroy) ||
        !find(opened, "cublasSetStream_v2", &l->set_stream) ||
        !find(opened, "cublasSetWorkspace_v2", &l->set_workspace) || !find(opened, "cublasGemmEx_64", &l->gemm))
        return "the library lacks a function";
    return l->create(&l->handle) == 0 ? NULL : "the library makes no handle";
}

typedef struct product {
    const library *library;
    const sets *sets;
    bool transposed; /* op gemm_tn: A is k by m, B is k by n */
    int factors, out, compute;
} product;

/* By columns, as the library has matrices: C^T = op(B)^T op(A)^T. */
static rung_status work(bed *b, void *user, size_t turn)
{
    (void)b;
    const product *p = user;
    const int64_t m = (int64_t)p->sets->dims[0], n = (int64_t)p->sets->dims[1], k = (int64_t)p->sets->dims[2];
    static const double one = 1.0, zero = 0.0;
    static const float one_f32 = 1.0F, zero_f32 = 0.0F;
    const bool wide = p->out == R_64F;
    void *arrays[MOST_ARRAYS];
    sets_of(p->sets, turn, arrays);
    const int status = p->library->gemm(
        p->library->handle, p->transposed ? OP_N : OP_T, p->transposed ? OP_T : OP_N, n, m, k,
        wide ? (const void *)&one : &one_f32, arrays[2], p->factors, p->transposed ? n : k, arrays[1], p->factors,
        p->transposed ? m : k, wide ? (const void *)&zero : &zero_f32, arrays[0], p->out, n, p->compute, GEMM_DEFAULT);
    return status == 0 ? RUNG_OK : status == 15 ? RUNG_ERR_UNAVAILABLE : RUNG_ERR_DEVICE;
}

/* What the word for the arithmetic asks of the library. */
static bool is_math(const char *math, product *p)
{
    static const struct {
        const char *math;
        int factors, out, compute;
    } all[] = {
        {"f64", R_64F, R_64F, COMPUTE_64F},
        {"f32", R_32F, R_32F, COMPUTE_32F},
        {"tf32", R_32F, R_32F, COMPUTE_32F_FAST_TF32},
        {"bf16", R_16BF, R_32F, COMPUTE_32F},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i].math, math) != 0)
            continue;
        p->factors = all[i].factors;
        p->out = all[i].out;
        p->compute = all[i].compute;
        return true;
    }
    return false;
}

static bool time_product(bed *b, product *p, const bench_case *of, size_t *dims, timing *t, rung_error *err)
{
    memcpy(dims, b->settings->tiny ? of->tiny : of->dims, DIMENSIONS * sizeof *dims);
    for (;;) {
        sets s;
        timing_end end = TIMING_FAILED;
        p->sets = &s;
        if (sets_make(b, of, dims, &s, err) == RUNG_OK) {
            end = time_work(b, work, p, 4.0, t, err);
            sets_free(&s);
        }
        if (end == TIMING_OK)
            return true;
        if ((end == TIMING_FAILED && err->status != RUNG_ERR_MEMORY) || !bench_case_halve(of, dims))
            return false;
    }
}

static int measure(bed *b, library *l, const char *missing, const char *const parts[3])
{
    rung_error err = {RUNG_ERR_UNKNOWN, "no such case"};
    timing t = {0};
    size_t dims[DIMENSIONS];
    product p = {.library = l, .transposed = strcmp(parts[0], "gemm_tn") == 0};
    const bench_case *of = bench_case_find(parts[0], parts[2]);
    const bool good = missing == NULL && of != NULL && is_math(parts[1], &p) && time_product(b, &p, of, dims, &t, &err);
    if (err.status == RUNG_ERR_UNAVAILABLE)
        (void)snprintf(err.text, sizeof err.text, "%s has no such product on this device", l->name);
    const bool unavailable = missing != NULL || err.status == RUNG_ERR_UNAVAILABLE;
    say_begin("library");
    say_text("op", parts[0]);
    say_text("math", parts[1]);
    say_text("case", parts[2]);
    say_text("state", good ? "timed" : unavailable ? "unavailable" : "failed");
    say_text("why", good ? NULL : missing != NULL ? missing : err.text);
    if (good) {
        char sizes[96];
        bench_case_text(of, dims, sizes, sizeof sizes);
        say_text("library", l->name);
        say_text("sizes", sizes);
        say_count("launches", t.turns);
        say_number("median_us", t.median_s * 1e6);
        say_number("gflops", bench_case_flops(of, dims) * 1e-9 / t.median_s);
    }
    say_end();
    return good || unavailable ? MEASURED : MEASURE_AGAIN;
}

int measure_library(const settings *s, char **items, int count)
{
    bed b;
    rung_error err;
    if (!bed_open(&b, s, &err))
        return MEASURE_NO_DEVICE;
    library l = {.handle = NULL};
    rung_buffer *workspace = NULL;
    uintptr_t at = 0;
    const char *missing = bed_arch(&b, "generic", true, &err) ? open_library(&l) : err.text;
    if (missing == NULL) {
        workspace = bed_memory(&b, WORKSPACE_BYTES, &at, &err);
        if (workspace == NULL || l.set_stream(l.handle, b.stream) != 0 ||
            l.set_workspace(l.handle, (void *)at, WORKSPACE_BYTES) != 0)
            missing = "the library takes neither queue nor workspace";
    }
    int end = MEASURED;
    for (int i = 0; i < count && end == MEASURED && time_is_left(s); i++) {
        const char *parts[3] = {NULL};
        end = item_parts(items[i], parts, 3) < 3 ? MEASURE_USAGE : measure(&b, &l, missing, parts);
    }
    if (l.handle != NULL)
        (void)l.destroy(l.handle);
    rung_buffer_destroy(workspace);
    bed_close(&b);
    return end;
}
