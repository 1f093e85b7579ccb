/* SPDX-License-Identifier: Apache-2.0 */
#include "proof/number.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "rung/bfloat16.h"

static const double bfloat16_largest = 0x1.fep127, bfloat16_tiny = 0x1p-133, float_tiny = 0x1p-149,
                    double_tiny = 0x1p-1074;

proof_kind rung_proof_kind_of(const rung_proof_arg *arg)
{
    return arg->pointer && arg->values == RUNG_PROOF_BFLOAT16 ? (proof_kind)PROOF_BFLOAT16 : arg->type;
}

size_t rung_proof_kind_size(proof_kind kind)
{
    static const size_t sizes[] = {
        [RUNG_PROOF_FLOAT] = sizeof(float),     [RUNG_PROOF_DOUBLE] = sizeof(double),
        [RUNG_PROOF_SIZE] = sizeof(size_t),     [RUNG_PROOF_PTRDIFF] = sizeof(ptrdiff_t),
        [RUNG_PROOF_INT8] = sizeof(int8_t),     [RUNG_PROOF_INT16] = sizeof(int16_t),
        [RUNG_PROOF_INT32] = sizeof(int32_t),   [RUNG_PROOF_INT64] = sizeof(int64_t),
        [RUNG_PROOF_UINT8] = sizeof(uint8_t),   [RUNG_PROOF_UINT16] = sizeof(uint16_t),
        [RUNG_PROOF_UINT32] = sizeof(uint32_t), [RUNG_PROOF_UINT64] = sizeof(uint64_t),
        [PROOF_BFLOAT16] = sizeof(uint16_t),    [PROOF_WIDE] = sizeof(rung_wide),
    };
    return sizes[kind];
}

bool rung_proof_kind_floats(proof_kind kind)
{
    return kind == RUNG_PROOF_FLOAT || kind == RUNG_PROOF_DOUBLE || kind == PROOF_BFLOAT16 || kind == PROOF_WIDE;
}

/* The largest double below 2^bits, which integers of so many bits hold. */
static double below_power(int bits)
{
    return bits <= DBL_MANT_DIG ? ldexp(1.0, bits) - 1.0 : ldexp(1.0 - 0x1p-53, bits);
}

proof_limits rung_proof_limits_of(proof_kind kind)
{
    switch (kind) {
    case RUNG_PROOF_FLOAT:
        return (proof_limits){-(double)FLT_MAX, (double)FLT_MAX, float_tiny, (double)FLT_MIN};
    case PROOF_BFLOAT16:
        return (proof_limits){-bfloat16_largest, bfloat16_largest, bfloat16_tiny, (double)FLT_MIN};
    case RUNG_PROOF_DOUBLE:
    case PROOF_WIDE:
        return (proof_limits){-DBL_MAX, DBL_MAX, double_tiny, DBL_MIN};
    case RUNG_PROOF_INT8:
    case RUNG_PROOF_INT16:
    case RUNG_PROOF_INT32:
    case RUNG_PROOF_INT64:
    case RUNG_PROOF_PTRDIFF: {
        const int bits = 8 * (int)rung_proof_kind_size(kind) - 1;
        return (proof_limits){-ldexp(1.0, bits), below_power(bits), 0.0, 0.0};
    }
    default:
        return (proof_limits){0.0, below_power(8 * (int)rung_proof_kind_size(kind)), 0.0, 0.0};
    }
}

double rung_proof_load(const void *array, proof_kind kind, size_t i)
{
    switch (kind) {
    case RUNG_PROOF_FLOAT:
        return (double)((const float *)array)[i];
    case RUNG_PROOF_DOUBLE:
        return ((const double *)array)[i];
    case PROOF_BFLOAT16:
        return (double)rung_bfloat16(((const uint16_t *)array)[i]);
    case PROOF_WIDE:
        return (double)((const rung_wide *)array)[i];
    case RUNG_PROOF_INT8:
        return ((const int8_t *)array)[i];
    case RUNG_PROOF_INT16:
        return ((const int16_t *)array)[i];
    case RUNG_PROOF_INT32:
        return ((const int32_t *)array)[i];
    case RUNG_PROOF_INT64:
        return (double)((const int64_t *)array)[i];
    case RUNG_PROOF_PTRDIFF:
        return (double)((const ptrdiff_t *)array)[i];
    case RUNG_PROOF_UINT8:
        return ((const uint8_t *)array)[i];
    case RUNG_PROOF_UINT16:
        return ((const uint16_t *)array)[i];
    case RUNG_PROOF_UINT32:
        return ((const uint32_t *)array)[i];
    case RUNG_PROOF_UINT64:
        return (double)((const uint64_t *)array)[i];
    default:
        return (double)((const size_t *)array)[i];
    }
}

rung_wide rung_proof_load_wide(const void *array, proof_kind kind, size_t i)
{
    return kind == PROOF_WIDE ? ((const rung_wide *)array)[i] : (rung_wide)rung_proof_load(array, kind, i);
}

static double cut(double value, proof_kind kind)
{
    const proof_limits limits = rung_proof_limits_of(kind);
    return isnan(value) ? 0.0 : fmin(fmax(rint(value), limits.low), limits.high);
}

void rung_proof_store(void *array, proof_kind kind, size_t i, double value)
{
    switch (kind) {
    case RUNG_PROOF_FLOAT:
        ((float *)array)[i] = (float)value;
        break;
    case RUNG_PROOF_DOUBLE:
        ((double *)array)[i] = value;
        break;
    case PROOF_BFLOAT16:
        ((uint16_t *)array)[i] = rung_bfloat16_bits((float)value);
        break;
    case PROOF_WIDE:
        ((rung_wide *)array)[i] = (rung_wide)value;
        break;
    case RUNG_PROOF_INT8:
        ((int8_t *)array)[i] = (int8_t)cut(value, kind);
        break;
    case RUNG_PROOF_INT16:
        ((int16_t *)array)[i] = (int16_t)cut(value, kind);
        break;
    case RUNG_PROOF_INT32:
        ((int32_t *)array)[i] = (int32_t)cut(value, kind);
        break;
    case RUNG_PROOF_INT64:
        ((int64_t *)array)[i] = (int64_t)cut(value, kind);
        break;
    case RUNG_PROOF_PTRDIFF:
        ((ptrdiff_t *)array)[i] = (ptrdiff_t)cut(value, kind);
        break;
    case RUNG_PROOF_UINT8:
        ((uint8_t *)array)[i] = (uint8_t)cut(value, kind);
        break;
    case RUNG_PROOF_UINT16:
        ((uint16_t *)array)[i] = (uint16_t)cut(value, kind);
        break;
    case RUNG_PROOF_UINT32:
        ((uint32_t *)array)[i] = (uint32_t)cut(value, kind);
        break;
    case RUNG_PROOF_UINT64:
        ((uint64_t *)array)[i] = (uint64_t)cut(value, kind);
        break;
    default:
        ((size_t *)array)[i] = (size_t)cut(value, kind);
    }
}

/* All members of a rung_value start where it does. */
double rung_proof_scalar(const rung_value *value, uint8_t type)
{
    return rung_proof_load(value, type, 0);
}

void rung_proof_scalar_set(rung_value *value, uint8_t type, double to)
{
    memset(value, 0, sizeof *value);
    rung_proof_store(value, type, 0, to);
}

void rung_proof_fill_unwritten(void *array, proof_kind kind, size_t count)
{
    if (!rung_proof_kind_floats(kind)) {
        memset(array, 0x5a, count * rung_proof_kind_size(kind));
        return;
    }
    for (size_t i = 0; i < count; i++)
        rung_proof_store(array, kind, i, NAN);
}

bool rung_proof_same(const void *a, const void *b, proof_kind kind, size_t i)
{
    const size_t size = rung_proof_kind_size(kind);
    if (memcmp((const char *)a + i * size, (const char *)b + i * size, size) == 0)
        return true;
    return rung_proof_kind_floats(kind) && isnan(rung_proof_load(a, kind, i)) && isnan(rung_proof_load(b, kind, i));
}
