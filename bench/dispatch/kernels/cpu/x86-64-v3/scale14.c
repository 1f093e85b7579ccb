/* SPDX-License-Identifier: Apache-2.0 */
#include "bd/kernels/scale14.h"
#include "../../scale.h"

RUNG_BENCH_SCALE(bd_scale14__cpu_x86_64_v3)
