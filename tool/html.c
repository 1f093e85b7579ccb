/* SPDX-License-Identifier: Apache-2.0 */
#include "html.h"

#include <stdlib.h>
#include <string.h>

#include "say.h"

void html_text(FILE *to, const char *text)
{
    for (const char *s = text; *s != '\0'; s++) {
        switch (*s) {
        case '<':
            fputs("&lt;", to);
            break;
        case '>':
            fputs("&gt;", to);
            break;
        case '&':
            fputs("&amp;", to);
            break;
        case '"':
            fputs("&quot;", to);
            break;
        case '\'':
            fputs("&#39;", to);
            break;
        default:
            fputc((unsigned char)*s < 0x20 || *s == 0x7F ? '?' : *s, to);
        }
    }
}

/* A '<' stands in strings only, where JSON may say it so. */
static int put(const char *buffer, size_t size, void *user)
{
    FILE *to = user;
    for (size_t i = 0; i < size; i++)
        if ((buffer[i] == '<' ? fputs("\\u003c", to) : fputc(buffer[i], to)) == EOF)
            return -1;
    return 0;
}

void html_json(FILE *to, const json_t *value)
{
    /* a failed write shows in ferror(to); 15 digits as in json_write */
    (void)json_dump_callback(value, put, to, JSON_COMPACT | JSON_REAL_PRECISION(15));
}

void html_page(FILE *to, const char *page, html_fill *fill, const void *user)
{
    const char *open;
    while ((open = strstr(page, "{{")) != NULL) {
        const char *close = strstr(open, "}}");
        if (close == NULL)
            break;
        fwrite(page, 1, (size_t)(open - page), to);
        char *name = say_format("%.*s", (int)(close - open) - 2, open + 2);
        fill(to, name, user);
        free(name);
        page = close + 2;
    }
    fputs(page, to);
}
