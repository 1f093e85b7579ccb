/* SPDX-License-Identifier: Apache-2.0 */
#include "load.h"

#include <stdlib.h>
#include <string.h>

#include "proof/draw.h"
#include "proof/shape.h"

/* Arrays begin on lines of 64 bytes that lie differently in their pages: where all begin alike, stores to one look to
 * the processor like stores to what it loads of another, by the low 12 bits of the address. */
enum { LINE = 64, SKEW = 13 * LINE };

static size_t lines(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE + SKEW;
}

static bool kept(const rung_proof_arg *arg)
{
    return proof_is_read(arg) && proof_is_written(arg);
}

/* Bytes of all arrays; 0 when that is no size. */
static size_t measure(rung_bench_load *load)
{
    size_t all = LINE;
    for (unsigned i = 0; i < load->op->arg_count; i++) {
        const rung_proof_arg *arg = &load->op->args[i];
        const size_t element = rung_proof_kind_size(rung_proof_kind_of(arg));
        double exact = (double)element;
        for (unsigned axis = 0; arg->pointer && axis < arg->axes; axis++)
            exact *= arg->shape[axis].arg == RUNG_PROOF_NO_ARG ? (double)arg->shape[axis].fixed
                                                               : (double)load->values[arg->shape[axis].arg].size;
        if (!arg->pointer)
            continue;
        if (exact > 0x1p44)
            return 0;
        load->bytes[i] = rung_proof_elements(load->op, i, load->values) * element;
        all += lines(load->bytes[i]) * (kept(arg) ? 2 : 1);
    }
    return all;
}

/* Where a range is open it is taken to end 1 from its other end. */
static double scalar(const rung_proof_arg *arg, proof_random *random)
{
    const bool floats = rung_proof_kind_floats(arg->type);
    double low = floats ? -1.0 : 1.0, high = floats ? 1.0 : 8.0;
    if (arg->has_low && arg->low > low)
        low = arg->low;
    if (arg->has_high && arg->high < high)
        high = arg->high;
    if (low > high && arg->has_low)
        high = arg->has_high ? arg->high : low + 1.0;
    if (low > high)
        low = high - 1.0;
    return rung_proof_random_between(random, low, high);
}

rung_status rung_bench_load_open(rung_bench_load *load, const rung_proof_op *op, const size_t *sizes, uint64_t seed)
{
    *load = (rung_bench_load){.op = op};
    for (unsigned i = 0; i < op->dim_count; i++)
        load->values[op->dims[i]].size = sizes[i];
    const size_t all = measure(load);
    if (all == 0)
        return RUNG_ERR_ARGUMENT;
    load->block = aligned_alloc(LINE, (all + LINE - 1) / LINE * LINE);
    if (load->block == NULL)
        return RUNG_ERR_MEMORY;
    memset(load->block, 0, all);
    char *at = load->block;
    proof_random random = rung_proof_random_of(seed, 0);
    for (unsigned i = 0; i < op->arg_count; i++) {
        const rung_proof_arg *arg = &op->args[i];
        if (!arg->pointer) {
            if (!rung_proof_is_size(op, i))
                rung_proof_scalar_set(&load->values[i], arg->type, scalar(arg, &random));
            continue;
        }
        load->values[i].array = at;
        at += lines(load->bytes[i]);
        rung_proof_draw_array(op, i, load->values, &random, load->values[i].array);
        if (kept(arg)) {
            load->kept[i] = memcpy(at, load->values[i].array, load->bytes[i]);
            at += lines(load->bytes[i]);
        }
    }
    return RUNG_OK;
}

void rung_bench_load_close(rung_bench_load *load)
{
    free(load->block);
    *load = (rung_bench_load){0};
}

void rung_bench_load_restore(const rung_bench_load *load, unsigned arg, void *to)
{
    const void *from = load->kept[arg] != NULL ? load->kept[arg] : load->values[arg].array;
    if (from != to)
        memcpy(to, from, load->bytes[arg]);
}
