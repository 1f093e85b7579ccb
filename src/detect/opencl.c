/* SPDX-License-Identifier: Apache-2.0
 *
 * opencl.c: OpenCL. The loader opens every vendor's library on the first call, so that it is left alone unless somebody
 * asks for OpenCL: the files that name those libraries tell whether there is anything. Only GPUs and accelerators
 * count: an implementation on the processor is on every machine that has PoCL.
 */
#include <string.h>

#include "pci.h"
#include "steps.h"

/* ---- implementations --------------------------------------------------------------------------------------------- */

static const char standard_folder[] = "/etc/OpenCL/vendors";

typedef struct icds {
    uint32_t count;
    rung_text names;
} icds;

static bool ends_in_icd(const char *name)
{
    size_t len = strlen(name);
    return len > 4 && memcmp(name + len - 4, ".icd", 4) == 0;
}

static int take_icd(const char *name, void *user)
{
    icds *found = user;
    if (ends_in_icd(name))
        rung_text_join(&found->names, (const char *const[]){found->count++ == 0 ? "" : ", ", name, NULL});
    return 0;
}

/* A folder stands for its files. The loader of ocl-icd also takes a file, by its path or by its name in the standard
 * folder. */
static void take_vendors(const rung_world *world, const char *vendors, icds *found)
{
    char path[RUNG_PATH_MAX];
    if (rung_world_list(world, vendors, take_icd, found) == 0)
        return;
    rung_text t = rung_text_in(path, sizeof path);
    if (strchr(vendors, '/') == NULL)
        rung_text_join(&t, (const char *const[]){standard_folder, "/", NULL});
    rung_text_add(&t, vendors);
    if (ends_in_icd(path) && rung_world_exists(world, path) == 0)
        (void)take_icd(vendors, found);
}

static void find_icds(const rung_world *world, icds *found)
{
    const char *files = rung_world_env(world, "OCL_ICD_FILENAMES");
    const char *vendors = rung_world_env(world, "OCL_ICD_VENDORS");
    uint64_t start = rung_probe_start(world);
    if (files != NULL && *files != '\0') {
        rung_text_add(&found->names, files);
        found->count++;
    }
    if (vendors == NULL)
        vendors = standard_folder;
    take_vendors(world, vendors, found);
    rung_probe_told(world, start, "opencl", vendors, found->count == 0 ? "no implementation" : found->names.at);
}

/* ---- the library ------------------------------------------------------------------------------------------------- */

/* The types and numbers of CL/cl.h. */
typedef int platforms_fn(uint32_t size, void **platforms, uint32_t *count);
typedef int devices_fn(void *platform, uint64_t type, uint32_t size, void **devices, uint32_t *count);
typedef int info_fn(void *object, uint32_t what, size_t size, void *value, size_t *written);

enum {
    NOT_FOUND = -1,
    OUT_OF_HOST_MEMORY = -6,
    NO_PLATFORM = -1001, /* cl_khr_icd */
    PLATFORM_NAME = 0x0902,
    TYPE_GPU = 4,
    TYPE_ACCELERATOR = 8,
    DEVICE_GLOBAL_MEM_SIZE = 0x101f,
    DEVICE_AVAILABLE = 0x1027,
    DEVICE_NAME = 0x102b,
    DRIVER_VERSION = 0x102d,
    DEVICE_VERSION = 0x102f,
    DEVICE_PCI_BUS_INFO = 0x410f, /* cl_khr_pci_bus_info: domain, bus, device, function */
    PLATFORMS_MAX = 16
};

typedef struct opencl {
    platforms_fn *platforms;
    devices_fn *devices;
    info_fn *platform_info, *device_info;
} opencl;

/* "" when it is not told. */
static void text_info(info_fn *info, void *object, uint32_t what, char *out, size_t size)
{
    char text[256] = "";
    size_t written = 0;
    if (info(object, what, sizeof text - 1, text, &written) != 0)
        text[0] = '\0';
    rung_report_text(out, size, text);
}

/* "OpenCL 3.0 ..." */
static uint32_t version_in(const char *text)
{
    const char *digits = text + 7;
    if (strncmp(text, "OpenCL ", 7) != 0 || digits[0] < '1' || digits[0] > '9' || digits[1] != '.' || digits[2] < '0' ||
        digits[2] > '9')
        return 0;
    return (uint32_t)(digits[0] - '0') << 16 | (uint32_t)(digits[2] - '0');
}

static void fill_unit(const opencl *cl, void *device, rung_device_report *out)
{
    rung_device_unit *unit = &out->unit[out->count];
    char version[64];
    uint32_t available = 1;
    unit->index = out->count++;
    text_info(cl->device_info, device, DEVICE_NAME, unit->name, sizeof unit->name);
    if (cl->device_info(device, DEVICE_GLOBAL_MEM_SIZE, sizeof unit->memory, &unit->memory, NULL) != 0)
        unit->memory = 0;
    uint32_t address[4] = {0};
    if (cl->device_info(device, DEVICE_PCI_BUS_INFO, sizeof address, address, NULL) == 0)
        rung_pci_address(address[0], address[1], address[2], address[3], unit->bus, sizeof unit->bus);
    if (unit->index == 0) {
        text_info(cl->device_info, device, DRIVER_VERSION, out->driver, sizeof out->driver);
        text_info(cl->device_info, device, DEVICE_VERSION, version, sizeof version);
        out->driver_version = version_in(version);
    }
    if (cl->device_info(device, DEVICE_AVAILABLE, sizeof available, &available, NULL) == 0 && available == 0) {
        unit->state = RUNG_STATE_NOT_READY;
        rung_report_text(unit->detail, sizeof unit->detail, "OpenCL says that it is not available");
        return;
    }
    unit->state = RUNG_STATE_USABLE;
}

/* Adds the platform's devices, and its name to `others` when it has none. A code that is no answer is kept in *failed.
 */
static void take_platform(const opencl *cl, void *platform, rung_device_report *out, rung_text *others, int *failed)
{
    char name[64];
    void *devices[RUNG_UNITS_MAX] = {NULL};
    uint32_t count = 0;
    text_info(cl->platform_info, platform, PLATFORM_NAME, name, sizeof name);
    int code = cl->devices(platform, TYPE_GPU | TYPE_ACCELERATOR, RUNG_UNITS_MAX, devices, &count);
    if (code != 0 && code != NOT_FOUND)
        *failed = code;
    if (code != 0 || count == 0)
        rung_text_join(others, (const char *const[]){others->len == 0 ? "" : ", ", name[0] == '\0' ? "?" : name, NULL});
    for (uint32_t i = 0; code == 0 && i < count && i < RUNG_UNITS_MAX && out->count < RUNG_UNITS_MAX; i++)
        fill_unit(cl, devices[i], out);
}

static void ask(const rung_world *world, const opencl *cl, rung_device_report *out)
{
    void *platforms[PLATFORMS_MAX] = {NULL};
    uint32_t count = 0;
    char words[64];
    uint64_t start = rung_probe_start(world);
    int code = cl->platforms(PLATFORMS_MAX, platforms, &count);
    out->initialised = 1;
    rung_text say = rung_text_in(words, sizeof words);
    rung_say_code(&say, "clGetPlatformIDs", code);
    rung_probe_told(world, start, "opencl", "clGetPlatformIDs", words);
    if (code != 0) {
        rung_report_state(out,
                          code == NO_PLATFORM          ? RUNG_STATE_NO_DEVICES
                          : code == OUT_OF_HOST_MEMORY ? RUNG_STATE_OUT_OF_MEMORY
                                                       : RUNG_STATE_FAILED,
                          (const char *const[]){words, NULL});
        return;
    }
    char others[sizeof out->detail];
    rung_text names = rung_text_in(others, sizeof others);
    int failed = 0;
    start = rung_probe_start(world);
    for (uint32_t i = 0; i < count && i < PLATFORMS_MAX; i++)
        take_platform(cl, platforms[i], out, &names, &failed);
    rung_probe_told(world, start, "opencl", "clGetDeviceIDs", out->count > 0 ? out->unit[0].name : others);
    if (out->count > 0) {
        rung_report_from_units(out);
    } else if (failed != 0) {
        say = rung_text_in(words, sizeof words);
        rung_say_code(&say, "clGetDeviceIDs", failed);
        rung_report_state(out, RUNG_STATE_FAILED, (const char *const[]){words, NULL});
    } else {
        rung_report_state(out, RUNG_STATE_NO_DEVICES,
                          (const char *const[]){others, others[0] == '\0' ? "no platform" : ": no GPU", NULL});
    }
}

static void take_library(const rung_world *world, rung_device_report *out)
{
    static const char name[] = "libOpenCL.so.1";
    char words[sizeof out->detail];
    rung_text detail = rung_text_in(words, sizeof words);
    rung_device_state state;
    void *library = rung_step_library(world, "opencl", name, &state, &detail);
    if (library == NULL) {
        rung_report_state(out, state, (const char *const[]){words, NULL});
        return;
    }
    opencl cl = {(platforms_fn *)rung_world_function(library, "clGetPlatformIDs"),
                 (devices_fn *)rung_world_function(library, "clGetDeviceIDs"),
                 (info_fn *)rung_world_function(library, "clGetPlatformInfo"),
                 (info_fn *)rung_world_function(library, "clGetDeviceInfo")};
    if (cl.platforms == NULL || cl.devices == NULL || cl.platform_info == NULL || cl.device_info == NULL) {
        rung_report_state(out, RUNG_STATE_LIBRARY_INVALID,
                          (const char *const[]){name, " lacks functions of OpenCL", NULL});
        return;
    }
    rung_report_text(out->library, sizeof out->library, name);
    ask(world, &cl, out);
}

/* Where a variable sends the loader past implementations that are installed, that is told. */
static void say_hidden(const rung_world *world, rung_device_report *out)
{
    static const char variable[] = "OCL_ICD_VENDORS";
    const char *value = rung_world_env(world, variable);
    char names[96];
    icds installed = {0, rung_text_in(names, sizeof names)};
    if (value == NULL)
        return;
    take_vendors(world, standard_folder, &installed);
    if (installed.count == 0)
        return;
    char quoted[80];
    rung_text t = rung_text_in(quoted, sizeof quoted);
    rung_text_quote(&t, value, strlen(value));
    out->present = 1;
    rung_report_state(out, RUNG_STATE_HIDDEN,
                      (const char *const[]){variable, "=", quoted, " names none, there is ", names, NULL});
}

void rung_probe_opencl(const rung_world *world, rung_depth depth, rung_device_report *out)
{
    char names[96];
    icds found = {0, rung_text_in(names, sizeof names)};
    rung_report_state(out, RUNG_STATE_ABSENT, (const char *const[]){NULL});
    if (rung_probe_skipped(world, out) || strcmp(world->system, "linux") != 0)
        return;
    find_icds(world, &found);
    if (found.count == 0) {
        say_hidden(world, out);
        return;
    }
    out->present = 1;
    if (depth == RUNG_DEPTH_LOOK)
        rung_report_state(out, RUNG_STATE_NOT_ASKED, (const char *const[]){names, NULL});
    else if (!rung_probe_elsewhere(world, depth, out))
        take_library(world, out);
}
