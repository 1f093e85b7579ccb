/* SPDX-License-Identifier: Apache-2.0 */
#include "bd/kernels/scale07.h"
#include "../../scale.h"

RUNG_BENCH_SCALE(bd_scale07__cpu_generic)
