/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_nvml.c: libnvidia-ml.so.1 as detection sees it, steered by RUNG_FAKE_NVML (steer.h, fake_nvidia.h):
 *
 *     version=580.65.06   the kernel driver's version
 *     cuda=13000          what nvmlSystemGetCudaDriverVersion_v2 gives
 *     nvmlInit=18         the code of nvmlInit_v2 and nvmlInitWithFlags
 *     nvmlDeviceGetHandleByIndex_v2@1=4   the code of an entry for one GPU
 *
 * CUDA_VISIBLE_DEVICES does nothing here, as in the real library.
 */
#include "fake_nvidia.h"

#include <pthread.h>
#include <stdatomic.h>

#define VARIABLE "RUNG_FAKE_NVML"

enum { UNINITIALIZED = 1, INVALID_ARGUMENT = 2, NOT_SUPPORTED = 3, NOT_FOUND = 6, INSUFFICIENT_SIZE = 7 };

typedef struct fake_pci {
    char legacy[16];
    unsigned domain, bus, device, id, subsystem;
    char address[32];
} fake_pci;

typedef struct fake_memory {
    unsigned long long total, free, used;
} fake_memory;

static fake_device all[FAKE_MOST];
static unsigned all_count, gpus;
static atomic_int users;
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER; /* of users, and what the first of them finds */

/* What tests ask: how many have initialised it and not shut it down. */
FAKE_ENTRY int rung_fake_nvml_users(void);
int rung_fake_nvml_users(void)
{
    return users;
}

static int entry(const char *name)
{
    return steer_entry(VARIABLE, name, users > 0 ? 0 : UNINITIALIZED);
}

static int entry_of(const char *name, const fake_device *device)
{
    if (users == 0 || device < all || device >= all + all_count)
        return users == 0 ? UNINITIALIZED : INVALID_ARGUMENT;
    return steer_entry_of(VARIABLE, name, (unsigned)(device - all), 0);
}

static int start(void)
{
    int code = steer_entry(VARIABLE, "nvmlInit", 0);
    (void)pthread_mutex_lock(&counting);
    if (code == 0 && users == 0)
        all_count = fake_machine(VARIABLE, all, &gpus);
    users += code == 0;
    (void)pthread_mutex_unlock(&counting);
    return code;
}

FAKE_ENTRY int nvmlInit_v2(void);
int nvmlInit_v2(void)
{
    return start();
}

FAKE_ENTRY int nvmlInitWithFlags(unsigned flags);
int nvmlInitWithFlags(unsigned flags)
{
    (void)flags;
    return start();
}

FAKE_ENTRY int nvmlShutdown(void);
int nvmlShutdown(void)
{
    int code = entry("nvmlShutdown");
    (void)pthread_mutex_lock(&counting);
    users -= code == 0;
    (void)pthread_mutex_unlock(&counting);
    return code;
}

static int text(int code, const char *value, char *out, unsigned size)
{
    if (code == 0 && strlen(value) >= size)
        code = INSUFFICIENT_SIZE;
    if (code == 0)
        fake_copy(out, size, value);
    return code;
}

FAKE_ENTRY int nvmlSystemGetDriverVersion(char *version, unsigned size);
int nvmlSystemGetDriverVersion(char *version, unsigned size)
{
    char value[80];
    if (!steer_value(VARIABLE, "version", 0, value, sizeof value))
        fake_copy(value, sizeof value, "580.65.06");
    return text(entry("nvmlSystemGetDriverVersion"), value, version, size);
}

FAKE_ENTRY int nvmlSystemGetCudaDriverVersion_v2(int *version);
int nvmlSystemGetCudaDriverVersion_v2(int *version)
{
    char value[32];
    int code = entry("nvmlSystemGetCudaDriverVersion_v2");
    if (code == 0)
        *version = steer_value(VARIABLE, "cuda", 0, value, sizeof value) ? (int)strtol(value, NULL, 10) : 13000;
    return code;
}

FAKE_ENTRY int nvmlDeviceGetCount_v2(unsigned *count);
int nvmlDeviceGetCount_v2(unsigned *count)
{
    int code = entry("nvmlDeviceGetCount_v2");
    if (code == 0)
        *count = gpus;
    return code;
}

FAKE_ENTRY int nvmlDeviceGetHandleByIndex_v2(unsigned index, fake_device **device);
int nvmlDeviceGetHandleByIndex_v2(unsigned index, fake_device **device)
{
    int code = index < gpus ? entry_of("nvmlDeviceGetHandleByIndex_v2", &all[index]) : INVALID_ARGUMENT;
    if (code == 0)
        *device = &all[index];
    return code;
}

FAKE_ENTRY int nvmlDeviceGetName(fake_device *device, char *name, unsigned size);
int nvmlDeviceGetName(fake_device *device, char *name, unsigned size)
{
    return text(entry_of("nvmlDeviceGetName", device), device->name, name, size);
}

FAKE_ENTRY int nvmlDeviceGetUUID(fake_device *device, char *uuid, unsigned size);
int nvmlDeviceGetUUID(fake_device *device, char *uuid, unsigned size)
{
    return text(entry_of("nvmlDeviceGetUUID", device), device->uuid, uuid, size);
}

FAKE_ENTRY int nvmlDeviceGetPciInfo_v3(fake_device *device, fake_pci *pci);
int nvmlDeviceGetPciInfo_v3(fake_device *device, fake_pci *pci)
{
    int code = entry_of("nvmlDeviceGetPciInfo_v3", device);
    if (code != 0)
        return code;
    memset(pci, 0, sizeof *pci);
    char *at = device->bus;
    pci->domain = (unsigned)strtoul(at, &at, 16);
    pci->bus = *at == ':' ? (unsigned)strtoul(at + 1, &at, 16) : 0;
    pci->device = *at == ':' ? (unsigned)strtoul(at + 1, &at, 16) : 0;
    return 0;
}

FAKE_ENTRY int nvmlDeviceGetMemoryInfo(fake_device *device, fake_memory *memory);
int nvmlDeviceGetMemoryInfo(fake_device *device, fake_memory *memory)
{
    int code = entry_of("nvmlDeviceGetMemoryInfo", device);
    if (code == 0)
        *memory = (fake_memory){device->bytes, device->bytes, 0};
    return code;
}

FAKE_ENTRY int nvmlDeviceGetComputeMode(fake_device *device, int *mode);
int nvmlDeviceGetComputeMode(fake_device *device, int *mode)
{
    int code = entry_of("nvmlDeviceGetComputeMode", device);
    if (code == 0)
        *mode = device->mode;
    return code;
}

FAKE_ENTRY int nvmlDeviceGetCudaComputeCapability(fake_device *device, int *major, int *minor);
int nvmlDeviceGetCudaComputeCapability(fake_device *device, int *major, int *minor)
{
    int code = entry_of("nvmlDeviceGetCudaComputeCapability", device);
    if (code == 0) {
        *major = device->major;
        *minor = device->minor;
    }
    return code;
}

FAKE_ENTRY int nvmlDeviceGetMigMode(fake_device *device, unsigned *current, unsigned *pending);
int nvmlDeviceGetMigMode(fake_device *device, unsigned *current, unsigned *pending)
{
    int code = entry_of("nvmlDeviceGetMigMode", device);
    if (code == 0 && device->major < 8)
        code = NOT_SUPPORTED;
    if (code == 0)
        *current = *pending = (unsigned)device->mig;
    return code;
}

FAKE_ENTRY int nvmlDeviceGetMaxMigDeviceCount(fake_device *device, unsigned *count);
int nvmlDeviceGetMaxMigDeviceCount(fake_device *device, unsigned *count)
{
    int code = entry_of("nvmlDeviceGetMaxMigDeviceCount", device);
    if (code == 0)
        *count = 14;
    return code;
}

/* Every second number is one of an instance that has been taken down. */
FAKE_ENTRY int nvmlDeviceGetMigDeviceHandleByIndex(fake_device *device, unsigned index, fake_device **instance);
int nvmlDeviceGetMigDeviceHandleByIndex(fake_device *device, unsigned index, fake_device **instance)
{
    int code = entry_of("nvmlDeviceGetMigDeviceHandleByIndex", device);
    if (code != 0)
        return code;
    unsigned nth = index / 2;
    for (unsigned i = gpus; i < all_count && index % 2 == 1; i++) {
        if (all[i].gpu == (unsigned)(device - all) && nth-- == 0) {
            *instance = &all[i];
            return 0;
        }
    }
    return NOT_FOUND;
}

FAKE_ENTRY int nvmlDeviceGetGpuInstanceId(fake_device *device, unsigned *id);
int nvmlDeviceGetGpuInstanceId(fake_device *device, unsigned *id)
{
    int code = entry_of("nvmlDeviceGetGpuInstanceId", device);
    if (code == 0)
        *id = device->gi;
    return code;
}

FAKE_ENTRY int nvmlDeviceGetComputeInstanceId(fake_device *device, unsigned *id);
int nvmlDeviceGetComputeInstanceId(fake_device *device, unsigned *id)
{
    int code = entry_of("nvmlDeviceGetComputeInstanceId", device);
    if (code == 0)
        *id = device->ci;
    return code;
}
