/* SPDX-License-Identifier: Apache-2.0
 *
 * tfa_options.h: what `rung tfa` or `rung htfa` was asked for.
 */
#ifndef RUNG_TOOL_TFA_OPTIONS_H
#define RUNG_TOOL_TFA_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "htfa.h"

typedef struct tfa_options {
    bool several;      /* `rung htfa` */
    const char **scan; /* [scans] */
    const char **mask; /* [masks] */
    size_t scans, masks;
    const char *backend, *variant, *out;
    bool json, quiet;
    rung_tfa_options fit; /* without callback */
    unsigned max_rounds;  /* of `rung htfa`, like template_tol */
    double template_tol;
} tfa_options;

/* Both parse and check; CLI_GO, or the exit code after one error line. tfa_options_free is needed in any case. */
int tfa_options_parse(int argc, char **argv, tfa_options *options);
int htfa_options_parse(int argc, char **argv, tfa_options *options);
void tfa_options_free(tfa_options *options);
/* "<scan>" for a scan "dir/<scan>.nii.gz". Free it. */
char *tfa_options_stem(const char *scan);

#endif
