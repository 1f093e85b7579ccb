/* SPDX-License-Identifier: Apache-2.0
 *
 * text.h: text put together in a buffer of fixed size: cut where it ends, at a whole character of UTF-8, always
 * terminated, never locale-dependent.
 */
#ifndef RUNG_TEXT_H
#define RUNG_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rung_text {
    char *at;    /* NULL: everything is dropped */
    size_t size; /* bytes at `at`, the terminator included; once something was cut, those that are used */
    size_t len;
} rung_text;

rung_text rung_text_in(char *at, size_t size);
void rung_text_add(rung_text *t, const char *s);
/* All strings up to NULL. */
void rung_text_join(rung_text *t, const char *const *parts);
void rung_text_addn(rung_text *t, const char *s, size_t n);
void rung_text_uint(rung_text *t, uint64_t value);
/* In hexadecimal, lower case, with zeros before it up to `least` digits. */
void rung_text_hex(rung_text *t, uint64_t value, unsigned least);
/* "12.8" of RUNG_DRIVER_VERSION(12, 8). */
void rung_text_version(rung_text *t, uint32_t version);
/* Whether nothing more goes in: what was added may have been cut. */
bool rung_text_full(const rung_text *t);
/* Bytes of the valid UTF-8 character at s, 1 to 4. 0 at the end of s and for what is none: an overlong form, a
 * surrogate, a value above U+10FFFF. */
size_t rung_text_character(const char *s);
/* The first n bytes of s in quotes, at most 64 of them, bytes that are not printable ASCII shown as `?`. */
void rung_text_quote(rung_text *t, const char *s, size_t n);

#endif
