/* SPDX-License-Identifier: Apache-2.0
 *
 * proof.h: what a registry says of its ops beyond how to call them, and the proof of its kernels by that.
 *
 * The first part is written by codegen, one rung_proof_op for each op with a tolerance, into a library of its own
 * (rung_<ns>_proof): programs that only call ops do not link it. The second part runs the proof. A command for a
 * registry of one's own is one line: int main(int argc, char **argv) { return rung_proof_main(&ex_proof, argc, argv); }
 */
#ifndef RUNG_PROOF_H
#define RUNG_PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "rung/rung.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what codegen writes ---------------------------------------------------------------------------------------- */

#define RUNG_PROOF_ABI 1u

/* The type of a scalar, and of the elements of an array. */
typedef enum rung_proof_type {
    RUNG_PROOF_FLOAT,
    RUNG_PROOF_DOUBLE,
    RUNG_PROOF_SIZE,    /* size_t */
    RUNG_PROOF_PTRDIFF, /* ptrdiff_t */
    RUNG_PROOF_INT8,
    RUNG_PROOF_INT16,
    RUNG_PROOF_INT32,
    RUNG_PROOF_INT64,
    RUNG_PROOF_UINT8,
    RUNG_PROOF_UINT16,
    RUNG_PROOF_UINT32,
    RUNG_PROOF_UINT64
} rung_proof_type;

/* One argument of a call. Arrays: `array` for plain calls, `buffer` for those of buffers. Of a wide call (below)
 * floating-point scalars are in `wide`, and floating-point arrays have elements of rung_wide. */
typedef long double rung_wide;
typedef union rung_value {
    float f;
    double d;
    size_t size;
    ptrdiff_t ptrdiff;
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    rung_wide wide;
    void *array;
    rung_buffer *buffer;
} rung_value;

enum { RUNG_PROOF_ARGS_MAX = 32, RUNG_PROOF_DIMS_MAX = 8, RUNG_PROOF_NO_ARG = 255 };

/* One axis of an array: an argument of type size_t, or a fixed length. */
typedef struct rung_proof_axis {
    uint8_t arg; /* its index; RUNG_PROOF_NO_ARG: fixed */
    uint32_t fixed;
} rung_proof_axis;

enum { RUNG_PROOF_READ = 1u, RUNG_PROOF_WRITE = 2u };

/* What the elements of an array are drawn from. */
typedef enum rung_proof_values {
    RUNG_PROOF_INTERVAL, /* uniform between low and high: one pair for all, or one for each index of the last axis */
    RUNG_PROOF_BFLOAT16, /* the same, and the uint16_t are the bits of bfloat16 numbers */
    RUNG_PROOF_POSITIVE_DEFINITE /* [k, k]: symmetric, eigenvalues from 1 */
} rung_proof_values;

/* How a written array is compared. */
typedef enum rung_proof_compare {
    RUNG_PROOF_ALL,    /* every element; where rel and abs are 0, bit for bit, but for the sign and payload of a NaN */
    RUNG_PROOF_LOWER,  /* [k, k]: those on and below the diagonal; the others are not specified */
    RUNG_PROOF_MOMENTS /* a random result: its mean and standard deviation, within six standard errors of the
                          reference's */
} rung_proof_compare;

/* What rel is a part of: |got - want| <= rel * scale + abs. */
typedef enum rung_proof_scale {
    RUNG_PROOF_ELEMENT,  /* |want| */
    RUNG_PROOF_LARGEST,  /* the largest |want| of the array */
    RUNG_PROOF_MAGNITUDE /* the element of what the reference makes of the absolute values of all arguments, those with
                            `negate` negated: of a sum, the sum of the absolute terms */
} rung_proof_scale;

typedef struct rung_proof_tolerance {
    double rel, abs;
} rung_proof_tolerance;

typedef struct rung_proof_arg {
    const char *name;
    uint8_t type; /* rung_proof_type */
    bool pointer;
    /* of arrays */
    bool optional;
    uint8_t access; /* RUNG_PROOF_READ | RUNG_PROOF_WRITE */
    uint8_t axes;
    rung_proof_axis shape[RUNG_PROOF_DIMS_MAX];
    uint8_t values;         /* rung_proof_values */
    uint16_t intervals;     /* pairs in `interval`; 0: -1 to 1, of integers the whole type */
    const double *interval; /* low, high, low, high ... */
    bool no_special;        /* special values are not put into it */
    uint8_t unread_if_zero; /* not read where this scalar argument is 0: NaN is put into it then; RUNG_PROOF_NO_ARG */
    uint32_t aliases;       /* of a written array: bits of the arguments that it may be the same array as */
    uint8_t compare;        /* rung_proof_compare */
    uint8_t scale;          /* rung_proof_scale */
    bool negate;            /* in magnitudes */
    bool has_tolerance;     /* its own, instead of the op's */
    bool refused_as_nan; /* where the reference answers RUNG_ERR_NUMERIC, a launched cell may answer RUNG_OK with NaN in
                            every element of this one */
    rung_proof_tolerance tolerance, rounding;
    /* of scalars */
    bool has_low, has_high, not_nan;
    double low, high; /* the range that the dispatch checks */
    uint16_t tries;   /* values that matter, beside random ones of the range; for floating point and integers */
    const double *try_values;
} rung_proof_arg;

/* A value, or an array, computed outside of the project. Of a scalar: `before` points to one. Of an array that is read:
 * `before`; written: `after`; both: both. An optional array that is left out: neither. */
typedef struct rung_proof_datum {
    const void *before, *after;
} rung_proof_datum;

typedef struct rung_proof_example {
    const char *name;             /* e.g. "numpy.longdouble, rounded once" */
    const rung_proof_datum *data; /* one for each argument */
} rung_proof_example;

/* Multiplying each argument by 2^exponent multiplies each written array by 2^its exponent, to the bit. */
enum { RUNG_PROOF_NOT_SCALED = -128 }; /* of a written array: it is not compared */
typedef struct rung_proof_scaling {
    int8_t exponents[RUNG_PROOF_ARGS_MAX];
} rung_proof_scaling;

/* A cell whose code is part of this build. */
typedef void rung_proof_function(void);
typedef struct rung_proof_cell {
    const char *device, *arch, *variant;
    rung_proof_function *function; /* of the op's own type; NULL for what is launched on a device, or not built */
} rung_proof_cell;

typedef struct rung_proof_variant {
    const char *name;
    rung_proof_tolerance tolerance; /* of all its written arrays */
} rung_proof_variant;

typedef rung_status rung_proof_call(const rung_ctx *cx, const rung_value *values);
typedef double rung_proof_cost(const rung_value *values);

typedef struct rung_proof_op {
    const char *name;
    uint8_t arg_count, dim_count, variant_count, scaling_count;
    uint16_t example_count, size_count, bench_count, cell_count;
    uint32_t permutes; /* bits of `dims`: permuting all arrays along that size permutes the results alike */
    const rung_proof_arg *args;
    const uint8_t *dims; /* indexes of the arguments that are sizes, in the order of the arguments */
    rung_proof_tolerance tolerance;
    rung_proof_tolerance rounding;      /* to the wide reference: the tolerance, unless the registry says otherwise */
    const rung_proof_variant *variants; /* those with a tolerance of their own */
    rung_proof_call *call, *call_buffers;
    rung_proof_call *call_wide; /* the reference compiled with rung_wide for float and double; NULL: there is none */
    const rung_proof_scaling *scalings;
    const rung_proof_example *examples;
    const size_t *sizes;          /* sizes that matter, beside those that every op is tried at: rows of dim_count */
    const size_t *bench;          /* sizes to be timed at: rows of dim_count */
    rung_proof_cost *flops;       /* floating-point operations of a call; NULL: the registry does not say */
    const rung_proof_cell *cells; /* those that this build has */
} rung_proof_op;

typedef struct rung_proof {
    uint32_t abi; /* RUNG_PROOF_ABI */
    const struct rung_registry *registry;
    uint16_t op_count;
    const rung_proof_op *const *ops; /* by name; an op with more than 32 arguments or 8 sizes has none */
} rung_proof;

/* ---- the proof -------------------------------------------------------------------------------------------------- */

typedef enum rung_proof_state {
    RUNG_PROOF_UNPROVEN, /* this machine cannot run it: `why` says what is missing */
    RUNG_PROOF_PASSED,   /* called, and every check held */
    RUNG_PROOF_FAILED,   /* called, and a check did not hold, or the process died of it */
    RUNG_PROOF_MISSED    /* this machine can run it, and it was not tested: `why` says why; as bad as FAILED */
} rung_proof_state;

/* By what a cell was run: for reports; the caller knows. */
typedef enum rung_proof_how { RUNG_PROOF_NATIVE, RUNG_PROOF_EMULATOR, RUNG_PROOF_FAKE_DRIVER } rung_proof_how;

typedef struct rung_proof_result {
    rung_cell cell;
    rung_proof_state state;
    rung_proof_how how;
    unsigned long cases, checks, failures;
    double worst;      /* the largest error that was seen against the reference, as a part of what is allowed */
    double worst_wide; /* against the wide reference; negative: there is none */
    unsigned examples; /* values from outside that were compared */
    bool registers;    /* whether callee-saved registers and the floating-point control state were checked */
    bool quick;        /* of fewer cases, as the options asked for */
    uint64_t seed;
    char why[512]; /* of PASSED: empty; else one line: what failed first, with its case and seed, or what is missing */
} rung_proof_result;

typedef rung_status rung_proof_open(const struct rung_registry *registry, const char *chain, unsigned flags,
                                    rung_platform **out, rung_error *err);

typedef struct rung_proof_options {
    const char *const *only; /* patterns as of fnmatch(3), each of "op device/arch/variant", "device/arch" or "op"; a
                                cell is taken when one fits */
    size_t only_count;       /* 0: all cells */
    uint64_t seed;           /* of the random numbers; 0: a fixed one */
    rung_proof_how how;
    bool quick;            /* one of 13 of the many alike cases, and those that stand for many: docs/proof.md */
    bool in_process;       /* no child process for each cell: a fault then ends the program */
    rung_proof_open *open; /* NULL: rung_platform_open */
    FILE *failures;        /* every failed check, one line each, at most 8 a cell; NULL: none */
} rung_proof_options;

/* Called when a cell is done; `done` of `count` cells are. The result lives until it returns. A number other than 0
 * ends the run. */
typedef int rung_proof_report(const rung_proof_result *result, size_t done, size_t count, void *user);

/* Proves every cell that the options choose, in the order of rung_matrix. RUNG_ERR_ARGUMENT when no cell fits a
 * pattern, or the abi is another. Not to be called by two threads at once; each cell is run in a child process of its
 * own, so that a fault in a kernel is a result, unless options->in_process. options NULL: the defaults. */
RUNG_API rung_status rung_proof_run(const rung_proof *proof, const rung_proof_options *options,
                                    rung_proof_report *report, void *user, rung_error *err);

/* "passed", "passed under an emulator", "passed on the fake driver", "unproven", "failed", "missed". With
 * RUNG_PROOF_NATIVE it is the state alone, as files of results have it. */
RUNG_API const char *rung_proof_state_text(rung_proof_state state, rung_proof_how how);
/* "native", "emulator", "fake driver". */
RUNG_API const char *rung_proof_how_text(rung_proof_how how);

/* A whole command: --help tells its options; prints a table, and with --json FILE writes what `rung selftest --merge`
 * reads. The exit status: 0; 1 when a cell failed or was missed; 2 for usage. */
RUNG_API int rung_proof_main(const rung_proof *proof, int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
