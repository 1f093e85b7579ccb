/* SPDX-License-Identifier: Apache-2.0
 *
 * nearest.h: the known names that look most like one that is not known.
 */
#ifndef RUNG_NEAREST_H
#define RUNG_NEAREST_H

#include <stddef.h>
#include <stdint.h>

#include "rung/rung.h"
#include "text.h"

enum { RUNG_NEAREST = 3 };

typedef struct rung_nearest {
    const char *wanted;
    size_t len;
    unsigned count;
    const char *names[RUNG_NEAREST];
    unsigned distances[RUNG_NEAREST];
} rung_nearest;

void rung_nearest_begin(rung_nearest *nearest, const char *wanted, size_t len);
/* Offers a known name; it must live until rung_nearest_text. Of equally near ones, those offered first are kept. */
void rung_nearest_offer(rung_nearest *nearest, const char *name);
/* Adds `; nearest: a, b, c`, or nothing when no name was offered. */
void rung_nearest_text(const rung_nearest *nearest, rung_text *t);

/* RUNG_ERR_UNKNOWN for a name that a registry does not have, with the nearest of those that `names` gives for 0, 1, ...
 */
typedef const char *rung_name_fn(const rung_registry *registry, uint32_t id);
rung_status rung_fail_name(const rung_registry *registry, const char *what, const char *name, rung_name_fn *names,
                           rung_error *err);

/* Edits (insert, delete, replace, swap of neighbours) between two names, of which at most 63 bytes are looked at. */
unsigned rung_edit_distance(const char *a, size_t a_len, const char *b, size_t b_len);

#endif
