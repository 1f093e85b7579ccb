/* SPDX-License-Identifier: Apache-2.0
 *
 * measures.h: what main.c can be asked for. Each puts its findings out as lines of JSON (README.md) and gives an exit
 * status.
 */
#ifndef BENCH_GPU_MEASURES_H
#define BENCH_GPU_MEASURES_H

#include "bed.h"

enum {
    MEASURED = 0,
    MEASURE_FAILED = 1,
    MEASURE_USAGE = 2,
    MEASURE_NO_DEVICE = 3, /* a line {"kind": "absent"} tells why */
    MEASURE_AGAIN = 4      /* the device is lost to this process: what has no line yet is for another */
};

/* The declared cells of cuda, as the build knows them, and the cases. Opens nothing. */
int measure_list(const settings *s);
/* The card; each arch of the registry, whether it runs here; the copy bandwidth. */
int measure_card(const settings *s);
/* Items `op|arch|variant|case`: the time of each. */
int measure_cells(const settings *s, char **items, int count);
/* Items `op|math|case`: the rate of the library for the same product. */
int measure_library(const settings *s, char **items, int count);
/* What putting a call on a queue costs the host, beside a bare launch. */
int measure_launch(const settings *s);
/* Items `arch`: first calls of every op. */
int measure_load(const settings *s, char **items, int count);
/* Copies between host and device through buffers. */
int measure_transfer(const settings *s);

#endif
