/* SPDX-License-Identifier: Apache-2.0
 *
 * platform_parse.h: the grammar of platform strings; knows no registry.
 *
 *     chain  := part {"," part}
 *     part   := device [":" index] ["/" arch]
 *     device := [a-z] {[a-z0-9_]}                     at most 63 bytes
 *     index  := digit {digit}                         at most 65535
 *     arch   := [A-Za-z0-9] {[A-Za-z0-9._+:-]}        at most 63 bytes
 */
#ifndef RUNG_PLATFORM_PARSE_H
#define RUNG_PLATFORM_PARSE_H

#include <stddef.h>
#include <stdint.h>

#include "rung/rung.h"

enum { RUNG_CHAIN_MAX = 16, RUNG_NAME_MAX = 63, RUNG_INDEX_MAX = 65535 };

typedef struct rung_part {
    const char *device, *arch; /* into the string; arch NULL when not given */
    size_t device_len, arch_len;
    uint32_t index; /* 0 when not given */
} rung_part;

/* Fills parts and their number. RUNG_ERR_SYNTAX for anything outside of the grammar and for a device named twice. */
rung_status rung_chain_parse(const char *chain, rung_part parts[RUNG_CHAIN_MAX], uint32_t *count, rung_error *err);

#endif
