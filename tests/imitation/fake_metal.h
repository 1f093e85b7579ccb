/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_metal.h: objects that the imitations of Metal and of the run-time library of Objective-C pass on.
 *
 * Steered by RUNG_FAKE_METAL (steer.h):
 *     device=NAME|FAMILY,FAMILY...|BYTES|REGISTRY    one for each device; families by their numbers
 *     array=nil                                      MTLCopyAllDevices has none
 *     default=nil                                    and so has MTLCreateSystemDefaultDevice
 *     without=SELECTOR                               a method that devices do not have
 */
#ifndef FAKE_METAL_H
#define FAKE_METAL_H

#include "steer.h"

#define VARIABLE "RUNG_FAKE_METAL"

enum { FAKE_DEVICES = 8 };

typedef enum fake_kind { FAKE_ARRAY = 1, FAKE_DEVICE, FAKE_STRING } fake_kind;

typedef struct fake_object {
    fake_kind kind;
    int references;
    unsigned long count;                     /* of an array */
    char text[128];                          /* of a string; how the device is steered */
    struct fake_object *inner[FAKE_DEVICES]; /* an array's devices; a device's name */
} fake_object;

#endif
