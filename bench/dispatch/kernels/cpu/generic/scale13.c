/* SPDX-License-Identifier: Apache-2.0 */
#include "bd/kernels/scale13.h"
#include "../../scale.h"

RUNG_BENCH_SCALE(bd_scale13__cpu_generic)
