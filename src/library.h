/* SPDX-License-Identifier: Apache-2.0
 *
 * library.h: whether there is a dynamic loader. Without the file's other half, rung_library_open of rung/table.h.
 */
#ifndef RUNG_LIBRARY_H
#define RUNG_LIBRARY_H

#include <stdbool.h>

/* False in a program that is linked statically: dlopen may be there, and would load a second C library. */
bool rung_has_loader(void);

#endif
