/* SPDX-License-Identifier: Apache-2.0
 *
 * dists.h: what installers wrote about the packages that frameworks come in: *.dist-info, *.egg-info, eggs, and what a
 * stopped removal leaves.
 */
#ifndef RUNG_FRAMEWORKS_DISTS_H
#define RUNG_FRAMEWORKS_DISTS_H

#include "sites.h"

typedef enum rung_dist_kind {
    RUNG_DIST_READ = 0,   /* its name and its version could be read */
    RUNG_DIST_UNREADABLE, /* its file is there, and one of the two could not be read */
    RUNG_DIST_EMPTY,      /* a folder without the file */
    RUNG_DIST_LEFT_OVER,  /* "~orch-2.1.0.dist-info" or "~orch": pip renames so what it is about to remove */
    RUNG_DIST_LINK        /* torch.egg-link: the code is elsewhere */
} rung_dist_kind;

enum { RUNG_DISTS_MAX = 48 };

typedef struct rung_dist {
    rung_dist_kind kind;
    unsigned site;
    char name[40];    /* normalised: "jax-cuda12-plugin"; of one that is left over, with its first letter back */
    char version[64]; /* of READ */
    char entry[128];  /* its name in the site's folder */
    bool folder;      /* it is one */
} rung_dist;

typedef struct rung_install {
    const rung_world *world;
    const rung_place *place;
    const rung_sites *sites;
    unsigned count;
    rung_dist dist[RUNG_DISTS_MAX];
} rung_install;

/* All that belong to a framework, in the order of the sites. */
void rung_dists_find(const rung_world *world, const rung_place *place, const rung_sites *sites, rung_install *out);

/* The name as indexes compare it: lower case, runs of [-_.] one "-". False, and "" in out, where it does not fit. */
bool rung_dist_normalise(const char *name, size_t len, char *out, size_t size);

/* The first of this name and kind in any site; NULL when there is none. */
const rung_dist *rung_dist_find(const rung_install *install, const char *name, rung_dist_kind kind);

/* The nth header of a metadata file of this name, cut where it does not fit. False when there are fewer. */
bool rung_header(const char *metadata, const char *name, unsigned nth, char *out, size_t size);

/* Reads a file of a dist's folder, e.g. "direct_url.json". As rung_world_read. */
long rung_dist_read(const rung_install *install, const rung_dist *dist, const char *file, char *text, size_t size);

#endif
