/* SPDX-License-Identifier: Apache-2.0
 *
 * helper.h: where rung-probe is, and starting it. isolated.h says what it is given.
 */
#ifndef RUNG_DETECT_HELPER_H
#define RUNG_DETECT_HELPER_H

#include <sys/types.h>

#include "probe.h"

typedef struct rung_helper {
    pid_t pid;
    int out; /* what it writes, to be read without blocking and to be closed; above the standard descriptors */
} rung_helper;

/* The program's path. False where it does not fit. */
bool rung_helper_path(const rung_world *world, char out[RUNG_PATH_MAX]);

/* 0, or an errno. The helper ends by itself some time after timeout_ms, should its parent not live to end it. */
int rung_helper_start(const rung_world *world, const char *path, const char *device, rung_depth depth,
                      uint32_t timeout_ms, rung_helper *out);

/* Of --depth: "look", "open", "full". */
const char *rung_depth_name(rung_depth depth);

#endif
