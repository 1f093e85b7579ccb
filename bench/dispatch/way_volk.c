/* SPDX-License-Identifier: Apache-2.0
 *
 * VOLK's dispatch. Its kernels are its own, so they are called with no points, where only the way to them is left.
 */
#include "ways.h"

#ifdef BENCH_HAVE_VOLK
#include <volk/volk.h>

#define CALL_2(kernel, type)                                                                                           \
    kernel((type *)(void *)args->y, (const type *)(const void *)args->x, (const type *)(const void *)args->x, 0);      \
    BENCH_BARRIER();

static void one(const bench_args *args, size_t rounds)
{
#define SAME(i) CALL_2(volk_32f_x2_add_32f, float)
    while (rounds-- > 0) {
        BENCH_16(SAME)
    }
}

static void sixteen(const bench_args *args, size_t rounds)
{
    while (rounds-- > 0) {
        CALL_2(volk_32f_x2_add_32f, float)
        CALL_2(volk_32f_x2_subtract_32f, float)
        CALL_2(volk_32f_x2_multiply_32f, float)
        CALL_2(volk_32f_x2_divide_32f, float)
        CALL_2(volk_32f_x2_max_32f, float)
        CALL_2(volk_32f_x2_min_32f, float)
        CALL_2(volk_32f_x2_pow_32f, float)
        CALL_2(volk_32fc_x2_multiply_conjugate_32fc, lv_32fc_t)
        CALL_2(volk_64f_x2_add_64f, double)
        CALL_2(volk_64f_x2_multiply_64f, double)
        CALL_2(volk_64f_x2_max_64f, double)
        CALL_2(volk_64f_x2_min_64f, double)
        CALL_2(volk_32i_x2_and_32i, int32_t)
        CALL_2(volk_32i_x2_or_32i, int32_t)
        CALL_2(volk_32fc_x2_multiply_32fc, lv_32fc_t)
        CALL_2(volk_32fc_x2_add_32fc, lv_32fc_t)
    }
}

const bench_way bench_volk = {"VOLK, no points", one, sixteen, NULL};
#else
const bench_way bench_volk = {"VOLK, no points", NULL, NULL, "not built: VOLK is missing (Debian: libvolk2-dev)"};
#endif
