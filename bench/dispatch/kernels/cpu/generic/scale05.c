/* SPDX-License-Identifier: Apache-2.0 */
#include "bd/kernels/scale05.h"
#include "../../scale.h"

RUNG_BENCH_SCALE(bd_scale05__cpu_generic)
