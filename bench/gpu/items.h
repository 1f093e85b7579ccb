/* SPDX-License-Identifier: Apache-2.0
 *
 * items.h: the parts of an item of the command line, `op|arch|variant|case`.
 */
#ifndef BENCH_GPU_ITEMS_H
#define BENCH_GPU_ITEMS_H

#include <stddef.h>
#include <string.h>

/* Cuts the item at its bars. How many parts there are, at most `most`. */
static inline size_t item_parts(char *item, const char **parts, size_t most)
{
    size_t count = 0;
    while (count < most) {
        parts[count++] = item;
        item = strchr(item, '|');
        if (item == NULL)
            break;
        *item++ = '\0';
    }
    return count;
}

#endif
