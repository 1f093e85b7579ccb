/* SPDX-License-Identifier: Apache-2.0 */
#include "machine.h"

#include "cpu.h"
#include "log.h"

void rung_machine_detect(rung_world *world, rung_machine *out)
{
    *world = rung_this_world();
    rung_world_settle(world, 0);
    rung_log_listen(world);
    *out = (rung_machine){.world = world,
                          .env_platform = rung_world_env(world, "RUNG_PLATFORM"),
                          .env_log = rung_world_env(world, "RUNG_LOG")};
    uint64_t start = rung_probe_start(world);
    rung_cpu_read(false, &out->cpu);
    rung_probe_told(world, start, "cpu", "features", out->cpu.level);
}
