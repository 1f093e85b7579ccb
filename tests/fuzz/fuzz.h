/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz.h: what the fuzzers share.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A property that must hold, whatever the input. */
#define FUZZ_HOLDS(condition)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            (void)fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);                       \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* The part of the input before the next `mark`, as a terminated string of its own size, so that reading past it is
 * seen; the input is moved behind the mark. To be freed. */
static inline char *fuzz_part(const uint8_t **data, size_t *size, uint8_t mark)
{
    const uint8_t *end = *size == 0 ? NULL : memchr(*data, mark, *size);
    size_t len = end == NULL ? *size : (size_t)(end - *data);
    char *text = malloc(len + 1);
    FUZZ_HOLDS(text != NULL);
    if (len > 0)
        memcpy(text, *data, len);
    text[len] = '\0';
    size_t gone = end == NULL ? len : len + 1;
    *data += gone;
    *size -= gone;
    return text;
}

#endif
