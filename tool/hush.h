/* SPDX-License-Identifier: Apache-2.0
 *
 * hush.h: keeps a library from writing to stderr. nifti_clib reports some errors there whatever its debug level is;
 * ours are one line.
 */
#ifndef RUNG_TOOL_HUSH_H
#define RUNG_TOOL_HUSH_H

/* Not nested, and for moments when the process has one thread. */
void hush_begin(void);
void hush_end(void);

#endif
