/* SPDX-License-Identifier: Apache-2.0
 *
 * error.h: filling a rung_error, which may be NULL everywhere.
 */
#ifndef RUNG_ERROR_H
#define RUNG_ERROR_H

#include "rung/rung.h"
#include "text.h"

/* Sets the status and gives an empty text to add to; a text that drops everything when err is NULL. */
rung_text rung_error_begin(rung_error *err, rung_status status);

/* Sets the status and the text made of the strings up to NULL, and returns the status. */
rung_status rung_fail_(rung_error *err, rung_status status, ...);
#define RUNG_FAIL(err, status, ...) rung_fail_(err, status, __VA_ARGS__, (const char *)NULL)

/* Puts `prefix` before the text that is there. */
void rung_error_prefix(rung_error *err, const char *prefix);

/* RUNG_OK with an empty text. */
rung_status rung_succeed(rung_error *err);

/* RUNG_ERR_ARGUMENT for NULL, RUNG_ERR_ABI for tables of another version, else RUNG_OK and err untouched. */
rung_status rung_registry_check(const rung_registry *registry, rung_error *err);

#endif
