/* SPDX-License-Identifier: Apache-2.0
 *
 * abi.h: what a library of kernels that were compiled for the host (on_host.h) shows to who runs them: one function,
 * RUNG_ON_HOST_FIND. C.
 */
#ifndef RUNG_ON_HOST_ABI_H
#define RUNG_ON_HOST_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rung_on_host_result {
    RUNG_ON_HOST_DONE = 0,
    RUNG_ON_HOST_DIVERGED, /* a barrier that not all threads reach, a warp's masks that do not agree, a wrong lane */
    RUNG_ON_HOST_FAULT     /* memory that the kernel may not touch */
} rung_on_host_result;

typedef struct rung_on_host_launch {
    uint32_t grid[3], block[3];
    uint32_t shared; /* bytes of dynamic shared memory, at most 48 KiB */
    void **parameters;
    /* The order in which the threads of a block run between barriers: 0 forward, 1 backward, else shuffled with it. */
    uint64_t order;
} rung_on_host_launch;

typedef struct rung_on_host_kernel {
    const char *name;
    uint32_t parameters;
    const uint16_t *sizes;  /* bytes of each */
    const uint8_t *pointer; /* 1 for each that is one; NULL: not known */
    void (*call)(void **parameters);
    void *shared_from, *shared_to; /* the shared memory of its image: filled with 0xff before every block */
    /* Runs every block, one after another. One launch at a time, whatever the thread. message [size]: one line on what
     * was not DONE. */
    rung_on_host_result (*run)(const struct rung_on_host_kernel *kernel, const rung_on_host_launch *launch,
                               char *message, size_t size);
} rung_on_host_kernel;

/* NULL for a name that the library has no kernel of. */
#define RUNG_ON_HOST_FIND "rung_on_host_find"
typedef const rung_on_host_kernel *rung_on_host_find_fn(const char *name);

#ifdef __cplusplus
}
#endif
#endif
