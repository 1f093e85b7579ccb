/* SPDX-License-Identifier: Apache-2.0
 *
 * mma.h: what a kernel calls in the place of the PTX instruction mma.sync.m16n8k8 of doubles, with what every lane
 * holds as the PTX ISA says. Products are added one after another: the order of a tensor core's sums is not known.
 */
#ifndef RUNG_ON_HOST_MMA_H
#define RUNG_ON_HOST_MMA_H

namespace rung_on_host
{

struct mma_operands {
    double *d;
    const double *a, *b;
};

static void multiply_m16n8k8(lane *lanes, unsigned)
{
    double a[16][8], b[8][8];
    for (int l = 0; l < 32; l++) {
        const mma_operands *of = static_cast<const mma_operands *>(lanes[l].data);
        const int group = l / 4, in_group = l % 4;
        for (int i = 0; i < 4; i++)
            a[group + i % 2 * 8][in_group + i / 2 * 4] = of->a[i];
        for (int i = 0; i < 2; i++)
            b[in_group + i * 4][group] = of->b[i];
    }
    for (int l = 0; l < 32; l++) {
        const mma_operands *of = static_cast<const mma_operands *>(lanes[l].data);
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 8; k++)
                of->d[i] += a[l / 4 + i / 2 * 8][k] * b[k][l % 4 * 2 + i % 2];
    }
}

/* d [4] += a [4] b [2], of all lanes of the warp. */
static inline void mma_m16n8k8(double *d, const double *a, const double *b, int line = __builtin_LINE())
{
    mma_operands of = {d, a, b};
    own_lane().data = &of;
    need_whole_warp(line);
    (void)together(multiply_m16n8k8, 0xffffffffU, line);
}

} // namespace rung_on_host

#endif
