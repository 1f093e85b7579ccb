/* SPDX-License-Identifier: Apache-2.0
 *
 * tfa_job.h: what one run of `rung tfa` knows, for those who write its results.
 */
#ifndef RUNG_TOOL_TFA_JOB_H
#define RUNG_TOOL_TFA_JOB_H

#include <jansson.h>
#include <stdio.h>

#include "scan.h"
#include "tfa.h"
#include "tfa_options.h"

typedef struct tfa_job {
    const tfa_options *options;
    const char *folder;
    rung_platform *platform;
    scan scan;
    double *xyz; /* [voxels, 3] */
    rung_tfa_result *result;
    double seconds_read, seconds_fit, seconds_write;
} tfa_job;

/* tfa_kernels.c: the ops that the fit calls, and what each of them calls. */
json_t *tfa_kernels_json(const tfa_job *job);
/* The platform, why, what was rejected, and the kernels. EXIT_OK, or the exit code after an error line. */
int tfa_kernels_print(const tfa_job *job, FILE *to);

/* tfa_files.c: all five results, staged. False after an error line. */
bool tfa_files_write(tfa_job *job);

/* report.c */
json_t *report_json(const tfa_job *job);

#endif
