/* SPDX-License-Identifier: Apache-2.0
 *
 * amd_kfd.c: /sys/class/kfd/kfd/topology/nodes/N/{gpu_id,properties,mem_banks/M/properties}. Which nodes count, and as
 * which number, is as in libhsakmt/src/topology.c (topology_sysfs_check_node_supported) of
 * github.com/ROCm/rocm-systems, the properties are those that kfd_topology.c of Linux writes.
 */
#include "amd_kfd.h"

#include <errno.h>
#include <string.h>

#include "numbers.h"
#include "pci.h"
#include "steps.h"

enum { TEXT_MAX = 4096 };

static long read_of_node(const rung_world *world, uint32_t node, const char *name, char *text, size_t size)
{
    char path[128];
    rung_text t = rung_text_in(path, sizeof path);
    rung_text_add(&t, RUNG_KFD_NODES "/");
    rung_text_uint(&t, node);
    rung_text_join(&t, (const char *const[]){"/", name, NULL});
    return rung_world_read(world, path, text, size);
}

/* Banks of video memory: heap type 1 is visible to the host, 2 is not. */
static uint64_t memory_of(const rung_world *world, uint32_t node, const char *properties, char *text)
{
    uint64_t banks = 0;
    uint64_t sum = 0;
    (void)rung_property(properties, "mem_banks_count", &banks);
    for (uint32_t i = 0; i < banks && i < 16; i++) {
        char name[64];
        uint64_t heap = 0;
        uint64_t size = 0;
        rung_text t = rung_text_in(name, sizeof name);
        rung_text_add(&t, "mem_banks/");
        rung_text_uint(&t, i);
        rung_text_add(&t, "/properties");
        if (read_of_node(world, node, name, text, TEXT_MAX) > 0 && rung_property(text, "heap_type", &heap) &&
            (heap == 1 || heap == 2) && rung_property(text, "size_in_bytes", &size) && size <= UINT64_MAX - sum)
            sum += size;
    }
    if (sum == 0)
        (void)rung_property(properties, "local_mem_size", &sum);
    return sum;
}

static uint64_t value_of(const char *properties, const char *key)
{
    uint64_t value = 0;
    (void)rung_property(properties, key, &value);
    return value;
}

/* The lower half of location_id is bus, slot and function. A partition of an MI300 has its number in the function. */
static void write_bus(const char *properties, char *out, size_t size)
{
    uint64_t location = value_of(properties, "location_id");
    uint64_t domain = value_of(properties, "domain");
    if (location != 0 && domain <= UINT32_MAX)
        rung_pci_address((uint32_t)domain, (uint32_t)(location >> 8 & 255), (uint32_t)(location >> 3 & 31),
                         (uint32_t)(location & 7), out, size);
}

static void read_gpu(const rung_world *world, uint32_t node, const char *properties, char *text, rung_kfd_gpu *out)
{
    uint64_t version = value_of(properties, "gfx_target_version");
    if (version < 1000000)
        out->version =
            (rung_amd_version){(uint32_t)(version / 10000), (uint32_t)(version / 100 % 100), (uint32_t)(version % 100)};
    out->id = value_of(properties, "unique_id");
    write_bus(properties, out->bus, sizeof out->bus);
    out->memory = memory_of(world, node, properties, text);
}

static void keep_away(rung_kfd *out, const char *const *why)
{
    if (out->away++ > 0)
        return;
    rung_text t = rung_text_in(out->why, sizeof out->why);
    rung_text_join(&t, why);
}

/* Whether the GPU counts, as far as its render node decides. */
static bool has_render_node(const rung_world *world, uint32_t render, rung_kfd *out)
{
    char path[32];
    rung_text t = rung_text_in(path, sizeof path);
    rung_text_add(&t, "/dev/dri/renderD");
    rung_text_uint(&t, render);
    int failed = rung_world_may_open(world, path);
    if (failed == ENOENT || failed == EPERM) {
        keep_away(out,
                  (const char *const[]){path, failed == ENOENT ? " is not there" : " is not for this container", NULL});
        return false;
    }
    if (failed != 0 && out->denied[0] == '\0')
        memcpy(out->denied, path, sizeof path);
    return true;
}

int rung_kfd_read(const rung_world *world, rung_kfd *out)
{
    rung_numbers nodes;
    uint32_t usable = 0;
    memset(out, 0, sizeof *out);
    int failed = rung_world_numbers(world, RUNG_KFD_NODES, &nodes);
    for (uint32_t i = 0; i < nodes.count; i++) {
        char properties[TEXT_MAX];
        char text[TEXT_MAX];
        uint32_t node = nodes.at[i];
        uint64_t id = 0;
        long len = read_of_node(world, node, "gpu_id", text, sizeof text);
        if (len <= 0 || !rung_decimal(text, strcspn(text, "\n"), &id)) {
            char number[16];
            rung_text t = rung_text_in(number, sizeof number);
            rung_text_uint(&t, node);
            keep_away(out, (const char *const[]){"node ", number, " of KFD is not for this container", NULL});
            continue;
        }
        bool gpu = id != 0 && read_of_node(world, node, "properties", properties, sizeof properties) > 0 &&
                   value_of(properties, "simd_count") > 0;
        uint64_t render = gpu ? value_of(properties, "drm_render_minor") : 0;
        if (render > 0 && render < 1000000 && !has_render_node(world, (uint32_t)render, out))
            continue;
        if (gpu && out->count < RUNG_AMD_GPUS_MAX) {
            rung_kfd_gpu *to = &out->gpu[out->count++];
            read_gpu(world, node, properties, text, to);
            to->node = usable;
            to->render = render < 1000000 ? (uint32_t)render : 0;
        }
        usable++;
    }
    return failed;
}
