/* SPDX-License-Identifier: Apache-2.0
 *
 * json.h: what the commands need of JSON, on top of jansson.
 *
 * Output is valid whatever the strings and numbers are: bytes that are not UTF-8 become U+FFFD, numbers that are not
 * finite become null. Numbers do not depend on the locale.
 */
#ifndef RUNG_TOOL_JSON_H
#define RUNG_TOOL_JSON_H

#include <jansson.h>
#include <stdio.h>

json_t *json_text(const char *s); /* null for NULL */
json_t *json_number(double x);
json_t *json_count(unsigned long long n);
/* Both end the tool when memory is out; the value is taken over. */
void json_put(json_t *object, const char *key, json_t *value);
void json_add(json_t *array, json_t *value);
/* A new object of these members of another one, which has them all; NULL behind the last name. */
json_t *json_members(const json_t *of, const char *const *names);
/* The text of a member; "" where there is none. */
const char *json_word(const json_t *object, const char *key);
/* What `rung KIND` has written to a file, in the version that this rung reads; NULL after an error line. */
json_t *json_results(const char *path, const char *kind);
/* 0, or -1 when a write failed. */
int json_write(const json_t *value, FILE *to);

#endif
