/* SPDX-License-Identifier: Apache-2.0
 *
 * bed.h: what a measurement lies on: the card, a platform of Rung on it with one arch in force, and a queue.
 */
#ifndef BENCH_GPU_BED_H
#define BENCH_GPU_BED_H

#include <rk/rk.h>

#include "card.h"

typedef struct settings {
    bool tiny;      /* sizes that an imitated device manages: the figures mean nothing */
    unsigned turns; /* launches that are timed, at least */
    double seconds; /* nothing is begun after so many */
} settings;

/* When the process began; whether there is time left to begin something. */
bool time_is_left(const settings *s);

typedef struct bed {
    const settings *settings;
    card card;
    char arch[32];
    bool experimental;
    rung_platform *platform;
    rung_queue *queue;
    void *stream;
    /* two equal parts of device memory, each larger than the L2 */
    rung_buffer *scratch;
    uintptr_t scratch_at;
    size_t scratch_bytes;
} bed;

/* The card. False, with why in err->text. */
bool bed_open(bed *b, const settings *s, rung_error *err);
/* A platform where kernels of this arch come first, experimental ones as well or not: those of sm90a come before
 * sm90's. The same again costs nothing. */
bool bed_arch(bed *b, const char *arch, bool experimental, rung_error *err);
void bed_close(bed *b);

/* The platform string of an arch: "cuda/sm90" for sm90a, too. */
void bed_chain(const char *arch, char *chain, size_t size);

/* Bytes over which inputs rotate, so that none is in the L2 by accident. */
size_t bed_cold_bytes(const bed *b);

/* Device memory, NULL and the reason in err otherwise. Freed with rung_buffer_destroy. */
rung_buffer *bed_memory(bed *b, size_t bytes, uintptr_t *at, rung_error *err);

/* Puts a copy within the scratch on the queue: it takes the device longer than the host takes to put some launches
 * behind it, so that these then follow each other without a gap, and leaves nothing of theirs in the L2. */
bool bed_flush(bed *b);

#endif
