/* SPDX-License-Identifier: Apache-2.0
 *
 * scan_mask.c: a mask of the scan's shape.
 */
#include <math.h>
#include <stdlib.h>

#include "say.h"
#include "scan.h"
#include "scan_values.h"

/* Longest distance, in voxels, between where the two images place one and the same corner. */
static double disagreement(const scan *a, const scan *b)
{
    double most = 0;
    double edge = fmin(a->voxel_mm[0], fmin(a->voxel_mm[1], a->voxel_mm[2]));
    for (unsigned corner = 0; corner < 8; corner++) {
        double square = 0;
        for (int r = 0; r < 3; r++) {
            double d = a->affine[r][3] - b->affine[r][3];
            for (unsigned c = 0; c < 3; c++)
                if ((corner >> c & 1) != 0)
                    d += (a->affine[r][c] - b->affine[r][c]) * (double)(a->size[c] - 1);
            square += d * d;
        }
        most = fmax(most, sqrt(square) / edge);
    }
    return most;
}

static bool read_mask(const scan *m, uint8_t *mask)
{
    scan_values v;
    if (!scan_values_open(&v, m->path, m->image))
        return false;
    static double slab[SCAN_SLAB];
    bool good = true;
    for (size_t at = 0; good && at < m->grid; at += SCAN_SLAB) {
        size_t n = m->grid - at < SCAN_SLAB ? m->grid - at : SCAN_SLAB;
        good = scan_values_next(&v, slab, n);
        for (size_t i = 0; good && i < n; i++)
            mask[at + i] = slab[i] != 0.0 && !isnan(slab[i]);
    }
    return scan_values_close(&v, good) && good;
}

bool scan_mask(const scan *s, const char *path, uint8_t **mask)
{
    scan m;
    *mask = NULL;
    bool good = scan_open(&m, path, false);
    if (good && (m.size[0] != s->size[0] || m.size[1] != s->size[1] || m.size[2] != s->size[2])) {
        say_error("the mask %s is %zu x %zu x %zu voxels, the scan %zu x %zu x %zu", path, m.size[0], m.size[1],
                  m.size[2], s->size[0], s->size[1], s->size[2]);
        good = false;
    }
    if (good) {
        *mask = calloc(m.grid, 1);
        if (*mask == NULL) {
            say_error("out of memory");
            good = false;
        }
    }
    good = good && read_mask(&m, *mask);
    if (good) {
        size_t inside = 0;
        for (size_t i = 0; i < m.grid; i++)
            inside += (*mask)[i];
        if (inside == 0) {
            say_error("the mask %s is empty", path);
            good = false;
        }
    }
    if (good && disagreement(s, &m) > 0.5)
        say_warning("the mask %s lies elsewhere in space than the scan; voxels are matched by their place in the grid",
                    path);
    scan_close(&m);
    if (!good) {
        free(*mask);
        *mask = NULL;
    }
    return good;
}
