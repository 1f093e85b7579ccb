/* SPDX-License-Identifier: Apache-2.0
 *
 * kernel.h: what a kernel's source file may use; included by the generated <ns>/kernels/<op>.h.
 *
 * A kernel has the signature of its op's public call. It may trust its arguments: the dispatch has checked them. It
 * keeps no state, allocates nothing, and may use cx->workspace only as far as its registry entry declares.
 *
 * That of a device with a driver comes in two files: one compiled for the device (a .cu), whose functions make up an
 * image, and a launcher in C that turns the call into launches of them (rung/launch.h). The first needs this header
 * alone.
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

/* The same of another variant than `default`, and in a .cu that of one of several entries:
 * RUNG_KERNEL_OF(rk_gemm_nt_f32, tf32) is rk_gemm_nt_f32__cuda_sm80__tf32. */
#define RUNG_KERNEL_PASTE_OF(op, tag, part)  op##__##tag##__##part
#define RUNG_KERNEL_EXPAND_OF(op, tag, part) RUNG_KERNEL_PASTE_OF(op, tag, part)
#define RUNG_KERNEL_OF(op, part)             RUNG_KERNEL_EXPAND_OF(op, RUNG_ARCH_TAG, part)
#endif

/* Begins the definition of a function that is launched: RUNG_ENTRY void RUNG_KERNEL(rk_gemm_tn)(double *c, ...) {...}
 */
#ifdef __CUDACC__
#define RUNG_ENTRY extern "C" __global__
/* In a function: the launch's dynamic shared memory (rung_grid.shared) as an array `name`, or pointer, of `type`. */
#ifndef RUNG_DYNAMIC_SHARED
#define RUNG_DYNAMIC_SHARED(type, name) extern __shared__ type name[]
#endif
#endif

#endif
