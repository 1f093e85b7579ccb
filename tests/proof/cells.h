/* SPDX-License-Identifier: Apache-2.0
 *
 * cells.h: the names of cells, as patterns have them.
 */
#ifndef TESTS_PROOF_CELLS_H
#define TESTS_PROOF_CELLS_H

#include <stdio.h>

#include "rung/rung.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { CELL_NAME = 128 };

/* "op device/arch/variant". */
static inline void cell_name(const rung_cell *cell, char at[CELL_NAME])
{
    (void)snprintf(at, CELL_NAME, "%s %s/%s/%s", cell->op, cell->device, cell->arch, cell->variant);
}

#endif
