/* SPDX-License-Identifier: Apache-2.0
 *
 * on_host_test.h: launches of kernels of the module library ON_HOST_MODULE.
 */
#ifndef ON_HOST_TEST_H
#define ON_HOST_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "abi.h"

/* NULL when there is none. */
const rung_on_host_kernel *on_host_kernel(const char *name);

/* What launches say, and the order in which threads run: 0 forward, 1 backward, else shuffled. */
extern char on_host_said[256];
extern uint64_t on_host_order;

typedef struct on_host_shape {
    uint32_t grid[3], block[3], shared;
} on_host_shape;

rung_on_host_result on_host_run(const char *name, const on_host_shape *shape, void **parameters);

#define ONE_BLOCK(threads)    (&(on_host_shape){{1, 1, 1}, {threads, 1, 1}, 0})
#define RUN(name, shape, ...) on_host_run(name "", shape, (void *[]){__VA_ARGS__})

#define assert_done(result)                                                                                            \
    do {                                                                                                               \
        if ((result) != RUNG_ON_HOST_DONE)                                                                             \
            fail_msg("%s", on_host_said);                                                                              \
    } while (0)

#endif
