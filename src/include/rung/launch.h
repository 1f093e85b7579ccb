/* SPDX-License-Identifier: Apache-2.0
 *
 * launch.h: what the C files of kernels on devices with drivers use: launchers, and kernels that call a library.
 *
 *     #include "rk/kernels/scale.h"
 *     #include "rung/launch.h"
 *
 *     rung_status RUNG_KERNEL(rk_scale)(const rung_ctx *cx, float *y, const float *x, size_t n, float a)
 *     {
 *         if (n == 0)
 *             return RUNG_OK;
 *         const rung_grid grid = {.blocks = {rung_blocks(n, 256)}, .threads = {256}};
 *         return rung_launch(cx, &RUNG_CELL(rk_scale), 0, &grid, (void *[]){&y, &x, &n, &a});
 *     }
 *
 * The dispatch has made the device current for the calling thread, and has checked that the arrays are its memory. A
 * launcher allocates nothing and waits for nothing: calls may be captured into a graph. With no queue in the context,
 * the dispatch waits once the launcher has returned.
 */
#ifndef RUNG_LAUNCH_H
#define RUNG_LAUNCH_H

#include "rung/rung.h"
#include "rung/table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A cell that is launched. Generated: one constant for each, in the object of its op's dispatch function, so that a
 * program has those of the ops that it calls. Its two pointers are the only relocations that belong to a kernel. */
typedef struct rung_launched {
    const rung_registry *registry;
    const rung_image *image; /* so that whoever links the op links its image */
    uint32_t op;
    uint32_t ordinal; /* of the cell in the op */
} rung_launched;

/* The constant of this cell, in a launcher that stands on several archs, and that of another variant than `default`. */
#ifdef RUNG_ARCH_TAG
#define RUNG_CELL(op)             RUNG_KERNEL_OF(op, cell)
#define RUNG_CELL_PASTE(op, name) RUNG_KERNEL_OF(op, name##__cell)
#define RUNG_CELL_OF(op, variant) RUNG_CELL_PASTE(op, variant)
#endif

/* A 0 in `blocks` or `threads` stands for 1. */
typedef struct rung_grid {
    uint32_t blocks[3];  /* x at most 2^31 - 1, y and z 65535 */
    uint32_t threads[3]; /* of a block; their product at most 1024, z at most 64 */
    uint32_t shared;     /* bytes of dynamic shared memory, at most 48 KiB */
} rung_grid;

/* How many blocks of `block` elements cover n, at most 2^31 - 1: kernels step over the rest. 0 for 0. */
static inline uint32_t rung_blocks(size_t n, size_t block)
{
    size_t blocks = n / block + (n % block != 0);
    return blocks < INT32_MAX ? (uint32_t)blocks : (uint32_t)INT32_MAX;
}

/* Launches a function of the cell's image on the context's queue. entry: its place in the list `entries` that the cell
 * has in registry.yaml, 0 for a cell without one. arguments: the addresses of the kernel's parameters, in order, copied
 * before this returns. Each has to be of exactly the type of the kernel's parameter, which nobody checks: the driver
 * copies as many bytes as the kernel's declaration says, so that an int given for a size_t is read beyond its end.
 * RUNG_ERR_DEVICE where the driver refuses, RUNG_ERR_MEMORY, or RUNG_ERR_ARGUMENT for a cell that was not made ready by
 * the dispatch. */
RUNG_API rung_status rung_launch(const rung_ctx *cx, const rung_launched *cell, uint32_t entry, const rung_grid *grid,
                                 void **arguments);

/* ---- kernels that call a library --------------------------------------------------------------------------------- */

/* The driver's own handle of the stream that a call goes to: a CUstream, NULL for the default one. */
RUNG_API void *rung_stream(const rung_ctx *cx);

/* What a kernel that calls a library keeps for each device of a platform, such as the library's handle. */
typedef struct rung_keep {
    /* With the device current. Where it fails, its status is that of the call, and a line on what has failed, at most
     * size bytes with the terminator, goes to `figures`, which is empty before. Several threads may make one at once:
     * one is kept. */
    rung_status (*make)(void **object, char *figures, size_t size);
    /* Of one that another thread was faster to make, and when the platform is closed, with the device current; not
     * where the device was lost, nor in a forked child, in which no library of it can be called. */
    void (*destroy)(void *object);
} rung_keep;

/* The object of this kind, which the address of *kind stands for, on the device that the call goes to: made by the
 * first call, and by the next one where that failed. Lives until the platform is closed. What `make` answers, which is
 * logged (info) with its figures; RUNG_ERR_ARGUMENT, logged as well, where there is none yet and the queue is being
 * captured, and where cx is not that of a call on a device; RUNG_ERR_MEMORY. *object is NULL then. */
RUNG_API rung_status rung_kept(const rung_ctx *cx, const rung_keep *kind, void **object);

#ifdef __cplusplus
}
#endif
#endif
