/* SPDX-License-Identifier: Apache-2.0
 *
 * htfa_files.c: the results of `rung htfa`: those of the template, and those of each scan.
 */
#include <stdlib.h>

#include "describe.h"
#include "htfa_job.h"
#include "json.h"
#include "output.h"
#include "picture.h"
#include "progress.h"
#include "say.h"
#include "staging.h"
#include "tsv.h"

enum { TABLE, IMAGES, PICTURE, REPORT };
const char *const htfa_file_names[HTFA_FILES] = {"template.tsv", "template.nii.gz", "template.png", "report.json"};

bool htfa_would_replace(const htfa_job *job)
{
    for (size_t i = 0; i < HTFA_FILES; i++)
        if (tfa_would_replace(job->folder, htfa_file_names[i], job->scan, job->scans))
            return true;
    for (size_t i = 0; i < job->scans; i++) {
        for (size_t f = 0; f < TFA_FILES; f++) {
            char *name = say_format("%s%s", job->scan[i].prefix, tfa_file_names[f]);
            bool found = tfa_would_replace(job->folder, name, job->scan, job->scans);
            free(name);
            if (found)
                return true;
        }
    }
    return false;
}

static json_t *template_part(const rung_htfa_result *r)
{
    json_t *out = json_object();
    json_put(out, "rounds", json_count(r->rounds));
    json_put(out, "converged", json_boolean(r->converged));
    json_put(out, "moved_voxels", json_number(r->moved));
    json_t *factors = json_array();
    for (size_t k = 0; k < r->factors; k++) {
        json_t *one = json_object();
        json_put(one, "center_mm", report_numbers(r->theta + 4 * k, 3));
        json_put(one, "width_mm", json_number(r->theta[4 * k + 3]));
        json_put(one, "center_spread_mm", json_number(r->spread[2 * k]));
        json_put(one, "width_spread_mm", json_number(r->spread[2 * k + 1]));
        json_put(one, "center_error_mm", json_number(r->error[2 * k]));
        json_put(one, "width_error_mm", json_number(r->error[2 * k + 1]));
        json_t *shares = json_array();
        for (size_t i = 0; i < r->subjects; i++)
            json_add(shares, json_number(r->share[i * r->factors + k]));
        json_put(one, "shares", shares);
        json_add(factors, one);
    }
    json_put(out, "factors", factors);
    return out;
}

json_t *htfa_report(const htfa_job *job)
{
    json_t *root = describe_platform_json(job->platform);
    json_put(root, "rejected", describe_candidates_json(job->platform));
    json_put(root, "kernels", tfa_kernels_json(job->options, job->platform));
    json_put(root, "options", report_options(job->options));
    json_put(root, "template", template_part(job->result));
    json_t *subjects = json_array();
    for (size_t i = 0; i < job->scans; i++) {
        json_t *one = json_object();
        json_put(one, "folder", json_text(job->subject[i]));
        json_put(one, "scan", report_scan(&job->scan[i]));
        json_put(one, "voxels", report_voxels(&job->scan[i].scan));
        json_put(one, "noise", json_number(job->result->noise[i]));
        json_put(one, "fit", report_fit(job->result->subject[i]));
        json_add(subjects, one);
    }
    json_put(root, "subjects", subjects);
    json_put(root, "timing", report_timing(job->seconds_read, job->seconds_fit, job->seconds_write));
    return root;
}

static bool write_template(const htfa_job *job)
{
    const scan **scans = say_alloc(job->scans * sizeof(const scan *));
    for (size_t i = 0; i < job->scans; i++)
        scans[i] = &job->scan[i].scan;
    const rung_htfa_result *r = job->result;
    const char *const *name = htfa_file_names;
    bool good = tsv_template(staging_path(name[TABLE]), name[TABLE], r) && staging_settle(name[TABLE]) &&
                tfa_write_images(&job->scan[0], name[IMAGES], r->theta, r->factors) &&
                picture_write_template(staging_path(name[PICTURE]), name[PICTURE], scans, r) &&
                staging_settle(name[PICTURE]);
    free(scans);
    return good;
}

bool htfa_files_write(htfa_job *job)
{
    double start = progress_clock();
    bool good = write_template(job);
    for (size_t i = 0; good && i < job->scans; i++)
        good = staging_folder(job->subject[i]) && tfa_files_write(&job->scan[i]);
    job->seconds_write = progress_clock() - start;
    if (!good)
        return false;
    json_t *root = htfa_report(job);
    good = output_json(root, htfa_file_names[REPORT]);
    json_decref(root);
    return good;
}
