/* SPDX-License-Identifier: Apache-2.0
 *
 * example_gpu.c: what examples/gpu gets for opening and closing a platform: the imitated GPU of testbed_gpu.c, and in
 * the end what its driver has to say. The linker puts these in the place of the library's (--wrap).
 */
#include <stdio.h>
#include <stdlib.h>

#include "testbed.h"

rung_status __wrap_rung_platform_open(const rung_registry *registry, const char *chain, unsigned flags,
                                      rung_platform **out, rung_error *err);
void __wrap_rung_platform_close(rung_platform *platform);
void __real_rung_platform_close(rung_platform *platform);

rung_status __wrap_rung_platform_open(const rung_registry *registry, const char *chain, unsigned flags,
                                      rung_platform **out, rung_error *err)
{
    (void)registry; /* the testbed's is the same */
    return testbed_open(chain, flags, out, err);
}

void __wrap_rung_platform_close(rung_platform *platform)
{
    __real_rung_platform_close(platform);
    const char *said = testbed_end();
    if (said == NULL)
        return;
    fprintf(stderr, "the driver complains: %s\n", said);
    exit(EXIT_FAILURE);
}
