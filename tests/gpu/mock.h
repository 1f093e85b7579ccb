/* SPDX-License-Identifier: Apache-2.0
 *
 * mock.h: drivers of devices that are not there, which check how they are called.
 *
 * Memory of a device is a block of the host's that is tracked. What is put on a stream is done as late as can be: when
 * somebody waits for it, so that a wait that is missing shows as a wrong value. No stream waits for another one that
 * nobody told it to, the default one included. A function that is called against the rules of gpu/driver.h ends the
 * program with a line.
 */
#ifndef MOCK_H
#define MOCK_H

#include "gpu/driver.h"

extern const rung_gpu_driver mock_cuda, mock_rocm;

/* Functions that can fail. */
typedef enum mock_function {
    MOCK_OPEN,
    MOCK_ENTER,
    MOCK_LOAD,
    MOCK_LAUNCH,
    MOCK_STREAM_CREATE,
    MOCK_STREAM_WAIT,
    MOCK_EVENT_CREATE,
    MOCK_EVENT_RECORD,
    MOCK_EVENT_WAIT,
    MOCK_STREAM_AFTER,
    MOCK_EVENT_SECONDS,
    MOCK_ALLOC,
    MOCK_FREE,
    MOCK_COPY_IN,
    MOCK_COPY_OUT,
    MOCK_FUNCTIONS
} mock_function;

/* Forgets everything; nothing may be alive. */
void mock_reset(void);

/* The call number `nth` from now on of a function fails, 1 being the next one; with `fatal` its device is lost. */
void mock_fail(mock_function function, int nth, bool fatal);

/* The device is lost, and no call has told anybody yet. */
void mock_lose(rung_gpu *gpu);

/* Calls so far. */
int mock_calls(mock_function function);

/* What is alive on all devices. Events that a queue has count. */
typedef struct mock_alive {
    int devices, streams, events, blocks, tasks;
} mock_alive;
mock_alive mock_count(void);

/* Any call of a driver ends the program from here on: it is in a forked child. */
void mock_forbid(void);

/* A stream of a caller's own, and its end; whether it is being captured: nothing may wait then, and nothing be
 * allocated; nothing is freed. */
void *mock_stream(rung_gpu *gpu);
void mock_stream_end(rung_gpu *gpu, void *stream);
void mock_capture(void *stream, bool on);

/* Does what is on a stream, without anybody having waited for it: as a fast device would. */
void mock_run(void *stream);

/* What kernels get as their only argument. y[i] = 3 y[i] + x[i] + k, without the first term if `fresh`; x may be NULL.
 */
typedef struct mock_arguments {
    unsigned char *y;
    const unsigned char *x;
    size_t n;
    unsigned char k;
    bool fresh;
} mock_arguments;
void mock_kernel(const mock_arguments *a);

#endif
