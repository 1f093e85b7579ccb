/* SPDX-License-Identifier: Apache-2.0
 *
 * tsv.c: the tool never calls setlocale, so printf writes a point.
 */
#include "tsv.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "say.h"

static FILE *begin(const char *path, const char *name)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
        say_error("cannot write %s: %s", name, strerror(errno));
    return file;
}

static bool finish(FILE *file, const char *name)
{
    errno = 0;
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0)
        failed = true;
    if (failed)
        say_error("cannot write %s: %s", name, errno != 0 ? strerror(errno) : "the disk is full or not writable");
    return !failed;
}

/* The shortest text that is the same double when it is read. BIDS has n/a for what is not a number. */
static void number(FILE *file, const char *before, double x)
{
    char text[40] = "n/a";
    if (isfinite(x)) {
        for (int digits = 15; digits <= 17; digits++) {
            snprintf(text, sizeof text, "%.*g", digits, x == 0 ? 0.0 : x);
            if (strtod(text, NULL) == x)
                break;
        }
    }
    fprintf(file, "%s%s", before, text);
}

bool tsv_factors(const char *path, const char *name, const rung_tfa_result *r)
{
    FILE *file = begin(path, name);
    if (file == NULL)
        return false;
    fputs("factor\tx_mm\ty_mm\tz_mm\twidth_mm\tvariance_explained\n", file);
    for (size_t k = 0; k < r->factors; k++) {
        fprintf(file, "%zu", k + 1);
        for (size_t c = 0; c < 4; c++)
            number(file, "\t", r->theta[4 * k + c]);
        number(file, "\t", r->explained[k]);
        fputc('\n', file);
    }
    return finish(file, name);
}

bool tsv_template(const char *path, const char *name, const rung_htfa_result *r)
{
    FILE *file = begin(path, name);
    if (file == NULL)
        return false;
    fputs("factor\tx_mm\ty_mm\tz_mm\twidth_mm\tcenter_spread_mm\twidth_spread_mm\tcenter_error_mm\twidth_error_mm\n",
          file);
    for (size_t k = 0; k < r->factors; k++) {
        fprintf(file, "%zu", k + 1);
        for (size_t c = 0; c < 4; c++)
            number(file, "\t", r->theta[4 * k + c]);
        for (size_t c = 0; c < 2; c++)
            number(file, "\t", r->spread[2 * k + c]);
        for (size_t c = 0; c < 2; c++)
            number(file, "\t", r->error[2 * k + c]);
        fputc('\n', file);
    }
    return finish(file, name);
}

bool tsv_weights(const char *path, const char *name, const rung_tfa_result *r)
{
    FILE *file = begin(path, name);
    if (file == NULL)
        return false;
    for (size_t k = 0; k < r->factors; k++)
        fprintf(file, "%sfactor_%zu", k != 0 ? "\t" : "", k + 1);
    fputc('\n', file);
    for (size_t t = 0; t < r->volumes; t++) {
        for (size_t k = 0; k < r->factors; k++)
            number(file, k != 0 ? "\t" : "", r->weights[k * r->volumes + t]);
        fputc('\n', file);
    }
    return finish(file, name);
}
