/* SPDX-License-Identifier: Apache-2.0
 *
 * hash.h: look-up in the generated perfect hashes. hash.c and codegen/perfect_hash.py must agree bit for bit.
 */
#ifndef RUNG_HASH_H
#define RUNG_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "rung/table.h"

uint64_t rung_hash_bytes(uint64_t seed, const void *key, size_t len);

/* The only id that the key can have, or RUNG_NONE. The caller compares the key with that of the id. */
uint32_t rung_hash_bytes_find(const rung_hash *hash, const void *key, size_t len);
uint32_t rung_hash_cell_find(const rung_hash *hash, uint32_t op, uint32_t arch, uint32_t variant);

#endif
