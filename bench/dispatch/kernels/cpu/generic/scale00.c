/* SPDX-License-Identifier: Apache-2.0 */
#include "bd/kernels/scale00.h"
#include "../../scale.h"

RUNG_BENCH_SCALE(bd_scale00__cpu_generic)
