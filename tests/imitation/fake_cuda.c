/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_cuda.c: libcuda.so.1 as detection and launches see it: cuInit and what is asked of devices. RUNG_FAKE_CUDA
 * (steer.h, fake_nvidia.h) steers it:
 *
 *     driver=13000   what cuDriverGetVersion gives
 *     stub=1         every entry gives 34, as the toolkit's stub does
 *     cuInit=802     the code of an entry, by its exported name, with its _v2 or without;
 *                    cuMemAlloc#3=2: that of its third call
 *                    cuDevicePrimaryCtxRetain@1=2: that of an entry for one device
 *     kernel:NAME=700    what a kernel ends with when it runs, for good
 *     eager=1        images are loaded by cuLibraryLoadData and not at the first function, as with
 *                    CUDA_MODULE_LOADING=EAGER
 *     toolkit=13000  that images are taken to come from; ptx=13020: another one for their PTX
 *     pageable=1     devices read plain host memory, and do so when the copy runs
 *     multiprocessors=108
 *
 * RUNG_FAKE_CUDA_KERNELS: paths, separated by `:`, of the libraries that have the kernels as the host runs them
 * (cuda_on_host/). RUNG_FAKE_CUDA_SEED: `forward`, `backward` or a number, the order in which threads of a block run;
 * otherwise it changes from launch to launch.
 *
 * CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER are read at cuInit and act as on the real driver. cuInit fails with 3 in a
 * process that was forked after it succeeded.
 */
#include "fake_cuda_api.h"
#include "fake_cuda_state.h"

#include <stdatomic.h>

static atomic_int inits;

int rung_fake_cuda_inits(void)
{
    return inits;
}

/* An entry about a device. */
static int enter_of(const char *entry, int device)
{
    int code = fake_enter(entry, ASKS_INIT);
    if (code == 0 && (device < 0 || device >= (int)fake_seen_count))
        code = fake_leave(INVALID_DEVICE);
    if (code != 0)
        return code;
    code = steer_entry_of(FAKE_CUDA, entry, (unsigned)device, 0);
    return code == 0 ? 0 : fake_leave(code);
}

int cuInit(unsigned flags)
{
    inits++;
    int code = fake_enter("cuInit", INITS);
    if (code != 0)
        return code;
    if (flags != 0)
        code = INVALID_VALUE;
    if (code == 0 && fake_initialised_by == 0)
        fake_enumerate();
    if (code == 0 && fake_seen_count == 0)
        code = NO_DEVICE;
    if (code == 0)
        fake_initialised_by = getpid();
    return fake_leave(code);
}

int cuDriverGetVersion(int *version)
{
    int code = fake_enter("cuDriverGetVersion", 0);
    if (code != 0)
        return code;
    *version = fake_driver_version();
    return fake_leave(0);
}

int cuDeviceGetCount(int *count)
{
    int code = fake_enter("cuDeviceGetCount", ASKS_INIT);
    if (code != 0)
        return code;
    *count = (int)fake_seen_count;
    return fake_leave(0);
}

int cuDeviceGet(int *device, int ordinal)
{
    int code = enter_of("cuDeviceGet", ordinal);
    if (code != 0)
        return code;
    *device = ordinal;
    return fake_leave(0);
}

int cuDeviceGetName(char *name, int size, int device)
{
    int code = enter_of("cuDeviceGetName", device);
    if (code != 0)
        return code;
    fake_copy(name, (size_t)size, fake_seen[device].name);
    return fake_leave(0);
}

int cuDeviceGetUuid_v2(unsigned char *uuid, int device)
{
    int code = enter_of("cuDeviceGetUuid_v2", device);
    if (code != 0)
        return code;
    memset(uuid, 0, 16);
    const char *at = fake_seen[device].uuid + strcspn(fake_seen[device].uuid, "-");
    for (int digit = 0; digit < 32 && *at != '\0'; at++) {
        const char *value = strchr("0123456789abcdef", *at);
        if (value == NULL)
            continue;
        uuid[digit / 2] |= (unsigned char)((value - "0123456789abcdef") << (digit % 2 == 0 ? 4 : 0));
        digit++;
    }
    return fake_leave(0);
}

int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    int code = enter_of("cuDeviceTotalMem_v2", device);
    if (code != 0)
        return code;
    *bytes = fake_seen[device].bytes;
    return fake_leave(0);
}

/* -1: an attribute that the imitation does not know. */
static int attribute_of(const fake_device *device, int attribute)
{
    switch (attribute) {
    case 1: /* MAX_THREADS_PER_BLOCK */
    case 2: /* MAX_BLOCK_DIM_X */
    case 3:
        return 1024;
    case 4:
        return 64;
    case 5: /* MAX_GRID_DIM_X */
        return INT32_MAX;
    case 6:
    case 7:
        return 65535;
    case 8: /* MAX_SHARED_MEMORY_PER_BLOCK */
        return 48 << 10;
    case 10: /* WARP_SIZE */
        return 32;
    case 16: /* MULTIPROCESSOR_COUNT */
        return (int)fake_number("multiprocessors", 108);
    case 18: /* INTEGRATED */
        return 0;
    case 20: /* COMPUTE_MODE */
        return device->mode;
    case 41: /* UNIFIED_ADDRESSING */
    case 83: /* MANAGED_MEMORY */
        return 1;
    case 75:
        return device->major;
    case 76:
        return device->minor;
    case 88: /* PAGEABLE_MEMORY_ACCESS */
        return fake_number("pageable", 0) != 0;
    case 97: /* MAX_SHARED_MEMORY_PER_BLOCK_OPTIN */
        return fake_most_shared(device);
    default:
        return -1;
    }
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    int code = enter_of("cuDeviceGetAttribute", device);
    if (code != 0)
        return code;
    const int is = attribute_of(&fake_seen[device], attribute);
    if (is < 0)
        return fake_leave(INVALID_VALUE);
    *value = is;
    return fake_leave(0);
}

int cuDeviceGetPCIBusId(char *id, int size, int device)
{
    int code = enter_of("cuDeviceGetPCIBusId", device);
    if (code != 0)
        return code;
    fake_copy(id, (size_t)size, fake_seen[device].bus);
    for (; *id != '\0'; id++)
        if (*id >= 'a' && *id <= 'f')
            *id = (char)(*id - 'a' + 'A');
    return fake_leave(0);
}
