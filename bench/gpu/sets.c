/* SPDX-License-Identifier: Apache-2.0 */
#include "sets.h"

#include <string.h>

#include "proof/random.h"

enum { ALIGNMENT = 256, PATTERN_BYTES = 1 << 20, LEAST_SETS = 2, MOST_SETS = 2048 };

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static size_t array_bytes(const array *a)
{
    return a->count * rung_proof_kind_size(a->kind);
}

static void fill(unsigned char *to, proof_kind kind)
{
    proof_random random = rung_proof_random_of(1, kind);
    for (size_t i = 0; i < PATTERN_BYTES / rung_proof_kind_size(kind); i++)
        rung_proof_store(to, kind, i, rung_proof_random_between(&random, 0.5, 1.5));
}

static bool fill_array(bed *b, uintptr_t to, size_t bytes, uintptr_t pattern)
{
    for (size_t done = 0; done < bytes; done += PATTERN_BYTES) {
        const size_t part = bytes - done < PATTERN_BYTES ? bytes - done : PATTERN_BYTES;
        if (b->card.copy(to + done, pattern, part, b->stream) != 0)
            return false;
    }
    return true;
}

/* All arrays of this type, in all sets. */
static bool fill_all(bed *b, const sets *s, proof_kind kind, rung_error *err)
{
    rung_buffer *buffer = NULL;
    if (rung_buffer_create(b->platform, PATTERN_BYTES, &buffer, err) != RUNG_OK)
        return false;
    unsigned char *host = rung_buffer_host(buffer);
    bool good = host != NULL;
    if (good)
        fill(host, kind);
    const uintptr_t pattern = good ? (uintptr_t)rung_buffer_device(buffer, b->queue, err) : 0;
    good = pattern != 0;
    for (size_t set = 0; good && set < s->count; set++) {
        void *arrays[MOST_ARRAYS];
        sets_of(s, set, arrays);
        for (int i = 0; good && i < MOST_ARRAYS; i++)
            if (arrays[i] != NULL && s->arrays[i].kind == kind)
                good = fill_array(b, (uintptr_t)arrays[i], array_bytes(&s->arrays[i]), pattern);
    }
    good = rung_queue_wait(b->queue, err) == RUNG_OK && good;
    rung_buffer_destroy(buffer);
    return good;
}

rung_status sets_make(bed *b, const bench_case *of, const size_t *dims, sets *out, rung_error *err)
{
    *out = (sets){.of = of};
    static const rung_error failure = {RUNG_ERR_DEVICE, "the inputs could not be made"};
    *err = failure;
    memcpy(out->dims, dims, sizeof out->dims);
    bench_case_arrays(of, dims, out->arrays);
    for (int i = 0; i < MOST_ARRAYS; i++)
        out->set_bytes += aligned(array_bytes(&out->arrays[i]));
    out->count = bed_cold_bytes(b) / out->set_bytes + 1;
    out->count = out->count < LEAST_SETS ? LEAST_SETS : out->count < MOST_SETS ? out->count : MOST_SETS;
    out->memory = bed_memory(b, out->count * out->set_bytes, &out->at, err);
    if (out->memory == NULL)
        return err->status;
    static const proof_kind kinds[] = {RUNG_PROOF_DOUBLE, RUNG_PROOF_FLOAT, PROOF_BFLOAT16};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (!fill_all(b, out, kinds[k], err)) {
            sets_free(out);
            if (err->status == RUNG_OK)
                *err = failure;
            return err->status;
        }
    }
    return RUNG_OK;
}

void sets_free(sets *s)
{
    rung_buffer_destroy(s->memory);
    s->memory = NULL;
}

void sets_of(const sets *s, size_t turn, void **arrays)
{
    uintptr_t at = s->at + turn % s->count * s->set_bytes;
    for (int i = 0; i < MOST_ARRAYS; i++) {
        const size_t bytes = array_bytes(&s->arrays[i]);
        arrays[i] = bytes > 0 ? (void *)at : NULL;
        at += aligned(bytes);
    }
}
