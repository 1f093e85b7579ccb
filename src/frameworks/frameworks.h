/* SPDX-License-Identifier: Apache-2.0
 *
 * frameworks.h: the same in any world.
 */
#ifndef RUNG_FRAMEWORKS_FRAMEWORKS_H
#define RUNG_FRAMEWORKS_FRAMEWORKS_H

#include "detect/world.h"
#include "rung/frameworks.h"

void rung_python_detect_in(const rung_world *world, const char *python, rung_python *out);

#endif
