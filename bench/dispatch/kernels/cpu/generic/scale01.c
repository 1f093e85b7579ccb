/* SPDX-License-Identifier: Apache-2.0 */
#include "bd/kernels/scale01.h"
#include "../../scale.h"

RUNG_BENCH_SCALE(bd_scale01__cpu_generic)
