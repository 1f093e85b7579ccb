/* SPDX-License-Identifier: Apache-2.0
 *
 * state.h: an opened device, and what all files of this folder do with an answer of the driver.
 */
#ifndef RUNG_CUDA_STATE_H
#define RUNG_CUDA_STATE_H

#include <errno.h>
#include <stdatomic.h>

#include "cuda/api.h"
#include "gpu/driver.h"

enum { RUNG_CUDA_LOST_SIZE = 192 };

enum { RUNG_CUDA_CHUNKS = 2 };

/* Pinned memory that copies to and from plain memory go through: one chunk is copied by the processor while the device
 * copies the other. Made at the first copy that wants it. */
typedef struct rung_cuda_staging {
    atomic_bool taken; /* what follows is its owner's */
    bool refused;      /* there is none to be had, or its chunks cannot be trusted any more */
    void *memory;      /* of all chunks; NULL: not made yet */
    void *event[RUNG_CUDA_CHUNKS];
    bool pending[RUNG_CUDA_CHUNKS]; /* the device may be using the chunk until its event has come */
} rung_cuda_staging;

struct rung_gpu {
    rung_cuda_entries api;
    const rung_registry *registry;
    void *context;
    int device;          /* the driver's handle */
    int ordinal;         /* by which it tells whose memory an address is */
    uint32_t capability; /* 86 for 8.6 */
    bool pageable;       /* it reads plain host memory by itself, at a time of its own */

    atomic_bool losing; /* somebody is writing lost_text, or has */
    _Atomic(const char *) lost;
    char lost_text[RUNG_CUDA_LOST_SIZE];

    rung_cuda_staging staging;

    _Atomic(void *) *libraries; /* of the registry's images */
    _Atomic(void *) *functions; /* of the registry's entries */
};

/* ---- answers ----------------------------------------------------------------------------------------------------- */

/* Adds "cuInit returned 802 (CUDA_ERROR_SYSTEM_NOT_READY)". `t` may be NULL, as everywhere in this folder. */
void rung_cuda_say(const rung_cuda_entries *api, const char *call, int code, rung_text *t);

/* Whether the device is lost; then the text says why. */
bool rung_cuda_is_lost(const rung_gpu *gpu, rung_text *t);

/* What has to be known of every answer: an error that ends the use of the device is kept. Returns code. */
int rung_cuda_note(rung_gpu *gpu, const char *call, int code);

/* OK, MEMORY or DEVICE, with the call, the code and its name added to the text; notes the answer and sets errno back to
 * what it was before the call. */
rung_status rung_cuda_done(rung_gpu *gpu, int saved_errno, const char *call, int code, rung_text *t);

/* ---- the parts of rung_cuda_driver ------------------------------------------------------------------------------- */

rung_reason rung_cuda_open_device(const rung_world *world, uint32_t index, const rung_registry *registry,
                                  rung_gpu **out, rung_text *detail);
void rung_cuda_close_device(rung_gpu *gpu, bool forked);
rung_status rung_cuda_enter(rung_gpu *gpu, rung_text *detail);
void rung_cuda_leave(rung_gpu *gpu);

rung_reason rung_cuda_load(rung_gpu *gpu, uint32_t cell, rung_text *detail);
/* Tells the log that the driver had to compile the cell's image, and what would avoid that. */
void rung_cuda_tell_compiled(const rung_gpu *gpu, const rung_cell_row *cell, uint64_t milliseconds);
void rung_cuda_unload_all(rung_gpu *gpu);
rung_status rung_cuda_launch(rung_gpu *gpu, uint32_t entry, const rung_grid *grid, void *stream, void **arguments,
                             rung_text *detail);

rung_status rung_cuda_stream_wait(rung_gpu *gpu, void *stream, rung_text *detail);
bool rung_cuda_stream_capturing(rung_gpu *gpu, void *stream);

rung_status rung_cuda_copy_in(rung_gpu *gpu, void *device, const void *host, size_t bytes, void *stream,
                              rung_text *detail);
rung_status rung_cuda_copy_out(rung_gpu *gpu, void *host, const void *device, size_t bytes, void *stream,
                               rung_text *detail);
/* Whether an address is host memory that the driver knows nothing of; false where it does not answer. */
bool rung_cuda_is_plain(rung_gpu *gpu, const void *address);

/* Takes the staging and makes it if need be; false: the copy has to do without. */
bool rung_cuda_staging_take(rung_gpu *gpu);
void rung_cuda_staging_give(rung_gpu *gpu);
/* When nothing of the device runs any more. */
void rung_cuda_staging_end(rung_gpu *gpu);

#endif
