/* SPDX-License-Identifier: Apache-2.0
 *
 * direct_url.h: direct_url.json, which says where a package was installed from
 * (packaging.python.org/en/latest/specifications/direct-url).
 */
#ifndef RUNG_FRAMEWORKS_DIRECT_URL_H
#define RUNG_FRAMEWORKS_DIRECT_URL_H

#include "path.h"

typedef struct rung_direct_url {
    bool editable;
    char path[RUNG_PLACE_MAX]; /* of a url of this machine's files; else "" */
} rung_direct_url;

/* From the text of the file; what is no JSON tells nothing after the place where that shows. */
void rung_direct_url_read(const char *json, rung_direct_url *out);

#endif
