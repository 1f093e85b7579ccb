/* SPDX-License-Identifier: Apache-2.0
 *
 * testbed_wrap.c: for programs that know nothing of testbeds: what they get for opening and closing a platform. The
 * linker puts these in the place of the library's (--wrap). The imitated GPU of testbed_gpu.c, unless processors alone
 * are asked for; and when the last such platform is closed, what its driver has to say ends the process.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "testbed.h"

rung_status __real_rung_platform_open(const rung_registry *registry, const char *chain, unsigned flags,
                                      rung_platform **out, rung_error *err);
void __real_rung_platform_close(rung_platform *platform);
rung_status __wrap_rung_platform_open(const rung_registry *registry, const char *chain, unsigned flags,
                                      rung_platform **out, rung_error *err);
void __wrap_rung_platform_close(rung_platform *platform);

enum { MOST = 8 };
static rung_platform *opened[MOST];

static rung_platform **find(const rung_platform *platform)
{
    for (int i = 0; i < MOST; i++)
        if (opened[i] == platform)
            return &opened[i];
    return NULL;
}

static _Noreturn void end(const char *why)
{
    (void)fprintf(stderr, "the driver complains: %s\n", why);
    _exit(1); /* this may be the child of a process that has begun to write */
}

rung_status __wrap_rung_platform_open(const rung_registry *registry, const char *chain, unsigned flags,
                                      rung_platform **out, rung_error *err)
{
    if (chain != NULL && (strncmp(chain, "cpu", 3) == 0 || strncmp(chain, "accel", 5) == 0))
        return __real_rung_platform_open(registry, chain, flags, out, err);
    rung_platform **free_place = find(NULL);
    if (free_place == NULL)
        end("too many platforms for testbed_wrap.c");
    rung_status status = testbed_open(chain, flags, out, err); /* its registry is the same */
    if (status == RUNG_OK)
        *free_place = *out;
    return status;
}

static bool none_left(void)
{
    for (int i = 0; i < MOST; i++)
        if (opened[i] != NULL)
            return false;
    return true;
}

void __wrap_rung_platform_close(rung_platform *platform)
{
    rung_platform **place = platform == NULL ? NULL : find(platform);
    __real_rung_platform_close(platform);
    if (place == NULL)
        return;
    *place = NULL;
    if (!none_left())
        return;
    const char *said = testbed_complaint();
    (void)testbed_end(); /* which would also complain of a driver that nobody has asked for anything yet */
    if (said != NULL)
        end(said);
}
