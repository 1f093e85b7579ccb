/* SPDX-License-Identifier: Apache-2.0
 *
 * amd_hip.c: libamdhip64. Its major version is in its file name, and has nothing to do with that of ROCm.
 */
#include "amd_hip.h"

#include <string.h>

#include "steps.h"

typedef int count_fn(int *count);
typedef int properties_fn(void *properties, int device);
typedef int version_fn(int *version);
typedef int bus_fn(char *bus, int size, int device);
typedef int get_fn(int *device);
typedef int set_fn(int device);
typedef int malloc_fn(void **memory, size_t size);
typedef int free_fn(void *memory);

static const char *const names[] = {"libamdhip64.so.9",
                                    "libamdhip64.so.8",
                                    "libamdhip64.so.7",
                                    "libamdhip64.so.6",
                                    "libamdhip64.so.5",
                                    "libamdhip64.so",
                                    "/opt/rocm/lib/libamdhip64.so"};

enum { NAMES = sizeof names / sizeof *names };

/* ---- the library ------------------------------------------------------------------------------------------------- */

void *rung_hip_open(const rung_world *world, rung_device_report *report, rung_device_state *state, rung_text *detail)
{
    rung_device_state why = RUNG_STATE_NO_LIBRARY;
    char words[160] = "libamdhip64.so is not there";
    /* two versions in one process do not get on: one that is there already is taken */
    for (int loaded = 1; loaded >= 0; loaded--) {
        for (size_t i = 0; i < NAMES; i++) {
            char said[160];
            rung_text say = rung_text_in(said, sizeof said);
            if (loaded && !rung_world_library_loaded(world, names[i]))
                continue;
            if (names[i][0] == '/' && rung_world_exists(world, names[i]) != 0)
                continue;
            void *library = rung_step_library(world, "rocm", names[i], state, &say);
            if (library != NULL && rung_world_function(library, "hipGetDeviceCount") != NULL) {
                rung_report_text(report->library, sizeof report->library, names[i]);
                return library;
            }
            if (library != NULL) {
                *state = RUNG_STATE_LIBRARY_INVALID;
                rung_text_join(&say, (const char *const[]){names[i], " has no hipGetDeviceCount", NULL});
            }
            if (*state != RUNG_STATE_NO_LIBRARY && why == RUNG_STATE_NO_LIBRARY) {
                why = *state;
                memcpy(words, said, sizeof words);
            }
        }
    }
    *state = why;
    rung_text_add(detail, words);
    return NULL;
}

/* ---- devices ----------------------------------------------------------------------------------------------------- */

/* Two layouts of hipDeviceProp_t, by offsets that HIP's headers have; see also LLVM's offload-arch. The buffer is
 * larger than any, so that a longer one of a later version does no harm. */
typedef struct layout {
    const char *function;
    size_t uuid, memory, arch;
} layout;

static const layout layouts[] = {
    {"hipGetDevicePropertiesR0600", 256, 288, 1160},
    {"hipGetDevicePropertiesR0000", 0, 256, 396},
    {"hipGetDeviceProperties", 0, 256, 396}, /* HIP 5; later ones still fill the old struct under this name */
};

enum { PROPERTIES_SIZE = 8192, NAME_SIZE = 256, UUID_SIZE = 16 };

typedef struct hip {
    const layout *layout;
    properties_fn *properties;
    bus_fn *bus;
    get_fn *get;
    set_fn *set;
    malloc_fn *malloc;
    free_fn *free;
} hip;

static hip functions_of(void *library)
{
    hip h = {0};
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts && h.properties == NULL; i++) {
        h.layout = &layouts[i];
        h.properties = (properties_fn *)rung_world_function(library, h.layout->function);
    }
    h.bus = (bus_fn *)rung_world_function(library, "hipDeviceGetPCIBusId");
    h.get = (get_fn *)rung_world_function(library, "hipGetDevice");
    h.set = (set_fn *)rung_world_function(library, "hipSetDevice");
    h.malloc = (malloc_fn *)rung_world_function(library, "hipMalloc");
    h.free = (free_fn *)rung_world_function(library, "hipFree");
    return h;
}

static void unit_state(rung_device_unit *unit, rung_device_state state, const char *function, int code)
{
    char words[sizeof unit->detail];
    rung_text t = rung_text_in(words, sizeof words);
    rung_say_code(&t, function, code);
    unit->state = state;
    rung_report_text(unit->detail, sizeof unit->detail, words);
}

/* The id of a GPU is 16 hexadecimal digits, as text, without an end. */
static void copy_uuid(rung_device_unit *unit, const char *uuid)
{
    for (size_t i = 0; i < UUID_SIZE; i++)
        if (strchr("0123456789abcdefABCDEF", uuid[i]) == NULL || uuid[i] == '\0')
            return;
    memcpy(unit->uuid, "GPU-", 4);
    memcpy(unit->uuid + 4, uuid, UUID_SIZE);
    unit->uuid[4 + UUID_SIZE] = '\0';
}

static void ask_unit(const hip *h, int device, rung_device_unit *unit)
{
    _Alignas(16) char properties[PROPERTIES_SIZE] = {0};
    char text[NAME_SIZE + 1] = {0};
    uint64_t memory;
    unit->state = RUNG_STATE_USABLE;
    unit->detail[0] = '\0';
    if (h->properties == NULL) {
        unit->state = RUNG_STATE_LIBRARY_INVALID;
        rung_report_text(unit->detail, sizeof unit->detail, "the library has no hipGetDeviceProperties");
        return;
    }
    int code = h->properties(properties, device);
    if (code != 0) {
        unit_state(unit, RUNG_STATE_FAILED, h->layout->function, code);
        return;
    }
    memcpy(text, properties, NAME_SIZE);
    rung_report_text(unit->name, sizeof unit->name, text);
    memcpy(text, properties + h->layout->arch, NAME_SIZE);
    if (strncmp(text, "gfx", 3) == 0 && text[3] >= '1' && text[3] <= '9')
        rung_report_text(unit->arch, sizeof unit->arch, text);
    if (unit->arch[0] == '\0') { /* nor does the kernel */
        unit->state = RUNG_STATE_FAILED;
        rung_report_text(unit->detail, sizeof unit->detail, "HIP tells no arch");
    }
    memcpy(&memory, properties + h->layout->memory, sizeof memory);
    unit->memory = memory;
    if (h->layout->uuid != 0)
        copy_uuid(unit, properties + h->layout->uuid);
    char bus[sizeof unit->bus] = "";
    if (h->bus != NULL && h->bus(bus, (int)sizeof bus - 1, device) == 0 && bus[0] != '\0')
        rung_report_text(unit->bus, sizeof unit->bus, bus);
}

static void use_unit(const hip *h, int device, rung_device_unit *unit)
{
    void *memory = NULL;
    const char *function = "hipSetDevice";
    int code = h->set(device);
    if (code == 0) {
        function = "hipMalloc";
        code = h->malloc(&memory, 4096);
    }
    if (code == 0) {
        function = "hipFree";
        code = h->free(memory);
    }
    if (code != 0)
        unit_state(unit, code == 2 ? RUNG_STATE_OUT_OF_MEMORY : RUNG_STATE_FAILED, function, code);
}

static void ask_version(void *library, rung_device_report *report)
{
    int version = 0;
    version_fn *of_runtime = (version_fn *)rung_world_function(library, "hipRuntimeGetVersion");
    version_fn *of_driver = (version_fn *)rung_world_function(library, "hipDriverGetVersion");
    if ((of_runtime == NULL || of_runtime(&version) != 0 || version <= 0) &&
        (of_driver == NULL || of_driver(&version) != 0))
        return;
    if (version > 0) /* 60342134 is HIP 6.3.42134 */
        report->driver_version = (uint32_t)(version / 10000000) << 16 | (uint32_t)(version / 100000 % 100);
}

static rung_device_state state_of(int code)
{
    switch (code) {
    case 2:
        return RUNG_STATE_OUT_OF_MEMORY;
    case 35: /* hipErrorInsufficientDriver */
        return RUNG_STATE_DRIVER_TOO_OLD;
    case 0:
    case 100: /* hipErrorNoDevice */
        return RUNG_STATE_NO_DEVICES;
    default:
        return RUNG_STATE_FAILED;
    }
}

rung_device_state rung_hip_ask(const rung_world *world, void *library, bool use, rung_device_report *report,
                               rung_text *detail)
{
    char words[64];
    int count = 0;
    count_fn *get_count = (count_fn *)rung_world_function(library, "hipGetDeviceCount");
    uint64_t start = rung_probe_start(world);
    int code = get_count(&count);
    report->initialised = 1;
    rung_text t = rung_text_in(words, sizeof words);
    rung_say_code(&t, "hipGetDeviceCount", code);
    rung_text_add(&t, ", count ");
    rung_text_uint(&t, count < 0 ? 0 : (unsigned)count);
    rung_probe_told(world, start, "rocm", "hipGetDeviceCount", words);
    ask_version(library, report);
    if (code != 0 || count <= 0) {
        rung_text_add(detail, words);
        return state_of(code);
    }
    uint32_t units = count > RUNG_UNITS_MAX ? RUNG_UNITS_MAX : (uint32_t)count;
    if (units != report->count)
        memset(report->unit, 0, sizeof report->unit);
    report->count = units;
    hip h = functions_of(library);
    int was = 0;
    use = use && h.get != NULL && h.set != NULL && h.malloc != NULL && h.free != NULL && h.get(&was) == 0;
    for (uint32_t i = 0; i < units; i++) {
        rung_device_unit *unit = &report->unit[i];
        start = rung_probe_start(world);
        unit->index = i;
        ask_unit(&h, (int)i, unit);
        if (use && unit->state == RUNG_STATE_USABLE)
            use_unit(&h, (int)i, unit);
        rung_probe_told(world, start, "rocm", h.properties == NULL ? "properties" : h.layout->function,
                        unit->state == RUNG_STATE_USABLE ? unit->arch : unit->detail);
    }
    if (use)
        (void)h.set(was);
    return RUNG_STATE_USABLE;
}
