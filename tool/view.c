/* SPDX-License-Identifier: Apache-2.0
 *
 * view.c: maximum-intensity projections through the affine, so that oblique scans and voxels that are no cubes look as
 * they lie in space.
 */
#include "view.h"

#include <math.h>
#include <stdlib.h>

/* Samples along the longest edge of the box: enough to look at, and independent of the scan's size. */
static const double most_samples = 280;

typedef struct inverse {
    double m[3][4]; /* mm to voxel indexes */
} inverse;

static inverse invert(const double a[3][4])
{
    inverse out;
    double det = 0;
    for (int c = 0; c < 3; c++)
        det += a[0][c] * (a[1][(c + 1) % 3] * a[2][(c + 2) % 3] - a[1][(c + 2) % 3] * a[2][(c + 1) % 3]);
    for (int r = 0; r < 3; r++) {
        out.m[r][3] = 0;
        for (int c = 0; c < 3; c++) {
            int r1 = (c + 1) % 3, r2 = (c + 2) % 3, c1 = (r + 1) % 3, c2 = (r + 2) % 3;
            out.m[r][c] = (a[r1][c1] * a[r2][c2] - a[r1][c2] * a[r2][c1]) / det;
        }
        for (int c = 0; c < 3; c++)
            out.m[r][3] -= out.m[r][c] * a[c][3];
    }
    return out;
}

view_box view_box_of(const scan *s)
{
    view_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t v = 0; v < s->voxels; v++) {
        double index[3];
        scan_index(s, s->where[v], index);
        for (int r = 0; r < 3; r++) {
            double centre = s->affine[r][3], half = 0;
            for (int c = 0; c < 3; c++) {
                centre += s->affine[r][c] * index[c];
                half += 0.5 * fabs(s->affine[r][c]);
            }
            box.low[r] = fmin(box.low[r], centre - half);
            box.high[r] = fmax(box.high[r], centre + half);
        }
    }
    return box;
}

/* Linear between voxel centres; a voxel at the rim reaches to its own edge; 0 outside. */
static double sample(const scan *s, const double index[3])
{
    size_t low[3], high[3];
    double part[3];
    for (int c = 0; c < 3; c++) {
        double last = (double)(s->size[c] - 1);
        if (!(index[c] >= -0.5 && index[c] <= last + 0.5))
            return 0;
        double at = fmin(fmax(index[c], 0), last);
        low[c] = (size_t)at;
        high[c] = low[c] + 1 < s->size[c] ? low[c] + 1 : low[c];
        part[c] = at - (double)low[c];
    }
    double sum = 0;
    for (unsigned corner = 0; corner < 8; corner++) {
        size_t at[3];
        double weight = 1;
        for (unsigned c = 0; c < 3; c++) {
            bool upper = (corner >> c & 1) != 0;
            at[c] = upper ? high[c] : low[c];
            weight *= upper ? part[c] : 1 - part[c];
        }
        if (weight > 0)
            sum += weight * (double)s->sd[(at[2] * s->size[1] + at[1]) * s->size[0] + at[0]];
    }
    return sum;
}

bool view_open(view *v, const view_box *box, double edge, int across, int up)
{
    v->across = across;
    v->up = up;
    v->along = 3 - across - up;
    double longest = 0;
    for (int r = 0; r < 3; r++)
        longest = fmax(longest, box->high[r] - box->low[r]);
    v->step = fmax(edge / 2, longest / most_samples);
    v->width = (unsigned)fmax(1, ceil((box->high[across] - box->low[across]) / v->step - 1e-9));
    v->height = (unsigned)fmax(1, ceil((box->high[up] - box->low[up]) / v->step - 1e-9));
    v->value = calloc((size_t)v->width * v->height, sizeof *v->value);
    return v->value != NULL;
}

void view_add(view *v, const scan *s, const view_box *box, double by)
{
    int across = v->across, up = v->up;
    unsigned depth = (unsigned)fmax(1, ceil((box->high[v->along] - box->low[v->along]) / v->step - 1e-9));
    inverse to_index = invert((const double(*)[4])s->affine);
    for (unsigned y = 0; y < v->height; y++) {
        for (unsigned x = 0; x < v->width; x++) {
            double mm[3], most = 0;
            mm[across] = box->low[across] + (x + 0.5) * v->step;
            mm[up] = box->high[up] - (y + 0.5) * v->step;
            for (unsigned z = 0; z < depth; z++) {
                mm[v->along] = box->low[v->along] + (z + 0.5) * v->step;
                double index[3];
                for (int r = 0; r < 3; r++)
                    index[r] = to_index.m[r][0] * mm[0] + to_index.m[r][1] * mm[1] + to_index.m[r][2] * mm[2] +
                               to_index.m[r][3];
                most = fmax(most, sample(s, index));
            }
            v->value[(size_t)y * v->width + x] += (float)(by * most);
        }
    }
}

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

double view_white(const view *v)
{
    size_t n = (size_t)v->width * v->height, positive = 0;
    float *sorted = malloc(n * sizeof *sorted);
    if (sorted == NULL)
        return 1;
    for (size_t i = 0; i < n; i++)
        if (v->value[i] > 0)
            sorted[positive++] = v->value[i];
    double white = 1;
    if (positive > 0) {
        qsort(sorted, positive, sizeof *sorted, ascending);
        white = (double)sorted[(size_t)(0.995 * (double)(positive - 1))];
    }
    free(sorted);
    return white > 0 ? white : 1;
}

void view_free(view *v)
{
    free(v->value);
    v->value = NULL;
}
