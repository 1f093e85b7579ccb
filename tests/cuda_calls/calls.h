/* SPDX-License-Identifier: Apache-2.0
 *
 * calls.h: a machine with a GPU of every compute capability that matters, and NVIDIA's libraries imitated: for tests
 * that open platforms on it and call the ops of tests/fixtures/cu. The imitation is steered by RUNG_FAKE_CUDA
 * (tests/imitation/fake_cuda.c).
 */
#ifndef CALLS_H
#define CALLS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <cu/cu.h>

#include "fake_cuda.h"

/* ---- the machine ------------------------------------------------------------------------------------------------- */

/* Its GPUs, by index. */
enum {
    GPU_75,
    GPU_80,
    GPU_86,
    GPU_87, /* Tegra */
    GPU_89,
    GPU_90,
    GPU_100,
    GPU_103,
    GPU_110, /* Tegra */
    GPU_120,
    GPU_121,
    GPU_130,
    GPUS
};
extern const unsigned capability_of[GPUS];

int machine_begin(void **state); /* for cmocka_run_group_tests */
int machine_end(void **state);

/* What the driver does from now on, beside having its GPUs: "driver=12080;cuMemAlloc#3=2;". "": nothing special, and a
 * driver of CUDA 13.0. Sets the counts of calls back. */
void steer(const char *how);

/* rung_platform_open there; "cuda:5". What is logged from now on is kept. */
rung_status try_open(const char *chain, unsigned flags, rung_platform **out, rung_error *err);
rung_platform *open_on(const char *chain);
rung_platform *open_gpu(unsigned gpu);

/* ---- what the driver tells --------------------------------------------------------------------------------------- */

/* A function of it. Fails where nobody has opened it. */
void *driver_function(const char *name);
#define FIND(name, function)                                                                                           \
    do {                                                                                                               \
        void *found_ = driver_function(name);                                                                          \
        memcpy(&(function), &found_, sizeof found_);                                                                   \
    } while (0)

/* What fake_cuda.h tells; 0 as long as nobody has opened the driver. */
int alive(const char *what);
/* By its symbol, with the _v2 that it may have or without. */
int calls(const char *entry);
/* Copies between the host and devices. */
int copies(void);
void assert_no_violation(void);
/* The driver has nothing of this process, and no rule was broken. */
void assert_all_given_back(void);
/* Closes it; then the above. */
void close_last(rung_platform *p);

/* ---- calls ------------------------------------------------------------------------------------------------------- */

typedef rung_status number_fn(const rung_ctx *cx, rung_buffer *y, size_t n);
/* What an op that writes the number of its cell writes to a buffer of n elements. -1: it failed. -2: it wrote several.
 */
int number(rung_platform *p, number_fn *op, size_t n);
#define NUMBER(p, op) number(p, cu_##op##_buf, 40)

/* A buffer of a platform with n elements: from, from + 1, ... */
rung_buffer *buffer_of(rung_platform *p, float from, size_t n);
/* Whether a buffer has from, from + step, ... */
void assert_holds(rung_buffer *b, float from, float step, size_t n);

/* ---- texts ------------------------------------------------------------------------------------------------------- */

/* What was logged at RUNG_LOG_INFO since the last call of heard_nothing. */
void heard_nothing(void);
const char *heard(void);
#define assert_heard(part)     assert_true(has_text(heard(), part))
#define assert_not_heard(part) assert_null(strstr(heard(), part))
/* Whether it does; prints both where not. */
int has_text(const char *text, const char *part);

/* The reason and the figures of (op, cuda/arch) on a platform: "load failed: cuLibraryLoadData returned ...". */
const char *why_not(rung_platform *p, const char *op, const char *arch);

#endif
