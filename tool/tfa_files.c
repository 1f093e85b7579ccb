/* SPDX-License-Identifier: Apache-2.0
 *
 * tfa_files.c: the five results of `rung tfa`.
 */
#include <errno.h>
#include <string.h>

#include "json.h"
#include "picture.h"
#include "progress.h"
#include "say.h"
#include "staging.h"
#include "tfa_job.h"
#include "tsv.h"

static bool factor_image(size_t k, double *values, void *user)
{
    const tfa_job *job = user;
    const rung_tfa_result *r = job->result;
    rung_tfa_error err;
    if (rung_tfa_images(job->platform, job->options->fit.variant, r->theta + 4 * k, 1, job->xyz, job->scan.voxels,
                        values, &err) == RUNG_TFA_OK) {
        progress_show("writing", (double)(k + 1) / (double)r->factors, "");
        return true;
    }
    say_error("%s", err.text);
    return false;
}

static bool write_report(const tfa_job *job, const char *path, const char *name)
{
    json_t *root = report_json(job);
    errno = 0;
    FILE *file = fopen(path, "w");
    bool good = file != NULL && json_write(root, file) == 0;
    int error = errno;
    if (file != NULL && fclose(file) != 0) {
        good = false;
        error = errno;
    }
    json_decref(root);
    if (!good)
        say_error("cannot write %s: %s", name, error != 0 ? strerror(error) : "the disk is full or not writable");
    return good;
}

bool tfa_files_write(tfa_job *job)
{
    static const char factors[] = "factors.tsv", weights[] = "weights.tsv", images[] = "factors.nii.gz",
                      picture[] = "factors.png", report[] = "report.json";
    double start = progress_clock();
    bool good = tsv_factors(staging_path(factors), factors, job->result) && staging_settle(factors) &&
                tsv_weights(staging_path(weights), weights, job->result) && staging_settle(weights) &&
                scan_write(&job->scan, staging_path(images), images, job->result->factors, factor_image, job) &&
                staging_settle(images) && picture_write(staging_path(picture), picture, &job->scan, job->result) &&
                staging_settle(picture);
    job->seconds_write = progress_clock() - start;
    return good && write_report(job, staging_path(report), report) && staging_settle(report);
}
