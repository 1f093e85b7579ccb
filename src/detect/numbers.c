/* SPDX-License-Identifier: Apache-2.0
 *
 * numbers.c: digits.
 */
#include "numbers.h"

#include <string.h>

static unsigned digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A') + 10;
    return 16;
}

bool rung_digits(const char **text, const char *end, unsigned base, uint64_t *out)
{
    const char *at = *text;
    uint64_t value = 0;
    for (; at != end && digit(*at) < base; at++) {
        if (value > (UINT64_MAX - digit(*at)) / base)
            return false;
        value = value * base + digit(*at);
    }
    if (at == *text)
        return false;
    *text = at;
    *out = value;
    return true;
}

bool rung_decimal(const char *text, size_t len, uint64_t *out)
{
    const char *end = text + len;
    uint64_t value;
    if (!rung_digits(&text, end, 10, &value) || text != end)
        return false;
    *out = value;
    return true;
}

bool rung_property(const char *lines, const char *key, uint64_t *out)
{
    size_t len = strlen(key);
    for (const char *line = lines; *line != '\0';) {
        size_t n = strcspn(line, "\n");
        if (n > len && memcmp(line, key, len) == 0 && line[len] == ' ')
            return rung_decimal(line + len + 1, n - len - 1, out);
        line += n + (line[n] == '\n');
    }
    return false;
}
