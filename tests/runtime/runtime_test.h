/* SPDX-License-Identifier: Apache-2.0
 *
 * runtime_test.h: what the runtime's tests share: cmocka, and machines that this one is not.
 */
#ifndef RUNTIME_TEST_H
#define RUNTIME_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rung/rung.h"

#include "cpu.h"
#include "machine.h"

/* A machine with exactly the features of an x86 or AArch64 level, and nothing else. */
static inline rung_machine machine_with(const char *family, uint64_t features)
{
    rung_machine machine = {.cpu = {.family = family, .features = features, .amx_permission = -1}};
    rung_cpu_set_level(&machine.cpu);
    return machine;
}

static inline rung_machine machine_x86(uint16_t rank)
{
    rung_machine machine = machine_with("x86", rung_level_features(RUNG_MODEL_X86, rank));
    if (rank == 5)
        machine.cpu.amx_permission = 1;
    return machine;
}

static inline rung_machine machine_aarch64(uint16_t rank)
{
    return machine_with("aarch64", rung_level_features(RUNG_MODEL_AARCH64, rank));
}

static inline rung_platform *open_on(const rung_registry *registry, const char *chain, unsigned flags,
                                     const rung_machine *machine)
{
    rung_platform *p = NULL;
    rung_error err;
    if (rung_platform_open_on(registry, chain, flags, machine, &p, &err) != RUNG_OK)
        fail_msg("%s: %s", chain == NULL ? "(automatic)" : chain, err.text);
    assert_int_equal(err.status, RUNG_OK);
    return p;
}

#endif
