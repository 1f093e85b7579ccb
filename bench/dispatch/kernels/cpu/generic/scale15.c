/* SPDX-License-Identifier: Apache-2.0 */
#include "bd/kernels/scale15.h"
#include "../../scale.h"

RUNG_BENCH_SCALE(bd_scale15__cpu_generic)
