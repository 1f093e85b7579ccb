/* SPDX-License-Identifier: Apache-2.0
 *
 * scan.h: a 4-D NIfTI image as the matrix that a factor model is fitted to, and factors as an image like it.
 *
 * The file is read twice, a few thousand voxels at a time: once to find the voxels that can be fitted, once to fill the
 * matrix. So memory follows the matrix, not the file.
 *
 * Every function that can fail says one error line and returns false.
 */
#ifndef RUNG_TOOL_SCAN_H
#define RUNG_TOOL_SCAN_H

#include <nifti2_io.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct scan {
    const char *path;
    nifti_image *image; /* header only */
    int version;        /* NIfTI 1 or 2 */
    size_t size[3];     /* voxels along i, j, k */
    size_t grid;        /* their product */
    size_t volumes;
    double affine[3][4];     /* voxel indexes to mm */
    const char *affine_from; /* "sform", "qform" or "voxel sizes" */
    double voxel_mm[3];      /* edges */

    /* from scan_survey */
    size_t voxels; /* usable ones */
    size_t *where; /* [voxels]: their places in the grid, ascending */
    double *first; /* [voxels]: value in the first volume, */
    double *shift; /* [voxels]: ... and mean of the differences from it: their sum is the mean, exact on a high level */
    float *sd;     /* [grid]: standard deviation over time; 0 for voxels that are not used */
    size_t outside;       /* left out by the mask */
    size_t constant, bad; /* left out: the same in all volumes; with a value that is not finite */
} scan;

/* Called now and then while a file is read, with the part that is done, 0 to 1. */
typedef void scan_progress_fn(double fraction, void *user);

/* Opens an image and checks that its header is sane and its file large enough. `four` asks for a 4-D image with two
 * volumes or more, otherwise a 3-D one. */
bool scan_open(scan *s, const char *path, bool four);
/* Frees what the scan owns; harmless on a zeroed one. */
void scan_close(scan *s);

/* Reads a 3-D image of the scan's shape: mask[grid], 1 where it is neither 0 nor NaN. Free it. */
bool scan_mask(const scan *s, const char *path, uint8_t **mask);
/* Finds the usable voxels: inside the mask (NULL: everywhere), finite in all volumes, and not constant. */
bool scan_survey(scan *s, const uint8_t *mask, scan_progress_fn *fn, void *user);
/* Fills x[voxels, volumes] with what is left when every voxel's mean is taken away. */
bool scan_fill(const scan *s, float *x, scan_progress_fn *fn, void *user);
/* i, j, k of a place in the grid. */
void scan_index(const scan *s, size_t place, double index[3]);
/* xyz[voxels, 3], mm. */
void scan_positions(const scan *s, double *xyz);

/* The value of every usable voxel for one of the images, asked for in order. False after an error line of its own. */
typedef bool scan_column_fn(size_t image, double *values, void *user);
/* Writes `images` images as one 4-D float32 file at `path` (.nii.gz), on the scan's grid and with its orientation; 0 in
 * voxels that are not used. `name` is what error lines call the file. */
bool scan_write(const scan *s, const char *path, const char *name, size_t images, scan_column_fn *column, void *user);

#endif
