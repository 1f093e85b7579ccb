/* SPDX-License-Identifier: Apache-2.0
 *
 * matrix_ladder.h: the ladders of the page of `rung matrix`.
 */
#ifndef RUNG_TOOL_MATRIX_LADDER_H
#define RUNG_TOOL_MATRIX_LADDER_H

#include <jansson.h>
#include <stdbool.h>

#include "rung/rung.h"

/* Texts that are said often, by index. */
typedef struct matrix_texts {
    json_t *list, *index; /* [text...]; {text: its place} */
} matrix_texts;

/* "device/arch/variant", or "device/variant" where arch is NULL. Free it. */
char *matrix_key(const char *device, const char *arch, const char *variant);

/* Every rung of an op, or of a kind of components where op is RUNG_NONE, as matrix_data.h has them. `shown`: of the
 * platform that is shown. */
json_t *matrix_ladder(const rung_platform *platform, bool shown, uint32_t op, uint32_t kind, uint32_t variant,
                      matrix_texts *texts);

/* The key of the first rung after that of `key` which would be called if the earlier ones failed; NULL: there is none.
 * Of a ladder of a platform other than the one shown. */
const char *matrix_ladder_next(const json_t *ladder, const matrix_texts *texts, const char *key);

#endif
