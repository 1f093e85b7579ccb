/* SPDX-License-Identifier: Apache-2.0
 *
 * cpu_aarch64.c: AArch64 features from the auxiliary vector, which holds what the processors have in common and the
 * system enables.
 */
#include "cpu.h"

/* HWCAP and HWCAP2 bits of the Linux ABI, written out since the C library's headers may be older than the kernel. */
typedef struct source {
    uint8_t feature, word, bit;
} source;
#define F(name, word, bit)                                                                                             \
    {                                                                                                                  \
        RUNG_CPU_BIT_aarch64_##name, word, bit                                                                         \
    }
static const source sources[] = {
    F(asimd, 0, 1),     F(fphp, 0, 9),  F(asimdhp, 0, 10), F(asimddp, 0, 20), F(sve, 0, 22),
    F(asimdfhm, 0, 23), F(sve2, 1, 1),  F(svei8mm, 1, 9),  F(svebf16, 1, 12), F(i8mm, 1, 13),
    F(bf16, 1, 14),     F(bf16, 1, 12), /* SVE's was told before the plain one existed */
    F(sme, 1, 23),      F(sme2, 1, 37),
};
#undef F

void rung_aarch64_read(uint64_t hwcap, uint64_t hwcap2, uint32_t sve_bytes, rung_cpu *out)
{
    const uint64_t words[2] = {hwcap, hwcap2};
    *out = (rung_cpu){.family = "aarch64", .level = "generic", .amx_permission = -1};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (words[sources[i].word] >> sources[i].bit & 1)
            out->features |= UINT64_C(1) << sources[i].feature;
    out->features = rung_features_whole(RUNG_MODEL_AARCH64, out->features);
    if (out->features & RUNG_CPU_MASK(aarch64, sve))
        out->sve_bytes = sve_bytes;
}

#if defined(__aarch64__) && defined(__linux__)
#include <errno.h>
#include <sys/auxv.h>
#include <sys/prctl.h>

bool rung_aarch64_detect(rung_cpu *out)
{
    enum { HWCAP = 16, HWCAP2 = 26, SVE_GET_VL = 51, SVE = 22 };
    uint64_t hwcap = getauxval(HWCAP);
    uint64_t hwcap2 = getauxval(HWCAP2);
    uint32_t sve_bytes = 0;
    if (hwcap >> SVE & 1) {
        int saved = errno;
        int length = prctl(SVE_GET_VL, 0, 0, 0, 0);
        errno = saved;
        if (length > 0)
            sve_bytes = (uint32_t)length & 0xffff;
    }
    rung_aarch64_read(hwcap, hwcap2, sve_bytes, out);
    return true;
}

#elif defined(__aarch64__)

/* Advanced SIMD is part of every AArch64 system; nothing else is asked for where there is no auxiliary vector. */
bool rung_aarch64_detect(rung_cpu *out)
{
    rung_aarch64_read(1u << 1, 0, 0, out);
    return true;
}

#else

bool rung_aarch64_detect(rung_cpu *out)
{
    (void)out;
    return false;
}

#endif
