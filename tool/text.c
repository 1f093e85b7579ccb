/* SPDX-License-Identifier: Apache-2.0
 *
 * text.c: UTF-8 without a locale.
 */
#include "text.h"

#include <stdbool.h>
#include <string.h>

#include "say.h"

static const char replacement[3] = {'\xEF', '\xBF', '\xBD'}; /* U+FFFD */

size_t text_step(const char *s)
{
    const unsigned char *u = (const unsigned char *)s;
    if (u[0] == 0)
        return 0;
    if (u[0] < 0x80)
        return 1;
    size_t n = u[0] >= 0xF0 ? 4 : u[0] >= 0xE0 ? 3 : 2;
    if (u[0] < 0xC2 || u[0] > 0xF4)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((u[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (u[0] == 0xE0 && u[1] < 0xA0) || (u[0] == 0xF0 && u[1] < 0x90);
    bool beyond = (u[0] == 0xED && u[1] > 0x9F) || (u[0] == 0xF4 && u[1] > 0x8F);
    return overlong || beyond ? 0 : n;
}

char *text_utf8(const char *s)
{
    char *out = say_alloc(3 * strlen(s) + 1);
    char *at = out;
    while (*s != '\0') {
        size_t n = text_step(s);
        if (n != 0) {
            memcpy(at, s, n);
            at += n;
            s += n;
        } else {
            memcpy(at, replacement, 3);
            at += 3;
            s++;
        }
    }
    return out;
}

/* U+200E-200F, U+2028-202E and U+2066-2069: other lines, and another order of what stands on one. */
static bool is_order(const unsigned char *u)
{
    if (u[0] != 0xE2)
        return false;
    return (u[1] == 0x80 && (u[2] == 0x8E || u[2] == 0x8F || (u[2] >= 0xA8 && u[2] <= 0xAE))) ||
           (u[1] == 0x81 && u[2] >= 0xA6 && u[2] <= 0xA9);
}

static bool is_control(const char *s, size_t n)
{
    const unsigned char *u = (const unsigned char *)s;
    return (n == 1 && (u[0] < 0x20 || u[0] == 0x7F)) || (n == 2 && u[0] == 0xC2 && u[1] < 0xA0) ||
           (n == 3 && is_order(u));
}

void text_copy_line(char *out, size_t size, const char *s)
{
    size_t used = 0;
    while (*s != '\0') {
        size_t n = text_step(s);
        const char *piece = n == 0 ? replacement : is_control(s, n) ? "?" : s;
        size_t length = n == 0 ? 3 : is_control(s, n) ? 1 : n;
        if (used + length + 1 > size)
            break;
        memcpy(out + used, piece, length);
        used += length;
        s += n != 0 ? n : 1;
    }
    out[used] = '\0';
}

size_t text_width(const char *s)
{
    size_t width = 0;
    while (*s != '\0') {
        size_t n = text_step(s);
        s += n != 0 ? n : 1;
        width++;
    }
    return width;
}

const char *text_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}
