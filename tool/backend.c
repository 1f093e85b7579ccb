/* SPDX-License-Identifier: Apache-2.0
 *
 * backend.c: jobs of this tool run on Rung's own kernels.
 */
#include "backend.h"

#include <string.h>

#include "cli.h"
#include "rk/rk.h"
#include "rung/devices.h"
#include "say.h"

rung_platform *backend_open(const char *backend, int *code)
{
    if (backend == NULL)
        return cli_platform(NULL, 0, code);
    rung_error err;
    rung_choice choice;
    const rung_backend_request request = {.registry = &rk_registry, .name = backend, .flags = RUNG_SELECT_STRICT};
    rung_status status = rung_select_backend(&request, NULL, &choice, &err);
    if (status == RUNG_ERR_UNKNOWN)
        return cli_platform(backend, 0, code);
    if (status == RUNG_OK && choice.chosen.native)
        return cli_platform(NULL, 0, code);
    *code = EXIT_PLATFORM;
    if (status == RUNG_OK)
        say_error("backend '%s' is there (%s), but only Python can drive it, and this is not Python; name a platform, "
                  "such as cpu or cpu/x86-64-v3",
                  backend, choice.chosen.reason);
    else if (status == RUNG_ERR_UNAVAILABLE && strncmp(err.text, "native ", 7) != 0)
        say_error("backend '%s': %s; and only Python could drive it: name a platform, such as cpu or cpu/x86-64-v3",
                  backend, err.text);
    else
        say_error("backend '%s': %s", backend, err.text);
    return NULL;
}

void backend_warn(const rung_problem *problem)
{
    rung_host host;
    rung_host_detect(&host);
    uint64_t needed = rung_problem_mb(problem);
    uint64_t available = host.memory_available >> 20;
    if (!rung_problem_fits(needed, available))
        say_warning("the problem needs %llu MB, which is more than 0.8 of the %llu MB of memory that are available",
                    (unsigned long long)needed, (unsigned long long)available);
}
