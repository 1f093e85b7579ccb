/* SPDX-License-Identifier: Apache-2.0
 *
 * request.c: names of backends as people write them.
 */
#include <string.h>

#include "names.h"
#include "rank.h"

const char *rung_backend_framework(const rung_registry *registry, uint32_t n)
{
    for (uint32_t row = 0; row < registry->n_backends; row++) {
        const char *name = rung_pool(registry, registry->backends[row].framework);
        bool seen = false;
        for (uint32_t before = 0; before < row && !seen; before++)
            seen = strcmp(rung_pool(registry, registry->backends[before].framework), name) == 0;
        if (!seen && n-- == 0)
            return name;
    }
    return NULL;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_same(const char *name, const char *s, size_t len)
{
    size_t i = 0;
    while (i < len && name[i] != '\0' && lower(name[i]) == lower(s[i]))
        i++;
    return i == len && name[i] == '\0';
}

static const char *find(const rung_registry *registry, const char *s, size_t len)
{
    const char *name;
    for (uint32_t n = 0; (name = rung_backend_framework(registry, n)) != NULL; n++)
        if (is_same(name, s, len))
            return name;
    return NULL;
}

const char *rung_backend_named(const rung_registry *registry, const char *name)
{
    static const char *const aliases[][2] = {{"torch", "pytorch"}, {"tf", "tensorflow"}};
    while (is_blank(*name))
        name++;
    size_t len = strlen(name);
    while (len > 0 && is_blank(name[len - 1]))
        len--;
    const char *found = find(registry, name, len);
    for (size_t i = 0; found == NULL && i < sizeof aliases / sizeof *aliases; i++)
        if (is_same(aliases[i][0], name, len))
            found = find(registry, aliases[i][1], strlen(aliases[i][1]));
    return found;
}
