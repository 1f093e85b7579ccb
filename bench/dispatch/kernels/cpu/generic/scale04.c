/* SPDX-License-Identifier: Apache-2.0 */
#include "bd/kernels/scale04.h"
#include "../../scale.h"

RUNG_BENCH_SCALE(bd_scale04__cpu_generic)
