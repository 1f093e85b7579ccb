/* SPDX-License-Identifier: Apache-2.0
 *
 * picture.h: the factors as a picture.
 */
#ifndef RUNG_TOOL_PICTURE_H
#define RUNG_TOOL_PICTURE_H

#include <stdbool.h>

#include "htfa.h"
#include "scan.h"

/* Writes a PNG at `path`: three views with the factors as circles, and their time courses. `name` is what error lines
 * call it. */
bool picture_write(const char *path, const char *name, const scan *s, const rung_tfa_result *result);
/* The same for the template, with the subjects' centres, and their shares below; scans [subjects]. */
bool picture_write_template(const char *path, const char *name, const scan *const *scans,
                            const rung_htfa_result *result);

#endif
