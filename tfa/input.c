/* SPDX-License-Identifier: Apache-2.0
 *
 * input.c: what the caller gives: defaults, checks, and the bounds that follow.
 */
#include "fit.h"

#include <math.h>
#include <string.h>

enum { MOST_FACTORS = 1000 };

/* mm: squares of positions, and voxels over the multiples that positions are kept to, have to be numbers. */
#define FARTHEST 1e100

rung_tfa_options rung_tfa_options_default(void)
{
    return (rung_tfa_options){.factors = 8, .max_iter = 200, .tol = 1e-6, .detrend = 1, .ridge = 1e-5};
}

const char *rung_tfa_options_check(const rung_tfa_options *o)
{
    if (o->factors < 1 || o->factors > MOST_FACTORS)
        return "the number of factors must be 1 to 1000";
    if (o->max_iter < 1 || o->max_iter > 1000000)
        return "max_iter must be 1 to 1000000";
    if (!(o->tol > 0.0) || !isfinite(o->tol))
        return "tol must be above 0";
    if (o->detrend > TFA_TRENDS)
        return "the order of detrending must be 0 to 3";
    if (!(o->ridge >= 0.0) || o->ridge > 1e6)
        return "ridge must be 0 to 1e6";
    if (!(o->width_min >= 0.0) || !(o->width_max >= 0.0) || !isfinite(o->width_min) || !isfinite(o->width_max))
        return "bounds of the width must be 0 or above";
    if (o->width_max > 0.0 && o->width_min > o->width_max)
        return "the least width is above the largest";
    return NULL;
}

const char *rung_tfa_check_scan(const rung_tfa_scan *scan, const rung_tfa_options *o)
{
    if (scan->voxels < o->factors)
        return "there are fewer voxels than factors";
    if (scan->volumes < (size_t)o->detrend + 2)
        return "there are too few volumes: at least 2 more than the order of detrending";
    size_t bytes;
    if (__builtin_mul_overflow(scan->voxels, scan->volumes, &bytes) || bytes > PTRDIFF_MAX / 16)
        return "the scan is too large";
    if (scan->x == NULL || scan->xyz == NULL)
        return "the scan or its positions are NULL";
    for (size_t i = 0; i < 3 * scan->voxels; i++)
        if (!(fabs(scan->xyz[i]) <= FARTHEST))
            return "a position is not finite, or too far away";
    if (scan->voxel_mm != 0.0 && !(scan->voxel_mm >= 1.0 / FARTHEST && scan->voxel_mm <= FARTHEST))
        return "the size of a voxel is not a length";
    return NULL;
}

size_t rung_tfa_compact(float *x, size_t voxels, size_t volumes, size_t *index)
{
    size_t kept = 0;
    for (size_t i = 0; i < voxels; i++) {
        const float *row = x + i * volumes;
        bool finite = true, varies = false;
        for (size_t p = 0; p < volumes; p++) {
            finite = finite && isfinite(row[p]);
            varies = varies || row[p] != row[0];
        }
        if (!finite || !varies)
            continue;
        if (kept != i)
            memmove(x + kept * volumes, row, volumes * sizeof(float));
        index[kept++] = i;
    }
    return kept;
}

/* The shortest distance of successive voxels; 1 when there is none. */
static double voxel_of(const rung_tfa_scan *scan)
{
    double least = HUGE_VAL;
    if (scan->voxel_mm > 0.0)
        return scan->voxel_mm;
    for (size_t i = 1; i < scan->voxels; i++) {
        double sum = 0.0;
        for (size_t p = 0; p < 3; p++)
            sum +=
                (scan->xyz[3 * i + p] - scan->xyz[3 * i - 3 + p]) * (scan->xyz[3 * i + p] - scan->xyz[3 * i - 3 + p]);
        if (sum > 0.0 && sum < least)
            least = sum;
    }
    return isfinite(least) ? sqrt(least) : 1.0;
}

void rung_tfa_set_bounds(tfa_engine *engine, const rung_tfa_scan *scan, const rung_tfa_options *options)
{
    double longest = 0.0;
    engine->voxel = voxel_of(scan);
    for (size_t p = 0; p < 3; p++) {
        double low = scan->xyz[p], high = low;
        for (size_t i = 1; i < scan->voxels; i++) {
            low = fmin(low, scan->xyz[3 * i + p]);
            high = fmax(high, scan->xyz[3 * i + p]);
        }
        longest = fmax(longest, high - low);
        engine->low[p] = low - 0.5 * engine->voxel;
        engine->high[p] = high + 0.5 * engine->voxel;
    }
    engine->low[3] = options->width_min > 0.0 ? options->width_min : 0.25 * engine->voxel;
    engine->high[3] = options->width_max > 0.0 ? options->width_max : fmax(longest, engine->voxel);
    engine->low[3] = fmin(engine->low[3], engine->high[3]);
    engine->high[3] = fmax(engine->low[3], engine->high[3]);
}
