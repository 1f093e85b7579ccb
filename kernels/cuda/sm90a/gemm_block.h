/* SPDX-License-Identifier: Apache-2.0
 *
 * gemm_block.h: what a block of gemm.cu makes. Two are at work on a multiprocessor, and an H100 has 132.
 */
#ifndef KERNELS_CUDA_SM90A_GEMM_BLOCK_H
#define KERNELS_CUDA_SM90A_GEMM_BLOCK_H

#include "../gemm_slices.h"

static const gemm_block block = {
    .rows = 128, .columns = 64, .depth = 8, .least_terms = 128, .enough_blocks = 528, .threads = 256};

#endif
