/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_hip.c: libamdhip64, steered by RUNG_FAKE_HIP (steer.h):
 *     device=NAME|ARCH|BYTES|UUID|BUS    one for each device; UUID: 16 digits
 *     version=60342134                   of hipRuntimeGetVersion and hipDriverGetVersion
 *     count=N                            what hipGetDeviceCount writes, otherwise the number of devices
 *     current=N                          the thread's device before anybody sets it
 * An entry's name gives its code. hipGetDeviceCount without a device gives 100, as HIP does. FAKE_HIP_R0600 and
 * FAKE_HIP_R0000 say which functions there are beside hipGetDeviceProperties, which fills the old struct always.
 */
#include <stdint.h>

#include "steer.h"

#define VARIABLE "RUNG_FAKE_HIP"

int hipGetDeviceCount(int *count);
int hipGetDevicePropertiesR0600(void *properties, int device);
int hipGetDevicePropertiesR0000(void *properties, int device);
int hipGetDeviceProperties(void *properties, int device);
int hipRuntimeGetVersion(int *version);
int hipDriverGetVersion(int *version);
int hipDeviceGetPCIBusId(char *bus, int size, int device);
int hipGetDevice(int *device);
int hipSetDevice(int device);
int hipMalloc(void **memory, size_t size);
int hipFree(void *memory);
int fake_hip_current(void);
int fake_hip_held(void);

static int current = -1;
static int held;

static int number(const char *key, int otherwise)
{
    char value[32];
    return steer_value(VARIABLE, key, 0, value, sizeof value) ? (int)strtol(value, NULL, 10) : otherwise;
}

static int device_field(int device, unsigned field, char *out, size_t size)
{
    char text[512];
    out[0] = '\0';
    if (device < 0 || !steer_value(VARIABLE, "device", (unsigned)device, text, sizeof text))
        return 0;
    steer_field(text, field, out, size);
    return 1;
}

static int devices(void)
{
    char text[512];
    int count = 0;
    while (device_field(count, 0, text, sizeof text))
        count++;
    return count;
}

int hipGetDeviceCount(int *count)
{
    *count = number("count", devices());
    return steer_entry(VARIABLE, "hipGetDeviceCount", *count == 0 ? 100 : 0);
}

/* The offsets are those of hip_runtime_api.h of HIP 6 (R0600) and of HIP 5. */
static int fill(const char *entry, char *properties, size_t size, size_t uuid, size_t memory, size_t arch, int device)
{
    char text[256];
    int code = steer_entry(VARIABLE, entry, 0);
    if (code != 0)
        return code;
    memset(properties, 0, size);
    if (!device_field(device, 0, properties, 256))
        return 101;
    (void)device_field(device, 1, properties + arch, 256);
    (void)device_field(device, 2, text, sizeof text);
    uint64_t bytes = strtoull(text, NULL, 10);
    memcpy(properties + memory, &bytes, sizeof bytes);
    if (uuid != 0 && device_field(device, 3, text, sizeof text))
        memcpy(properties + uuid, text, strlen(text) < 16 ? strlen(text) : 16);
    return 0;
}

#ifdef FAKE_HIP_R0600
int hipGetDevicePropertiesR0600(void *properties, int device)
{
    return fill("hipGetDevicePropertiesR0600", properties, 1472, 256, 288, 1160, device);
}
#endif

#ifdef FAKE_HIP_R0000
int hipGetDevicePropertiesR0000(void *properties, int device)
{
    return fill("hipGetDevicePropertiesR0000", properties, 792, 0, 256, 396, device);
}
#endif

int hipGetDeviceProperties(void *properties, int device)
{
    return fill("hipGetDeviceProperties", properties, 792, 0, 256, 396, device);
}

int hipRuntimeGetVersion(int *version)
{
    *version = number("version", 0);
    return steer_entry(VARIABLE, "hipRuntimeGetVersion", 0);
}

int hipDriverGetVersion(int *version)
{
    *version = number("version", 0);
    return steer_entry(VARIABLE, "hipDriverGetVersion", 0);
}

int hipDeviceGetPCIBusId(char *bus, int size, int device)
{
    (void)device_field(device, 4, bus, (size_t)size);
    return steer_entry(VARIABLE, "hipDeviceGetPCIBusId", 0);
}

int hipGetDevice(int *device)
{
    *device = current < 0 ? number("current", 0) : current;
    return steer_entry(VARIABLE, "hipGetDevice", 0);
}

int hipSetDevice(int device)
{
    int code = steer_entry(VARIABLE, "hipSetDevice", 0);
    if (code == 0)
        current = device;
    return code;
}

int hipMalloc(void **memory, size_t size)
{
    int code = steer_entry(VARIABLE, "hipMalloc", 0);
    if (code == 0) {
        *memory = malloc(size);
        held++;
    }
    return code;
}

int hipFree(void *memory)
{
    free(memory);
    held--;
    return steer_entry(VARIABLE, "hipFree", 0);
}

int fake_hip_current(void)
{
    return current;
}

int fake_hip_held(void)
{
    return held;
}
