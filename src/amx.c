/* SPDX-License-Identifier: Apache-2.0
 *
 * amx.c: Linux gives a process the state of AMX tiles when it asks for it; before that, the first tile instruction is
 * answered with SIGILL. Asking changes the process (its signal stacks have to be larger), so that it is left to the
 * first use. Documentation/arch/x86/xstate.rst of Linux.
 */
#include "acquire.h"
#include "cpu.h"

#if defined(__x86_64__) && defined(__linux__)
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

enum { TILE_DATA = 18 };

int rung_amx_permission(void)
{
    int answer = -1;
#if defined(__x86_64__) && defined(__linux__) && defined(SYS_arch_prctl)
    enum { ARCH_GET_XCOMP_SUPP = 0x1021, ARCH_GET_XCOMP_PERM = 0x1022 };
    unsigned long supported = 0;
    unsigned long permitted = 0;
    int saved = errno;
    if (syscall(SYS_arch_prctl, ARCH_GET_XCOMP_SUPP, &supported) == 0 && (supported >> TILE_DATA & 1) &&
        syscall(SYS_arch_prctl, ARCH_GET_XCOMP_PERM, &permitted) == 0)
        answer = (int)(permitted >> TILE_DATA & 1);
    errno = saved;
#endif
    return answer;
}

rung_reason rung_amx_request(rung_text *detail)
{
#if defined(__x86_64__) && defined(__linux__) && defined(SYS_arch_prctl)
    enum { ARCH_REQ_XCOMP_PERM = 0x1023 };
    int saved = errno;
    int failed = syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, (unsigned long)TILE_DATA) == 0 ? 0 : errno;
    errno = saved;
    if (failed == 0)
        return RUNG_REASON_NONE;
    rung_text_add(detail, "arch_prctl(ARCH_REQ_XCOMP_PERM, 18): error ");
    rung_text_uint(detail, (uint64_t)failed);
#else
    rung_text_add(detail, "this system has no way to ask for AMX tiles");
#endif
    return RUNG_REASON_PERMISSION_REFUSED;
}
