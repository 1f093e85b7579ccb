/* SPDX-License-Identifier: Apache-2.0
 *
 * machine.h: this machine in three words, for results that are read on others.
 */
#ifndef RUNG_TOOL_MACHINE_H
#define RUNG_TOOL_MACHINE_H

#include <jansson.h>

/* {"processor": "AMD EPYC 7B13", "level": "x86-64-v3", "system": "Linux 6.1.0 x86_64"}. */
json_t *machine_json(void);

#endif
