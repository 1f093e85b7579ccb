/* SPDX-License-Identifier: Apache-2.0
 *
 * scan.h: reading text that others wrote: letters in no locale, lines, and the assignments of a Python module.
 */
#ifndef RUNG_FRAMEWORKS_SCAN_H
#define RUNG_FRAMEWORKS_SCAN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct rung_span {
    const char *at;
    size_t len;
} rung_span;

static inline bool rung_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline char rung_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline bool rung_is_letter(char c)
{
    return rung_lower(c) >= 'a' && rung_lower(c) <= 'z';
}

static inline bool rung_is_separator(char c)
{
    return c == '.' || c == '-' || c == '_';
}

static inline bool rung_is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Takes the next line off the text, without its end. False at the end of the text. */
bool rung_line_next(const char **text, rung_span *line);

/* Without the blanks at both ends. */
rung_span rung_span_trim(rung_span span);

/* Whether they are the same in any letter case. */
bool rung_span_is(rung_span span, const char *text);

/* Takes what stands before the first `mark` off the front, and the mark. False, and nothing is taken, without one. */
bool rung_span_cut(rung_span *rest, char mark, rung_span *before);

/* A terminated copy. False, and "" in out, where it does not fit. */
bool rung_span_copy(rung_span span, char *out, size_t size);

/* What a module assigns to a name at the beginning of a line: name = 'text', name: annotation = "text", name = None. */
typedef enum rung_assigned {
    RUNG_ASSIGNED_NOT = 0, /* by no such line, or something else */
    RUNG_ASSIGNED_NONE,
    RUNG_ASSIGNED_TEXT
} rung_assigned;
rung_assigned rung_python_assigned(const char *module, const char *name, char *out, size_t size);

#endif
