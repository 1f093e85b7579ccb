/* SPDX-License-Identifier: Apache-2.0
 *
 * guarded.h: arrays that end right before a page that may not be touched, or start anywhere behind one, with canaries
 * on the sides that touch no such page. RUNG_TEST_GUARD_SLACK in the environment keeps 64 bytes between the two, for
 * emulators that read more than a processor would: reading past an end then goes unnoticed, writing does not.
 */
#ifndef TESTS_KERNELS_GUARDED_H
#define TESTS_KERNELS_GUARDED_H

#include <stdbool.h>
#include <stddef.h>

enum { GUARDED_SLOTS = 8, AT_END = -1 };

/* Places an array of `count` elements in a slot (0 .. GUARDED_SLOTS - 1), in place of what was there. `place` is
 * AT_END, so that a read or write past the end faults, or how many elements (0 .. 7) the array starts past a 64-byte
 * boundary. */
void *guarded_place(unsigned slot, size_t count, size_t element, int place);

/* A place for one more array: AT_END for AT_END, otherwise `by` elements on. */
int guarded_next(int place, int by);

/* Whether nobody has written around the arrays of any slot. */
bool guarded_intact(void);

#endif
