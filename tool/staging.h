/* SPDX-License-Identifier: Apache-2.0
 *
 * staging.h: results appear all together or not at all.
 *
 * They are written into a hidden folder beside the one asked for, or inside it where that exists already, and get their
 * names when the last one is complete. There is one staging folder at a time; another one may be begun when it has been
 * committed or discarded.
 */
#ifndef RUNG_TOOL_STAGING_H
#define RUNG_TOOL_STAGING_H

#include <stdbool.h>
#include <stddef.h>

/* Makes the hidden folder for so many results, and folders within it, in `folder`; its parent must exist. Error line
 * and false when that cannot be. */
bool staging_begin(const char *folder, size_t files, size_t folders);
/* Whether `folder` already holds a file `name` that is the file at `path`: results would overwrite their own input. */
bool staging_would_replace(const char *folder, const char *name, const char *path);
/* Makes a folder `name` for results. Error line and false when that cannot be. */
bool staging_folder(const char *name);
/* Where to write the result `name`, which may be in one of the folders: "<folder>/<file>". Lives until the end. */
const char *staging_path(const char *name);
/* Puts a complete result on disk. Error line and false when the disk refuses. */
bool staging_settle(const char *name);
/* Gives every result its name in the folder; what stood there comes back if one fails. Error line and false then. */
bool staging_commit(void);
/* Whether results have got their names, in this process. Async-signal-safe. */
bool staging_committed(void);
/* Removes what is staged. Async-signal-safe; harmless when nothing is staged. */
void staging_discard(void);

#endif
