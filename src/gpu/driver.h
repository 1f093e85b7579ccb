/* SPDX-License-Identifier: Apache-2.0
 *
 * driver.h: what the library asks of the driver of a kind of device. One constant of functions for each kind
 * (rung_cuda_driver); the rest of the library knows none by name.
 *
 * What fails gives a status and, where there is a place for it, one line with the driver's own name for the error.
 * RUNG_ERR_MEMORY: the device's, or pinned memory. RUNG_ERR_DEVICE: anything else. An error after which the device is
 * of no more use to this process is kept in the rung_gpu, and lost() tells it from then on.
 *
 * Functions may be called from any thread. Those that say so need the device to be current (enter).
 */
#ifndef RUNG_GPU_DRIVER_H
#define RUNG_GPU_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "detect/world.h"
#include "rung/launch.h"
#include "text.h"

/* One device, as one platform uses it. */
typedef struct rung_gpu rung_gpu;

typedef struct rung_gpu_driver {
    /* ---- the device ---------------------------------------------------------------------------------------------- */

    /* Opens the library, initialises the driver and retains the device's context, for a registry's images and entries.
     * NONE, or DRIVER_MISSING, DRIVER_BROKEN, DRIVER_TOO_OLD, STATIC_PROGRAM, PERMISSION_DENIED, DEVICE_UNUSABLE, ...
     * as the device's state would be told (rung/devices.h), and LOAD_FAILED for what has no such word. */
    rung_reason (*open)(const rung_world *world, uint32_t index, const rung_registry *registry, rung_gpu **out,
                        rung_text *detail);
    /* Waits for the device, gives back everything, unloads images. In a forked child, only the memory of the host. */
    void (*close)(rung_gpu *gpu, bool forked);

    /* enter makes the device current for this thread, leave what was current before; they nest. A lost device can be
     * entered as well, so that what is on it can be given back; everything else that can fail fails then. */
    rung_status (*enter)(rung_gpu *gpu, rung_text *detail);
    void (*leave)(rung_gpu *gpu);

    /* NULL while the device can be used; else one line on the error that ended that. Costs one load. */
    const char *(*lost)(const rung_gpu *gpu);

    /* ---- images (the device is current) -------------------------------------------------------------------------- */

    /* Loads the cell's image, unless that is done, and fetches every entry of the cell: LOAD_FAILED with the figures.
     * Idempotent; threads may do it side by side. What the driver has to compile from PTX is logged. */
    rung_reason (*load)(rung_gpu *gpu, uint32_t cell, rung_text *detail);

    /* Launches entries[entry] of the registry, which load() has fetched for its cell. No allocation, no wait. */
    rung_status (*launch)(rung_gpu *gpu, uint32_t entry, const rung_grid *grid, void *stream, void **arguments,
                          rung_text *detail);

    /* ---- streams and events (the device is current) -------------------------------------------------------------- */

    /* A stream of the driver; NULL stands for its default one, which waits for all others that do not say otherwise. */
    rung_status (*stream_create)(rung_gpu *gpu, void **out, rung_text *detail);
    void (*stream_destroy)(rung_gpu *gpu, void *stream);
    rung_status (*stream_wait)(rung_gpu *gpu, void *stream, rung_text *detail); /* the host waits */
    bool (*stream_capturing)(rung_gpu *gpu, void *stream);

    rung_status (*event_create)(rung_gpu *gpu, bool timed, void **out, rung_text *detail);
    void (*event_destroy)(rung_gpu *gpu, void *event);
    rung_status (*event_record)(rung_gpu *gpu, void *event, void *stream, rung_text *detail);
    rung_status (*event_wait)(rung_gpu *gpu, void *event, rung_text *detail);                 /* the host waits */
    rung_status (*stream_after)(rung_gpu *gpu, void *stream, void *event, rung_text *detail); /* the stream waits */
    rung_status (*event_seconds)(rung_gpu *gpu, void *from, void *to, double *seconds, rung_text *detail);

    /* ---- memory (the device is current) -------------------------------------------------------------------------- */

    rung_status (*alloc)(rung_gpu *gpu, size_t bytes, void **out, rung_text *detail); /* bytes > 0; aligned to 256 */
    rung_status (*free)(rung_gpu *gpu, void *memory); /* refused while a stream is captured into a graph */

    /* Copies that are ordered on the stream. copy_in has read the source when it returns; copy_out has written the
     * destination when it returns. Both go through pinned memory where that is faster. */
    rung_status (*copy_in)(rung_gpu *gpu, void *device, const void *host, size_t bytes, void *stream,
                           rung_text *detail);
    rung_status (*copy_out)(rung_gpu *gpu, void *host, const void *device, size_t bytes, void *stream,
                            rung_text *detail);

    /* Whether an address is memory of this device, or managed memory. */
    bool (*is_own)(rung_gpu *gpu, const void *address);
} rung_gpu_driver;

#endif
