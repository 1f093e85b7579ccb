/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "bed.h"

#include <stdio.h>
#include <string.h>

#include "../clock.h"
#include "testbed.h"

enum { LEAST_SCRATCH_BYTES = 128 << 20, TINY_BYTES = 32 << 10, SCRATCH_OF_L2 = 2, COLD_OF_L2 = 4 };

bool time_is_left(const settings *s)
{
    static double start_ns;
    const double now = bench_now_ns();
    if (start_ns == 0.0)
        start_ns = now;
    return (now - start_ns) * 1e-9 < s->seconds;
}

static bool failed(rung_error *err, const char *why)
{
    err->status = RUNG_ERR_UNAVAILABLE;
    (void)snprintf(err->text, sizeof err->text, "%s", why);
    return false;
}

bool bed_open(bed *b, const settings *s, rung_error *err)
{
    memset(b, 0, sizeof *b);
    b->settings = s;
    const char *why = card_open(&b->card);
    return why == NULL || failed(err, why);
}

static void close_platform(bed *b)
{
    rung_buffer_destroy(b->scratch);
    rung_queue_destroy(b->queue);
    rung_platform_close(b->platform);
    b->scratch = NULL;
    b->queue = NULL;
    b->platform = NULL;
}

void bed_chain(const char *arch, char *chain, size_t size)
{
    char plain[32];
    (void)snprintf(plain, sizeof plain, "%s", arch);
    const size_t length = strlen(plain);
    if (strncmp(plain, "sm", 2) == 0 && (plain[length - 1] == 'a' || plain[length - 1] == 'f'))
        plain[length - 1] = '\0';
    (void)snprintf(chain, size, "cuda/%s", plain);
}

static bool open_platform(bed *b, const char *arch, rung_error *err)
{
    char chain[64];
    bed_chain(arch, chain, sizeof chain);
    if (testbed_open(chain, RUNG_OPEN_NO_ENV | (b->experimental ? RUNG_OPEN_EXPERIMENTAL : 0), &b->platform, err) !=
        RUNG_OK)
        return false;
    if (rung_queue_create(b->platform, &b->queue, err) != RUNG_OK)
        return false;
    b->stream = rung_queue_native(b->queue);
    const size_t part = SCRATCH_OF_L2 * b->card.cache_bytes;
    b->scratch_bytes = b->settings->tiny ? TINY_BYTES : part > LEAST_SCRATCH_BYTES ? part : LEAST_SCRATCH_BYTES;
    b->scratch = bed_memory(b, 2 * b->scratch_bytes, &b->scratch_at, err);
    return b->scratch != NULL;
}

bool bed_arch(bed *b, const char *arch, bool experimental, rung_error *err)
{
    if (b->platform != NULL && strcmp(b->arch, arch) == 0 && b->experimental == experimental)
        return true;
    close_platform(b);
    b->experimental = experimental;
    (void)snprintf(b->arch, sizeof b->arch, "%s", arch);
    if (open_platform(b, arch, err))
        return true;
    close_platform(b);
    return false;
}

void bed_close(bed *b)
{
    close_platform(b);
    card_close(&b->card);
}

size_t bed_cold_bytes(const bed *b)
{
    return b->settings->tiny ? TINY_BYTES : COLD_OF_L2 * b->card.cache_bytes;
}

rung_buffer *bed_memory(bed *b, size_t bytes, uintptr_t *at, rung_error *err)
{
    rung_buffer *buffer = NULL;
    if (rung_buffer_create(b->platform, bytes, &buffer, err) != RUNG_OK)
        return NULL;
    *at = (uintptr_t)rung_buffer_device(buffer, b->queue, err);
    if (*at != 0)
        return buffer;
    rung_buffer_destroy(buffer);
    return NULL;
}

bool bed_flush(bed *b)
{
    return b->card.copy(b->scratch_at, b->scratch_at + b->scratch_bytes, b->scratch_bytes, b->stream) == 0;
}
