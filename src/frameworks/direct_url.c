/* SPDX-License-Identifier: Apache-2.0
 *
 * direct_url.c: as much of JSON as it takes to find "url" of the outer object and "editable" of its "dir_info": strings
 * are told from what stands between them, and depth is counted.
 */
#include "direct_url.h"

#include <string.h>

#include "scan.h"

/* Moves past a string that begins at the quote; its raw inside. False when it does not end. */
static bool string(const char **at, rung_span *inside)
{
    const char *start = ++*at;
    for (; **at != '"'; ++*at) {
        if (**at == '\\')
            ++*at;
        if (**at == '\0')
            return false;
    }
    *inside = (rung_span){start, (size_t)(*at - start)};
    ++*at;
    return true;
}

static int hex(char c)
{
    if (rung_is_digit(c))
        return c - '0';
    c = rung_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The path of file:///path or file://localhost/path, %XX made bytes; "" for anything else. */
static void take_path(rung_span url, char out[RUNG_PLACE_MAX])
{
    static const char *const starts[] = {"file://localhost/", "file:///"};
    size_t len = 0;
    out[0] = '\0';
    for (size_t i = 0; i < 2; i++) {
        size_t start = strlen(starts[i]);
        if (url.len < start || strncmp(url.at, starts[i], start) != 0)
            continue;
        for (size_t k = start - 1; k < url.len; k++) {
            char c = url.at[k];
            if (c == '\\' && k + 1 < url.len && url.at[k + 1] == '/') /* "\/", an escape that some writers use */
                c = url.at[++k];
            if (c == '%' && k + 2 < url.len && hex(url.at[k + 1]) >= 0 && hex(url.at[k + 2]) >= 0) {
                c = (char)(hex(url.at[k + 1]) * 16 + hex(url.at[k + 2]));
                k += 2;
            }
            if (c == '\0' || len + 1 == RUNG_PLACE_MAX) {
                len = 0;
                break;
            }
            out[len++] = c;
        }
        break;
    }
    out[len] = '\0';
}

void rung_direct_url_read(const char *json, rung_direct_url *out)
{
    rung_span key = {0}, text;
    unsigned depth = 0;
    bool in_info = false, after_colon = false;
    *out = (rung_direct_url){.editable = false};
    for (const char *at = json; *at != '\0';) {
        if (*at == '"') {
            if (!string(&at, &text))
                return;
            if (after_colon && depth == 1 && rung_span_is(key, "url"))
                take_path(text, out->path);
            if (!after_colon)
                key = text;
            continue;
        }
        if (*at == '{' || *at == '[') {
            in_info = in_info || (*at == '{' && depth == 1 && after_colon && rung_span_is(key, "dir_info"));
            depth++;
            after_colon = false;
        } else if (*at == '}' || *at == ']') {
            if (depth == 0 || --depth == 0)
                return;
            in_info = in_info && depth > 1;
            after_colon = false;
        } else if (*at == ':') {
            after_colon = true;
        } else if (*at == ',') {
            after_colon = false;
        } else if (after_colon && in_info && depth == 2 && strncmp(at, "true", 4) == 0) {
            out->editable = out->editable || rung_span_is(key, "editable");
        }
        at++;
    }
}
