/* SPDX-License-Identifier: Apache-2.0 */
#include "say.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void quoted(const char *text)
{
    (void)putchar('"');
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c < 0x20)
            (void)printf("\\u%04x", c);
        else if (c == '"' || c == '\\')
            (void)printf("\\%c", c);
        else
            (void)putchar(c);
    }
    (void)putchar('"');
}

static void key_of(const char *key)
{
    (void)printf(", ");
    quoted(key);
    (void)printf(": ");
}

void say_begin(const char *kind)
{
    (void)printf("{\"kind\": ");
    quoted(kind);
}

void say_text(const char *key, const char *value)
{
    key_of(key);
    if (value == NULL)
        (void)printf("null");
    else
        quoted(value);
}

void say_number(const char *key, double value)
{
    key_of(key);
    if (isfinite(value))
        (void)printf("%.9g", value);
    else
        (void)printf("null");
}

void say_count(const char *key, uint64_t value)
{
    key_of(key);
    (void)printf("%" PRIu64, value);
}

void say_flag(const char *key, bool value)
{
    key_of(key);
    (void)printf("%s", value ? "true" : "false");
}

void say_end(void)
{
    (void)printf("}\n");
    (void)fflush(stdout);
}
