/* SPDX-License-Identifier: Apache-2.0
 *
 * scan_values.h: the values of an image as doubles, in the order of the file, a slab at a time.
 *
 * The library's own nifti_read_buffer turns values that are not finite into 0; here they have to be seen.
 */
#ifndef RUNG_TOOL_SCAN_VALUES_H
#define RUNG_TOOL_SCAN_VALUES_H

#include <nifti2_io.h>
#include <stdbool.h>
#include <stddef.h>

enum { SCAN_SLAB = 8192 }; /* voxels that are read at once */

typedef struct scan_values {
    const char *path;
    const nifti_image *image;
    znzFile file;
    void *raw;
} scan_values;

bool scan_values_known(int datatype);
/* One error line and false on failure; scan_values_close is then not needed. */
bool scan_values_open(scan_values *v, const char *path, const nifti_image *image);
/* Reads the next n <= SCAN_SLAB values, scaled. One error line and false when they are not there. */
bool scan_values_next(scan_values *v, double *out, size_t n);
/* After the last value. `check` reads a compressed file to its end, so that its checksum is verified: one error line
 * and false when it does not fit. */
bool scan_values_close(scan_values *v, bool check);

#endif
