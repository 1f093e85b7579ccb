/* SPDX-License-Identifier: Apache-2.0
 *
 * path.h: paths of a world, put together and followed. Those that are longer than RUNG_PLACE_MAX name nothing.
 */
#ifndef RUNG_FRAMEWORKS_PATH_H
#define RUNG_FRAMEWORKS_PATH_H

#include "detect/world.h"

enum { RUNG_PLACE_MAX = 1024 };

/* A list of strings, for one call. */
#define RUNG_PARTS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* All parts together. False, and "" in out, where they do not fit. None of them may lie in out. */
bool rung_path_of(char out[RUNG_PLACE_MAX], const char *const *parts);

/* Cuts the last name off an absolute path, to "/" at last. False where there is nothing to cut. */
bool rung_path_up(char *path);

/* What stands after the last slash. */
const char *rung_path_base(const char *path);

/* The path made absolute: a relative one is seen from `folder`, or from where the process is when that is NULL: the
 * system's answer on this machine, PWD in an imitated one. "./" before and slashes after it are left out. */
bool rung_path_absolute(const rung_world *world, const char *folder, const char *path, char out[RUNG_PLACE_MAX]);

/* Takes the next entry off a list such as PATH, made absolute: an empty one is where the process is. "" in out where it
 * does not fit. False at the end, at which *list is NULL. */
bool rung_path_entry(const rung_world *world, const char **list, char out[RUNG_PLACE_MAX]);

/* The absolute path with every symbolic link followed, links to absolute paths below the world's root. False when it
 * leads nowhere, in a circle, or does not fit. */
bool rung_path_real(const rung_world *world, const char *path, char out[RUNG_PLACE_MAX]);

bool rung_path_is_folder(const rung_world *world, const char *path);
bool rung_path_is_file(const rung_world *world, const char *path); /* anything that is there and no folder */

/* Whether there is parts[0] + parts[1] + ... */
bool rung_path_there(const rung_world *world, const char *const *parts);

#endif
