/* SPDX-License-Identifier: Apache-2.0
 *
 * arch.h: from the name of an arch to the row of its chain.
 */
#ifndef RUNG_ARCH_H
#define RUNG_ARCH_H

#include <stdbool.h>

#include "rung/table.h"

typedef enum rung_arch_kind {
    RUNG_ARCH_UNKNOWN = 0, /* neither the registry nor the device's model knows the name */
    RUNG_ARCH_IMAGE,       /* a kernel may be built for it, but no device is called so: cuda's sm90a */
    RUNG_ARCH_KNOWN
} rung_arch_kind;

typedef struct rung_arch {
    uint32_t id;   /* in registry->arch_names; RUNG_NONE for a name that only the model knows */
    uint16_t row;  /* in registry->rows */
    uint16_t rank; /* 0: none */
    uint8_t model;
    bool leads; /* stands itself before the steps of its row: a ladder has also the arch that no list holds */
} rung_arch;

rung_arch_kind rung_arch_find(const rung_registry *registry, uint32_t device, const char *name, size_t len,
                              rung_arch *out);

/* The listed arch of exactly this name, RUNG_NONE when the device's list has none. */
uint32_t rung_arch_listed(const rung_registry *registry, uint32_t device, const char *name, size_t len);

/* NN of smNN, [1-9][0-9]*, cut to 16 bits; 0 for any other name. */
uint16_t rung_sm_rank(const char *name, size_t len);

#endif
