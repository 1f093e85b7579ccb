/* SPDX-License-Identifier: Apache-2.0 */
#include "scan.h"

#include <string.h>

bool rung_line_next(const char **text, rung_span *line)
{
    if (**text == '\0')
        return false;
    size_t len = strcspn(*text, "\n");
    *line = (rung_span){*text, len > 0 && (*text)[len - 1] == '\r' ? len - 1 : len};
    *text += len + ((*text)[len] == '\n' ? 1 : 0);
    return true;
}

rung_span rung_span_trim(rung_span span)
{
    while (span.len > 0 && rung_is_blank(*span.at))
        span = (rung_span){span.at + 1, span.len - 1};
    while (span.len > 0 && rung_is_blank(span.at[span.len - 1]))
        span.len--;
    return span;
}

bool rung_span_is(rung_span span, const char *text)
{
    if (strlen(text) != span.len)
        return false;
    for (size_t i = 0; i < span.len; i++)
        if (rung_lower(span.at[i]) != rung_lower(text[i]))
            return false;
    return true;
}

bool rung_span_cut(rung_span *rest, char mark, rung_span *before)
{
    const char *at = rest->len == 0 ? NULL : memchr(rest->at, mark, rest->len);
    if (at == NULL)
        return false;
    *before = (rung_span){rest->at, (size_t)(at - rest->at)};
    *rest = (rung_span){at + 1, rest->len - before->len - 1};
    return true;
}

bool rung_span_copy(rung_span span, char *out, size_t size)
{
    bool fits = span.len < size;
    if (fits && span.len > 0)
        memcpy(out, span.at, span.len);
    out[fits ? span.len : 0] = '\0';
    return fits;
}

static rung_assigned value_of(rung_span value, char *out, size_t size)
{
    rung_span text;
    value = rung_span_trim(value);
    if (value.len >= 2 && (*value.at == '\'' || *value.at == '"')) {
        char quote = *value.at;
        value = (rung_span){value.at + 1, value.len - 1};
        return rung_span_cut(&value, quote, &text) && rung_span_copy(text, out, size) ? RUNG_ASSIGNED_TEXT
                                                                                      : RUNG_ASSIGNED_NOT;
    }
    bool none = value.len >= 4 && strncmp(value.at, "None", 4) == 0 &&
                (value.len == 4 || rung_is_blank(value.at[4]) || value.at[4] == '#');
    return none ? RUNG_ASSIGNED_NONE : RUNG_ASSIGNED_NOT;
}

rung_assigned rung_python_assigned(const char *module, const char *name, char *out, size_t size)
{
    size_t len = strlen(name);
    rung_span line, left;
    out[0] = '\0';
    while (rung_line_next(&module, &line)) {
        if (line.len <= len || strncmp(line.at, name, len) != 0 || !rung_span_cut(&line, '=', &left))
            continue;
        /* between the name and the sign: nothing, or an annotation */
        left = left.len < len ? (rung_span){0} : rung_span_trim((rung_span){left.at + len, left.len - len});
        if (left.len > 0 && *left.at != ':')
            continue;
        rung_assigned found = value_of(line, out, size);
        if (found != RUNG_ASSIGNED_NOT)
            return found;
    }
    return RUNG_ASSIGNED_NOT;
}
