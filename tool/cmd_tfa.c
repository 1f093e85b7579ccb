/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_tfa.c: `rung tfa SCAN`, step by step.
 */
#include <stdlib.h>

#include "backend.h"
#include "cli.h"
#include "commands.h"
#include "interrupt.h"
#include "json.h"
#include "progress.h"
#include "say.h"
#include "staging.h"
#include "tfa_job.h"

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

static bool check_output(const tfa_job *job, const char *folder)
{
    for (size_t i = 0; i < TFA_FILES; i++)
        if (tfa_would_replace(folder, tfa_file_names[i], job, 1))
            return false;
    return true;
}

static bool fit(tfa_job *job)
{
    rung_tfa_options options = job->options->fit;
    options.progress = on_fit;
    options.user = job;
    rung_tfa_scan input = tfa_job_input(job);
    rung_component *model = tfa_model(job->platform, &rung_tfa_spec, &options);
    if (model == NULL)
        return false;
    rung_tfa_error err;
    double start = progress_clock();
    bool good = rung_factor_model_fit(model, &input, &job->result, &err) == RUNG_TFA_OK;
    rung_component_destroy(model);
    job->seconds_fit = progress_clock() - start;
    free(job->x);
    job->x = NULL;
    if (!good)
        say_error("%s", err.text);
    return good;
}

static int work(tfa_job *job, const char *folder, FILE *notes)
{
    bool good = tfa_job_read(job, notes) && fit(job) && tfa_files_write(job);
    progress_end();
    if (!good || !staging_commit())
        return EXIT_JOB;
    const rung_tfa_result *r = job->result;
    say_to(notes, "fit R2 %.5f after %u steps%s", r->r2, r->iterations,
           r->converged ? "" : ": not converged, see --max-iter");
    if (r->at_bound != 0)
        say_to(notes, "factors at a bound of their centre or width: %zu of %zu", r->at_bound, r->factors);
    say_to(notes, "results in %s", folder);
    if (!job->options->json)
        return EXIT_OK;
    json_t *root = report_json(job);
    json_put(root, "folder", json_text(folder));
    int failed = json_write(root, stdout);
    json_decref(root);
    return failed != 0 ? EXIT_JOB : EXIT_OK;
}

static int run(const tfa_options *options)
{
    int code = EXIT_OK;
    if (options->quiet)
        say_quiet();
    FILE *notes = options->quiet ? NULL : options->json ? stderr : stdout;
    char *stem = tfa_options_stem(options->scan[0]);
    char *folder = options->out != NULL ? say_format("%s", options->out) : say_format("%s-tfa", stem);
    tfa_job job = {.options = options,
                   .path = options->scan[0],
                   .mask = options->masks > 0 ? options->mask[0] : NULL,
                   .prefix = "",
                   .count = 1};
    job.platform = backend_open(options->backend, &code);
    if (job.platform != NULL)
        code = tfa_kernels_print(options, job.platform, notes);
    if (job.platform != NULL && code == EXIT_OK) {
        code = EXIT_JOB;
        progress_begin(options->quiet);
        interrupt_install();
        if (tfa_job_open(&job) && check_output(&job, folder) && staging_begin(folder, TFA_FILES, 0))
            code = work(&job, folder, notes);
        progress_end();
        staging_discard();
    }
    rung_tfa_result_free(job.result);
    tfa_job_close(&job);
    rung_platform_close(job.platform);
    free(folder);
    free(stem);
    return code;
}

int cmd_tfa(int argc, char **argv)
{
    tfa_options options;
    int code = tfa_options_parse(argc, argv, &options);
    if (code == CLI_GO)
        code = run(&options);
    tfa_options_free(&options);
    return code;
}
