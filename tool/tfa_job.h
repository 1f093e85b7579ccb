/* SPDX-License-Identifier: Apache-2.0
 *
 * tfa_job.h: what one run of `rung tfa`, or `rung htfa` for one of its scans, knows.
 */
#ifndef RUNG_TOOL_TFA_JOB_H
#define RUNG_TOOL_TFA_JOB_H

#include <jansson.h>
#include <stdio.h>

#include "factor_model.h"
#include "scan.h"
#include "tfa_options.h"

typedef struct tfa_job {
    const tfa_options *options;
    rung_platform *platform;
    const char *path, *mask; /* mask may be NULL */
    const char *prefix;      /* of the names of its results: "", or "sub-01/" */
    size_t index, count;     /* which scan it is, and of how many */
    scan scan;
    double *xyz; /* [voxels, 3] */
    float *x;    /* [voxels, volumes] */
    rung_tfa_result *result;
    double seconds_read, seconds_fit, seconds_write;
} tfa_job;

/* tfa_read.c */

/* Opens the scan, reads it after its mask, and says what was found. False after an error line. */
bool tfa_job_open(tfa_job *job);
bool tfa_job_read(tfa_job *job, FILE *notes);
/* The scan for the fit. */
rung_tfa_scan tfa_job_input(const tfa_job *job);
/* All but the result. */
void tfa_job_close(tfa_job *job);

/* tfa_kernels.c: the ops that the fit calls, and what each of them calls. */
json_t *tfa_kernels_json(const tfa_options *options, const rung_platform *platform);
/* The platform, why, what was rejected, and the kernels. EXIT_OK, or the exit code after an error line. */
int tfa_kernels_print(const tfa_options *options, const rung_platform *platform, FILE *to);

/* The model that fits, for tfa or htfa, with its options; NULL after an error line. */
rung_component *tfa_model(rung_platform *platform, const rung_component_spec *spec, const void *options);

/* tfa_files.c */

enum { TFA_FILES = 5 };
extern const char *const tfa_file_names[TFA_FILES];
/* Whether results would replace the scan or the mask of one of the jobs; then after an error line. */
bool tfa_would_replace(const char *folder, const char *name, const tfa_job *jobs, size_t count);
/* All five results, staged. False after an error line. */
bool tfa_files_write(tfa_job *job);
/* factors.nii.gz or the like, theta being [factors, 4]. False after an error line. */
bool tfa_write_images(const tfa_job *job, const char *name, const double *theta, size_t factors);

/* report.c */
json_t *report_json(const tfa_job *job);
/* Parts of it. */
json_t *report_numbers(const double *x, size_t n);
json_t *report_options(const tfa_options *options);
json_t *report_scan(const tfa_job *job);
json_t *report_voxels(const scan *s);
json_t *report_fit(const rung_tfa_result *result);
json_t *report_timing(double read, double fit, double write);

#endif
