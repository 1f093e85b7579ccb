/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_nvidia.h: the machine that both of NVIDIA's imitated libraries find in their variable.
 *
 *     device=name|capability|bytes|uuid|PCI address|compute mode    a GPU; in the order of the bus
 *     mig=GPU|uuid|gi|ci|bytes|name                                 an instance of a GPU, which is then in MIG mode
 *
 * The last fields may be left out. `mig=0` alone puts GPU 0 into MIG mode without an instance.
 */
#ifndef FAKE_NVIDIA_H
#define FAKE_NVIDIA_H

#include "steer.h"

#if defined(__GNUC__)
#define FAKE_ENTRY __attribute__((visibility("default")))
#else
#define FAKE_ENTRY
#endif

enum { FAKE_MOST = 160 };

typedef struct fake_device {
    char name[96], uuid[96], bus[32];
    int major, minor, mode;
    size_t bytes;
    int mig;      /* a GPU in MIG mode */
    int instance; /* then `gpu`, `gi` and `ci` are set */
    unsigned gpu, gi, ci;
} fake_device;

/* GPUs first, then instances. Returns how many there are of both; *gpus: of GPUs. */
static inline unsigned fake_machine(const char *variable, fake_device *out, unsigned *gpus)
{
    char value[512], field[128];
    unsigned count = 0;
    *gpus = 0;
    for (unsigned i = 0; count < FAKE_MOST && steer_value(variable, "device", i, value, sizeof value); i++) {
        fake_device *device = &out[count++];
        memset(device, 0, sizeof *device);
        steer_field(value, 0, device->name, sizeof device->name);
        steer_field(value, 1, field, sizeof field);
        char *point = field;
        device->major = (int)strtol(field, &point, 10);
        device->minor = *point == '.' ? (int)strtol(point + 1, NULL, 10) : 0;
        steer_field(value, 2, field, sizeof field);
        device->bytes = (size_t)strtoull(field, NULL, 10);
        steer_field(value, 3, device->uuid, sizeof device->uuid);
        steer_field(value, 4, device->bus, sizeof device->bus);
        steer_field(value, 5, field, sizeof field);
        device->mode = (int)strtol(field, NULL, 10);
        (*gpus)++;
    }
    for (unsigned i = 0; count < FAKE_MOST && steer_value(variable, "mig", i, value, sizeof value); i++) {
        steer_field(value, 0, field, sizeof field);
        unsigned gpu = (unsigned)strtoul(field, NULL, 10);
        if (gpu >= *gpus)
            continue;
        out[gpu].mig = 1;
        if (strchr(value, '|') == NULL)
            continue;
        fake_device *device = &out[count++];
        *device = out[gpu];
        device->mig = 0;
        device->instance = 1;
        device->gpu = gpu;
        steer_field(value, 1, device->uuid, sizeof device->uuid);
        steer_field(value, 2, field, sizeof field);
        device->gi = (unsigned)strtoul(field, NULL, 10);
        steer_field(value, 3, field, sizeof field);
        device->ci = (unsigned)strtoul(field, NULL, 10);
        steer_field(value, 4, field, sizeof field);
        device->bytes = (size_t)strtoull(field, NULL, 10);
        steer_field(value, 5, device->name, sizeof device->name);
    }
    return count;
}

/* An entry that is about the nth device: steered by `entry@n`, or else by `entry`. */
static inline int steer_entry_of(const char *variable, const char *entry, unsigned n, int otherwise)
{
    char name[96];
    size_t len = strlen(entry);
    memcpy(name, entry, len);
    name[len++] = '@';
    if (n >= 100)
        name[len++] = (char)('0' + n / 100);
    if (n >= 10)
        name[len++] = (char)('0' + n / 10 % 10);
    name[len++] = (char)('0' + n % 10);
    name[len] = '\0';
    return steer_entry(variable, name, steer_entry(variable, entry, otherwise));
}

static inline void fake_copy(char *out, size_t size, const char *text)
{
    size_t len = strlen(text);
    len = len < size ? len : size - 1;
    memcpy(out, text, len);
    out[len] = '\0';
}

#endif
