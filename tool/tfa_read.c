/* SPDX-License-Identifier: Apache-2.0
 *
 * tfa_read.c: from a file to the matrix that is fitted.
 */
#include <stdlib.h>

#include "backend.h"
#include "progress.h"
#include "say.h"
#include "tfa_job.h"

/* Every scan is read twice. */
static void show(const tfa_job *job, double part)
{
    progress_show("reading", ((double)job->index + part) / (double)job->count, "");
}

static void on_survey(double fraction, void *user)
{
    show(user, fraction / 2);
}

static void on_fill(double fraction, void *user)
{
    show(user, 0.5 + fraction / 2);
}

bool tfa_job_open(tfa_job *job)
{
    return scan_open(&job->scan, job->path, true);
}

static bool survey(tfa_job *job)
{
    uint8_t *mask = NULL;
    if (job->mask != NULL && !scan_mask(&job->scan, job->mask, &mask))
        return false;
    bool good = scan_survey(&job->scan, mask, on_survey, job);
    free(mask);
    return good;
}

static bool read_all(tfa_job *job, FILE *notes)
{
    scan *s = &job->scan;
    if (!survey(job))
        return false;
    say_to(notes, "scan %s: %zu x %zu x %zu voxels, %zu volumes", job->path, s->size[0], s->size[1], s->size[2],
           s->volumes);
    char masked[64] = "";
    if (job->mask != NULL)
        snprintf(masked, sizeof masked, ", %zu outside the mask", s->outside);
    say_to(notes, "voxels %zu used; left out: %zu constant, %zu not finite%s", s->voxels, s->constant, s->bad, masked);
    if (s->voxels < job->options->fit.factors) {
        say_error("%s has %zu usable voxel%s, too few for %zu factors", s->path, s->voxels, s->voxels == 1 ? "" : "s",
                  job->options->fit.factors);
        return false;
    }
    const rung_problem problem = {s->voxels, s->volumes, job->options->fit.factors};
    backend_warn(&problem);
    size_t bytes;
    if (__builtin_mul_overflow(s->voxels, s->volumes, &bytes) ||
        __builtin_mul_overflow(bytes, sizeof *job->x, &bytes) || (job->x = malloc(bytes)) == NULL ||
        (job->xyz = malloc(3 * s->voxels * sizeof *job->xyz)) == NULL) {
        say_error("out of memory: %zu voxels by %zu volumes do not fit", s->voxels, s->volumes);
        return false;
    }
    scan_positions(s, job->xyz);
    return scan_fill(s, job->x, on_fill, job);
}

bool tfa_job_read(tfa_job *job, FILE *notes)
{
    double start = progress_clock();
    bool good = read_all(job, notes);
    job->seconds_read = progress_clock() - start;
    return good;
}

rung_tfa_scan tfa_job_input(const tfa_job *job)
{
    const scan *s = &job->scan;
    double edge = s->voxel_mm[0];
    for (int i = 1; i < 3; i++)
        edge = s->voxel_mm[i] < edge ? s->voxel_mm[i] : edge;
    return (rung_tfa_scan){job->x, job->xyz, s->voxels, s->volumes, edge};
}

void tfa_job_close(tfa_job *job)
{
    scan_close(&job->scan);
    free(job->x);
    free(job->xyz);
    job->x = NULL;
    job->xyz = NULL;
}
