/* SPDX-License-Identifier: Apache-2.0
 *
 * scan_read.c: which voxels can be fitted, and the matrix of them.
 */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "say.h"
#include "scan.h"
#include "scan_values.h"

/* Volumes that are turned into rows together: the matrix is then written a cache line at a time. */
enum { TOGETHER = 16 };

enum { GOOD = 0, OUTSIDE, CONSTANT, BAD };

/* What is kept of every voxel of the grid while volumes go by. Sums are of differences from the first value, which
 * keeps them exact where a large baseline would not. */
typedef struct voxel {
    double first, sum, squares;
} voxel;

static bool no_memory(const scan *s, size_t bytes)
{
    say_error("%s needs %zu MB of memory, which are not there", s->path, bytes / 1000000 + 1);
    return false;
}

static void note_first(voxel *at, uint8_t *state, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        at[i].first = values[i];
        if (state[i] != OUTSIDE)
            state[i] = isfinite(values[i]) ? CONSTANT : BAD;
    }
}

static void note_next(voxel *at, uint8_t *state, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double d = values[i] - at[i].first;
        at[i].sum += d;
        at[i].squares += d * d;
        if (state[i] == OUTSIDE || state[i] == BAD)
            continue;
        /* The matrix is of float: a span that it cannot hold is as good as infinite. */
        if (!(fabs(d) <= FLT_MAX / 4))
            state[i] = BAD;
        else if (d != 0.0)
            state[i] = GOOD;
    }
}

/* One pass over the file. */
static bool gather(const scan *s, voxel *voxels, uint8_t *state, double *slab, scan_progress_fn *fn, void *user)
{
    scan_values v;
    if (!scan_values_open(&v, s->path, s->image))
        return false;
    bool good = true;
    for (size_t t = 0; good && t < s->volumes; t++) {
        for (size_t at = 0; good && at < s->grid; at += SCAN_SLAB) {
            size_t n = s->grid - at < SCAN_SLAB ? s->grid - at : SCAN_SLAB;
            good = scan_values_next(&v, slab, n);
            if (good)
                (t == 0 ? note_first : note_next)(voxels + at, state + at, slab, n);
        }
        if (good && fn != NULL)
            fn((double)(t + 1) / (double)s->volumes, user);
    }
    return scan_values_close(&v, good) && good;
}

/* Keeps what the fit and the picture need of every usable voxel. */
static bool keep(scan *s, const voxel *voxels, const uint8_t *state)
{
    size_t counts[4] = {0};
    for (size_t i = 0; i < s->grid; i++)
        counts[state[i]]++;
    s->voxels = counts[GOOD];
    s->outside = counts[OUTSIDE];
    s->constant = counts[CONSTANT];
    s->bad = counts[BAD];
    size_t room = s->voxels != 0 ? s->voxels : 1;
    s->where = malloc(room * sizeof *s->where);
    s->first = malloc(room * sizeof *s->first);
    s->shift = malloc(room * sizeof *s->shift);
    s->sd = calloc(s->grid, sizeof *s->sd);
    if (s->where == NULL || s->first == NULL || s->shift == NULL || s->sd == NULL)
        return no_memory(s, room * (sizeof *s->where + 2 * sizeof *s->first) + s->grid * sizeof *s->sd);
    double count = (double)s->volumes;
    size_t next = 0;
    for (size_t i = 0; i < s->grid; i++) {
        if (state[i] != GOOD)
            continue;
        double shift = voxels[i].sum / count;
        double variance = voxels[i].squares / count - shift * shift;
        s->sd[i] = variance > 0 ? (float)sqrt(variance) : 0.0f;
        s->where[next] = i;
        s->first[next] = voxels[i].first;
        s->shift[next++] = shift;
    }
    return true;
}

bool scan_survey(scan *s, const uint8_t *mask, scan_progress_fn *fn, void *user)
{
    size_t bytes;
    if (__builtin_mul_overflow(s->grid, sizeof(voxel) + 1, &bytes))
        return no_memory(s, SIZE_MAX);
    /* Zeroed memory is not there before it is used, so a header that promises too much costs nothing. */
    voxel *voxels = calloc(s->grid, sizeof *voxels);
    uint8_t *state = calloc(s->grid, 1);
    double *slab = malloc(SCAN_SLAB * sizeof *slab);
    bool good = voxels != NULL && state != NULL && slab != NULL;
    if (!good)
        no_memory(s, bytes);
    for (size_t i = 0; good && mask != NULL && i < s->grid; i++)
        state[i] = mask[i] != 0 ? GOOD : OUTSIDE;
    good = good && gather(s, voxels, state, slab, fn, user) && keep(s, voxels, state);
    free(voxels);
    free(state);
    free(slab);
    return good;
}

/* Reads one volume's usable voxels into column[voxels], without their means. */
static bool read_column(const scan *s, scan_values *v, double *slab, float *column)
{
    size_t next = 0;
    for (size_t at = 0; at < s->grid; at += SCAN_SLAB) {
        size_t n = s->grid - at < SCAN_SLAB ? s->grid - at : SCAN_SLAB;
        if (!scan_values_next(v, slab, n))
            return false;
        for (; next < s->voxels && s->where[next] < at + n; next++)
            column[next] = (float)(slab[s->where[next] - at] - s->first[next] - s->shift[next]);
    }
    return true;
}

bool scan_fill(const scan *s, float *x, scan_progress_fn *fn, void *user)
{
    double *slab = malloc(SCAN_SLAB * sizeof *slab);
    float *columns = calloc(s->voxels, TOGETHER * sizeof *columns);
    if (slab == NULL || columns == NULL) {
        free(slab);
        free(columns);
        return no_memory(s, s->voxels * TOGETHER * sizeof *columns);
    }
    scan_values v;
    bool opened = scan_values_open(&v, s->path, s->image), good = opened;
    for (size_t t = 0; good && t < s->volumes; t += TOGETHER) {
        size_t n = s->volumes - t < TOGETHER ? s->volumes - t : TOGETHER;
        for (size_t c = 0; good && c < n; c++)
            good = read_column(s, &v, slab, columns + c * s->voxels);
        for (size_t i = 0; good && i < s->voxels; i++)
            for (size_t c = 0; c < n; c++)
                x[i * s->volumes + t + c] = columns[c * s->voxels + i];
        if (good && fn != NULL)
            fn((double)(t + n) / (double)s->volumes, user);
    }
    if (opened)
        scan_values_close(&v, false);
    free(slab);
    free(columns);
    return good;
}

void scan_index(const scan *s, size_t place, double index[3])
{
    size_t j = place / s->size[0];
    size_t k = j / s->size[1];
    index[0] = (double)(place % s->size[0]);
    index[1] = (double)(j % s->size[1]);
    index[2] = (double)k;
}

void scan_positions(const scan *s, double *xyz)
{
    for (size_t v = 0; v < s->voxels; v++) {
        double index[3];
        scan_index(s, s->where[v], index);
        for (int r = 0; r < 3; r++)
            xyz[3 * v + (size_t)r] =
                s->affine[r][0] * index[0] + s->affine[r][1] * index[1] + s->affine[r][2] * index[2] + s->affine[r][3];
    }
}
