/* SPDX-License-Identifier: Apache-2.0
 *
 * steps.h: what several probes do.
 */
#ifndef RUNG_DETECT_STEPS_H
#define RUNG_DETECT_STEPS_H

#include "probe.h"

/* Whether there is such a file, told as a step of the device's probe. */
bool rung_step_exists(const rung_world *world, const char *device, const char *path);

/* rung_world_library, told as a step of the device's probe. */
void *rung_step_library(const rung_world *world, const char *device, const char *name, rung_device_state *state,
                        rung_text *detail);

/* "hipMalloc returned 2" */
void rung_say_code(rung_text *t, const char *function, int code);

/* HIDDEN: `ROCR_VISIBLE_DEVICES="-1" hides every GPU`, of a variable that is set. */
void rung_report_hidden(const rung_world *world, rung_device_report *report, const char *variable, const char *how);

enum { RUNG_NUMBERS_MAX = 256 };

typedef struct rung_numbers {
    uint32_t count;
    uint32_t at[RUNG_NUMBERS_MAX]; /* ascending */
} rung_numbers;

/* The names in a folder that are decimal numbers of 31 bits, as many as fit. 0, or the folder's errno. */
int rung_world_numbers(const rung_world *world, const char *folder, rung_numbers *out);

#endif
