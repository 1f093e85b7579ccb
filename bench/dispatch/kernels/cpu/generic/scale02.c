/* SPDX-License-Identifier: Apache-2.0 */
#include "bd/kernels/scale02.h"
#include "../../scale.h"

RUNG_BENCH_SCALE(bd_scale02__cpu_generic)
