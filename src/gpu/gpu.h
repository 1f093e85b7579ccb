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

/* The same, where nothing of this call has asked yet: whether the process is a child is asked of its number as well, as
 * handlers of a fork that were registered before the library's run before it. */
rung_gpu *rung_gpu_here(const rung_position *position);

/* To be called after anything of the device has failed: where it is lost, the platform's choices of its kernels are
 * taken back, once, and the log is told. */
void rung_gpu_check(rung_platform *p, uint32_t position);

/* Answers for something that the device of a position refused: fills err, which may be NULL, with "cuda: what: detail",
 * tells the log, and calls rung_gpu_check. Returns the status. */
rung_status rung_gpu_failed(rung_platform *p, uint32_t position, rung_status status, const char *what,
                            const char *detail, rung_error *err);

/* A device that may be called: opened, of this process and not lost. NULL otherwise. */
rung_gpu *rung_gpu_usable(const rung_platform *p, uint32_t position);

/* The same, where it is needed: NULL is RUNG_ERR_DEVICE, told as by rung_gpu_failed. */
rung_gpu *rung_gpu_ready(rung_platform *p, uint32_t position, rung_error *err);

/* The same, and makes it current, for driver->leave. */
rung_gpu *rung_gpu_enter(rung_platform *p, uint32_t position, rung_error *err);

/* That of rung_gpu_first, opened; RUNG_OK and RUNG_NONE in *position without one. Fails with UNAVAILABLE or DEVICE and
 * a text. */
rung_status rung_gpu_open_first(rung_platform *p, uint32_t *position, rung_error *err);

/* Destroys what rung_kept has kept on the device of a position; in a forked child only the host's memory of it. To be
 * called before the device is closed. */
void rung_kept_end(rung_platform *p, uint32_t position);

/* Gives back what could not be when its owner destroyed it, as a stream was being captured: the memory of buffers; the
 * streams and events of queues. In a forked child only the host's memory of it. To be called in this order, before the
 * device is closed. */
void rung_buffers_end(rung_platform *p);
void rung_queues_end(rung_platform *p);

/* Closes what was opened. */
void rung_gpu_close_all(rung_platform *p);

#endif
