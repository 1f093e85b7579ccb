/* SPDX-License-Identifier: Apache-2.0
 *
 * block.h: where a thread stands, and the barriers of its block. A barrier is told from others by its line, so that
 * threads that wait at two of them are found.
 */
#ifndef RUNG_ON_HOST_BLOCK_H
#define RUNG_ON_HOST_BLOCK_H

#define RUNG_HIDDEN __attribute__((visibility("hidden")))

/* Of the thread that runs. */
extern RUNG_HIDDEN uint3 threadIdx, blockIdx;
extern RUNG_HIDDEN dim3 blockDim, gridDim;
static constexpr int warpSize = 32;

namespace rung_on_host
{
/* How many of the block's threads came with a value other than 0. */
RUNG_HIDDEN int barrier(int value, int line);
RUNG_HIDDEN void *dynamic_shared();
RUNG_HIDDEN unsigned threads_of_block();
/* Ends the launch with RUNG_ON_HOST_DIVERGED. */
[[noreturn]] RUNG_HIDDEN void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
} // namespace rung_on_host

static inline void __syncthreads(int line = __builtin_LINE())
{
    (void)rung_on_host::barrier(0, line);
}

static inline int __syncthreads_count(int predicate, int line = __builtin_LINE())
{
    return rung_on_host::barrier(predicate, line);
}

static inline int __syncthreads_or(int predicate, int line = __builtin_LINE())
{
    return rung_on_host::barrier(predicate, line) != 0;
}

static inline int __syncthreads_and(int predicate, int line = __builtin_LINE())
{
    return rung_on_host::barrier(predicate, line) == (int)rung_on_host::threads_of_block();
}

[[noreturn]] static inline void __trap()
{
    rung_on_host::fail("__trap()");
}

#endif
