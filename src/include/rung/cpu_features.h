/* SPDX-License-Identifier: Apache-2.0
 *
 * cpu_features.h: the CPU features that a kernel may require, one line each: X(family, name, bit).
 *
 * The only list: the generator reads it (to check `requires:` and to name the bits), and src/cpu_*.c detects every line
 * of it. Bits are ABI between generated tables and the library: never renumber, only append. Up to 64 a family.
 */
#ifndef RUNG_CPU_FEATURES_H
#define RUNG_CPU_FEATURES_H

/* clang-format off */
#define RUNG_CPU_FEATURES_X86(X) \
    X(x86, sse3, 0) \
    X(x86, ssse3, 1) \
    X(x86, sse4_1, 2) \
    X(x86, sse4_2, 3) \
    X(x86, popcnt, 4) \
    X(x86, cmpxchg16b, 5) \
    X(x86, lahf, 6) \
    X(x86, avx, 7) \
    X(x86, f16c, 8) \
    X(x86, fma, 9) \
    X(x86, movbe, 10) \
    X(x86, bmi1, 11) \
    X(x86, bmi2, 12) \
    X(x86, avx2, 13) \
    X(x86, lzcnt, 14) \
    X(x86, avx512f, 15) \
    X(x86, avx512dq, 16) \
    X(x86, avx512cd, 17) \
    X(x86, avx512bw, 18) \
    X(x86, avx512vl, 19) \
    X(x86, avx512_vnni, 20) \
    X(x86, avx512_bf16, 21) \
    X(x86, avx512_fp16, 22) \
    X(x86, avx512_ifma, 23) \
    X(x86, avx512_vbmi, 24) \
    X(x86, avx512_vbmi2, 25) \
    X(x86, avx512_bitalg, 26) \
    X(x86, avx512_vpopcntdq, 27) \
    X(x86, avx_vnni, 28) \
    X(x86, gfni, 29) \
    X(x86, vaes, 30) \
    X(x86, vpclmulqdq, 31) \
    X(x86, amx_tile, 32) \
    X(x86, amx_int8, 33) \
    X(x86, amx_bf16, 34) \
    X(x86, amx_fp16, 35)

#define RUNG_CPU_FEATURES_AARCH64(X) \
    X(aarch64, asimd, 0) \
    X(aarch64, fphp, 1) \
    X(aarch64, asimdhp, 2) \
    X(aarch64, asimddp, 3) \
    X(aarch64, asimdfhm, 4) \
    X(aarch64, i8mm, 5) \
    X(aarch64, bf16, 6) \
    X(aarch64, sve, 7) \
    X(aarch64, sve2, 8) \
    X(aarch64, svei8mm, 9) \
    X(aarch64, svebf16, 10) \
    X(aarch64, sme, 11) \
    X(aarch64, sme2, 12)

/* RUNG_CPU_x86_avx2 and so on: the bit in rung_cpu.features and in a cell's requirement, for its own family only. */
#define RUNG_CPU_FEATURE_ENUM(family, name, bit) RUNG_CPU_BIT_##family##_##name = (bit),
enum {
    RUNG_CPU_FEATURES_X86(RUNG_CPU_FEATURE_ENUM)
    RUNG_CPU_FEATURES_AARCH64(RUNG_CPU_FEATURE_ENUM)
    RUNG_CPU_BITS = 64
};
#undef RUNG_CPU_FEATURE_ENUM
/* clang-format on */

#endif
