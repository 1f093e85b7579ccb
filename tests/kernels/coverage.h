/* SPDX-License-Identifier: Apache-2.0
 *
 * coverage.h: which declared cells exist, which of them this machine can run, and which have been proven.
 */
#ifndef TESTS_KERNELS_COVERAGE_H
#define TESTS_KERNELS_COVERAGE_H

#include <stdbool.h>

#include <rk/rk.h>

typedef enum coverage_state {
    COVERAGE_UNPROVEN, /* this machine cannot run it: `why` says what is missing */
    COVERAGE_PROVEN,   /* called, and every check held */
    COVERAGE_FAILED,   /* called, and a check did not hold */
    COVERAGE_MISSED    /* this machine can run it, and no test did */
} coverage_state;

typedef struct coverage_cell {
    rung_cell cell;
    coverage_state state;
    char name[128]; /* op on device/arch (variant) */
    char why[RUNG_ERROR_TEXT];
} coverage_cell;

enum { COVERAGE_CELLS = 512 };
typedef struct coverage {
    coverage_cell cells[COVERAGE_CELLS];
    unsigned count;
    const char *only; /* "device/arch": no others; NULL: all */
} coverage;

/* Fills the list with every declared cell, from rung_matrix; false when they do not fit. */
bool coverage_load(coverage *c);

/* Tests one cell: `why` tells more. */
coverage_state coverage_test_cell(coverage_cell *cell);

/* Tests every cell of one op; returns the number of cells that failed or were missed. */
unsigned coverage_test_op(coverage *c, const char *op);

/* Prints the table, cell by cell. */
void coverage_print(const coverage *c);

#endif
