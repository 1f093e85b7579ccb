/* SPDX-License-Identifier: Apache-2.0
 *
 * names.h: names and keys of a registry, for the library's own files.
 */
#ifndef RUNG_NAMES_H
#define RUNG_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "rung/table.h"

static inline const char *rung_pool(const rung_registry *registry, uint32_t offset)
{
    return registry->strings + offset;
}

static inline const char *rung_arch_text(const rung_registry *registry, uint32_t arch)
{
    return rung_pool(registry, registry->arch_names[arch].name);
}

static inline const char *rung_device_text(const rung_registry *registry, uint32_t device)
{
    return rung_pool(registry, registry->devices[device].name);
}

static inline const char *rung_kind_text(const rung_registry *registry, uint32_t kind)
{
    return rung_pool(registry, registry->kinds[kind].name);
}

/* Whether the first n bytes of s are the whole of the terminated name. */
static inline bool rung_same(const char *name, const char *s, size_t n)
{
    return strlen(name) == n && memcmp(name, s, n) == 0;
}

uint32_t rung_device_findn(const rung_registry *registry, const char *name, size_t len);

/* The id that a caller's variant stands for: NULL and "" are `default`; RUNG_NONE for one that is not declared. */
uint32_t rung_variant_named(const rung_registry *registry, const char *name);

/* The cell of exactly this key, RUNG_NONE when it is not declared. */
uint32_t rung_cell_of(const rung_registry *registry, uint32_t op, uint32_t arch, uint32_t variant);

/* Devices whose kernels reach host memory: the processor, and the accelerator made of software. */
static inline bool rung_is_cpu(const rung_registry *registry, uint32_t device)
{
    return strcmp(rung_device_text(registry, device), "cpu") == 0;
}

static inline bool rung_is_accel(const rung_registry *registry, uint32_t device)
{
    return strcmp(rung_device_text(registry, device), "accel") == 0;
}

#endif
