/* SPDX-License-Identifier: Apache-2.0
 *
 * card.h: the GPU as its driver has it, beside Rung: facts, copies on the device, pinned memory, and bare launches to
 * compare Rung's with. Names and prototypes are those of cuda.h of CUDA 13.0; addresses of device memory are uintptr_t.
 */
#ifndef BENCH_GPU_CARD_H
#define BENCH_GPU_CARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct card {
    void *library;
    int device;
    void *context;      /* the primary one, current for the thread that opened the card */
    size_t cache_bytes; /* of the L2 */

    int (*init)(unsigned flags);
    int (*driver_version)(int *version);
    int (*get)(int *device, int ordinal);
    int (*name)(char *name, int size, int device);
    int (*bus)(char *id, int size, int device);
    int (*attribute)(int *value, int attribute, int device);
    int (*memory)(size_t *bytes, int device);
    int (*retain)(void **context, int device);
    int (*release)(int device);
    int (*push)(void *context);
    int (*pop)(void **context);
    int (*copy)(uintptr_t to, uintptr_t from, size_t bytes, void *stream);
    int (*set)(uintptr_t to, unsigned char value, size_t bytes, void *stream);
    int (*pinned_alloc)(void **memory, size_t bytes, unsigned flags);
    int (*pinned_free)(void *memory);
    int (*image_load)(void **image, const void *code, int *jit_options, void **jit_values, unsigned n_jit, int *options,
                      void **values, unsigned n_options);
    int (*image_unload)(void *image);
    int (*kernel)(void **kernel, void *image, const char *name);
    int (*function)(void **function, void *kernel);
    int (*launch)(void *function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z, unsigned threads_x,
                  unsigned threads_y, unsigned threads_z, unsigned shared, void *stream, void **arguments,
                  void **extra);
} card;

/* Opens the driver, and the first device that it shows. NULL, or one line on what failed. */
const char *card_open(card *c);
void card_close(card *c);

enum { /* attributes */
       CARD_MULTIPROCESSORS = 16,
       CARD_CACHE_BYTES = 38,
       CARD_MAJOR = 75,
       CARD_MINOR = 76
};
/* 0 where the driver does not know it. */
int card_attribute(const card *c, int attribute);

/* Puts {"kind": "device"} out: what the driver and NVML tell. */
void card_say(const card *c);

#endif
