/* SPDX-License-Identifier: Apache-2.0
 *
 * rank.h: from facts to an answer. Pure functions: nothing is looked at but their arguments.
 */
#ifndef RUNG_SELECT_RANK_H
#define RUNG_SELECT_RANK_H

#include "facts.h"
#include "rung/select.h"
#include "text.h"

/* ---- line.c: one line of the registry ---------------------------------------------------------------------------- */

/* How much of what a line needs is there. */
typedef enum rung_nearness {
    RUNG_FAR = 0, /* no trace of its devices */
    RUNG_THERE,   /* a device is there and cannot be used */
    RUNG_REFUSED, /* a device can be used, by other builds of the framework */
    RUNG_HOLDS    /* its device can be had */
} rung_nearness;

typedef struct rung_line {
    rung_backend backend;   /* as it would enter the ranking */
    rung_nearness nearness; /* of its device, whatever becomes of the framework itself */
} rung_line;

/* A line of the registry's `backends`. Frameworks that only Python can drive may be available where facts->full. */
void rung_judge_line(const rung_registry *registry, uint32_t row, const rung_facts *facts, rung_line *out);

/* ---- rank.c ------------------------------------------------------------------------------------------------------ */

/* Fills `ranked` and `count`: each framework once, with the best line that is available. */
void rung_rank(const rung_registry *registry, const rung_facts *facts, rung_choice *out);

/* ---- request.c --------------------------------------------------------------------------------------------------- */

/* The name of the backend that is asked for, as the registry has it: any letter case, blanks around it ignored, torch
 * for pytorch and tf for tensorflow. NULL for one that no backend has. */
const char *rung_backend_named(const rung_registry *registry, const char *name);

/* The name of the nth framework in the registry's order, each once; NULL past the end. */
const char *rung_backend_framework(const rung_registry *registry, uint32_t n);

/* ---- problem.c --------------------------------------------------------------------------------------------------- */

/* Fills `fits`, `needed_mb`, `memory_mb` and `gpu_memory_mb` for the chosen backend, and warns. problem may be NULL. */
void rung_problem_judge(const rung_problem *problem, const rung_facts *facts, rung_choice *out);

/* Adds a warning, and gives the text to put together; one that there is no room for is dropped. */
rung_text rung_choice_warn(rung_choice *choice);

/* ---- advice.c ---------------------------------------------------------------------------------------------------- */

/* Adds to the reasons of those that were not chosen what is against their better lines, where the device is there. */
void rung_add_obstacles(const rung_registry *registry, const rung_facts *facts, rung_choice *out);

/* Fills `advice` for the chosen backend. */
void rung_advise(const rung_registry *registry, const rung_facts *facts, rung_choice *out);

/* ---- select.c ---------------------------------------------------------------------------------------------------- */

/* What finds facts, those of a Python where `full`: the machine's (find.c), or some that are made up. Slow, and called
 * without a lock. */
typedef rung_status rung_find_fn(const rung_backend_request *request, bool full, rung_facts *out, rung_error *err);

/* rung_select_backend with facts from there. */
rung_status rung_select_by(rung_find_fn *find, const rung_backend_request *request, const rung_problem *problem,
                           rung_choice *out, rung_error *err);

#endif
