/* SPDX-License-Identifier: Apache-2.0 */
#include "bd/kernels/scale11.h"
#include "../../scale.h"

RUNG_BENCH_SCALE(bd_scale11__cpu_generic)
