/* SPDX-License-Identifier: Apache-2.0
 *
 * parity.h: what the test of one op has at hand: a cell to test, the reference cell, and how to compare.
 */
#ifndef TESTS_KERNELS_PARITY_H
#define TESTS_KERNELS_PARITY_H

#include <stdint.h>

#include <rk/rk.h>

#include "guarded.h"

typedef struct parity {
    const rung_ctx *reference; /* calls cpu/generic */
    const rung_ctx *candidate; /* calls the cell under test */
    const char *cell;          /* its name, for messages */
    double rel, abs;           /* the op's tolerance */
    unsigned long checks, failures;
    uint64_t random; /* state of the generator: the same numbers for every cell */
    char now[160];   /* the case at work, for messages */
    bool brief;      /* one of BRIEF cases is enough: each takes long */
    unsigned turn;   /* of the cases */
} parity;

/* One op: its tolerance as registry.yaml has it (check_tolerances.py compares them) and its test. */
typedef struct op_test {
    const char *op;
    const char *variant; /* NULL: those that have no line of their own */
    double rel, abs;
    void (*run)(parity *p);
} op_test;

/* The line of an op and variant; NULL for an op without a test. */
const op_test *op_test_find(const char *op, const char *variant);

extern const op_test op_tests[];
extern const size_t op_tests_count;

void test_factor_gradient(parity *p);
void test_flow_match_step(parity *p);
void test_flow_sde_step(parity *p);
void test_gemm_nt(parity *p);
void test_gemm_nt_bf16(parity *p);
void test_gemm_nt_f32(parity *p);
void test_gemm_tn(parity *p);
void test_rbf_factors(parity *p);
void test_residual_energy(parity *p);
void test_ridge_solve(parity *p);

/* Whether the next of many alike cases is to be left out, since one of so many is enough. Their number has no factor in
 * common with what the tests loop over. */
enum { PARITY_BRIEF = 13 };
bool parity_skip(parity *p);

/* Sets the name of the case at work. */
void parity_case(parity *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A failure unless `holds`. */
void parity_expect(parity *p, bool holds, const char *what);

/* The same class (NaN, an infinity with its sign, finite), and |got - want| <= rel * scale + abs. `scale` is |want| for
 * an element-wise op, and the sum of the absolute values of all terms for a sum: what cancels still counts. */
void parity_close(parity *p, const char *what, size_t index, double got, double want, double scale);

/* The same bits, or a NaN on both sides. */
void parity_same(parity *p, const char *what, size_t index, float got, float want);

/* Uniform in -1 .. 1. */
double parity_random(parity *p);
void parity_fill(parity *p, double *to, size_t count);
void parity_fill_float(parity *p, float *to, size_t count);

/* Ragged sizes around the widths of vectors and tiles; the first PARITY_SMALL are cheap enough for all combinations. */
enum { PARITY_SIZES = 16, PARITY_SMALL = 11 };
extern const size_t parity_sizes[PARITY_SIZES];

/* Values that arithmetic treats differently: NaN, infinities, zeros, denormals. */
enum { PARITY_SPECIALS = 8 };
extern const double parity_specials[PARITY_SPECIALS];

#endif
