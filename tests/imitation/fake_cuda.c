/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_cuda.c: libcuda.so.1 as detection and a launch path see it, steered by RUNG_FAKE_CUDA (steer.h, fake_nvidia.h):
 *
 *     driver=13000   what cuDriverGetVersion gives
 *     stub=1         every entry gives 34, as the toolkit's stub does
 *     cuInit=802     the code of an entry; cuDevicePrimaryCtxRetain@1=2: that of an entry for one device
 *
 * CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER are read at cuInit and act as on the real driver; "fastest" is the one of
 * the highest capability. cuInit fails with 3 in a process that was forked after it succeeded.
 */
#include "fake_nvidia.h"

#define VARIABLE "RUNG_FAKE_CUDA"

enum { NOT_INITIALIZED = 3, STUB = 34, NO_DEVICE = 100, INVALID_DEVICE = 101, INVALID_VALUE = 1, UNKNOWN = 999 };

static pid_t initialised_by;
static int inits, contexts;
static fake_device seen[FAKE_MOST];
static unsigned seen_count;

/* What tests ask: how often cuInit was called, and how many contexts are retained. */
FAKE_ENTRY int rung_fake_cuda_inits(void);
FAKE_ENTRY int rung_fake_cuda_contexts(void);
int rung_fake_cuda_inits(void)
{
    return inits;
}
int rung_fake_cuda_contexts(void)
{
    return contexts;
}

/* ---- CUDA_VISIBLE_DEVICES ---------------------------------------------------------------------------------------- */

static unsigned gpus;
static fake_device all[FAKE_MOST];
static unsigned all_count;

static int same_gi(const fake_device *a, const fake_device *b)
{
    return a->instance && b->instance && a->gi == b->gi && a->gpu == b->gpu;
}

static int old_driver(void)
{
    char value[32];
    return steer_value(VARIABLE, "driver", 0, value, sizeof value) && strtol(value, NULL, 10) < 12080;
}

static void show(const fake_device *device)
{
    if (device->mig) {
        for (unsigned i = gpus; i < all_count; i++)
            if (all[i].gpu == (unsigned)(device - all))
                show(&all[i]);
        return;
    }
    for (unsigned i = 0; i < seen_count; i++)
        if (same_gi(&seen[i], device))
            return;
    if (old_driver() && seen_count > 0 && seen[0].instance)
        return;
    if (old_driver() && device->instance)
        seen_count = 0;
    seen[seen_count++] = *device;
}

/* The fastest first, or as they are. */
static unsigned in_order(unsigned nth)
{
    unsigned order[FAKE_MOST];
    for (unsigned i = 0; i < gpus; i++)
        order[i] = i;
    const char *by = getenv("CUDA_DEVICE_ORDER");
    for (unsigned i = 1; (by == NULL || strcmp(by, "PCI_BUS_ID") != 0) && i < gpus; i++) {
        for (unsigned k = i; k > 0; k--) {
            const fake_device *a = &all[order[k - 1]], *b = &all[order[k]];
            if (a->major * 10 + a->minor >= b->major * 10 + b->minor)
                break;
            unsigned swap = order[k];
            order[k] = order[k - 1];
            order[k - 1] = swap;
        }
    }
    return order[nth];
}

static int find(const char *list, char *word)
{
    if (strncmp(list, "GPU-", 4) != 0 && strncmp(list, "MIG-", 4) != 0) {
        char *end = word;
        long n = strtol(word, &end, 10);
        return end == word || n < 0 || n >= (long)gpus ? -1 : (int)in_order((unsigned)n);
    }
    int found = -1;
    for (unsigned i = 0; i < all_count && strncmp(word, list, 4) == 0; i++) {
        char path[256];
        fake_copy(path, sizeof path - 40, "MIG-");
        if (all[i].instance) {
            fake_copy(path + 4, 100, all[all[i].gpu].uuid);
            size_t len = strlen(path);
            path[len++] = '/';
            path[len++] = (char)('0' + all[i].gi % 10);
            path[len++] = '/';
            path[len++] = (char)('0' + all[i].ci % 10);
            path[len] = '\0';
            if (strcmp(path, word) == 0)
                return (int)i;
        }
        if (strncmp(all[i].uuid, word, strlen(word)) != 0)
            continue;
        if (found >= 0)
            return -1;
        found = (int)i;
    }
    return found;
}

static void enumerate(void)
{
    seen_count = 0;
    all_count = fake_machine(VARIABLE, all, &gpus);
    const char *list = getenv("CUDA_VISIBLE_DEVICES");
    if (list == NULL) {
        for (unsigned i = 0; i < gpus; i++)
            show(&all[in_order(i)]);
        return;
    }
    int used[FAKE_MOST] = {0};
    for (const char *at = list;; at++) {
        char word[128];
        size_t len = strcspn(at, ",");
        word[0] = '\0';
        if (len < sizeof word) {
            memcpy(word, at, len);
            word[len] = '\0';
        }
        int which = find(list, word);
        if (which < 0)
            return;
        if (used[which]) {
            seen_count = 0;
            return;
        }
        used[which] = 1;
        show(&all[which]);
        at += len;
        if (*at == '\0')
            return;
    }
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

static int entry(const char *name, int otherwise)
{
    char value[8];
    if (steer_value(VARIABLE, "stub", 0, value, sizeof value))
        return STUB;
    return steer_entry(VARIABLE, name, otherwise);
}

/* An entry about a device. */
static int entry_of(const char *name, int device)
{
    int code = initialised_by != getpid()                ? NOT_INITIALIZED
               : device < 0 || device >= (int)seen_count ? INVALID_DEVICE
                                                         : 0;
    if (code != 0)
        return entry(name, code);
    return steer_entry_of(VARIABLE, name, (unsigned)device, 0);
}

FAKE_ENTRY int cuInit(unsigned flags);
int cuInit(unsigned flags)
{
    inits++;
    int code = entry("cuInit", flags != 0 ? INVALID_VALUE : 0);
    if (code != 0)
        return code;
    if (initialised_by != 0 && initialised_by != getpid())
        return NOT_INITIALIZED;
    if (initialised_by == 0)
        enumerate();
    if (seen_count == 0)
        return NO_DEVICE;
    initialised_by = getpid();
    return 0;
}

FAKE_ENTRY int cuDriverGetVersion(int *version);
int cuDriverGetVersion(int *version)
{
    char value[32];
    int code = entry("cuDriverGetVersion", 0);
    if (code == 0)
        *version = steer_value(VARIABLE, "driver", 0, value, sizeof value) ? (int)strtol(value, NULL, 10) : 13000;
    return code;
}

FAKE_ENTRY int cuDeviceGetCount(int *count);
int cuDeviceGetCount(int *count)
{
    int code = entry("cuDeviceGetCount", initialised_by == getpid() ? 0 : NOT_INITIALIZED);
    if (code == 0)
        *count = (int)seen_count;
    return code;
}

FAKE_ENTRY int cuDeviceGet(int *device, int ordinal);
int cuDeviceGet(int *device, int ordinal)
{
    int code = entry_of("cuDeviceGet", ordinal);
    if (code == 0)
        *device = ordinal;
    return code;
}

FAKE_ENTRY int cuDeviceGetName(char *name, int size, int device);
int cuDeviceGetName(char *name, int size, int device)
{
    int code = entry_of("cuDeviceGetName", device);
    if (code == 0)
        fake_copy(name, (size_t)size, seen[device].name);
    return code;
}

FAKE_ENTRY int cuDeviceGetUuid_v2(unsigned char *uuid, int device);
int cuDeviceGetUuid_v2(unsigned char *uuid, int device)
{
    int code = entry_of("cuDeviceGetUuid_v2", device);
    if (code != 0)
        return code;
    memset(uuid, 0, 16);
    const char *at = seen[device].uuid + strcspn(seen[device].uuid, "-");
    for (int digit = 0; digit < 32 && *at != '\0'; at++) {
        const char *value = strchr("0123456789abcdef", *at);
        if (value == NULL)
            continue;
        uuid[digit / 2] |= (unsigned char)((value - "0123456789abcdef") << (digit % 2 == 0 ? 4 : 0));
        digit++;
    }
    return 0;
}

FAKE_ENTRY int cuDeviceTotalMem_v2(size_t *bytes, int device);
int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    int code = entry_of("cuDeviceTotalMem_v2", device);
    if (code == 0)
        *bytes = seen[device].bytes;
    return code;
}

FAKE_ENTRY int cuDeviceGetAttribute(int *value, int attribute, int device);
int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    int code = entry_of("cuDeviceGetAttribute", device);
    if (code != 0)
        return code;
    switch (attribute) {
    case 20:
        *value = seen[device].mode;
        return 0;
    case 75:
        *value = seen[device].major;
        return 0;
    case 76:
        *value = seen[device].minor;
        return 0;
    default:
        return INVALID_VALUE;
    }
}

FAKE_ENTRY int cuDeviceGetPCIBusId(char *id, int size, int device);
int cuDeviceGetPCIBusId(char *id, int size, int device)
{
    int code = entry_of("cuDeviceGetPCIBusId", device);
    if (code != 0)
        return code;
    fake_copy(id, (size_t)size, seen[device].bus);
    for (; *id != '\0'; id++)
        if (*id >= 'a' && *id <= 'f')
            *id = (char)(*id - 'a' + 'A');
    return 0;
}

FAKE_ENTRY int cuDevicePrimaryCtxRetain(void **context, int device);
int cuDevicePrimaryCtxRetain(void **context, int device)
{
    int code = entry_of("cuDevicePrimaryCtxRetain", device);
    if (code == 0 && seen[device].mode == 2)
        code = UNKNOWN;
    if (code != 0)
        return code;
    contexts++;
    *context = &seen[device];
    return 0;
}

FAKE_ENTRY int cuDevicePrimaryCtxRelease_v2(int device);
int cuDevicePrimaryCtxRelease_v2(int device)
{
    int code = entry_of("cuDevicePrimaryCtxRelease_v2", device);
    if (code == 0)
        contexts--;
    return code;
}

FAKE_ENTRY int cuGetErrorName(int error, const char **name);
int cuGetErrorName(int error, const char **name)
{
    int code = entry("cuGetErrorName", error == 719 ? 0 : INVALID_VALUE);
    if (code == 0)
        *name = "CUDA_ERROR_LAUNCH_FAILED";
    return code;
}
