/* SPDX-License-Identifier: Apache-2.0
 *
 * doctor.h: a machine on one screen.
 */
#ifndef RUNG_TOOL_DOCTOR_H
#define RUNG_TOOL_DOCTOR_H

#include <stdio.h>

#include "describe_machine.h"

/* What was found, what was chosen, what was rejected, and what to do about it: at most 24 lines. platform: the text and
 * the reason of the one that native programs get; NULL where none can be opened, and why. */
typedef struct doctor_facts {
    const rung_cpu *cpu;
    const rung_host *host;
    const rung_devices *devices;
    const rung_python *python;
    const rung_choice *native; /* among what a C program can run itself */
    const rung_choice *all;    /* among all */
    const char *platform, *platform_reason;
} doctor_facts;

void doctor_print(const doctor_facts *facts, FILE *to);

#endif
