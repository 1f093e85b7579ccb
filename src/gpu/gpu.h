/* SPDX-License-Identifier: Apache-2.0
 *
 * gpu.h: the devices with drivers of a platform: opened at the first use, lost after an error that ends their use,
 * closed with the platform.
 */
#ifndef RUNG_GPU_GPU_H
#define RUNG_GPU_GPU_H

#include "gpu/driver.h"
#include "platform.h"

/* The driver of a position's device; NULL for the host, and where this build has none. */
static inline const rung_gpu_driver *rung_gpu_driver_of(const rung_position *position)
{
    return position->gpu_driver;
}

/* The position of the first device of the chain that has a driver in this build and can be used now; RUNG_NONE without
 * one. */
uint32_t rung_gpu_first(const rung_platform *p);

/* The device of a position, opened if nobody has yet. NULL: *reason and *detail say why; nothing is kept of a failure.
 */
rung_gpu *rung_gpu_open(rung_platform *p, uint32_t position, rung_reason *reason, rung_text *detail);

/* The device if it has been opened and this process may use it; NULL otherwise. Costs two loads. */
static inline rung_gpu *rung_gpu_at(const rung_position *position)
{
    return position->forked ? NULL : atomic_load_explicit(&position->gpu, memory_order_acquire);
}

/* To be called after anything of the device has failed: where it is lost, the platform's choices of its kernels are
 * taken back, once, and the log is told. */
void rung_gpu_check(rung_platform *p, uint32_t position);

/* Closes what was opened. */
void rung_gpu_close_all(rung_platform *p);

#endif
