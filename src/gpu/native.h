/* SPDX-License-Identifier: Apache-2.0
 *
 * native.h: what an image holds for a device, by the rules of docs/resolution.md (R3), and what its driver makes of
 * that: told from names and versions, before anything is loaded.
 */
#ifndef RUNG_GPU_NATIVE_H
#define RUNG_GPU_NATIVE_H

#include <stdbool.h>

#include "rung/table.h"
#include "text.h"

/* The oldest driver that any image is loaded with: cuLibraryLoadData came with it. */
enum { RUNG_IMAGE_OLDEST_DRIVER = RUNG_DRIVER_VERSION(12, 0) };

/* Whether an image on this arch of CUDA has machine code for a device of this capability (its rank, e.g. 90); where
 * not, the driver compiles its PTX. */
bool rung_image_is_native(const rung_registry *registry, uint32_t arch, uint32_t capability);

/* Whether the driver (RUNG_DRIVER_VERSION, 0 where it is not known) is older than what the images of the device were
 * made with: NONE or DRIVER_TOO_OLD, with the figures added to *detail, unless that is NULL. */
rung_reason rung_image_judge_driver(const rung_registry *registry, uint32_t device, uint32_t driver, rung_text *detail);

/* Why an image on this arch, which is on the device's chain, cannot run there: NONE, ARCH_INVALID for a `generic` that
 * was built for newer devices alone, PTX_TOO_NEW. */
rung_reason rung_image_judge(const rung_registry *registry, uint32_t arch, uint32_t capability, uint32_t driver,
                             rung_text *detail);

/* The least driver that such an image needs on a device of this capability; 0 where it runs on none. */
uint32_t rung_image_least_driver(const rung_registry *registry, uint32_t arch, uint32_t capability);

#endif
