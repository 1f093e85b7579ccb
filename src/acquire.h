/* SPDX-License-Identifier: Apache-2.0
 *
 * acquire.h: what this machine gives at a first use: libraries, the permission to use AMX tiles, devices and images.
 */
#ifndef RUNG_ACQUIRE_H
#define RUNG_ACQUIRE_H

#include "platform.h"

/* What the cell, or the builder, needs (the other id is RUNG_NONE), in the order of the reasons. Idempotent; libraries
 * stay open for the life of the process, as kernels may keep what they found in them; devices and images are the
 * platform's. */
rung_reason rung_acquire(rung_platform *p, uint32_t cell, uint32_t builder, rung_text *detail);

/* Asks the system for the AMX tiles, for this process and those forked from it: NONE or PERMISSION_REFUSED. */
rung_reason rung_amx_request(rung_text *detail);

#endif
