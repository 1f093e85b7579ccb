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

void rung_text_addn(rung_text *t, const char *s, size_t n)
{
    if (t->at == NULL || t->size == 0)
        return;
    size_t room = t->size - 1 - t->len;
    if (n > room)
        n = room;
    memcpy(t->at + t->len, s, n);
    t->len += n;
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

void rung_text_quote(rung_text *t, const char *s, size_t n)
{
    enum { SHOWN = 64 };
    rung_text_add(t, "\"");
    for (size_t i = 0; i < n && i < SHOWN; i++)
        rung_text_addn(t, s[i] >= ' ' && s[i] <= '~' ? s + i : "?", 1);
    rung_text_add(t, n > SHOWN ? "...\"" : "\"");
}
