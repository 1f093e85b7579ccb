/* SPDX-License-Identifier: Apache-2.0
 *
 * peers.c: calls of one op of Rung, or of OpenBLAS, many in a row and timed here, so that a caller in Python does not
 * count. One call is set up at a time; not for two threads.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "rk/proof.h"
#include "rk/rk.h"
#ifdef RUNG_WITH_OPENBLAS
#include <cblas.h>
#endif

#define EXPORT __attribute__((visibility("default")))

static struct {
    const rung_proof_op *op;
    rung_platform *platform;
    rung_ctx context;
    rung_value value[RUNG_PROOF_ARGS_MAX];
    char text[RUNG_ERROR_TEXT];
} job;

static clockid_t clock_id = CLOCK_MONOTONIC;

static double now(void)
{
    struct timespec t;
    clock_gettime(clock_id, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Counts the processor time of the whole process, or else what passes. */
EXPORT void peers_clock(int processor)
{
    clock_id = processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
}

/* Takes the op's kernel of this variant on the automatic platform. 0, or -1 and peers_text tells why not; else that is
 * the cell, "cpu/x86-64-v4". */
EXPORT int peers_begin(const char *op, const char *variant)
{
    rung_error err = {0};
    rung_resolution found;
    rung_platform_close(job.platform);
    memset(&job, 0, sizeof job);
    for (unsigned i = 0; i < rk_proof.op_count; i++)
        if (strcmp(rk_proof.ops[i]->name, op) == 0)
            job.op = rk_proof.ops[i];
    uint32_t id = rung_variant_find(&rk_registry, variant);
    if (job.op == NULL || id == RUNG_NONE) {
        (void)snprintf(job.text, sizeof job.text, "the registry has no op %s with a tolerance, or no variant %s", op,
                       variant);
        return -1;
    }
    if (rung_platform_open(&rk_registry, "cpu", RUNG_OPEN_NO_ENV, &job.platform, &err) != RUNG_OK ||
        rung_resolve(job.platform, rung_op_find(&rk_registry, op), id, RUNG_MEMORY_HOST, &found, &err) != RUNG_OK) {
        (void)snprintf(job.text, sizeof job.text, "%s", err.text);
        return -1;
    }
    if (strcmp(found.cell.variant, variant) != 0) {
        (void)snprintf(job.text, sizeof job.text, "there is no kernel of variant %s", variant);
        return -1;
    }
    job.context = rung_ctx_of(job.platform);
    job.context.threads = 1;
    job.context.variant = id;
    (void)snprintf(job.text, sizeof job.text, "%s/%s", found.cell.device, found.cell.arch);
    return 0;
}

EXPORT const char *peers_text(void)
{
    return job.text;
}

/* NULL past the last argument. */
EXPORT const char *peers_argument(unsigned i)
{
    return i < job.op->arg_count ? job.op->args[i].name : NULL;
}

/* The size with this name in a row of those to be timed at; -1 past the last row, and for a name that is no size. */
EXPORT long long peers_size(unsigned row, const char *name)
{
    for (unsigned i = 0; row < job.op->bench_count && i < job.op->dim_count; i++)
        if (strcmp(job.op->args[job.op->dims[i]].name, name) == 0)
            return (long long)job.op->bench[(size_t)row * job.op->dim_count + i];
    return -1;
}

EXPORT void peers_array(unsigned argument, void *array)
{
    job.value[argument].array = array;
}

EXPORT void peers_number(unsigned argument, double number)
{
    rung_value *value = &job.value[argument];
    switch (job.op->args[argument].type) {
    case RUNG_PROOF_FLOAT:
        value->f = (float)number;
        break;
    case RUNG_PROOF_DOUBLE:
        value->d = number;
        break;
    default: /* of these ops: size_t */
        value->size = (size_t)number;
        break;
    }
}

/* Seconds for so many calls; negative when one was refused. */
EXPORT double peers_call(unsigned calls)
{
    double begin = now();
    for (unsigned i = 0; i < calls; i++)
        if (job.op->call(&job.context, job.value) != RUNG_OK)
            return -1;
    return now() - begin;
}

/* C = A B^T of floats, m by n, with inner size k. Negative where there is no OpenBLAS in this build. */
EXPORT double peers_sgemm_nt(unsigned calls, float *c, const float *a, const float *b, int m, int n, int k)
{
#ifdef RUNG_WITH_OPENBLAS
    double begin = now();
    for (unsigned i = 0; i < calls; i++)
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, 1.0F, a, k, b, k, 0.0F, c, n);
    return now() - begin;
#else
    (void)calls, (void)c, (void)a, (void)b, (void)m, (void)n, (void)k;
    return -1;
#endif
}

/* "SkylakeX", what OpenBLAS has chosen, and in *configuration what it is; NULL where there is none in this build. */
EXPORT const char *peers_openblas(const char **configuration)
{
#ifdef RUNG_WITH_OPENBLAS
    openblas_set_num_threads(1);
    *configuration = openblas_get_config();
    return openblas_get_corename();
#else
    *configuration = NULL;
    return NULL;
#endif
}
