/* SPDX-License-Identifier: Apache-2.0 */
#include "card.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "say.h"

#define AT(member) offsetof(card, member)

static const struct {
    const char *name;
    size_t at;
} entries[] = {
    {"cuInit", AT(init)},
    {"cuDriverGetVersion", AT(driver_version)},
    {"cuDeviceGet", AT(get)},
    {"cuDeviceGetName", AT(name)},
    {"cuDeviceGetPCIBusId", AT(bus)},
    {"cuDeviceGetAttribute", AT(attribute)},
    {"cuDeviceTotalMem_v2", AT(memory)},
    {"cuDevicePrimaryCtxRetain", AT(retain)},
    {"cuDevicePrimaryCtxRelease_v2", AT(release)},
    {"cuCtxPushCurrent_v2", AT(push)},
    {"cuCtxPopCurrent_v2", AT(pop)},
    {"cuMemcpyDtoDAsync_v2", AT(copy)},
    {"cuMemsetD8Async", AT(set)},
    {"cuMemHostAlloc", AT(pinned_alloc)},
    {"cuMemFreeHost", AT(pinned_free)},
    {"cuLibraryLoadData", AT(image_load)},
    {"cuLibraryUnload", AT(image_unload)},
    {"cuLibraryGetKernel", AT(kernel)},
    {"cuKernelGetFunction", AT(function)},
    {"cuLaunchKernel", AT(launch)},
};

enum { COMMON_CACHE_BYTES = 64 << 20 }; /* where the driver does not tell */

static const char *close_with(card *c, const char *why)
{
    if (c->library != NULL)
        (void)dlclose(c->library);
    c->library = NULL;
    return why;
}

const char *card_open(card *c)
{
    memset(c, 0, sizeof *c);
    c->library = dlopen("libcuda.so.1", RTLD_NOW);
    if (c->library == NULL)
        return "libcuda.so.1, the driver's library, cannot be opened";
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        void *found = dlsym(c->library, entries[i].name); /* all pointers to functions are alike: POSIX, dlsym */
        if (found == NULL)
            return close_with(c, entries[i].name);
        memcpy((char *)c + entries[i].at, &found, sizeof found);
    }
    if (c->init(0) != 0)
        return close_with(c, "cuInit failed");
    if (c->get(&c->device, 0) != 0)
        return close_with(c, "the driver has no device");
    if (c->retain(&c->context, c->device) != 0)
        return close_with(c, "the device gives no context");
    if (c->push(c->context) != 0) {
        (void)c->release(c->device);
        return close_with(c, "the device's context cannot be made current");
    }
    const int cache = card_attribute(c, CARD_CACHE_BYTES);
    c->cache_bytes = cache > 0 ? (size_t)cache : COMMON_CACHE_BYTES;
    return NULL;
}

void card_close(card *c)
{
    if (c->library == NULL)
        return;
    void *popped = NULL;
    (void)c->pop(&popped);
    (void)c->release(c->device);
    (void)close_with(c, NULL);
}

int card_attribute(const card *c, int attribute)
{
    int value = 0;
    return c->attribute(&value, attribute, c->device) == 0 ? value : 0;
}

/* ---- NVML -------------------------------------------------------------------------------------------------------- */

typedef int nvml_void_fn(void);
typedef int nvml_version_fn(char *version, unsigned size);
typedef int nvml_handle_fn(const char *bus, void **device);
typedef int nvml_clock_fn(void *device, int clock, unsigned *mhz);

enum { CLOCK_SM = 1, CLOCK_MEMORY = 2 };

static bool find(void *library, const char *name, void *to)
{
    void **address = to;
    *address = dlsym(library, name);
    return *address != NULL;
}

static void say_clock(void *nvml, void *device, const char *function, int clock, const char *key)
{
    nvml_clock_fn *ask;
    unsigned mhz = 0;
    if (device != NULL && find(nvml, function, &ask) && ask(device, clock, &mhz) == 0)
        say_count(key, mhz);
    else
        say_text(key, NULL);
}

/* The kernel driver's version, and clocks in MHz; null where NVML is not there or does not tell. */
static void say_nvml(const char *bus)
{
    void *nvml = dlopen("libnvidia-ml.so.1", RTLD_NOW), *device = NULL;
    nvml_void_fn *init = NULL, *end = NULL;
    const bool open =
        nvml != NULL && find(nvml, "nvmlInit_v2", &init) && find(nvml, "nvmlShutdown", &end) && init() == 0;
    nvml_version_fn *ask;
    nvml_handle_fn *handle;
    char version[96];
    const bool told =
        open && find(nvml, "nvmlSystemGetDriverVersion", &ask) && ask(version, (unsigned)sizeof version) == 0;
    say_text("driver", told ? version : NULL);
    if (open && (!find(nvml, "nvmlDeviceGetHandleByPciBusId_v2", &handle) || handle(bus, &device) != 0))
        device = NULL;
    say_clock(nvml, device, "nvmlDeviceGetClockInfo", CLOCK_SM, "sm_clock_mhz");
    say_clock(nvml, device, "nvmlDeviceGetClockInfo", CLOCK_MEMORY, "memory_clock_mhz");
    say_clock(nvml, device, "nvmlDeviceGetMaxClockInfo", CLOCK_SM, "sm_clock_most_mhz");
    say_clock(nvml, device, "nvmlDeviceGetMaxClockInfo", CLOCK_MEMORY, "memory_clock_most_mhz");
    if (open)
        (void)end();
    if (nvml != NULL)
        (void)dlclose(nvml);
}

void card_say(const card *c)
{
    char name[128] = "", bus[64] = "", capability[24], version[24];
    int number = 0;
    size_t bytes = 0;
    (void)c->name(name, (int)sizeof name, c->device);
    (void)c->bus(bus, (int)sizeof bus, c->device);
    (void)c->driver_version(&number);
    (void)c->memory(&bytes, c->device);
    (void)snprintf(capability, sizeof capability, "%d.%d", card_attribute(c, CARD_MAJOR),
                   card_attribute(c, CARD_MINOR));
    (void)snprintf(version, sizeof version, "%d.%d", number / 1000, number % 1000 / 10);
    say_begin("device");
    say_text("name", name);
    say_text("capability", capability);
    say_text("cuda", version);
    say_text("bus", bus);
    say_count("memory_bytes", bytes);
    say_count("multiprocessors", (uint64_t)card_attribute(c, CARD_MULTIPROCESSORS));
    say_count("l2_bytes", (uint64_t)card_attribute(c, CARD_CACHE_BYTES));
    say_nvml(bus);
    say_end();
}
