/* SPDX-License-Identifier: Apache-2.0
 *
 * wide.h: put before the source of a reference kernel (-include), it makes all of its float and double long double, so
 * that the proof of kernels sees what the reference itself loses by rounding. <tgmath.h> takes the mathematical
 * functions along; constants such as 0.1 keep the precision in which they are written.
 *
 * A reference that looks at the bits of its numbers cannot be compiled so: its op says `wide: false` in the registry
 * (rung/bfloat16.h is meant for one that does it for bfloat16, and can).
 */
#ifndef RUNG_WIDE_H
#define RUNG_WIDE_H

/* Whatever names float and double and is not the kernel's comes first. */
#include <float.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

#include "rung/bfloat16.h"
#include "rung/kernel.h"
#include "rung/rung.h"

/* Not type-generic: the names of the functions of float. */
#define ceilf(x)        ceil(x)
#define copysignf(x, y) copysign(x, y)
#define cosf(x)         cos(x)
#define erff(x)         erf(x)
#define exp2f(x)        exp2(x)
#define expf(x)         exp(x)
#define expm1f(x)       expm1(x)
#define fabsf(x)        fabs(x)
#define floorf(x)       floor(x)
#define fmaf(x, y, z)   fma(x, y, z)
#define fmaxf(x, y)     fmax(x, y)
#define fminf(x, y)     fmin(x, y)
#define fmodf(x, y)     fmod(x, y)
#define hypotf(x, y)    hypot(x, y)
#define ldexpf(x, n)    ldexp(x, n)
#define log1pf(x)       log1p(x)
#define log2f(x)        log2(x)
#define logf(x)         log(x)
#define powf(x, y)      pow(x, y)
#define rintf(x)        rint(x)
#define roundf(x)       round(x)
#define sinf(x)         sin(x)
#define sqrtf(x)        sqrt(x)
#define tanf(x)         tan(x)
#define tanhf(x)        tanh(x)
#define truncf(x)       trunc(x)

#ifdef __clang__
#pragma clang diagnostic ignored "-Wkeyword-macro" /* what this header is for */
#endif
#define float double /* and so, like double, long double */
#define double long double

#endif
