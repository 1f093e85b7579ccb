/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <string.h>

rung_text rung_text_in(char *at, size_t size)
{
    rung_text t = {at, size, 0};
    if (at != NULL && size > 0)
        at[0] = '\0';
    return t;
}

/* The first n bytes of s, less those of a character that goes on behind them. */
static size_t without_part(const char *s, size_t n)
{
    for (size_t back = 1; back <= 3 && back <= n; back++) {
        unsigned char c = (unsigned char)s[n - back];
        if (c < 0x80 || c >= 0xC0) {
            size_t whole = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
            return whole > back ? n - back : n;
        }
    }
    return n;
}

void rung_text_addn(rung_text *t, const char *s, size_t n)
{
    if (t->at == NULL || t->size == 0)
        return;
    size_t room = t->size - 1 - t->len;
    bool cut = n > room;
    if (cut)
        n = without_part(s, room);
    memcpy(t->at + t->len, s, n);
    t->len += n;
    if (cut) /* what comes after must not fill what is left */
        t->size = t->len + 1;
    t->at[t->len] = '\0';
}

void rung_text_add(rung_text *t, const char *s)
{
    rung_text_addn(t, s, strlen(s));
}

void rung_text_join(rung_text *t, const char *const *parts)
{
    for (; *parts != NULL; parts++)
        rung_text_add(t, *parts);
}

void rung_text_uint(rung_text *t, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    rung_text_addn(t, digits + at, sizeof digits - at);
}

void rung_text_hex(rung_text *t, uint64_t value, unsigned least)
{
    char digits[16];
    size_t at = sizeof digits;
    do {
        digits[--at] = "0123456789abcdef"[value & 15];
        value >>= 4;
    } while (at > 0 && (value != 0 || sizeof digits - at < least));
    rung_text_addn(t, digits + at, sizeof digits - at);
}

void rung_text_version(rung_text *t, uint32_t version)
{
    rung_text_uint(t, version >> 16);
    rung_text_add(t, ".");
    rung_text_uint(t, version & 0xffff);
}

bool rung_text_full(const rung_text *t)
{
    return t->len + 1 >= t->size;
}

/* As tool/text.c has it, which sees nothing of the library but rung.h. */
size_t rung_text_character(const char *s)
{
    const unsigned char *u = (const unsigned char *)s;
    if (u[0] == 0 || (u[0] >= 0x80 && u[0] < 0xC2) || u[0] > 0xF4)
        return 0;
    size_t n = u[0] < 0x80 ? 1 : u[0] < 0xE0 ? 2 : u[0] < 0xF0 ? 3 : 4;
    for (size_t i = 1; i < n; i++)
        if ((u[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (u[0] == 0xE0 && u[1] < 0xA0) || (u[0] == 0xF0 && u[1] < 0x90);
    bool beyond = (u[0] == 0xED && u[1] > 0x9F) || (u[0] == 0xF4 && u[1] > 0x8F);
    return overlong || beyond ? 0 : n;
}

void rung_text_quote(rung_text *t, const char *s, size_t n)
{
    enum { SHOWN = 64 };
    rung_text_add(t, "\"");
    for (size_t i = 0; i < n && i < SHOWN; i++)
        rung_text_addn(t, s[i] >= ' ' && s[i] <= '~' ? s + i : "?", 1);
    rung_text_add(t, n > SHOWN ? "...\"" : "\"");
}
