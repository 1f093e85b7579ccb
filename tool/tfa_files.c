/* SPDX-License-Identifier: Apache-2.0
 *
 * tfa_files.c: the five results of one scan.
 */
#include <stdlib.h>

#include "json.h"
#include "output.h"
#include "picture.h"
#include "progress.h"
#include "say.h"
#include "staging.h"
#include "tfa_job.h"
#include "tsv.h"

const char *const tfa_file_names[TFA_FILES] = {"factors.tsv", "weights.tsv", "factors.nii.gz", "factors.png",
                                               "report.json"};

bool tfa_would_replace(const char *folder, const char *name, const tfa_job *jobs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *const inputs[] = {jobs[i].path, jobs[i].mask};
        for (size_t j = 0; j < 2; j++) {
            if (inputs[j] != NULL && staging_would_replace(folder, name, inputs[j])) {
                say_error("the results would replace %s; choose another folder with -o", inputs[j]);
                return true;
            }
        }
    }
    return false;
}

typedef struct images {
    const tfa_job *job;
    const double *theta;
    size_t factors;
} images;

static bool factor_image(size_t k, double *values, void *user)
{
    const images *of = user;
    const tfa_job *job = of->job;
    rung_tfa_error err;
    if (rung_tfa_images(job->platform, job->options->fit.variant, of->theta + 4 * k, 1, job->xyz, job->scan.voxels,
                        values, &err) == RUNG_TFA_OK) {
        double part = (double)(k + 1) / (double)of->factors;
        progress_show("writing", ((double)job->index + part) / (double)job->count, "");
        return true;
    }
    say_error("%s", err.text);
    return false;
}

bool tfa_write_images(const tfa_job *job, const char *name, const double *theta, size_t factors)
{
    images of = {job, theta, factors};
    return scan_write(&job->scan, staging_path(name), name, factors, factor_image, &of) && staging_settle(name);
}

bool tfa_files_write(tfa_job *job)
{
    const rung_tfa_result *r = job->result;
    char *names[TFA_FILES];
    for (size_t i = 0; i < TFA_FILES; i++)
        names[i] = say_format("%s%s", job->prefix, tfa_file_names[i]);
    double start = progress_clock();
    bool good = tsv_factors(staging_path(names[0]), names[0], r) && staging_settle(names[0]) &&
                tsv_weights(staging_path(names[1]), names[1], r) && staging_settle(names[1]) &&
                tfa_write_images(job, names[2], r->theta, r->factors) &&
                picture_write(staging_path(names[3]), names[3], &job->scan, r) && staging_settle(names[3]);
    job->seconds_write = progress_clock() - start;
    if (good) {
        json_t *root = report_json(job);
        good = output_json(root, names[4]);
        json_decref(root);
    }
    for (size_t i = 0; i < TFA_FILES; i++)
        free(names[i]);
    return good;
}
