/* SPDX-License-Identifier: Apache-2.0
 *
 * facts.h: what the choice of a backend goes by. A plain value, without a pointer that anybody owns: it can be copied,
 * kept, and made up for a machine that is not there.
 */
#ifndef RUNG_SELECT_FACTS_H
#define RUNG_SELECT_FACTS_H

#include <stdbool.h>

#include "rung/devices.h"
#include "rung/frameworks.h"
#include "rung/select.h"
#include "rung/table.h"

/* What frameworks can have of a kind of device. */
typedef struct rung_seen {
    rung_device_state state; /* USABLE, or why not */
    uint32_t count;          /* usable ones; at least 1 when it is USABLE */
    uint32_t index;          /* of the first usable one */
    uint32_t driver_version; /* RUNG_DRIVER_VERSION; 0: not known */
    uint64_t memory;         /* bytes of the first usable one; 0: not known */
    char detail[160];        /* the figures behind the state */
} rung_seen;

/* What this process can run itself: the platform that a NULL chain opens. */
typedef struct rung_native {
    char platform[96]; /* "" when none can be opened */
    char device[16];   /* its first device */
    uint64_t memory;   /* bytes of that device where it is not the host; 0: not known */
    char why[192];     /* why none can be opened */
} rung_native;

typedef struct rung_facts {
    rung_seen seen[RUNG_ON_COUNT]; /* by the number of the bit RUNG_ON_* */
    rung_python python;            /* only where `full` */
    rung_host host;
    rung_native native;
    bool full; /* Python was looked at, for those who choose among what only it can drive, too */
} rung_facts;

/* No facts: no device, no Python, no platform. */
void rung_facts_begin(rung_facts *facts, bool full);

/* Takes the record of a kind of device in. States that concern the kernels of a registry (DRIVER_TOO_OLD, ARCH_*,
 * NO_KERNELS) count as usable: frameworks bring kernels of their own. A kind that Rung has no word for is left out. */
void rung_facts_see(rung_facts *facts, const rung_device_report *report);

/* Takes in what a NULL chain opens; of a chain of devices that is too long to be kept, as many as fit. */
void rung_facts_native(rung_facts *facts, const rung_platform *platform, const rung_device_report *report);

/* The number of the bit RUNG_ON_* of a kind of device, RUNG_ON_COUNT for none; and its name. */
unsigned rung_on_of(const char *kind);
const char *rung_on_name(unsigned on);

/* Whether a state says that nothing is there, or that nobody wants to know. */
bool rung_state_is_nothing(rung_device_state state);

/* Whether devices of the kind have a memory of their own: all but processors, and the accelerator that is one. */
bool rung_on_is_apart(unsigned on);

#endif
