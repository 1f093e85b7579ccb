/* SPDX-License-Identifier: Apache-2.0
 *
 * scan_open.c: headers. A header is not believed: sizes are checked against each other and against the file.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hush.h"
#include "say.h"
#include "scan.h"
#include "scan_values.h"

/* No deflate stream holds more than 1032 bytes for each of its own (zlib, deflate's longest match). */
enum { MOST_DEFLATED = 1032 };

/* `part_of` is the file that a person named, when it is another one. */
static bool is_readable_file(const char *path, const char *part_of, off_t *size)
{
    struct stat st;
    if (stat(path, &st) != 0) {
        const char *why = strerror(errno);
        if (strcmp(path, part_of) != 0)
            say_error("cannot read %s, which belongs to %s: %s", path, part_of, why);
        else
            say_error("cannot read %s: %s", path, why);
        return false;
    }
    if (!S_ISREG(st.st_mode)) {
        say_error("%s is %s, not a file", path, S_ISDIR(st.st_mode) ? "a folder" : "a device or pipe");
        return false;
    }
    if (access(path, R_OK) != 0) {
        say_error("cannot read %s: %s", path, strerror(errno));
        return false;
    }
    *size = st.st_size;
    return true;
}

/* What stands in the file of what the library mends without a word. */
typedef struct raw_header {
    int version;
    bool single; /* header and data in one file */
    int64_t dim[8];
    double pixdim[4];
    double offset; /* of the data */
} raw_header;

static bool read_raw(const char *path, raw_header *raw)
{
    int version = 0;
    hush_begin();
    void *header = nifti_read_header(path, &version, 0);
    hush_end();
    if (header == NULL || (version != 1 && version != 2)) {
        free(header);
        say_error("%s is not a NIfTI image", path);
        return false;
    }
    int32_t head_size; /* comes first in both, and tells the byte order */
    memcpy(&head_size, header, sizeof head_size);
    if (head_size != (version == 1 ? 348 : 540))
        swap_nifti_header(header, version);
    const nifti_1_header *one = header;
    const nifti_2_header *two = header;
    raw->version = version;
    raw->single = (version == 1 ? one->magic : two->magic)[1] == '+';
    raw->offset = version == 1 ? (double)one->vox_offset : (double)two->vox_offset;
    for (int i = 0; i < 8; i++)
        raw->dim[i] = version == 1 ? one->dim[i] : two->dim[i];
    for (int i = 0; i < 4; i++)
        raw->pixdim[i] = version == 1 ? (double)one->pixdim[i] : two->pixdim[i];
    free(header);
    return true;
}

/* Where the data of a single file begin at the earliest: behind the header and four bytes about extensions. */
static int64_t first_data(const raw_header *raw)
{
    return raw->version == 2 ? 544 : 352;
}

static bool is_sane(const raw_header *raw, const char *path)
{
    bool sane = raw->dim[0] >= 1 && raw->dim[0] <= 7;
    for (int i = 1; sane && i <= raw->dim[0]; i++)
        sane = raw->dim[i] >= 1;
    if (!sane) {
        say_error("%s: the header has dimensions that are not positive", path);
        return false;
    }
    double least = raw->single ? (double)first_data(raw) : 0.0;
    if (raw->offset != 0.0 && !(raw->offset >= least && raw->offset <= INT32_MAX)) {
        say_error("%s: the header says that the data begin at byte %g, which cannot be", path, raw->offset);
        return false;
    }
    return true;
}

static bool take_shape(scan *s, bool four)
{
    const nifti_image *image = s->image;
    int64_t extent[8] = {0, 1, 1, 1, 1, 1, 1, 1};
    for (int64_t i = 1; i <= image->dim[0]; i++)
        extent[i] = image->dim[i];
    for (int i = 5; i <= 7; i++) {
        if (extent[i] != 1) {
            say_error("%s has %d dimensions; a scan has four: x, y, z and time", s->path, i);
            return false;
        }
    }
    s->size[0] = (size_t)extent[1];
    s->size[1] = (size_t)extent[2];
    s->size[2] = (size_t)extent[3];
    s->volumes = (size_t)extent[4];
    if (four && s->volumes < 2) {
        say_error("%s is a single volume; a scan has at least two", s->path);
        return false;
    }
    if (!four && s->volumes != 1) {
        say_error("%s has %zu volumes; a mask has one", s->path, s->volumes);
        return false;
    }
    size_t values;
    if (__builtin_mul_overflow(s->size[0], s->size[1], &s->grid) ||
        __builtin_mul_overflow(s->grid, s->size[2], &s->grid) || __builtin_mul_overflow(s->grid, s->volumes, &values) ||
        values > (size_t)INT64_MAX / 64) {
        say_error("%s: the header's dimensions are absurd", s->path);
        return false;
    }
    return true;
}

static bool is_long_enough(const scan *s, off_t size)
{
    const nifti_image *image = s->image;
    uint64_t needed = (uint64_t)s->grid * s->volumes * (uint64_t)image->nbyper;
    uint64_t offset = image->iname_offset > 0 ? (uint64_t)image->iname_offset : 0;
    uint64_t have = (uint64_t)size;
    bool deflated = nifti_is_gzfile(image->iname) != 0;
    if (deflated)
        have = have > UINT64_MAX / MOST_DEFLATED ? UINT64_MAX : have * MOST_DEFLATED;
    if (offset <= have && needed <= have - offset)
        return true;
    if (deflated)
        say_error("%s is cut short or its header is wrong: a file of its size cannot hold the %" PRIu64
                  " bytes that the header announces",
                  s->path, needed);
    else
        say_error("%s is cut short: %" PRIu64 " of %" PRIu64 " bytes of data are there", s->path,
                  have > offset ? have - offset : 0, needed);
    return false;
}

/* No voxel so far away that its place is known to less than a small part of its size. */
static bool is_near(const scan *s)
{
    double edge = fmin(s->voxel_mm[0], fmin(s->voxel_mm[1], s->voxel_mm[2]));
    for (int r = 0; r < 3; r++) {
        double reach = fabs(s->affine[r][3]);
        for (int c = 0; c < 3; c++)
            reach += fabs(s->affine[r][c]) * (double)s->size[c];
        if (!(reach <= 1e9 * edge))
            return false;
    }
    return true;
}

static bool take_affine(scan *s, const double pixdim[4])
{
    const nifti_image *image = s->image;
    const nifti_dmat44 *m = image->sform_code > 0 ? &image->sto_xyz : &image->qto_xyz;
    s->affine_from = image->sform_code > 0 ? "sform" : image->qform_code > 0 ? "qform" : "voxel sizes";
    double unit = image->xyz_units == NIFTI_UNITS_METER ? 1000.0 : image->xyz_units == NIFTI_UNITS_MICRON ? 0.001 : 1.0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            s->affine[r][c] = unit * m->m[r][c];
    for (int c = 0; c < 3; c++)
        s->voxel_mm[c] = sqrt(s->affine[0][c] * s->affine[0][c] + s->affine[1][c] * s->affine[1][c] +
                              s->affine[2][c] * s->affine[2][c]);
    const double(*a)[4] = (const double(*)[4])s->affine;
    double det = a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
                 a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
    double box = s->voxel_mm[0] * s->voxel_mm[1] * s->voxel_mm[2];
    if (!isfinite(det) || !isfinite(box) || !(fabs(det) > 1e-6 * box) || !isfinite(a[0][3] + a[1][3] + a[2][3])) {
        say_error("%s: the %s %s no orientation: the matrix is singular or not finite", s->path, s->affine_from,
                  image->sform_code > 0 || image->qform_code > 0 ? "gives" : "give");
        return false;
    }
    if (!is_near(s)) {
        say_error("%s: by its %s, voxels lie more than a thousand million times their size away", s->path,
                  s->affine_from);
        return false;
    }
    for (int c = 0; c < 3; c++)
        if (image->sform_code <= 0 && !(fabs(fabs(pixdim[c + 1]) * unit - s->voxel_mm[c]) <= 1e-5 * s->voxel_mm[c])) {
            say_warning("%s: a voxel size of %g in the header was taken for %g mm", s->path, pixdim[c + 1],
                        s->voxel_mm[c]);
        }
    return true;
}

bool scan_open(scan *s, const char *path, bool four)
{
    memset(s, 0, sizeof *s);
    s->path = path;
    nifti_set_debug_level(0);
    off_t size;
    if (!is_readable_file(path, path, &size))
        return false;
    raw_header raw;
    if (!read_raw(path, &raw) || !is_sane(&raw, path))
        return false;
    s->version = raw.version;
    hush_begin();
    s->image = nifti_image_read(path, 0);
    hush_end();
    if (s->image == NULL || s->image->iname == NULL) {
        say_error("%s is not a NIfTI image, or its header is damaged", path);
        return false;
    }
    if (s->image->nifti_type == NIFTI_FTYPE_ANALYZE || s->image->nifti_type == NIFTI_FTYPE_ASCII) {
        say_error("%s is an ANALYZE or text image without an orientation of its own; convert it to NIfTI", path);
        return false;
    }
    if (!scan_values_known(s->image->datatype)) {
        say_error("%s holds %s values; a scan needs real numbers of a common type (int8 to uint64, float32, float64)",
                  path, nifti_datatype_string(s->image->datatype));
        return false;
    }
    if (raw.single && raw.offset == 0.0) /* not filled in; the library takes it for the end of the header proper */
        s->image->iname_offset = first_data(&raw);
    if (!take_shape(s, four) || !take_affine(s, raw.pixdim))
        return false;
    return is_readable_file(s->image->iname, path, &size) && is_long_enough(s, size);
}

void scan_close(scan *s)
{
    if (s->image != NULL)
        nifti_image_free(s->image);
    free(s->where);
    free(s->first);
    free(s->shift);
    free(s->sd);
    memset(s, 0, sizeof *s);
}
