/* SPDX-License-Identifier: Apache-2.0
 *
 * kernel.h: what a kernel's source file may use; included by the generated <ns>/kernels/<op>.h.
 *
 * A kernel has the signature of its op's public call. It may trust its arguments: the dispatch has checked them. It
 * keeps no state, allocates nothing, and may use cx->workspace only as far as its registry entry declares.
 */
#ifndef RUNG_KERNEL_H
#define RUNG_KERNEL_H

#include "rung/rung.h"

/* The name of this cell's function, for a source that stands on several archs: RUNG_KERNEL(rk_gemm_tn) is
 * rk_gemm_tn__cpu_x86_64_v3 where the build compiles the file for cpu/x86-64-v3 (it defines RUNG_ARCH_TAG). */
#ifdef RUNG_ARCH_TAG
#define RUNG_KERNEL_PASTE(op, tag)  op##__##tag
#define RUNG_KERNEL_EXPAND(op, tag) RUNG_KERNEL_PASTE(op, tag)
#define RUNG_KERNEL(op)             RUNG_KERNEL_EXPAND(op, RUNG_ARCH_TAG)
#endif

#endif
