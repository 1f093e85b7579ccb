/* SPDX-License-Identifier: Apache-2.0
 *
 * cache.h: facts that were found, kept for the life of the process or until rung_select_refresh. Values go in and out;
 * no lock is held between calls, and a child of fork starts with an empty cache.
 */
#ifndef RUNG_SELECT_CACHE_H
#define RUNG_SELECT_CACHE_H

#include "facts.h"

typedef struct rung_cache_key {
    const rung_registry *registry;
    const char *python; /* NULL is a key of its own */
    bool full;
} rung_cache_key;

/* Whether there are facts for the key; else *ticket is what rung_cache_put wants with those that are found now. */
bool rung_cache_get(const rung_cache_key *key, rung_facts *out, uint64_t *ticket);

/* Keeps facts, unless all were forgotten since the ticket was given. */
void rung_cache_put(const rung_cache_key *key, const rung_facts *facts, uint64_t ticket);

#endif
