/* SPDX-License-Identifier: Apache-2.0 */
#include "testbed.h"

#include <stddef.h>

rung_status testbed_open(const char *chain, unsigned flags, rung_platform **out, rung_error *err)
{
    return rung_platform_open(&rk_registry, chain, flags, out, err);
}

const char *testbed_end(void)
{
    return NULL;
}
