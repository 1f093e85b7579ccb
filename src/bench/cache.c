/* SPDX-License-Identifier: Apache-2.0 */
#include "cache.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

size_t rung_bench_cache_size(const char *text)
{
    char *end;
    const unsigned long long count = strtoull(text, &end, 10);
    const unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    if (end == text || text[0] == '-' || count > (SIZE_MAX >> 1) >> shift)
        return 0;
    return (size_t)count << shift;
}

size_t rung_bench_last_cache(void)
{
    size_t largest = 0;
    for (int i = 0; i < 8; i++) {
        char path[80], text[32];
        (void)snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", i);
        FILE *file = fopen(path, "r");
        if (file == NULL)
            continue;
        const size_t size = fgets(text, sizeof text, file) != NULL ? rung_bench_cache_size(text) : 0;
        (void)fclose(file);
        largest = size > largest ? size : largest;
    }
    return largest != 0 ? largest : (size_t)32 << 20;
}
