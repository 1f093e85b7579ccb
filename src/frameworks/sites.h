/* SPDX-License-Identifier: Apache-2.0
 *
 * sites.h: the folders that a Python looks for packages in, in its order.
 */
#ifndef RUNG_FRAMEWORKS_SITES_H
#define RUNG_FRAMEWORKS_SITES_H

#include "place.h"

enum { RUNG_SITES_MAX = 48 };

typedef struct rung_sites {
    unsigned count;
    size_t used;
    size_t at[RUNG_SITES_MAX];
    char text[12288];
} rung_sites;

static inline const char *rung_site(const rung_sites *sites, unsigned i)
{
    return sites->text + sites->at[i];
}

/* As Lib/site.py of CPython makes sys.path, for folders that exist: PYTHONPATH; a virtual environment's own; the
 * user's; the installation's; after each but those of PYTHONPATH, what its .pth files name. The lines of those that are
 * code are not followed. What is beyond the limits is left out. */
void rung_sites_find(const rung_world *world, const rung_place *place, rung_sites *out);

#endif
