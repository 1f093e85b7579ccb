/* SPDX-License-Identifier: Apache-2.0 */
#include "machine.h"

#include <stdlib.h>

#include "cpu.h"

void rung_machine_detect(rung_machine *out)
{
    *out = (rung_machine){.env_platform = getenv("RUNG_PLATFORM"), .env_log = getenv("RUNG_LOG")};
    rung_cpu_read(false, &out->cpu);
}
