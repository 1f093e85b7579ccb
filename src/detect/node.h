/* SPDX-License-Identifier: Apache-2.0
 *
 * node.h: device nodes.
 */
#ifndef RUNG_DETECT_NODE_H
#define RUNG_DETECT_NODE_H

#include "world.h"

/* True where the node is there and this process may not open it; `detail` then gets its path, mode and group:
 * "/dev/kfd: mode 0660, group 109". */
bool rung_node_denied(const rung_world *world, const char *path, rung_text *detail);

#endif
