/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_tfa.c: `rung tfa SCAN`, step by step.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "commands.h"
#include "interrupt.h"
#include "json.h"
#include "progress.h"
#include "say.h"
#include "staging.h"
#include "tfa_job.h"

static void on_survey(double fraction, void *user)
{
    (void)user;
    progress_show("reading", fraction / 2, "");
}

static void on_fill(double fraction, void *user)
{
    (void)user;
    progress_show("reading", 0.5 + fraction / 2, "");
}

static int on_fit(const rung_tfa_progress *p, void *user)
{
    const tfa_job *job = user;
    const rung_tfa_options *fit = &job->options->fit;
    char detail[96];
    switch (p->stage) {
    case RUNG_TFA_STAGE_START:
        snprintf(detail, sizeof detail, "factor %u of %zu", p->iteration, fit->factors);
        progress_show("starting", (double)p->iteration / (double)fit->factors, detail);
        break;
    case RUNG_TFA_STAGE_REPAIR:
        snprintf(detail, sizeof detail, "exchange %u", p->iteration);
        progress_show("repairing", -1, detail);
        break;
    case RUNG_TFA_STAGE_FIT:
        snprintf(detail, sizeof detail, "step %u of at most %u, R2 %.5f", p->iteration, fit->max_iter, 1 - p->residual);
        progress_show("fitting", (double)p->iteration / (double)fit->max_iter, detail);
        break;
    }
    return 0;
}

static bool check_output(const tfa_job *job)
{
    static const char *const names[] = {"factors.tsv", "weights.tsv", "factors.nii.gz", "factors.png", "report.json"};
    const char *inputs[] = {job->options->scan, job->options->mask};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        for (size_t j = 0; j < 2; j++) {
            if (inputs[j] != NULL && staging_would_replace(job->folder, names[i], inputs[j])) {
                say_error("the results would replace %s; choose another folder with -o", inputs[j]);
                return false;
            }
        }
    }
    return true;
}

/* Fills *x; the caller frees it, also on failure. */
static bool read_scan(tfa_job *job, float **x, FILE *notes)
{
    scan *s = &job->scan;
    uint8_t *mask = NULL;
    if (job->options->mask != NULL && !scan_mask(s, job->options->mask, &mask))
        return false;
    bool good = scan_survey(s, mask, on_survey, NULL);
    free(mask);
    if (!good)
        return false;
    say_to(notes, "scan %s: %zu x %zu x %zu voxels, %zu volumes", job->options->scan, s->size[0], s->size[1],
           s->size[2], s->volumes);
    char masked[64] = "";
    if (job->options->mask != NULL)
        snprintf(masked, sizeof masked, ", %zu outside the mask", s->outside);
    say_to(notes, "voxels %zu used; left out: %zu constant, %zu not finite%s", s->voxels, s->constant, s->bad, masked);
    if (s->voxels < job->options->fit.factors) {
        say_error("%s has %zu usable voxel%s, too few for %zu factors", s->path, s->voxels, s->voxels == 1 ? "" : "s",
                  job->options->fit.factors);
        return false;
    }
    size_t bytes;
    if (__builtin_mul_overflow(s->voxels, s->volumes, &bytes) || __builtin_mul_overflow(bytes, sizeof **x, &bytes) ||
        (*x = malloc(bytes)) == NULL || (job->xyz = malloc(3 * s->voxels * sizeof *job->xyz)) == NULL) {
        say_error("out of memory: %zu voxels by %zu volumes do not fit", s->voxels, s->volumes);
        return false;
    }
    scan_positions(s, job->xyz);
    return scan_fill(s, *x, on_fill, NULL);
}

static bool fit(tfa_job *job, float *x)
{
    const scan *s = &job->scan;
    rung_tfa_options options = job->options->fit;
    options.progress = on_fit;
    options.user = job;
    double edge = s->voxel_mm[0];
    for (int i = 1; i < 3; i++)
        edge = s->voxel_mm[i] < edge ? s->voxel_mm[i] : edge;
    rung_tfa_scan input = {x, job->xyz, s->voxels, s->volumes, edge};
    rung_tfa_error err;
    if (rung_tfa_fit(job->platform, &input, &options, &job->result, &err) == RUNG_TFA_OK)
        return true;
    say_error("%s", err.text);
    return false;
}

static int work(tfa_job *job, FILE *notes)
{
    double start = progress_clock();
    float *x = NULL;
    bool good = read_scan(job, &x, notes);
    job->seconds_read = progress_clock() - start;
    start = progress_clock();
    good = good && fit(job, x);
    job->seconds_fit = progress_clock() - start;
    free(x);
    good = good && tfa_files_write(job);
    progress_end();
    if (!good || !staging_commit())
        return EXIT_JOB;
    const rung_tfa_result *r = job->result;
    say_to(notes, "fit R2 %.5f after %u steps%s", r->r2, r->iterations,
           r->converged ? "" : ": not converged, see --max-iter");
    if (r->at_bound != 0)
        say_to(notes, "factors at a bound of their centre or width: %zu of %zu", r->at_bound, r->factors);
    say_to(notes, "results in %s", job->folder);
    if (!job->options->json)
        return EXIT_OK;
    json_t *root = report_json(job);
    json_put(root, "folder", json_text(job->folder));
    int failed = json_write(root, stdout);
    json_decref(root);
    return failed != 0 ? EXIT_JOB : EXIT_OK;
}

int cmd_tfa(int argc, char **argv)
{
    tfa_options options;
    int code = tfa_options_parse(argc, argv, &options);
    if (code == CLI_GO)
        code = tfa_options_refuse_framework(options.backend) == EXIT_OK ? CLI_GO : EXIT_PLATFORM;
    if (code != CLI_GO)
        return code;
    if (options.quiet)
        say_quiet();
    FILE *notes = options.quiet ? NULL : options.json ? stderr : stdout;
    char *folder = options.out != NULL ? say_format("%s", options.out) : tfa_options_default_folder(options.scan);
    tfa_job job = {.options = &options, .folder = folder};
    job.platform = cli_platform(options.backend, 0, &code);
    if (job.platform != NULL)
        code = tfa_kernels_print(&job, notes);
    if (job.platform != NULL && code == EXIT_OK) {
        code = EXIT_JOB;
        progress_begin(options.quiet);
        interrupt_install();
        if (scan_open(&job.scan, options.scan, true) && check_output(&job) && staging_begin(folder))
            code = work(&job, notes);
        progress_end();
        staging_discard();
    }
    rung_tfa_result_free(job.result);
    scan_close(&job.scan);
    free(job.xyz);
    rung_platform_close(job.platform);
    free(folder);
    return code;
}
