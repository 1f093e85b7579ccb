/* SPDX-License-Identifier: Apache-2.0
 *
 * loader.h: whether there is a dynamic loader. In a file of its own, so that asking does not bring dlopen into a static
 * link.
 */
#ifndef RUNG_LOADER_H
#define RUNG_LOADER_H

#include <stdbool.h>

/* False in a program that is linked statically: dlopen may be there, and would load a second C library. */
bool rung_has_loader(void);

#endif
