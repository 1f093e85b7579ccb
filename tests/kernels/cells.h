/* SPDX-License-Identifier: Apache-2.0
 *
 * cells.h: the cells of an op that a testbed runs, one after the other.
 */
#ifndef TESTS_KERNELS_CELLS_H
#define TESTS_KERNELS_CELLS_H

#include <rk/rk.h>

typedef void cell_test(const rung_ctx *cx, const rung_cell *cell);

/* Calls `test` for every cell of the op that this testbed (testbed.h) can run, with a context that calls it through
 * buffers. The cell's name is printed first. The number of cells, those of `place` (device/arch; NULL: all). */
unsigned cells_run(const char *op, const char *place, cell_test *test);

/* A buffer of the array's own memory, which held_end brings back up to date. */
rung_buffer *held(const rung_ctx *cx, const void *array, size_t bytes);
void held_end(rung_buffer *buffer);

#endif
