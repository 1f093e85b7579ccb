/* SPDX-License-Identifier: Apache-2.0
 *
 * htfa_job.h: what one run of `rung htfa` knows, for those who write its results.
 */
#ifndef RUNG_TOOL_HTFA_JOB_H
#define RUNG_TOOL_HTFA_JOB_H

#include "htfa.h"
#include "tfa_job.h"

typedef struct htfa_job {
    const tfa_options *options;
    const char *folder;
    rung_platform *platform;
    size_t scans;
    tfa_job *scan;  /* [scans] */
    char **subject; /* [scans]: names of their folders */
    rung_htfa_result *result;
    double seconds_read, seconds_fit, seconds_write;
} htfa_job;

/* htfa_names.c: a folder for each scan, named after its file; names are unique, not hidden, and not those of results.
 * Free each, and the list. */
char **htfa_names(const tfa_options *options);

/* htfa_files.c */

enum { HTFA_FILES = 4 };
extern const char *const htfa_file_names[HTFA_FILES];
/* Results would replace an input: then after an error line. */
bool htfa_would_replace(const htfa_job *job);
/* All results, staged. False after an error line. */
bool htfa_files_write(htfa_job *job);
json_t *htfa_report(const htfa_job *job);

#endif
