/* SPDX-License-Identifier: Apache-2.0
 *
 * scan_values.c: bytes to doubles, and the ways in which a file ends too early.
 */
#include "scan_values.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "say.h"

bool scan_values_known(int datatype)
{
    switch (datatype) {
    case NIFTI_TYPE_INT8:
    case NIFTI_TYPE_UINT8:
    case NIFTI_TYPE_INT16:
    case NIFTI_TYPE_UINT16:
    case NIFTI_TYPE_INT32:
    case NIFTI_TYPE_UINT32:
    case NIFTI_TYPE_INT64:
    case NIFTI_TYPE_UINT64:
    case NIFTI_TYPE_FLOAT32:
    case NIFTI_TYPE_FLOAT64:
        return true;
    default:
        return false;
    }
}

bool scan_values_open(scan_values *v, const char *path, const nifti_image *image)
{
    memset(v, 0, sizeof *v);
    v->path = path;
    v->image = image;
    errno = 0;
    v->file = znzopen(image->iname, "rb", nifti_is_gzfile(image->iname));
    if (znz_isnull(v->file)) {
        say_error("cannot read %s: %s", image->iname, errno != 0 ? strerror(errno) : "out of memory");
        return false;
    }
    znz_off_t offset = image->iname_offset > 0 ? (znz_off_t)image->iname_offset : 0;
    if (znzseek(v->file, offset, SEEK_SET) < 0) {
        say_error("%s ends before its data begins", path);
        znzclose(v->file);
        return false;
    }
    v->raw = say_alloc((size_t)SCAN_SLAB * (size_t)image->nbyper);
    return true;
}

#define CONVERT(type)                                                                                                  \
    do {                                                                                                               \
        const type *in = raw;                                                                                          \
        for (size_t i = 0; i < n; i++)                                                                                 \
            out[i] = (double)in[i];                                                                                    \
    } while (0)

static void convert(const void *raw, int datatype, double *out, size_t n)
{
    switch (datatype) {
    case NIFTI_TYPE_INT8:
        CONVERT(int8_t);
        break;
    case NIFTI_TYPE_UINT8:
        CONVERT(uint8_t);
        break;
    case NIFTI_TYPE_INT16:
        CONVERT(int16_t);
        break;
    case NIFTI_TYPE_UINT16:
        CONVERT(uint16_t);
        break;
    case NIFTI_TYPE_INT32:
        CONVERT(int32_t);
        break;
    case NIFTI_TYPE_UINT32:
        CONVERT(uint32_t);
        break;
    case NIFTI_TYPE_INT64:
        CONVERT(int64_t);
        break;
    case NIFTI_TYPE_UINT64:
        CONVERT(uint64_t);
        break;
    case NIFTI_TYPE_FLOAT32:
        CONVERT(float);
        break;
    default:
        CONVERT(double);
        break;
    }
}

bool scan_values_next(scan_values *v, double *out, size_t n)
{
    const nifti_image *image = v->image;
    size_t bytes = n * (size_t)image->nbyper;
    errno = 0;
    size_t got = znzread(v->raw, 1, bytes, v->file);
    if (got != bytes) {
        /* More than was asked for is the library's -1: zlib could not decode what it read. */
        if (got > bytes)
            say_error("%s is damaged: its compressed data cannot be decoded", v->path);
        else if (errno != 0)
            say_error("cannot read %s: %s", v->path, strerror(errno));
        else
            say_error("%s is cut short: its data ends too early", v->path);
        return false;
    }
    if (image->swapsize > 1 && image->byteorder != nifti_short_order())
        nifti_swap_Nbytes((int64_t)(bytes / (size_t)image->swapsize), image->swapsize, v->raw);
    convert(v->raw, image->datatype, out, n);
    if (image->scl_slope != 0.0 && (image->scl_slope != 1.0 || image->scl_inter != 0.0)) {
        double slope = image->scl_slope, inter = image->scl_inter;
        for (size_t i = 0; i < n; i++)
            out[i] = slope * out[i] + inter;
    }
    return true;
}

bool scan_values_close(scan_values *v, bool check)
{
    bool good = true;
    if (check && nifti_is_gzfile(v->image->iname)) {
        size_t got, bytes = (size_t)SCAN_SLAB * (size_t)v->image->nbyper;
        do
            got = znzread(v->raw, 1, bytes, v->file);
        while (got == bytes);
        good = got < bytes;
    }
    /* zlib reports an unexpected end of file here. */
    bool closed = znzclose(v->file) == 0;
    free(v->raw);
    v->raw = NULL;
    if (!check || (good && closed))
        return true;
    say_error("%s is damaged: %s", v->path,
              good ? "its compressed data ends too early" : "its compressed data does not fit its checksum");
    return false;
}
