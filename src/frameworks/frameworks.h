/* SPDX-License-Identifier: Apache-2.0
 *
 * frameworks.h: the detection of rung/frameworks.h in any world, and names of frameworks as people write them.
 */
#ifndef RUNG_FRAMEWORKS_FRAMEWORKS_H
#define RUNG_FRAMEWORKS_FRAMEWORKS_H

#include "detect/world.h"
#include "rung/frameworks.h"
#include "scan.h"

void rung_python_detect_in(const rung_world *world, const char *python, rung_python *out);

/* "pytorch" for torch and "tensorflow" for tf, in any letter case; any other name as it is. */
rung_span rung_framework_named(rung_span asked);

#endif
