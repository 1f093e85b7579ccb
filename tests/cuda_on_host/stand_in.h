/* SPDX-License-Identifier: Apache-2.0
 *
 * stand_in.h: an image in the container of a fatbin, whose parts hold the names of the entries in the place of code,
 * each with a newline. The layout was read from what nvcc 13.0 writes; its stand-in of PTX says ISA 9.0, as that does.
 * Whoever includes it has defined STAND_IN_NAMES, the text.
 */
#ifndef STAND_IN_H
#define STAND_IN_H

#include <stdint.h>

#include "rung/table.h"

typedef struct stand_in_header {
    uint32_t magic;
    uint16_t version, size; /* of this header */
    uint64_t rest;          /* bytes behind it */
} stand_in_header;

typedef struct stand_in_part {
    uint16_t kind, version;
    uint32_t header; /* bytes up to `names` */
    uint64_t size;   /* of `names` */
    uint32_t compressed, options;
    uint16_t minor, major; /* of the PTX ISA */
    uint32_t sm;
    uint32_t name, name_size;
    uint64_t flags;
    uint64_t reserved, uncompressed;
    char names[(sizeof STAND_IN_NAMES + 7) / 8 * 8];
} stand_in_part;

enum { STAND_IN_PTX = 1, STAND_IN_SASS = 2 };
enum { STAND_IN_PLAIN = 0x11, STAND_IN_A = 0x100011, STAND_IN_F = 0x200011 };

#define STAND_IN_PART(kind_, sm_, flags_)                                                                              \
    {                                                                                                                  \
        .kind = (kind_), .version = 0x101, .header = 64, .size = sizeof(((stand_in_part *)0)->names), .options = 64,   \
        .major = (kind_) == STAND_IN_PTX ? 9 : 1, .minor = (kind_) == STAND_IN_PTX ? 0 : 8, .sm = (sm_),               \
        .flags = (flags_), .names = STAND_IN_NAMES                                                                     \
    }

#define STAND_IN_HEADER(parts)                                                                                         \
    {                                                                                                                  \
        .magic = 0xba55ed50, .version = 1, .size = 16, .rest = (parts) * sizeof(stand_in_part)                         \
    }

#endif
