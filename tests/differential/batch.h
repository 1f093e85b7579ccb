/* SPDX-License-Identifier: Apache-2.0
 *
 * batch.h: the registries that subject.py has compiled into one harness.
 */
#ifndef BATCH_H
#define BATCH_H

#include "rung/rung.h"

extern const rung_registry *const batch[];
extern const unsigned batch_count;

#endif
