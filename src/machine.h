/* SPDX-License-Identifier: Apache-2.0
 *
 * machine.h: everything that opening a platform knows of the world outside its arguments. Tests put another one in.
 */
#ifndef RUNG_MACHINE_H
#define RUNG_MACHINE_H

#include <stdbool.h>

#include "detect/world.h"
#include "rung/rung.h"
#include "text.h"

/* What was found of one kind of device, where it is not the machine's probes that tell. */
typedef struct rung_found {
    const char *device; /* "cuda" */
    rung_reason state;  /* NONE: present and usable; else why it is not */
    const char *detail; /* figures behind the state */
    const char *arch;   /* of the first device; "" when not known */
    uint32_t count;     /* devices */
    uint32_t driver;    /* RUNG_DRIVER_VERSION of its driver; 0: not known */
    bool initialised;   /* finding it has initialised its driver in this process */
} rung_found;

/* The first use of a cell (builder RUNG_NONE) or of a builder (cell RUNG_NONE): NONE when it succeeds, else
 * LIBRARY_MISSING, LOAD_FAILED or PERMISSION_REFUSED, with the figures added to *detail. */
typedef rung_reason rung_first_use_fn(const rung_registry *registry, uint32_t cell, uint32_t builder, rung_text *detail,
                                      void *user);

typedef struct rung_machine {
    rung_cpu cpu;
    const rung_world *world;                  /* where the registry's probes look; NULL: they do not */
    const rung_device_report *const *reports; /* what was found before; goes before what probes find */
    uint32_t n_reports;
    const rung_found
        *found; /* goes before what probes find; what neither tells is absent; `cpu` and `accel` need none */
    uint32_t n_found;
    const char *env_platform;     /* RUNG_PLATFORM, NULL when unset */
    const char *env_log;          /* RUNG_LOG, NULL when unset */
    rung_first_use_fn *first_use; /* NULL: this machine's own */
    void *first_use_user;
} rung_machine;

/* This machine. The world is the caller's and has to outlive *out. */
void rung_machine_detect(rung_world *world, rung_machine *out);

/* rung_platform_open on a given machine. */
rung_status rung_platform_open_on(const rung_registry *registry, const char *chain, unsigned flags,
                                  const rung_machine *machine, rung_platform **out, rung_error *err);

#endif
