/* SPDX-License-Identifier: Apache-2.0
 *
 * say.h: what is found, as lines of JSON on stdout, one object each: say_begin, its members, say_end.
 */
#ifndef BENCH_GPU_SAY_H
#define BENCH_GPU_SAY_H

#include <stdbool.h>
#include <stdint.h>

/* Begins an object whose member "kind" tells what it is. */
void say_begin(const char *kind);
void say_text(const char *key, const char *value); /* NULL: null */
void say_number(const char *key, double value);    /* what is not finite: null */
void say_count(const char *key, uint64_t value);
void say_flag(const char *key, bool value);
/* Ends the object and lets go of the line, so that a crash later loses nothing. */
void say_end(void);

#endif
