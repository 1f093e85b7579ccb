/* SPDX-License-Identifier: Apache-2.0
 *
 * visible_amd.h: what the environment does to AMD's GPUs: which of them programs see, in which order, and which arch
 * they are told to be. Needed where GPUs are counted without AMD's library, which reads the same variables itself.
 */
#ifndef RUNG_DETECT_VISIBLE_AMD_H
#define RUNG_DETECT_VISIBLE_AMD_H

#include "world.h"

enum { RUNG_AMD_GPUS_MAX = 128 };

typedef struct rung_amd_visible {
    uint32_t count;
    uint32_t at[RUNG_AMD_GPUS_MAX]; /* places among all GPUs, in the order in which programs see them */
    const char *hidden_by;          /* the variable that hid the last of those that are hidden; NULL: none is */
} rung_amd_visible;

/* ids: the unique ids of all GPUs, 0 for one that has none, at most RUNG_AMD_GPUS_MAX. */
void rung_amd_filter(const rung_world *world, const uint64_t *ids, uint32_t count, rung_amd_visible *out);

enum { RUNG_AMD_UUID_LEN = 20 };

/* "GPU-" and 16 hexadecimal digits in lower case. */
void rung_amd_uuid(uint64_t id, char out[RUNG_AMD_UUID_LEN + 1]);

typedef struct rung_amd_version {
    uint32_t major, minor, step;
} rung_amd_version;

/* "gfx90a" of 9.0.10, as LLVM names it: the step is a hexadecimal digit. */
void rung_amd_arch(rung_amd_version version, char *out, size_t size);

typedef enum rung_amd_override { RUNG_AMD_NO_OVERRIDE, RUNG_AMD_OVERRIDE, RUNG_AMD_OVERRIDE_INVALID } rung_amd_override;

/* HSA_OVERRIDE_GFX_VERSION_<node>, else HSA_OVERRIDE_GFX_VERSION, for a node as libhsakmt counts those that it may use,
 * processors among them. Fills *version for OVERRIDE, and the variable's name unless there is none. After an invalid
 * one the library has no devices at all. */
rung_amd_override rung_amd_overridden(const rung_world *world, uint32_t node, rung_amd_version *version,
                                      char variable[48]);

#endif
