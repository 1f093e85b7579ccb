/* SPDX-License-Identifier: Apache-2.0
 *
 * version.h: versions of PEP 440, taken apart. Nothing is copied: the parts lie in the text.
 */
#ifndef RUNG_FRAMEWORKS_VERSION_H
#define RUNG_FRAMEWORKS_VERSION_H

#include <stdbool.h>

#include "scan.h"

typedef struct rung_version {
    rung_span epoch;   /* digits; none is 0 */
    rung_span release; /* digits, with dots between them */
    char pre;          /* 'a', 'b', 'r' for a release candidate, or 0 */
    rung_span pre_number;
    bool has_post, has_dev;
    rung_span post_number, dev_number;
    rung_span local; /* what stands after "+"; len 0 for none */
} rung_version;

/* False when the text is no version; *out is then of no use. Blanks around it are allowed. */
bool rung_version_parse(const char *text, rung_version *out);

/* Negative, 0 or positive, by the ordering of PEP 440. */
int rung_version_order(const rung_version *a, const rung_version *b);

/* The same of the numbers with dots alone that two texts begin with, "0.7" before "0.7.0", as jax compares itself with
 * its parts (jax/_src/lib/__init__.py). False when either begins with none. */
bool rung_version_dotted_order(const char *a, const char *b, int *order);

#endif
