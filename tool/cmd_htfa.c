/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_htfa.c: `rung htfa SCAN...`, step by step.
 */
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "backend.h"
#include "cli.h"
#include "commands.h"
#include "htfa_job.h"
#include "interrupt.h"
#include "json.h"
#include "progress.h"
#include "say.h"
#include "staging.h"

static int on_fit(const rung_htfa_progress *p, void *user)
{
    const htfa_job *job = user;
    char detail[128];
    if (p->round == 0) {
        snprintf(detail, sizeof detail, "scan %zu of %zu alone", p->done + 1, job->scans);
        progress_show("fitting", (double)p->done / (double)job->scans, detail);
    } else {
        snprintf(detail, sizeof detail, "round %u, scan %zu of %zu, moved %.2g voxels", p->round, p->done + 1,
                 job->scans, p->moved);
        progress_show("template", -1, detail);
    }
    return 0;
}

/* One file twice, however it is spelt, and whichever file of a pair is named. */
static bool check_twice(const htfa_job *job)
{
    struct stat *files = say_alloc(job->scans * sizeof *files);
    bool good = true;
    for (size_t i = 0; good && i < job->scans; i++) {
        const char *image = job->scan[i].scan.image->iname;
        good = stat(image, &files[i]) == 0;
        if (!good)
            say_error("cannot read %s", image);
        for (size_t j = 0; good && j < i; j++) {
            good = files[i].st_dev != files[j].st_dev || files[i].st_ino != files[j].st_ino;
            if (!good)
                say_error("%s and %s are the same scan", job->scan[j].path, job->scan[i].path);
        }
    }
    free(files);
    return good;
}

/* What can be known before anything is read. */
static bool open_all(htfa_job *job)
{
    for (size_t i = 0; i < job->scans; i++) {
        tfa_job *one = &job->scan[i];
        if (!tfa_job_open(one))
            return false;
        size_t least = (size_t)job->options->fit.detrend + 2;
        if (one->scan.volumes < least) {
            say_error("%s has %zu volumes, too few: --detrend %u needs %zu", one->path, one->scan.volumes,
                      job->options->fit.detrend, least);
            return false;
        }
    }
    return check_twice(job) && !htfa_would_replace(job);
}

static bool read_all(htfa_job *job, FILE *notes)
{
    bool good = true;
    for (size_t i = 0; good && i < job->scans; i++) {
        good = tfa_job_read(&job->scan[i], notes);
        job->seconds_read += job->scan[i].seconds_read;
    }
    return good;
}

static bool fit(htfa_job *job)
{
    rung_htfa_options options = rung_htfa_options_default();
    options.fit = job->options->fit;
    options.max_rounds = job->options->max_rounds;
    options.template_tol = job->options->template_tol;
    options.progress = on_fit;
    options.user = job;
    rung_component *model = tfa_model(job->platform, &rung_htfa_spec, &options);
    if (model == NULL)
        return false;
    rung_tfa_scan *scans = say_alloc(job->scans * sizeof *scans);
    for (size_t i = 0; i < job->scans; i++)
        scans[i] = tfa_job_input(&job->scan[i]);
    rung_htfa_error err;
    double start = progress_clock();
    bool good = rung_factor_model_group(model, scans, job->scans, &job->result, &err) == RUNG_TFA_OK;
    rung_component_destroy(model);
    job->seconds_fit = progress_clock() - start;
    free(scans);
    for (size_t i = 0; i < job->scans; i++) {
        free(job->scan[i].x);
        job->scan[i].x = NULL;
        job->scan[i].seconds_fit = job->seconds_fit;
        job->scan[i].result = good ? job->result->subject[i] : NULL;
    }
    if (!good && err.subject < job->scans)
        say_error("%s: %s", job->scan[err.subject].path, err.text);
    else if (!good)
        say_error("%s", err.text);
    return good;
}

static int work(htfa_job *job, FILE *notes)
{
    bool good = read_all(job, notes) && fit(job) && htfa_files_write(job);
    progress_end();
    if (!good || !staging_commit())
        return EXIT_JOB;
    const rung_htfa_result *r = job->result;
    for (size_t i = 0; i < r->subjects; i++)
        say_to(notes, "fit of %s: R2 %.5f%s", job->subject[i], r->subject[i]->r2,
               r->subject[i]->converged ? "" : ", not converged, see --max-iter");
    size_t lone = 0;
    for (size_t a = 0; a < r->factors; a++)
        lone += isnan(r->spread[2 * a]);
    if (r->subjects > 1 && lone != 0)
        say_to(notes, "factors that no two scans have in common: %zu of %zu%s", lone, r->factors,
               lone == r->factors ? ": are the scans in one space?" : "");
    if (r->subjects > 1)
        say_to(notes, "template after %u round%s%s", r->rounds, r->rounds == 1 ? "" : "s",
               r->moved <= job->options->template_tol ? "" : ": not converged, see --rounds");
    say_to(notes, "results in %s", job->folder);
    if (!job->options->json)
        return EXIT_OK;
    json_t *root = htfa_report(job);
    json_put(root, "folder", json_text(job->folder));
    int failed = json_write(root, stdout);
    json_decref(root);
    return failed != 0 ? EXIT_JOB : EXIT_OK;
}

static void begin(htfa_job *job)
{
    const tfa_options *o = job->options;
    job->scan = say_alloc(job->scans * sizeof *job->scan);
    job->subject = htfa_names(o);
    for (size_t i = 0; i < job->scans; i++)
        job->scan[i] = (tfa_job){.options = o,
                                 .platform = job->platform,
                                 .path = o->scan[i],
                                 .mask = o->masks > 1    ? o->mask[i]
                                         : o->masks == 1 ? o->mask[0]
                                                         : NULL,
                                 .prefix = say_format("%s/", job->subject[i]),
                                 .index = i,
                                 .count = job->scans};
}

static void end(htfa_job *job)
{
    for (size_t i = 0; i < job->scans; i++) {
        tfa_job_close(&job->scan[i]);
        free((char *)job->scan[i].prefix);
        free(job->subject[i]);
    }
    free(job->scan);
    free(job->subject);
    rung_htfa_result_free(job->result);
}

static int run(const tfa_options *options)
{
    int code = EXIT_OK;
    if (options->quiet)
        say_quiet();
    FILE *notes = options->quiet ? NULL : options->json ? stderr : stdout;
    htfa_job job = {
        .options = options, .folder = options->out != NULL ? options->out : "htfa", .scans = options->scans};
    job.platform = backend_open(options->backend, &code);
    if (job.platform != NULL)
        code = tfa_kernels_print(options, job.platform, notes);
    if (job.platform != NULL && code == EXIT_OK) {
        code = EXIT_JOB;
        begin(&job);
        progress_begin(options->quiet);
        interrupt_install();
        if (open_all(&job) && staging_begin(job.folder, HTFA_FILES + TFA_FILES * job.scans, job.scans))
            code = work(&job, notes);
        progress_end();
        staging_discard();
        end(&job);
    }
    rung_platform_close(job.platform);
    return code;
}

int cmd_htfa(int argc, char **argv)
{
    tfa_options options;
    int code = htfa_options_parse(argc, argv, &options);
    if (code == CLI_GO)
        code = run(&options);
    tfa_options_free(&options);
    return code;
}
