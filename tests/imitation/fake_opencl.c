/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_opencl.c: libOpenCL, steered by RUNG_FAKE_OPENCL (steer.h):
 *     platform=NAME   one for each platform
 *     device=PLATFORM|TYPE|NAME|BYTES|DRIVER|VERSION|AVAILABLE|BUS   of the platform of this number
 *
 * TYPE is cpu, gpu or accelerator; BUS the number of a PCI bus. An entry's name gives its code. Without a platform
 * clGetPlatformIDs gives -1001, as the loaders do.
 */
#include <stdint.h>

#include "steer.h"

#define VARIABLE "RUNG_FAKE_OPENCL"

enum { OBJECTS = 128 };

int clGetPlatformIDs(uint32_t size, void **platforms, uint32_t *count);
int clGetDeviceIDs(void *platform, uint64_t type, uint32_t size, void **devices, uint32_t *count);
int clGetPlatformInfo(void *platform, uint32_t what, size_t size, void *value, size_t *written);
int clGetDeviceInfo(void *device, uint32_t what, size_t size, void *value, size_t *written);

static char platform_objects[OBJECTS];
static char device_objects[OBJECTS];

static int device_field(unsigned device, unsigned field, char *out, size_t size)
{
    char text[512];
    out[0] = '\0';
    if (!steer_value(VARIABLE, "device", device, text, sizeof text))
        return 0;
    steer_field(text, field, out, size);
    return 1;
}

int clGetPlatformIDs(uint32_t size, void **platforms, uint32_t *count)
{
    char text[256];
    *count = 0;
    while (*count < OBJECTS && steer_value(VARIABLE, "platform", *count, text, sizeof text)) {
        if (*count < size)
            platforms[*count] = &platform_objects[*count];
        ++*count;
    }
    return steer_entry(VARIABLE, "clGetPlatformIDs", *count == 0 ? -1001 : 0);
}

int clGetDeviceIDs(void *platform, uint64_t type, uint32_t size, void **devices, uint32_t *count)
{
    unsigned of = (unsigned)((char *)platform - platform_objects);
    char text[64];
    *count = 0;
    for (unsigned i = 0; i < OBJECTS && device_field(i, 0, text, sizeof text); i++) {
        if (strtoul(text, NULL, 10) != of)
            continue;
        (void)device_field(i, 1, text, sizeof text);
        uint64_t bit = text[0] == 'c' ? 2 : text[0] == 'g' ? 4 : 8;
        if ((bit & type) == 0)
            continue;
        if (*count < size)
            devices[*count] = &device_objects[i];
        ++*count;
    }
    return steer_entry(VARIABLE, "clGetDeviceIDs", *count == 0 ? -1 : 0);
}

static int give_text(const char *text, size_t size, void *value, size_t *written)
{
    size_t need = strlen(text) + 1;
    if (written != NULL)
        *written = need;
    if (size < need)
        return -30;
    memcpy(value, text, need);
    return 0;
}

int clGetPlatformInfo(void *platform, uint32_t what, size_t size, void *value, size_t *written)
{
    char text[256];
    int code = steer_entry(VARIABLE, "clGetPlatformInfo", 0);
    if (code != 0)
        return code;
    (void)steer_value(VARIABLE, "platform", (unsigned)((char *)platform - platform_objects), text, sizeof text);
    return what == 0x0902 ? give_text(text, size, value, written) : -30;
}

int clGetDeviceInfo(void *device, uint32_t what, size_t size, void *value, size_t *written)
{
    unsigned i = (unsigned)((char *)device - device_objects);
    char text[256];
    int code = steer_entry(VARIABLE, "clGetDeviceInfo", 0);
    if (code != 0)
        return code;
    if (what == 0x101f && size == sizeof(uint64_t)) {
        (void)device_field(i, 3, text, sizeof text);
        uint64_t bytes = strtoull(text, NULL, 10);
        memcpy(value, &bytes, sizeof bytes);
        return 0;
    }
    if (what == 0x410f && size == 4 * sizeof(uint32_t)) {
        (void)device_field(i, 7, text, sizeof text);
        const uint32_t address[4] = {0, (uint32_t)strtoul(text, NULL, 16), 0, 1};
        memcpy(value, address, sizeof address);
        return text[0] == '\0' ? -30 : 0;
    }
    if (what == 0x1027 && size == sizeof(uint32_t)) {
        (void)device_field(i, 6, text, sizeof text);
        uint32_t available = text[0] != '0';
        memcpy(value, &available, sizeof available);
        return 0;
    }
    unsigned field = what == 0x102b ? 2 : what == 0x102d ? 4 : what == 0x102f ? 5 : 0;
    if (field == 0)
        return -30;
    (void)device_field(i, field, text, sizeof text);
    return give_text(text, size, value, written);
}
