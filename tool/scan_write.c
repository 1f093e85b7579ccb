/* SPDX-License-Identifier: Apache-2.0
 *
 * scan_write.c: factors as an image like the scan.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hush.h"
#include "rung/rung.h"
#include "say.h"
#include "scan.h"

/* A header of the scan's version and orientation, with `images` volumes of float32. */
static nifti_image *new_header(const scan *s, const char *path, size_t images)
{
    nifti_image *out = nifti_copy_nim_info(s->image);
    if (out == NULL)
        return NULL;
    nifti_free_extensions(out); /* they describe the scan, not the factors */
    const int64_t dims[8] = {4, (int64_t)s->size[0], (int64_t)s->size[1], (int64_t)s->size[2], (int64_t)images, 1, 1,
                             1};
    memcpy(out->dim, dims, sizeof dims);
    nifti_update_dims_from_array(out);
    out->ndim = out->dim[0] = 4;  /* of one image, too: whoever reads them counts along the fourth axis */
    out->dt = out->pixdim[4] = 0; /* not time any more */
    out->time_units = NIFTI_UNITS_UNKNOWN;
    out->toffset = 0;
    out->slice_code = out->slice_start = out->slice_end = 0;
    out->slice_duration = 0;
    out->datatype = NIFTI_TYPE_FLOAT32;
    nifti_datatype_sizes(out->datatype, &out->nbyper, &out->swapsize);
    out->scl_slope = 1;
    out->scl_inter = 0;
    out->cal_min = 0;
    out->cal_max = 1;
    out->intent_code = NIFTI_INTENT_NONE;
    out->intent_p1 = out->intent_p2 = out->intent_p3 = 0;
    memset(out->intent_name, 0, sizeof out->intent_name);
    memset(out->aux_file, 0, sizeof out->aux_file);
    memset(out->descrip, 0, sizeof out->descrip);
    snprintf(out->descrip, sizeof out->descrip, "rung %s tfa: %zu factors", RUNG_VERSION_STRING, images);
    out->nifti_type = s->version == 2 ? NIFTI_FTYPE_NIFTI2_1 : NIFTI_FTYPE_NIFTI1_1;
    out->byteorder = nifti_short_order();
    free(out->fname);
    free(out->iname);
    out->fname = nifti_strdup(path);
    out->iname = nifti_strdup(path);
    /* right behind the header and the four bytes that say that there are no extensions */
    out->iname_offset = (int64_t)(s->version == 2 ? sizeof(nifti_2_header) : sizeof(nifti_1_header)) + 4;
    if (out->fname == NULL || out->iname == NULL) {
        nifti_image_free(out);
        return NULL;
    }
    return out;
}

/* Not nifti_image_write_hdr_img: version 3.0.1 writes the data of a NIfTI-2 file over its header. */
static bool write_header(const nifti_image *image, int version, znzFile file)
{
    static const char no_extensions[4] = {0};
    nifti_1_header one;
    nifti_2_header two;
    hush_begin();
    int failed = version == 2 ? nifti_convert_nim2n2hdr(image, &two) : nifti_convert_nim2n1hdr(image, &one);
    hush_end();
    const void *header = version == 2 ? (const void *)&two : &one;
    int64_t bytes = version == 2 ? (int64_t)sizeof two : (int64_t)sizeof one;
    return failed == 0 && nifti_write_buffer(file, header, bytes) == bytes &&
           nifti_write_buffer(file, no_extensions, sizeof no_extensions) == (int64_t)sizeof no_extensions;
}

static bool write_images(const scan *s, znzFile file, size_t images, scan_column_fn *column, void *user, bool *said)
{
    float *volume = calloc(s->grid, sizeof *volume);
    double *values = malloc(s->voxels * sizeof *values);
    bool good = volume != NULL && values != NULL;
    if (!good) {
        say_error("out of memory");
        *said = true;
    }
    int64_t bytes = (int64_t)(s->grid * sizeof *volume);
    for (size_t k = 0; good && k < images; k++) {
        good = column(k, values, user);
        *said = !good;
        for (size_t v = 0; good && v < s->voxels; v++)
            volume[s->where[v]] = (float)values[v];
        good = good && nifti_write_buffer(file, volume, bytes) == bytes;
    }
    free(volume);
    free(values);
    return good;
}

bool scan_write(const scan *s, const char *path, const char *name, size_t images, scan_column_fn *column, void *user)
{
    if (s->version == 1 && images > INT16_MAX) {
        say_error("%s: a NIfTI-1 image cannot hold %zu factors", name, images);
        return false;
    }
    nifti_image *out = new_header(s, path, images);
    if (out == NULL) {
        say_error("out of memory");
        return false;
    }
    bool said = false;
    errno = 0;
    znzFile file = znzopen(path, "wb", 1);
    bool good = !znz_isnull(file);
    if (good) {
        good = write_header(out, s->version, file) && write_images(s, file, images, column, user, &said);
        /* What zlib still holds is written now, and its earlier errors show. */
        good = znzclose(file) == 0 && good;
    }
    if (!good && !said)
        say_error("cannot write %s: %s", name, errno != 0 ? strerror(errno) : "the disk is full or not writable");
    nifti_image_free(out);
    return good;
}
