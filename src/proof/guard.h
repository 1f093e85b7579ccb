/* SPDX-License-Identifier: Apache-2.0
 *
 * guard.h: arrays that end right before a page that may not be touched, or begin right behind one, or stand somewhere
 * between, with canaries on the sides that touch no such page.
 */
#ifndef RUNG_PROOF_GUARD_H
#define RUNG_PROOF_GUARD_H

#include "rung/proof.h"

enum {
    PROOF_GUARD_SLOTS = RUNG_PROOF_ARGS_MAX + 1, /* one for each argument, and one for the workspace */
    PROOF_AT_END = -1,                           /* a read or write behind the end faults */
    PROOF_AT_START = -2,                         /* one before the beginning does */
    PROOF_PLACES = 16                            /* 0 .. 15: so many elements behind a 64-byte boundary */
};

/* Bytes that are kept between an end and its page. QEMU 7.2 reads what a VMASKMOV of x86 masks off, which processors do
 * not: under it 64, so that reading past an end goes unnoticed, and writing does not. */
void rung_proof_guard_slack(size_t bytes);

/* Room for an array, in place of what the slot held, with what it held before; NULL: no memory. */
void *rung_proof_guard_place(unsigned slot, size_t bytes, size_t element, int place);

/* Whether nobody has written around the array of a slot. */
bool rung_proof_guard_intact(unsigned slot);

/* Where an address is, for the handler of a fault: false when it is in or near no array. Otherwise *slot, and *offset,
 * the bytes from the beginning of its array, and *bytes, the array's. */
bool rung_proof_guard_find(const void *address, unsigned *slot, ptrdiff_t *offset, size_t *bytes);

/* While it is on, who writes to the array of a slot, or around it, faults. */
void rung_proof_guard_protect(unsigned slot, bool on);

/* Gives all memory back. */
void rung_proof_guard_free(void);

#endif
