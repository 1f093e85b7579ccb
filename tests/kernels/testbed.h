/* SPDX-License-Identifier: Apache-2.0
 *
 * testbed.h: the machine on which cells are tried: this one (testbed_here.c), or one with an imitated GPU
 * (testbed_gpu.c).
 */
#ifndef TESTS_KERNELS_TESTBED_H
#define TESTS_KERNELS_TESTBED_H

#include <rk/rk.h>

/* rung_platform_open there. */
rung_status testbed_open(const char *chain, unsigned flags, rung_platform **out, rung_error *err);

/* On an imitated GPU: the handles of cuBLAS that there are. */
int testbed_cublas_handles(void);

/* What is wrong with how an imitated GPU has been used so far, one line, or what has not been given back; NULL. */
const char *testbed_complaint(void);

/* Ends the use of it, after all platforms have been closed. What was wrong with how it was used, one line; NULL. */
const char *testbed_end(void);

#endif
