/* SPDX-License-Identifier: Apache-2.0
 *
 * visible_cuda.h: which devices the CUDA driver shows a process, computed without the driver, for lists of devices that
 * it has not filtered. The driver applies these rules itself: what it enumerates is never filtered again.
 */
#ifndef RUNG_DETECT_VISIBLE_CUDA_H
#define RUNG_DETECT_VISIBLE_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RUNG_CUDA_DEVICES_MAX = 256 };

/* A GPU, or an instance of a GPU that is in MIG mode. */
typedef struct rung_cuda_device {
    const char *uuid; /* "GPU-..." or "MIG-..."; "" where it is not known: no UUID then chooses it */
    bool mig;         /* a GPU in MIG mode: only its instances can be used */
    bool instance;    /* an instance, of the GPU at `gpu` */
    uint32_t gpu;     /* index of the instance's GPU */
    uint32_t gi, ci;  /* an instance's GPU instance and compute instance */
} rung_cuda_device;

/* The devices of a machine: GPUs and instances in any order, each kind in the order in which the driver counts it. */
typedef struct rung_cuda_machine {
    const rung_cuda_device *device; /* NULL: `count` GPUs of which nothing is known */
    uint32_t count;                 /* those past RUNG_CUDA_DEVICES_MAX are not looked at */
    bool one_instance;              /* drivers before R570: at most one instance, and no GPU beside it */
} rung_cuda_machine;

/* Which devices a process sees whose CUDA_VISIBLE_DEVICES is `list` (NULL: unset; any bytes): their indexes in the
 * process's order, at most `room` of them, in `out`. Returns how many there are in all.
 *
 * The list names ordinals, UUIDs of GPUs or UUIDs of instances; its first four characters say which. A UUID may be cut
 * short where it stays unique; instances go by MIG-GPU-<uuid>/<gi>/<ci> as well. What is no device ends the list, a
 * device that is named twice empties it. */
uint32_t rung_visible_cuda(const char *list, const rung_cuda_machine *machine, uint32_t *out, uint32_t room);

/* Whether a list hides every device of any machine of at most 64 GPUs, e.g. "", "-1", "none", "0,0". */
bool rung_visible_cuda_never(const char *list);

/* Whether a list shows something on every machine of 1 to 64 GPUs, e.g. NULL or "0". */
bool rung_visible_cuda_always(const char *list);

/* Whether CUDA_DEVICE_ORDER (NULL: unset) makes ordinals follow the PCI address. Otherwise the fastest GPU is first, by
 * a measure of the driver's own. */
bool rung_visible_cuda_bus_order(const char *order);

#endif
