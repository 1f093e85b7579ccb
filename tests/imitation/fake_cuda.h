/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_cuda.h: what the imitated libcuda.so.1 tells tests, beside the driver's own entry points. All of it is found
 * with dlsym. How it is steered stands in fake_cuda.c.
 */
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include <stddef.h>

#if defined(__GNUC__)
#define FAKE_CUDA_TOLD __attribute__((visibility("default")))
#else
#define FAKE_CUDA_TOLD
#endif

/* How often cuInit was called; how often contexts were retained and not released. */
FAKE_CUDA_TOLD int rung_fake_cuda_inits(void);
FAKE_CUDA_TOLD int rung_fake_cuda_contexts(void);

/* How many there are of "contexts" (retained), "libraries", "streams", "events", "graphs", "execs", "memory" (device
 * and managed allocations), "pinned" (allocated or registered); "kilobytes" of device memory, "work" that has been
 * queued and has not run, functions that came from PTX ("compiled") and kernels that ran ("ran"). What was left when
 * its context was destroyed counts on. -1 for another word. */
FAKE_CUDA_TOLD int rung_fake_cuda_live(const char *what);

/* How often the driver's rules were broken, and the last line on that ("" at first). */
FAKE_CUDA_TOLD int rung_fake_cuda_violations(void);
FAKE_CUDA_TOLD const char *rung_fake_cuda_violation(void);

/* How often an entry was called, by its exported name. */
FAKE_CUDA_TOLD int rung_fake_cuda_calls(const char *entry);

/* Sets violations and calls back to 0; what is alive stays. */
FAKE_CUDA_TOLD void rung_fake_cuda_forget(void);

/* For an imitated library that computes on the device: queues a function of the host as work of a stream of the current
 * context. When it runs it may touch device memory. The argument is copied. 0, or a code of the driver. */
typedef void rung_fake_cuda_work_fn(const void *argument);
FAKE_CUDA_TOLD int rung_fake_cuda_run(void *stream, rung_fake_cuda_work_fn *work, const void *argument, size_t bytes);

/* Types of the above, for who looks them up. */
typedef int rung_fake_cuda_live_fn(const char *what);
typedef int rung_fake_cuda_violations_fn(void);
typedef const char *rung_fake_cuda_violation_fn(void);
typedef int rung_fake_cuda_calls_fn(const char *entry);
typedef void rung_fake_cuda_forget_fn(void);
typedef int rung_fake_cuda_run_fn(void *stream, rung_fake_cuda_work_fn *work, const void *argument, size_t bytes);

#endif
