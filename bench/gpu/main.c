/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_gpu: one kind of measurement on the first CUDA device, as lines of JSON. bench_gpu.py runs all of them, puts
 * the results together and starts it again where a failure has lost the device to the process.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measures.h"
#include "testbed.h"

enum { TURNS = 24, TINY_TURNS = 2 };

static int usage(void)
{
    (void)fprintf(stderr, "usage: bench_gpu list|card|cells|library|launch|load|transfer [--tiny] [--seconds S] "
                          "[ITEM...]\n");
    return MEASURE_USAGE;
}

static int run(const char *what, const settings *s, char **items, int count)
{
    if (strcmp(what, "list") == 0)
        return measure_list(s);
    if (strcmp(what, "card") == 0)
        return measure_card(s);
    if (strcmp(what, "cells") == 0)
        return measure_cells(s, items, count);
    if (strcmp(what, "library") == 0)
        return measure_library(s, items, count);
    if (strcmp(what, "launch") == 0)
        return measure_launch(s);
    if (strcmp(what, "load") == 0)
        return measure_load(s, items, count);
    if (strcmp(what, "transfer") == 0)
        return measure_transfer(s);
    return usage();
}

int main(int argc, char **argv)
{
    settings s = {.turns = TURNS, .seconds = 600.0};
    int at = 2;
    if (argc < 2)
        return usage();
    for (; at < argc && strncmp(argv[at], "--", 2) == 0; at++) {
        if (strcmp(argv[at], "--tiny") == 0) {
            s.tiny = true;
            s.turns = TINY_TURNS;
        } else if (strcmp(argv[at], "--seconds") == 0 && at + 1 < argc) {
            s.seconds = strtod(argv[++at], NULL);
        } else {
            return usage();
        }
    }
    (void)time_is_left(&s); /* from now on */
    const int end = run(argv[1], &s, argv + at, argc - at);
    const char *said = strcmp(argv[1], "list") == 0 ? NULL : testbed_end(); /* which has not been begun for a list */
    if (said != NULL)
        (void)fprintf(stderr, "bench_gpu: %s\n", said);
    return said != NULL && end == MEASURED ? MEASURE_FAILED : end;
}
