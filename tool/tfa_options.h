/* SPDX-License-Identifier: Apache-2.0
 *
 * tfa_options.h: what `rung tfa` was asked for.
 */
#ifndef RUNG_TOOL_TFA_OPTIONS_H
#define RUNG_TOOL_TFA_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "tfa.h"

typedef struct tfa_options {
    const char *scan, *mask, *backend, *variant, *out;
    bool json, quiet;
    rung_tfa_options fit; /* without callback */
} tfa_options;

/* Parses and checks; CLI_GO, or the exit code after one error line. */
int tfa_options_parse(int argc, char **argv, tfa_options *options);
/* EXIT_OK, or EXIT_PLATFORM after a line that says why `backend` cannot be one of Rung's. */
int tfa_options_refuse_framework(const char *backend);
/* "<scan>-tfa" in the current folder, for a scan "dir/<scan>.nii.gz". Free it. */
char *tfa_options_default_folder(const char *scan);

#endif
