/* SPDX-License-Identifier: Apache-2.0
 *
 * call.h: what plain calls and calls with buffers have in common.
 */
#ifndef RUNG_GPU_CALL_H
#define RUNG_GPU_CALL_H

#include "gpu/gpu.h"
#include "rung/dispatch.h"

/* In the place of an array's number. */
#define RUNG_WORKSPACE SIZE_MAX

/* Whether the workspace, where the cell asks for one and is given one, is memory of the device, which is current. */
bool rung_workspace_is_own(const rung_ctx *cx, const rung_cell_row *cell, uint32_t position, rung_gpu *gpu);

/* The answer to a call with an array, or RUNG_WORKSPACE, that is not memory of the device, told to the log. */
rung_status rung_call_foreign(rung_platform *p, uint32_t position, uint32_t op, size_t array);

/* The answer to a call whose workspace, which is looked for in `where`, is not as the cell asks for, told to the log.
 * wrong: what is said of it; NULL: it has no more than `size` bytes. */
rung_status rung_call_workspace(const rung_platform *p, const rung_cell_row *cell, const char *where, size_t size,
                                const char *wrong);

/* Of one that is not a buffer: RUNG_OK where the cell asks for none, or for what is there. */
rung_status rung_check_workspace(const rung_ctx *cx, const rung_cell_row *cell, const char *where);

/* The answer to a call of a cell whose first use has to wait for the end of a capture, told to the log. */
rung_status rung_call_captured(const rung_platform *p, uint32_t cell);

#endif
