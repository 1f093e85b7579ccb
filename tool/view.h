/* SPDX-License-Identifier: Apache-2.0
 *
 * view.h: what a scan looks like from one side, in mm.
 */
#ifndef RUNG_TOOL_VIEW_H
#define RUNG_TOOL_VIEW_H

#include <stdbool.h>

#include "scan.h"

/* Part of space, in mm, along x (to the right), y (to the front) and z (up). */
typedef struct view_box {
    double low[3], high[3];
} view_box;

/* The box around all usable voxels. */
view_box view_box_of(const scan *s);

/* A view along one axis: across and up are the two others. Rows run from the top down. */
typedef struct view {
    int across, up, along; /* 0, 1, 2: x, y, z */
    unsigned width, height;
    double step; /* mm per sample */
    float *value;
} view;

/* An empty view of the box; edge is the shortest one of a voxel. False when memory is out. */
bool view_open(view *v, const view_box *box, double edge, int across, int up);
/* Adds the highest standard deviation along every line of sight, through the affine, times `by`. */
void view_add(view *v, const scan *s, const view_box *box, double by);
/* The value that all but the highest part of 0.5 % of the samples stay below. */
double view_white(const view *v);
void view_free(view *v);

#endif
