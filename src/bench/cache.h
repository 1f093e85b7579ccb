/* SPDX-License-Identifier: Apache-2.0
 *
 * cache.h: how large the caches are.
 */
#ifndef RUNG_BENCH_CACHE_H
#define RUNG_BENCH_CACHE_H

#include <stddef.h>

/* Bytes of the largest cache that the first processor has a part in, as Linux tells; 32 MiB where nobody tells. */
size_t rung_bench_last_cache(void);
/* "32768K" as a number of bytes; 0 for what is none. */
size_t rung_bench_cache_size(const char *text);

#endif
