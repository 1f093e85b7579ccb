/* SPDX-License-Identifier: Apache-2.0 */
#include "bd/kernels/scale03.h"
#include "../../scale.h"

RUNG_BENCH_SCALE(bd_scale03__cpu_generic)
