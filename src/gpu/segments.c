/* SPDX-License-Identifier: Apache-2.0
 *
 * segments.c: which bytes of a buffer are held where.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu/buffer.h"

/* Neighbours that are held by the same places become one. */
static void join(rung_memory_root *root)
{
    size_t kept = 0;
    for (size_t i = 1; i < root->n_segments; i++)
        if (root->segments[i].held != root->segments[kept].held)
            root->segments[++kept] = root->segments[i];
    root->n_segments = kept + 1;
}

bool rung_segments_reserve(rung_memory_root *root, size_t cuts)
{
    if (root->n_segments + cuts <= root->room)
        return true;
    join(root);
    size_t wanted = root->n_segments + cuts;
    if (wanted <= root->room)
        return true;
    wanted *= 2;
    rung_segment *segments = realloc(root->segments, wanted * sizeof *segments);
    if (segments == NULL)
        return false;
    root->segments = segments;
    root->room = wanted;
    return true;
}

/* The segment that a byte is in. */
static size_t find(const rung_memory_root *root, size_t at)
{
    size_t low = 0;
    size_t high = root->n_segments;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (root->segments[middle].at <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The segment that begins at a byte, from now on. */
static size_t cut(rung_memory_root *root, size_t at)
{
    if (at >= root->whole.size)
        return root->n_segments;
    size_t i = find(root, at);
    if (root->segments[i].at == at)
        return i;
    rung_segment *next = &root->segments[i + 1];
    memmove(next + 1, next, (root->n_segments - i - 1) * sizeof *next);
    *next = (rung_segment){at, root->segments[i].held};
    root->n_segments++;
    return i + 1;
}

rung_segment_range rung_segments_of(rung_memory_root *root, size_t at, size_t end)
{
    if (at == end)
        return (rung_segment_range){0, 0};
    size_t first = cut(root, at);
    return (rung_segment_range){first, cut(root, end)};
}

void rung_segments_write(rung_memory_root *root, rung_segment_range range, unsigned place)
{
    for (size_t i = range.first; i < range.end; i++)
        root->segments[i].held = RUNG_PLACE_BIT(place);
}
