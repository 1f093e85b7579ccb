/* SPDX-License-Identifier: Apache-2.0
 *
 * patterns.c: fnmatch(3), of three spellings of a cell.
 */
#include "patterns.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "say.h"

char *cell_name(const cell_key *key)
{
    return say_format("%s %s/%s/%s", key->op, key->device, key->arch, key->variant);
}

char *cell_place(const cell_key *key)
{
    bool plain = strcmp(key->variant, "default") == 0;
    return say_format("%s/%s%s%s", key->device, key->arch, plain ? "" : " ", plain ? "" : key->variant);
}

bool pattern_fits(const char *pattern, const cell_key *key)
{
    char *whole = cell_name(key), *place = say_format("%s/%s", key->device, key->arch);
    bool fits = fnmatch(pattern, whole, 0) == 0 || fnmatch(pattern, place, 0) == 0 || fnmatch(pattern, key->op, 0) == 0;
    free(whole);
    free(place);
    return fits;
}

bool patterns_fit(const patterns *all, const cell_key *key)
{
    for (size_t i = 0; i < all->count; i++)
        if (pattern_fits(all->text[i], key))
            return true;
    return false;
}

void patterns_add(patterns *all, char *text)
{
    all->text = say_realloc(all->text, (all->count + 1) * sizeof *all->text);
    all->text[all->count++] = text;
}

void patterns_free(patterns *all)
{
    for (size_t i = 0; i < all->count; i++)
        free((char *)all->text[i]);
    free(all->text);
    *all = (patterns){0};
}
