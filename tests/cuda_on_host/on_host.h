/* SPDX-License-Identifier: Apache-2.0
 *
 * on_host.h: gives CUDA's words their meaning where a .cu is compiled for the host, as C++17 without its standard
 * library. The words that need a GPU's own instructions (inline PTX, TMA, clusters) have none; a kernel that uses them
 * looks for RUNG_ON_HOST.
 *
 * A kernel's source is included inside an unnamed namespace by the wrapper that RungOnHost.cmake writes, one wrapper
 * per image, so that what two images name alike stays apart. The wrapper has defined RUNG_ON_HOST_IMAGE (the image's
 * name, a word) and RUNG_ON_HOST_TARGET (the capability it is for, 80 for 8.0).
 *
 * The threads of a block are fibers of one thread of the host (runner.cpp): they run one at a time, until they wait.
 */
#ifndef RUNG_ON_HOST_H
#define RUNG_ON_HOST_H

#define RUNG_ON_HOST 1

/* The headers that a kernel may include, in the global namespace. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "abi.h"

#define __CUDACC__    1
#define __CUDA_ARCH__ (RUNG_ON_HOST_TARGET * 10)

#define __global__ __attribute__((visibility("default")))
#define __device__
#define __host__
#define __constant__
#define __forceinline__  inline __attribute__((always_inline))
#define __noinline__     __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)
#define __grid_constant__

#define RUNG_ON_HOST_TEXT_(word)  #word
#define RUNG_ON_HOST_TEXT(word)   RUNG_ON_HOST_TEXT_(word)
#define RUNG_ON_HOST_PASTE_(a, b) a##b
#define RUNG_ON_HOST_PASTE(a, b)  RUNG_ON_HOST_PASTE_(a, b)

/* Shared memory that a kernel declares stands in a section of its image. `extern __shared__` cannot: kernels say
 * RUNG_DYNAMIC_SHARED (rung/kernel.h). */
#define __shared__ static __attribute__((section("shared_" RUNG_ON_HOST_TEXT(RUNG_ON_HOST_IMAGE))))

#include "words/types.h"

#include "words/math.h"

#include "words/block.h"

#include "words/warp.h"

#include "words/atomic.h"

#include "words/memory.h"

#include "words/bf16.h"

#include "words/wmma.h"

#include "words/mma.h"

#define RUNG_DYNAMIC_SHARED(type, name) type *const name = static_cast<type *>(rung_on_host::dynamic_shared())

#include "words/entry.h"

#include "rung/kernel.h"

#endif
