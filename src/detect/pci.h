/* SPDX-License-Identifier: Apache-2.0
 *
 * pci.h: what /sys tells of the functions on the PCI bus.
 */
#ifndef RUNG_DETECT_PCI_H
#define RUNG_DETECT_PCI_H

#include "world.h"

typedef struct rung_pci {
    char bus[32]; /* "0000:3b:00.0"; "" when it is not known */
    uint32_t vendor, device, subsystem;
    uint32_t kind; /* class, subclass and interface: 0x030000 is a display controller */
} rung_pci;

/* Writes an address as /sys has it, "0000:3b:00.0" or, as the kernel writes with %04x, "10000:e1:00.0". */
void rung_pci_address(uint32_t domain, uint32_t bus, uint32_t slot, uint32_t function, char *out, size_t size);

/* Reads the files of a function's folder, such as "/sys/bus/pci/devices/0000:3b:00.0". False unless they name vendor
 * and device; the rest is 0 where it is not told. */
bool rung_pci_read(const rung_world *world, const char *folder, rung_pci *out);

/* The function of one vendor with the lowest address among those that are wanted: the answer is always the same. Bus ""
 * in *out when there is none. 0, or an errno: the bus cannot be read. */
typedef bool rung_pci_fn(const rung_pci *function);
int rung_pci_first(const rung_world *world, uint32_t vendor, rung_pci_fn *wanted, rung_pci *out);

#endif
