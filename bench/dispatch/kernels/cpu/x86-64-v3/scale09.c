/* SPDX-License-Identifier: Apache-2.0 */
#include "bd/kernels/scale09.h"
#include "../../scale.h"

RUNG_BENCH_SCALE(bd_scale09__cpu_x86_64_v3)
