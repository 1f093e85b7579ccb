/* SPDX-License-Identifier: Apache-2.0 */
#include "proof/emulator.h"

#include <string.h>

#if defined(__x86_64__) || defined(__i386__)

#include <cpuid.h>

/* QEMU's translator names itself in the leaf where hypervisors do: docs/system/i386/hyperv and target/i386/cpu.c of
 * QEMU, CPUID leaf 0x40000000. */
bool rung_proof_is_emulated(void)
{
    unsigned eax = 0, name[3] = {0};
    __cpuid(0x40000000u, eax, name[0], name[1], name[2]);
    return memcmp(name, "TCGTCGTCGTCG", sizeof name) == 0;
}

#else

bool rung_proof_is_emulated(void)
{
    return false;
}

#endif
