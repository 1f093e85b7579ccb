/* SPDX-License-Identifier: Apache-2.0
 *
 * matrix_data.h: what `rung matrix` shows, as JSON.
 */
#ifndef RUNG_TOOL_MATRIX_DATA_H
#define RUNG_TOOL_MATRIX_DATA_H

#include <jansson.h>

#include "rung/rung.h"

/* What `rung matrix --json` prints: {platform, reason, version, chain, cells, components}; without a platform (NULL)
 * the last two alone. */
json_t *matrix_json(const rung_platform *platform);

/* What the page is made of, in the order of the page:
 *
 *   namespace  of the registry
 *   matrix     matrix_json
 *   platforms  [{platform, reason}]: the one that is shown, then those that columns stand for, opened to be looked at
 *   texts      that ladders refer to by index
 *   columns    [{device, platform, archs: [{arch, platform}]}] as in matrix_rows.h; `platform` is an index, of the
 *              device itself and of the device with this arch, or null where no platform can be named so
 *   ops        [{name, variant, summary, ladders, boxes}]: a box for each arch of each device
 *   components the same, a box for each device
 *   selftest, bench   results_read, or null
 *
 * A ladder, by the index of its platform: [[key, verdict, mark]...], every rung in order. key and verdict are texts,
 * key "device/arch/variant" or, of components, "device/variant". On the platform that is shown the mark is 1 for what
 * is called, else 0. On the others it is 2 for what would be called on a machine with that device, by what the registry
 * and this build have, 3 for what would be called if all before it failed, else 0.
 *
 * A box: {state, reason, falls, proof}. state: chosen, available, planned, experimental, not-built, not-here (`reason`
 * says why), or for what is not declared: falls, none where nothing would be called, not-declared where that is not
 * known. falls: the key of the next rung that would be called there, of boxes without a kernel of their own. proof:
 * passed, passed-emulator, passed-fake, failed, missed, unproven, or null where there are no results or nothing to
 * prove.
 *
 * platform NULL: what this build knows, without ladders. selftest and bench may be NULL; they stay the caller's. */
json_t *matrix_page_data(rung_platform *platform, json_t *selftest, json_t *bench);

#endif
