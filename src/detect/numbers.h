/* SPDX-License-Identifier: Apache-2.0
 *
 * numbers.h: numbers in the files of /sys and in environment variables. Knows no locale; what does not fit is no
 * number.
 */
#ifndef RUNG_DETECT_NUMBERS_H
#define RUNG_DETECT_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decimal digits and nothing else, at least one. */
bool rung_decimal(const char *text, size_t len, uint64_t *out);

/* The digits of a number to base 8, 10 or 16 at *text, at least one; *text is moved behind them. `end` may be NULL
 * where a zero ends the text. */
bool rung_digits(const char **text, const char *end, unsigned base, uint64_t *out);

/* The number behind `key` and a blank in lines of "key number"; false when no line has it, or no number. */
bool rung_property(const char *lines, const char *key, uint64_t *out);

#endif
