/* SPDX-License-Identifier: Apache-2.0 */
#include "hash.h"

static uint64_t chunk_of(const unsigned char *at, size_t n)
{
    uint64_t chunk = 0;
    for (size_t i = 0; i < n; i++)
        chunk |= (uint64_t)at[i] << (8 * i);
    return chunk;
}

uint64_t rung_hash_bytes(uint64_t seed, const void *key, size_t len)
{
    const unsigned char *at = key;
    uint64_t h = seed ^ (len * UINT64_C(0x9E3779B97F4A7C15));
    while (len > 0) {
        size_t n = len < 8 ? len : 8;
        h = (h ^ chunk_of(at, n)) * UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
        at += n;
        len -= n;
    }
    h ^= h >> 29;
    h *= UINT64_C(0xc4ceb9fe1a85ec53);
    h ^= h >> 32;
    return h;
}

uint32_t rung_hash_bytes_find(const rung_hash *hash, const void *key, size_t len)
{
    if (hash->slots == 0)
        return RUNG_NONE;
    uint64_t h = rung_hash_bytes(hash->seed, key, len);
    uint64_t displace = hash->displace[(uint32_t)h % hash->buckets];
    uint64_t h1 = h >> 32;
    uint64_t h2 = (uint32_t)(h >> 16) | 1u;
    return hash->values[(h1 + displace * h2) % hash->slots];
}

static void put_u32(unsigned char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> (8 * i));
}

uint32_t rung_hash_cell_find(const rung_hash *hash, uint32_t op, uint32_t arch, uint32_t variant)
{
    unsigned char key[12];
    put_u32(key, op);
    put_u32(key + 4, arch);
    put_u32(key + 8, variant);
    return rung_hash_bytes_find(hash, key, sizeof key);
}
