/* SPDX-License-Identifier: Apache-2.0
 *
 * report.c: report.json. What differs between two runs of the same job stands under "timing", and only there.
 */
#include <sys/resource.h>

#include "describe.h"
#include "json.h"
#include "tfa_job.h"

json_t *report_numbers(const double *x, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_add(list, json_number(x[i]));
    return list;
}

json_t *report_scan(const tfa_job *job)
{
    const scan *s = &job->scan;
    json_t *out = json_object();
    json_put(out, "path", json_text(job->path));
    json_put(out, "nifti_version", json_count((unsigned long long)s->version));
    json_put(out, "datatype", json_text(nifti_datatype_to_string(s->image->datatype)));
    json_t *shape = json_array();
    for (int i = 0; i < 3; i++)
        json_add(shape, json_count(s->size[i]));
    json_add(shape, json_count(s->volumes));
    json_put(out, "shape", shape);
    json_put(out, "voxel_mm", report_numbers(s->voxel_mm, 3));
    json_t *affine = json_array();
    for (int r = 0; r < 3; r++)
        json_add(affine, report_numbers(s->affine[r], 4));
    json_put(out, "affine_mm", affine);
    json_put(out, "affine_from", json_text(s->affine_from));
    json_put(out, "mask", json_text(job->mask));
    return out;
}

json_t *report_options(const tfa_options *options)
{
    const rung_tfa_options *fit = &options->fit;
    json_t *out = json_object();
    json_put(out, "factors", json_count(fit->factors));
    json_put(out, "seed", json_count(fit->seed));
    json_put(out, "max_iter", json_count(fit->max_iter));
    json_put(out, "tol", json_number(fit->tol));
    json_put(out, "detrend", json_count(fit->detrend));
    json_put(out, "ridge", json_number(fit->ridge));
    if (options->several) {
        json_put(out, "rounds", json_count(options->max_rounds));
        json_put(out, "template_tol", json_number(options->template_tol));
    }
    json_put(out, "threads", fit->threads != 0 ? json_count(fit->threads) : json_null());
    json_put(out, "backend", json_text(options->backend));
    json_put(out, "variant", json_text(options->variant != NULL ? options->variant : "default"));
    return out;
}

json_t *report_voxels(const scan *s)
{
    json_t *out = json_object();
    json_put(out, "grid", json_count(s->grid));
    json_put(out, "used", json_count(s->voxels));
    json_put(out, "outside_mask", json_count(s->outside));
    json_put(out, "constant", json_count(s->constant));
    json_put(out, "not_finite", json_count(s->bad));
    return out;
}

json_t *report_fit(const rung_tfa_result *r)
{
    json_t *out = json_object();
    json_put(out, "r2", json_number(r->r2));
    json_put(out, "iterations", json_count(r->iterations));
    json_put(out, "converged", json_boolean(r->converged));
    json_put(out, "at_bound", json_count(r->at_bound));
    json_put(out, "trend_used", json_number(r->trend_used));
    json_put(out, "residual_trace", report_numbers(r->trace, r->trace_length));
    json_t *factors = json_array();
    for (size_t k = 0; k < r->factors; k++) {
        json_t *one = json_object();
        json_put(one, "center_mm", report_numbers(r->theta + 4 * k, 3));
        json_put(one, "width_mm", json_number(r->theta[4 * k + 3]));
        json_put(one, "variance_explained", json_number(r->explained[k]));
        json_add(factors, one);
    }
    json_put(out, "factors", factors);
    return out;
}

json_t *report_timing(double read, double fit, double write)
{
    json_t *out = json_object();
    json_put(out, "read_seconds", json_number(read));
    json_put(out, "fit_seconds", json_number(fit));
    json_put(out, "write_seconds", json_number(write));
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0) {
#ifdef __APPLE__
        const unsigned long long unit = 1;
#else
        const unsigned long long unit = 1024;
#endif
        json_put(out, "peak_rss_bytes", json_count((unsigned long long)usage.ru_maxrss * unit));
    }
    return out;
}

json_t *report_json(const tfa_job *job)
{
    json_t *root = describe_platform_json(job->platform);
    json_put(root, "rejected", describe_candidates_json(job->platform));
    json_put(root, "kernels", tfa_kernels_json(job->options, job->platform));
    json_put(root, "scan", report_scan(job));
    json_put(root, "options", report_options(job->options));
    json_put(root, "voxels", report_voxels(&job->scan));
    json_put(root, "fit", report_fit(job->result));
    json_put(root, "timing", report_timing(job->seconds_read, job->seconds_fit, job->seconds_write));
    return root;
}
