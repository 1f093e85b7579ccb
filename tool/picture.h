/* SPDX-License-Identifier: Apache-2.0
 *
 * picture.h: the factors as a picture.
 */
#ifndef RUNG_TOOL_PICTURE_H
#define RUNG_TOOL_PICTURE_H

#include <stdbool.h>

#include "scan.h"
#include "tfa.h"

/* Writes a PNG at `path`: three views with the factors as circles, and their time courses. `name` is what error lines
 * call it. */
bool picture_write(const char *path, const char *name, const scan *s, const rung_tfa_result *result);

#endif
