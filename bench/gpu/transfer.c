/* SPDX-License-Identifier: Apache-2.0
 *
 * transfer.c: copies between host and device as buffers make them, of three kinds of host memory.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "../clock.h"
#include "measures.h"
#include "say.h"

enum { BYTES = 256 << 20, LEAST_BYTES = 1 << 20, TINY_BYTES = 64 << 10, TURNS = 5 };

/* There and back, the first turn unkept: it allocates. */
static bool time_copies(bed *b, rung_buffer *buffer, double *to_device_s, double *to_host_s)
{
    double there[TURNS + 1], back[TURNS + 1], spread;
    for (int turn = 0; turn <= TURNS; turn++) {
        unsigned char *host = rung_buffer_host(buffer);
        if (host == NULL)
            return false;
        memset(host, turn, rung_buffer_size(buffer));
        double start_ns = bench_now_ns();
        if (rung_buffer_device(buffer, b->queue, NULL) == NULL || rung_queue_wait(b->queue, NULL) != RUNG_OK)
            return false;
        there[turn] = (bench_now_ns() - start_ns) * 1e-9;
        start_ns = bench_now_ns();
        if (rung_buffer_read(buffer) == NULL)
            return false;
        back[turn] = (bench_now_ns() - start_ns) * 1e-9;
    }
    *to_device_s = bench_median(there + 1, TURNS, &spread);
    *to_host_s = bench_median(back + 1, TURNS, &spread);
    return true;
}

typedef enum host_memory { OF_BUFFER, PAGEABLE, PINNED, HOST_MEMORIES } host_memory;

static void *host_alloc(bed *b, host_memory kind, size_t bytes)
{
    void *memory = NULL;
    if (kind == PAGEABLE)
        memory = aligned_alloc(64, bytes);
    else if (b->card.pinned_alloc(&memory, bytes, 0) != 0)
        memory = NULL;
    return memory;
}

static void host_free(bed *b, host_memory kind, void *memory)
{
    if (memory != NULL && kind == PINNED)
        (void)b->card.pinned_free(memory);
    else
        free(memory);
}

static bool measure(bed *b, host_memory kind, size_t bytes)
{
    static const char *const names[] = {"of the buffer", "wrapped, pageable", "wrapped, pinned"};
    rung_buffer *buffer = NULL;
    rung_error err = {RUNG_OK, "no memory"};
    void *memory = kind == OF_BUFFER ? NULL : host_alloc(b, kind, bytes);
    double to_device_s = 0.0, to_host_s = 0.0;
    bool good = kind == OF_BUFFER
                    ? rung_buffer_create(b->platform, bytes, &buffer, &err) == RUNG_OK
                    : memory != NULL && rung_buffer_wrap(b->platform, memory, bytes, &buffer, &err) == RUNG_OK;
    good = good && time_copies(b, buffer, &to_device_s, &to_host_s);
    rung_buffer_destroy(buffer);
    host_free(b, kind, memory);
    if (!good && bytes / 2 >= LEAST_BYTES)
        return measure(b, kind, bytes / 2);
    say_begin("transfer");
    say_text("memory", names[kind]);
    say_text("state", good ? "timed" : "failed");
    say_text("why", good ? NULL : "no memory, or a copy failed");
    if (good) {
        say_count("bytes", bytes);
        say_number("to_device_gbps", (double)bytes * 1e-9 / to_device_s);
        say_number("to_host_gbps", (double)bytes * 1e-9 / to_host_s);
    }
    say_end();
    return good;
}

int measure_transfer(const settings *s)
{
    bed b;
    rung_error err;
    if (!bed_open(&b, s, &err))
        return MEASURE_NO_DEVICE;
    const bool open = bed_arch(&b, "generic", true, &err);
    bool good = open;
    for (int kind = 0; kind < HOST_MEMORIES && open; kind++)
        good = measure(&b, (host_memory)kind, s->tiny ? TINY_BYTES : BYTES) && good;
    bed_close(&b);
    return good ? MEASURED : MEASURE_FAILED;
}
