/* SPDX-License-Identifier: Apache-2.0
 *
 * pci.c: the files of /sys/bus/pci/devices. Each holds one number: "0x10de\n".
 */
#include "pci.h"

#include <string.h>

#include "numbers.h"

static uint32_t number_in(const rung_world *world, const char *folder, const char *name)
{
    char path[256];
    char text[32];
    rung_text t = rung_text_in(path, sizeof path);
    rung_text_join(&t, (const char *const[]){folder, "/", name, NULL});
    long len = rung_world_read(world, path, text, sizeof text);
    uint64_t value = 0;
    if (len <= 2 || memcmp(text, "0x", 2) != 0)
        return 0;
    const char *at = text + 2;
    return rung_digits(&at, text + len, 16, &value) && value <= UINT32_MAX ? (uint32_t)value : 0;
}

static bool read_vendor(const rung_world *world, const char *folder, rung_pci *out)
{
    memset(out, 0, sizeof *out);
    out->vendor = number_in(world, folder, "vendor");
    return out->vendor != 0;
}

static bool read_rest(const rung_world *world, const char *folder, rung_pci *out)
{
    /* written as domain:bus:slot.function, and so is the folder's name when it is one of the bus's own list */
    const char *name = strrchr(folder, '/');
    name = name == NULL ? folder : name + 1;
    if (strchr(name, ':') != NULL && strlen(name) < sizeof out->bus)
        memcpy(out->bus, name, strlen(name) + 1);
    out->device = number_in(world, folder, "device");
    out->subsystem = number_in(world, folder, "subsystem_device");
    out->kind = number_in(world, folder, "class");
    return out->device != 0;
}

bool rung_pci_read(const rung_world *world, const char *folder, rung_pci *out)
{
    return read_vendor(world, folder, out) && read_rest(world, folder, out);
}

typedef struct search {
    const rung_world *world;
    uint32_t vendor;
    rung_pci_fn *wanted;
    rung_pci *first;
} search;

static const char devices[] = "/sys/bus/pci/devices";

static int look(const char *name, void *user)
{
    const search *s = user;
    char folder[128];
    rung_text t = rung_text_in(folder, sizeof folder);
    rung_text_join(&t, (const char *const[]){devices, "/", name, NULL});
    rung_pci function;
    if (read_vendor(s->world, folder, &function) && function.vendor == s->vendor &&
        read_rest(s->world, folder, &function) && s->wanted(&function) &&
        (s->first->bus[0] == '\0' || strcmp(function.bus, s->first->bus) < 0))
        *s->first = function;
    return 0;
}

int rung_pci_first(const rung_world *world, uint32_t vendor, rung_pci_fn *wanted, rung_pci *out)
{
    *out = (rung_pci){.bus = ""};
    search s = {world, vendor, wanted, out};
    return rung_world_list(world, devices, look, &s);
}

void rung_pci_address(uint32_t domain, uint32_t bus, uint32_t slot, uint32_t function, char *out, size_t size)
{
    rung_text t = rung_text_in(out, size);
    rung_text_hex(&t, domain, 4);
    rung_text_add(&t, ":");
    rung_text_hex(&t, bus & 255, 2);
    rung_text_add(&t, ":");
    rung_text_hex(&t, slot & 31, 2);
    rung_text_add(&t, ".");
    rung_text_hex(&t, function & 7, 1);
}
