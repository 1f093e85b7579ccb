/* SPDX-License-Identifier: Apache-2.0
 *
 * Machines with GPUs of NVIDIA, and those that only look like it.
 */
#include "detect_test.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define A100    "device=NVIDIA A100-SXM4-40GB|8.0|42505273344|GPU-4f2a91c3-0000-1111-2222-333344445555|0000:3b:00.0|0"
#define A100_2  "device=NVIDIA A100-SXM4-40GB|8.0|42505273344|GPU-9b1c44d7-0000-1111-2222-333344445555|0000:86:00.0|0"
#define GTX1080 "device=NVIDIA GeForce GTX 1080|6.1|8510701568|GPU-1080aaaa-0000-1111-2222-333344445555|0000:01:00.0|0"
#define RTX3090 "device=NVIDIA GeForce RTX 3090|8.6|25438126080|GPU-3090bbbb-0000-1111-2222-333344445555|0000:0a:00.0|0"
#define ORIN    "device=Orin|8.7|32211824640|GPU-ee00ff11-0000-1111-2222-333344445555|0000:00:00.0|0"
#define MIG1    "mig=0|MIG-11111111-0000-1111-2222-333344445555|1|0|20937965568|NVIDIA A100-SXM4-40GB MIG 3g.20gb"
#define MIG2    "mig=0|MIG-22222222-0000-1111-2222-333344445555|2|0|20937965568|NVIDIA A100-SXM4-40GB MIG 3g.20gb"

/* ---- machines ---------------------------------------------------------------------------------------------------- */

typedef enum files { NOTHING, NODES, TEGRA, TEGRA_NEW, WSL, MODULE, CLOSED, CLOSED_GPU, CLOSED_UVM, CARD_ONLY } files;

static void make_files(tree *t, files kind)
{
    static const char version[] = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build  "
                                  "(archlinux-builder@host)\nGCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n";
    switch (kind) {
    case NOTHING:
        tree_folder(t, "/dev");
        return;
    case TEGRA:
        tree_node(t, "/dev/nvhost-ctrl-gpu", 0666);
        return;
    case TEGRA_NEW:
        tree_node(t, "/dev/nvgpu/igpu0/ctrl", 0660);
        return;
    case WSL:
        tree_node(t, "/dev/dxg", 0666);
        return;
    case CARD_ONLY:
        tree_file(t, "/sys/bus/pci/devices/0000:00:02.0/vendor", "0x8086\n");
        tree_file(t, "/sys/bus/pci/devices/0000:00:02.0/device", "0x9a49\n");
        tree_file(t, "/sys/bus/pci/devices/0000:00:02.0/class", "0x030000\n");
        tree_file(t, "/sys/bus/pci/devices/0000:01:00.1/vendor", "0x10de\n"); /* its sound */
        tree_file(t, "/sys/bus/pci/devices/0000:01:00.1/device", "0x10f0\n");
        tree_file(t, "/sys/bus/pci/devices/0000:01:00.1/class", "0x040300\n");
        tree_file(t, "/sys/bus/pci/devices/0000:01:00.0/vendor", "0x10de\n");
        tree_file(t, "/sys/bus/pci/devices/0000:01:00.0/device", "0x1b80\n");
        tree_file(t, "/sys/bus/pci/devices/0000:01:00.0/class", "0x030000\n");
        tree_file(t, "/sys/bus/pci/devices/0000:01:00.0/uevent", "DRIVER=nouveau\nPCI_CLASS=30000\n");
        return;
    case MODULE:
    case NODES:
    case CLOSED:
    case CLOSED_GPU:
    case CLOSED_UVM:
        break;
    }
    tree_file(t, "/proc/driver/nvidia/version", version);
    if (kind == MODULE)
        return;
    tree_node(t, "/dev/nvidiactl", kind == CLOSED ? 0660 : 0666);
    tree_node(t, "/dev/nvidia-uvm", kind == CLOSED_UVM ? 0600 : 0666);
    tree_node(t, "/dev/nvidia-modeset", 0600);
    tree_node(t, "/dev/nvidia0", kind == CLOSED_GPU ? 0640 : 0666);
    tree_node(t, "/dev/nvidia1", kind == CLOSED_GPU ? 0640 : 0600);
}

/* Variables that steer imitated libraries are the process's, those of the machine are both: the driver reads its own.
 */
static void set(tree *t, const char *name, const char *value)
{
    if (value == NULL) {
        (void)unsetenv(name);
        return;
    }
    (void)setenv(name, value, 1);
    tree_env(t, name, value);
}

/* `cuda` and `nvml` steer the libraries; NULL: it is not there. */
static tree *machine(files kind, const char *cuda, const char *nvml, const char *visible, const char *order)
{
    tree *t = tree_new();
    make_files(t, kind);
    (void)setenv("RUNG_FAKE_CUDA", cuda == NULL ? "" : cuda, 1);
    (void)setenv("RUNG_FAKE_NVML", nvml == NULL ? "" : nvml, 1);
    set(t, "CUDA_VISIBLE_DEVICES", visible);
    set(t, "CUDA_DEVICE_ORDER", order);
    if (cuda != NULL)
        tree_library(t, "libcuda.so.1", "libcuda.so.1");
    if (nvml != NULL)
        tree_library(t, "libnvidia-ml.so.1", "libnvidia-ml.so.1");
    return t;
}

/* A number that an imitated library of the machine tells; 0 where the library is not there. */
static int told_by(const tree *t, const char *library, const char *function)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", t->libraries, library);
    if (access(path, F_OK) != 0)
        return 0;
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(handle);
    rung_any_fn *any = rung_world_function(handle, function);
    assert_non_null(any);
    int value = ((int (*)(void))any)();
    (void)dlclose(handle);
    return value;
}

/* "usable 2+1 sm86 sm61=prohibited, initialised | detail": state, visible and hidden units, their archs with what is
 * not usable. */
static const char *words(const rung_device_report *r)
{
    static char text[4096];
    size_t at = (size_t)snprintf(text, sizeof text, "%s %u+%u", rung_device_state_name(r->state), (unsigned)r->count,
                                 (unsigned)r->hidden);
    for (uint32_t i = 0; i < r->count; i++) {
        bool usable = r->unit[i].state == RUNG_STATE_USABLE;
        at +=
            (size_t)snprintf(text + at, sizeof text - at, " %s%s%s", r->unit[i].arch[0] == '\0' ? "?" : r->unit[i].arch,
                             usable ? "" : "=", usable ? "" : rung_device_state_name(r->unit[i].state));
    }
    (void)snprintf(text + at, sizeof text - at, "%s%s%s", r->initialised ? ", initialised" : "",
                   r->detail[0] == '\0' ? "" : " | ", r->detail);
    return text;
}

static rung_device_report probe(tree *t, rung_depth depth)
{
    rung_device_report r = probe_tree(rung_probe_nvidia, t, depth);
    /* nothing is left behind, and nothing is initialised that the record does not tell */
    assert_int_equal(told_by(t, "libnvidia-ml.so.1", "rung_fake_nvml_users"), 0);
    assert_int_equal(told_by(t, "libcuda.so.1", "rung_fake_cuda_contexts"), 0);
    static const rung_device_unit none;
    for (uint32_t i = r.count; i < RUNG_UNITS_MAX; i++)
        assert_memory_equal(&r.unit[i], &none, sizeof none);
    if (depth == RUNG_DEPTH_LOOK)
        assert_int_equal(told_by(t, "libcuda.so.1", "rung_fake_cuda_inits"), 0);
    return r;
}

typedef struct row {
    const char *name;
    files kind;
    const char *cuda, *nvml, *visible, *order;
    const char *look, *open, *full; /* NULL: as the one before it */
} row;

#define TWO              A100 ";" A100_2
#define MIXED            GTX1080 ";" RTX3090
#define HIDDEN(value, n) "hidden 0+" n " | CUDA_VISIBLE_DEVICES=\"" value "\" hides every GPU"
#define ORDER            "GPUs of different capability: their order is the driver's, unless CUDA_DEVICE_ORDER is PCI_BUS_ID"

static const row rows[] = {
    {"none", NOTHING, A100, A100, NULL, NULL, "absent 0+0", NULL, NULL},
    {"card without a driver", CARD_ONLY, NULL, NULL, NULL, NULL, "absent 0+0", NULL,
     "no_driver 0+0 | PCI device 0000:01:00.0 is served by nouveau"},
    {"one A100", NODES, A100, A100, NULL, NULL, "usable 1+0 sm80", NULL, "usable 1+0 sm80, initialised"},
    {"two A100", NODES, TWO, TWO, NULL, NULL, "usable 2+0 sm80 sm80", NULL, "usable 2+0 sm80 sm80, initialised"},
    {"no library", NODES, NULL, A100, NULL, NULL, "no_library 0+0 | libcuda.so.1 is not there", NULL, NULL},
    {"a container without GPUs", MODULE, NULL, NULL, NULL, NULL, "no_library 0+0 | libcuda.so.1 is not there", NULL,
     NULL},
    {"a container without GPUs, with the libraries", MODULE, "cuInit=100", "nvmlInit=9", NULL, NULL,
     "no_devices 0+0 | the kernel module is loaded, and there is no /dev/nvidiactl", NULL,
     "no_devices 0+0 | cuInit returned 100 (CUDA_ERROR_NO_DEVICE)"},
    {"without NVML", NODES, TWO, NULL, NULL, NULL, "not_asked 0+0 | libnvidia-ml.so.1 is not there",
     "usable 2+0 sm80 sm80, initialised", NULL},

    /* order */
    {"mixed", NODES, MIXED, MIXED, NULL, NULL, "usable 2+0 sm61 sm86 | " ORDER, "usable 2+0 sm86 sm61, initialised",
     NULL},
    {"mixed, one of them by ordinal", NODES, MIXED, MIXED, "0", NULL, "not_asked 1+1 ?=not_asked | " ORDER,
     "usable 1+1 sm86, initialised", NULL},
    {"mixed, both turned round", NODES, MIXED, MIXED, "1,0", NULL, "usable 2+0 sm86 sm61 | " ORDER,
     "usable 2+0 sm61 sm86, initialised", NULL},
    {"mixed, in the order of the bus", NODES, MIXED, MIXED, "0", "PCI_BUS_ID", "usable 1+1 sm61", NULL,
     "usable 1+1 sm61, initialised"},
    {"mixed, by UUID", NODES, MIXED, MIXED, "GPU-3090", NULL, "usable 1+1 sm86", NULL, "usable 1+1 sm86, initialised"},
    {"mixed, none", NODES, MIXED, MIXED, "-1", NULL, HIDDEN("-1", "2"), NULL, NULL},

    /* what the environment hides */
    {"empty list", NODES, TWO, TWO, "", NULL, HIDDEN("", "2"), NULL, NULL},
    {"NoDevFiles", NODES, TWO, TWO, "NoDevFiles", NULL, HIDDEN("NoDevFiles", "2"), NULL, NULL},
    {"ordinal past the end", NODES, TWO, TWO, "2", NULL, HIDDEN("2", "2"), NULL, NULL},
    {"named twice", NODES, TWO, TWO, "0,0", NULL, HIDDEN("0,0", "2"), NULL, NULL},
    {"a UUID of another machine", NODES, TWO, TWO, "GPU-deadbeef", NULL, HIDDEN("GPU-deadbeef", "2"), NULL, NULL},
    {"a UUID of another machine, without NVML", NODES, TWO, NULL, "GPU-deadbeef", NULL,
     "not_asked 0+0 | libnvidia-ml.so.1 is not there", HIDDEN("GPU-deadbeef", "0"), NULL},
    {"empty list, without NVML", NODES, TWO, NULL, "", NULL, HIDDEN("", "0"), NULL, NULL},
    {"one of two", NODES, TWO, TWO, "1", NULL, "usable 1+1 sm80", NULL, "usable 1+1 sm80, initialised"},
    {"one of two by UUID", NODES, TWO, TWO, "GPU-9b,GPU-x", NULL, "usable 1+1 sm80", NULL,
     "usable 1+1 sm80, initialised"},
    {"no device, whatever the list", NODES, "cuInit=100", NULL, "0", NULL,
     "not_asked 0+0 | libnvidia-ml.so.1 is not there", "no_devices 0+0 | cuInit returned 100 (CUDA_ERROR_NO_DEVICE)",
     NULL},

    /* MIG */
    {"MIG", NODES, A100 ";" MIG1 ";" MIG2, A100 ";" MIG1 ";" MIG2, NULL, NULL, "usable 2+0 sm80 sm80", NULL,
     "usable 2+0 sm80 sm80, initialised"},
    {"MIG by UUID", NODES, A100 ";" MIG1 ";" MIG2, A100 ";" MIG1 ";" MIG2, "MIG-2222", NULL, "usable 1+1 sm80", NULL,
     "usable 1+1 sm80, initialised"},
    {"MIG as before R470", NODES, A100 ";" MIG1 ";" MIG2, A100 ";" MIG1 ";" MIG2,
     "MIG-GPU-4f2a91c3-0000-1111-2222-333344445555/2/0", NULL, "usable 1+1 sm80", NULL, "usable 1+1 sm80, initialised"},
    {"MIG before R570", NODES, "driver=12020;" A100 ";" A100_2 ";" MIG1 ";" MIG2,
     "cuda=12020;" A100 ";" A100_2 ";" MIG1 ";" MIG2, NULL, NULL, "usable 1+0 sm80", NULL,
     "usable 1+0 sm80, initialised"},
    {"MIG beside a whole GPU", NODES, A100 ";" A100_2 ";" MIG1, A100 ";" A100_2 ";" MIG1, NULL, NULL,
     "usable 2+0 sm80 sm80", NULL, "usable 2+0 sm80 sm80, initialised"},
    {"MIG without an instance", NODES, A100 ";mig=0", A100 ";mig=0", NULL, NULL,
     "no_devices 0+0 | in MIG mode, and without an instance", NULL,
     "no_devices 0+0 | in MIG mode, and without an instance"},

    /* other systems */
    {"WSL", WSL, "device=NVIDIA GeForce RTX 4090|8.9|25756696576|GPU-1|0000:01:00.0|0",
     "device=NVIDIA GeForce RTX 4090|8.9|25756696576|GPU-1|0000:01:00.0|0", NULL, NULL, "usable 1+0 sm89", NULL,
     "usable 1+0 sm89, initialised"},
    {"WSL with a GPU of another maker", WSL, NULL, NULL, NULL, NULL,
     "absent 0+0 | /dev/dxg is there, and no libcuda.so.1", NULL, NULL},
    {"Jetson", TEGRA, ORIN, NULL, NULL, NULL, "not_asked 0+0 | libnvidia-ml.so.1 is not there",
     "usable 1+0 sm87, initialised", NULL},
    {"Jetson whose NVML lists nothing", TEGRA, ORIN, "", NULL, NULL, "not_asked 0+0", "usable 1+0 sm87, initialised",
     NULL},
    {"Jetson whose NVML knows little", TEGRA, ORIN,
     "nvmlDeviceGetCudaComputeCapability=3;nvmlDeviceGetMemoryInfo=3;" ORIN, NULL, NULL, "not_asked 1+0 ?=not_asked",
     "usable 1+0 sm87, initialised", NULL},

    /* libraries that do not work */
    {"stub", NODES, "stub=1", NULL, NULL, NULL, "stub 0+0 | cuDriverGetVersion returned 34 (CUDA_ERROR_STUB_LIBRARY)",
     NULL, NULL},
    {"stub that knows its version", NODES, "cuInit=34", NULL, NULL, NULL,
     "not_asked 0+0 | libnvidia-ml.so.1 is not there", "stub 0+0 | cuInit returned 34 (CUDA_ERROR_STUB_LIBRARY)", NULL},
    {"driver mismatch", NODES, "cuInit=803", "nvmlInit=18", NULL, NULL,
     "driver_mismatch 0+0 | nvmlInit returned 18 (NVML_ERROR_LIB_RM_VERSION_MISMATCH)", NULL,
     "driver_mismatch 0+0 | cuInit returned 803 (CUDA_ERROR_SYSTEM_DRIVER_MISMATCH)"},
    {"driver mismatch that cuInit does not name", NODES, "cuInit=999", "nvmlInit=18", NULL, NULL,
     "driver_mismatch 0+0 | nvmlInit returned 18 (NVML_ERROR_LIB_RM_VERSION_MISMATCH)", NULL, NULL},
    {"module not loaded", NODES, "cuInit=999", "nvmlInit=9", NULL, NULL,
     "no_driver 0+0 | nvmlInit returned 9 (NVML_ERROR_DRIVER_NOT_LOADED)", NULL, NULL},
    {"NVML may not", NODES, "cuInit=304", "nvmlInit=4", NULL, NULL,
     "no_permission 0+0 | nvmlInit returned 4 (NVML_ERROR_NO_PERMISSION)", NULL, NULL},
    {"NVML fails and the driver does not", NODES, A100, "nvmlInit=999", NULL, NULL,
     "not_asked 0+0 | nvmlInit returned 999 (NVML_ERROR_UNKNOWN)", "usable 1+0 sm80, initialised", NULL},
    {"NVML cannot count", NODES, A100, "nvmlDeviceGetCount_v2=999", NULL, NULL,
     "not_asked 0+0 | nvmlDeviceGetCount returned 999 (NVML_ERROR_UNKNOWN)", "usable 1+0 sm80, initialised", NULL},
    {"not ready", NODES, "cuInit=802;" A100, A100, NULL, NULL, "usable 1+0 sm80", NULL,
     "not_ready 0+0 | cuInit returned 802 (CUDA_ERROR_SYSTEM_NOT_READY)"},
    {"compatibility library refused", NODES, "cuInit=804;" A100, NULL, NULL, NULL,
     "not_asked 0+0 | libnvidia-ml.so.1 is not there",
     "compat_refused 0+0 | cuInit returned 804 (CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE)", NULL},
    {"forked", NODES, "cuInit=3;" A100, NULL, NULL, NULL, "not_asked 0+0 | libnvidia-ml.so.1 is not there",
     "forked 0+0 | cuInit returned 3 (CUDA_ERROR_NOT_INITIALIZED)", NULL},
    {"the system failed", NODES, "cuInit=304;" A100, NULL, NULL, NULL, "not_asked 0+0 | libnvidia-ml.so.1 is not there",
     "failed 0+0 | cuInit returned 304 (CUDA_ERROR_OPERATING_SYSTEM)", NULL},
    {"an error whose name the library knows", NODES, "cuInit=712;" A100, NULL, NULL, NULL,
     "not_asked 0+0 | libnvidia-ml.so.1 is not there",
     "failed 0+0 | cuInit returned 712 (CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED)", NULL},
    {"an error that nobody knows", NODES, "cuInit=-7;" A100, NULL, NULL, NULL,
     "not_asked 0+0 | libnvidia-ml.so.1 is not there", "failed 0+0 | cuInit returned -7", NULL},
    {"the driver cannot count", NODES, "cuDeviceGetCount=999;" A100, NULL, NULL, NULL,
     "not_asked 0+0 | libnvidia-ml.so.1 is not there",
     "failed 0+0, initialised | cuDeviceGetCount returned 999 (CUDA_ERROR_UNKNOWN)", NULL},

    /* devices that do not work */
    {"prohibited", NODES, "device=T4|7.5|1|GPU-1|0000:01:00.0|2", "device=T4|7.5|1|GPU-1|0000:01:00.0|2", NULL, NULL,
     "prohibited 1+0 sm75=prohibited | compute mode Prohibited", NULL,
     "prohibited 1+0 sm75=prohibited, initialised | compute mode Prohibited"},
    {"one of two prohibited", NODES, "device=T4|7.5|1|GPU-1|0000:01:00.0|2;" A100,
     "device=T4|7.5|1|GPU-1|0000:01:00.0|2;" A100, NULL, "PCI_BUS_ID", "usable 2+0 sm75=prohibited sm80", NULL,
     "usable 2+0 sm75=prohibited sm80, initialised"},
    {"exclusive and free", NODES, "device=T4|7.5|1|GPU-1|0000:01:00.0|3", "device=T4|7.5|1|GPU-1|0000:01:00.0|3", NULL,
     NULL, "usable 1+0 sm75 | compute mode Exclusive_Process", NULL,
     "usable 1+0 sm75, initialised | compute mode Exclusive_Process"},
    {"exclusive and taken", NODES, "cuDevicePrimaryCtxRetain=46;device=T4|7.5|1|GPU-1|0000:01:00.0|3",
     "device=T4|7.5|1|GPU-1|0000:01:00.0|3", NULL, NULL, "usable 1+0 sm75 | compute mode Exclusive_Process", NULL,
     "exclusive 1+0 sm75=exclusive, initialised | cuDevicePrimaryCtxRetain returned 46 "
     "(CUDA_ERROR_DEVICE_UNAVAILABLE)"},
    {"out of memory", NODES, "cuDevicePrimaryCtxRetain=2;" A100, A100, NULL, NULL, "usable 1+0 sm80", NULL,
     "out_of_memory 1+0 sm80=out_of_memory, initialised | cuDevicePrimaryCtxRetain returned 2 "
     "(CUDA_ERROR_OUT_OF_MEMORY)"},
    {"one of two out of memory", NODES, "cuDevicePrimaryCtxRetain@0=2;" TWO, TWO, NULL, NULL, "usable 2+0 sm80 sm80",
     NULL, "usable 2+0 sm80=out_of_memory sm80, initialised"},
    {"one of two cannot be got", NODES, "cuDeviceGet@1=999;" TWO, TWO, NULL, NULL, "usable 2+0 sm80 sm80", NULL,
     "usable 2+0 sm80 ?=failed, initialised"},
    {"no attributes", NODES, "cuDeviceGetAttribute=999;" A100, A100, NULL, NULL, "usable 1+0 sm80", NULL,
     "failed 1+0 ?=failed, initialised | cuDeviceGetAttribute returned 999 (CUDA_ERROR_UNKNOWN)"},
    {"one of two lost", NODES, A100, "nvmlDeviceGetHandleByIndex_v2@1=15;" TWO, NULL, NULL,
     "usable 2+0 sm80 ?=failed | " ORDER, "usable 1+0 sm80, initialised", NULL},
    {"one of two is somebody else's", NODES, A100, "nvmlDeviceGetHandleByIndex_v2@1=4;" TWO, NULL, NULL,
     "usable 1+0 sm80", NULL, "usable 1+0 sm80, initialised"},
    {"both are somebody else's", NODES, "cuInit=100", "nvmlDeviceGetHandleByIndex_v2=4;" TWO, NULL, NULL,
     "no_permission 0+0 | nvmlDeviceGetHandleByIndex returned 4 (NVML_ERROR_NO_PERMISSION)", NULL, NULL},
    {"nothing but the driver", NODES, "cuInit=100", "", NULL, NULL, "no_devices 0+0 | NVML lists none", NULL,
     "no_devices 0+0 | cuInit returned 100 (CUDA_ERROR_NO_DEVICE)"},
    {"a capability of two digits", NODES, "device=Spark|12.1|1|GPU-1|000f:01:00.0|0",
     "device=Spark|12.1|1|GPU-1|000f:01:00.0|0", NULL, NULL, "usable 1+0 sm121", NULL, "usable 1+0 sm121, initialised"},
    {"a capability that is none", NODES, "device=?|0.0|1|GPU-1|0000:01:00.0|0", "device=?|0.0|1|GPU-1|0000:01:00.0|0",
     NULL, NULL, "not_asked 1+0 ?=not_asked", "failed 1+0 ?=failed, initialised | compute capability 0.0 names no arch",
     NULL},
};

static void machines(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const row *r = &rows[i];
        const char *open = r->open == NULL ? r->look : r->open;
        const char *expected[] = {r->look, open, r->full == NULL ? open : r->full};
        for (int depth = RUNG_DEPTH_LOOK; depth <= RUNG_DEPTH_FULL; depth++) {
            tree *t = machine(r->kind, r->cuda, r->nvml, r->visible, r->order);
            rung_device_report report = probe(t, (rung_depth)depth);
            if (strcmp(words(&report), expected[depth]) != 0)
                fail_msg("%s, depth %d:\n%s\nexpected:\n%s", r->name, depth, words(&report), expected[depth]);
            assert_int_equal(report.present, report.state != RUNG_STATE_ABSENT);
            tree_free(t);
        }
    }
}

/* Every field, from either library. */
static void fields(void **state)
{
    (void)state;
    for (int depth = RUNG_DEPTH_LOOK; depth <= RUNG_DEPTH_FULL; depth++) {
        tree *t = machine(NODES, "driver=12090;" TWO, TWO, "1", NULL);
        rung_device_report r = probe(t, (rung_depth)depth);
        assert_string_equal(r.driver, "580.65.06");
        assert_int_equal(r.driver_version, 12 << 16 | 9);
        assert_string_equal(r.library, depth == RUNG_DEPTH_FULL ? "libcuda.so.1" : "libnvidia-ml.so.1");
        assert_int_equal(r.count, 1);
        assert_int_equal(r.unit[0].index, 0);
        assert_string_equal(r.unit[0].name, "NVIDIA A100-SXM4-40GB");
        assert_string_equal(r.unit[0].arch, "sm80");
        assert_string_equal(r.unit[0].uuid, "GPU-9b1c44d7-0000-1111-2222-333344445555");
        assert_string_equal(r.unit[0].bus, "0000:86:00.0");
        assert_true(r.unit[0].memory == 42505273344);
        tree_free(t);
    }
}

static void fields_of_instances(void **state)
{
    (void)state;
    for (int depth = RUNG_DEPTH_LOOK; depth <= RUNG_DEPTH_FULL; depth++) {
        tree *t = machine(NODES, A100 ";" MIG1 ";" MIG2, A100 ";" MIG1 ";" MIG2, "MIG-22222222", NULL);
        rung_device_report r = probe(t, (rung_depth)depth);
        assert_int_equal(r.count, 1);
        assert_string_equal(r.unit[0].name, "NVIDIA A100-SXM4-40GB MIG 3g.20gb");
        assert_string_equal(r.unit[0].uuid, "MIG-22222222-0000-1111-2222-333344445555");
        assert_string_equal(r.unit[0].bus, "0000:3b:00.0");
        assert_true(r.unit[0].memory == 20937965568);
        tree_free(t);
    }
}

/* The kernel driver's version, from whatever tells it. */
static void versions(void **state)
{
    (void)state;
    static const struct {
        const char *proc, *sys, *expected;
    } table[] = {
        {"NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.129.03  Thu Oct 19 18:56:32 UTC 2023\n", NULL,
         "535.129.03"},
        {"NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65  Thu\n", NULL, "580.65"},
        {"", "570.86.15\n", "570.86.15"},
        {"NVRM version: unknown\nGCC version: 12.2.0\n", "570.86.15\n", "570.86.15"},
        {"\x01\xff\xfe . .5 5. x1.2 1.2x\n", NULL, "5."},
        {NULL, NULL, "580.65.06"}, /* NVML's */
        {"", "", "580.65.06"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        tree *t = machine(NODES, A100, A100, NULL, NULL);
        tree_remove(t, "/proc/driver/nvidia/version");
        if (table[i].proc != NULL)
            tree_file(t, "/proc/driver/nvidia/version", table[i].proc);
        if (table[i].sys != NULL)
            tree_file(t, "/sys/module/nvidia/version", table[i].sys);
        rung_device_report r = probe(t, RUNG_DEPTH_LOOK);
        assert_string_equal(r.driver, table[i].expected);
        tree_free(t);
    }
}

static void permissions(void **state)
{
    (void)state;
    static const struct {
        files kind;
        const char *detail;
    } table[] = {
        {CLOSED, "/dev/nvidiactl: mode 0660, group "},
        {CLOSED_UVM, "/dev/nvidia-uvm: mode 0600, group "},
        {CLOSED_GPU, ": mode 0640, group "},
        {TEGRA_NEW, "/dev/nvgpu/igpu0/ctrl: mode 0660, group "},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        for (int depth = RUNG_DEPTH_LOOK; depth <= RUNG_DEPTH_FULL; depth++) {
            tree *t = machine(table[i].kind, A100, A100, NULL, NULL);
            rung_device_report r = probe(t, (rung_depth)depth);
            assert_state(r, RUNG_STATE_NO_PERMISSION);
            assert_contains(r.detail, table[i].detail);
            assert_string_equal(r.library, "");
            tree_free(t);
        }
    }
}

/* A file under the library's name that is none. */
static void broken_libraries(void **state)
{
    (void)state;
    static const char elf[] = "\x7f"
                              "ELF";
    for (int depth = RUNG_DEPTH_LOOK; depth <= RUNG_DEPTH_FULL; depth++) {
        tree *t = machine(NODES, NULL, A100, NULL, NULL);
        tree_library_text(t, "libcuda.so.1", "");
        rung_device_report r = probe_tree(rung_probe_nvidia, t, (rung_depth)depth);
        assert_state(r, RUNG_STATE_LIBRARY_INVALID);
        assert_contains(r.detail, "libcuda.so.1");
        tree_library_text(t, "libcuda.so.1", "INPUT(libcuda.so)\n");
        r = probe_tree(rung_probe_nvidia, t, (rung_depth)depth);
        assert_state(r, RUNG_STATE_LIBRARY_INVALID);
        tree_library_text(t, "libcuda.so.1", elf); /* cut off */
        r = probe_tree(rung_probe_nvidia, t, (rung_depth)depth);
        assert_state(r, RUNG_STATE_LIBRARY_INVALID);
        tree_free(t);

        /* a library that is not the one */
        t = machine(NODES, NULL, A100, NULL, NULL);
        tree_library(t, "libcuda.so.1", "libnvidia-ml.so.1");
        r = probe_tree(rung_probe_nvidia, t, (rung_depth)depth);
        assert_state(r, RUNG_STATE_LIBRARY_INVALID);
        assert_string_equal(r.detail, "libcuda.so.1 has no cuInit");
        tree_free(t);

        /* a broken NVML is as good as none */
        t = machine(NODES, A100, NULL, NULL, NULL);
        tree_library_text(t, "libnvidia-ml.so.1", "");
        r = probe_tree(rung_probe_nvidia, t, (rung_depth)depth);
        assert_state(r, depth == RUNG_DEPTH_LOOK ? RUNG_STATE_NOT_ASKED : RUNG_STATE_USABLE);
        tree_free(t);
        t = machine(NODES, A100, NULL, NULL, NULL);
        tree_library(t, "libnvidia-ml.so.1", "libcuda.so.1");
        r = probe_tree(rung_probe_nvidia, t, (rung_depth)depth);
        assert_state(r, depth == RUNG_DEPTH_LOOK ? RUNG_STATE_NOT_ASKED : RUNG_STATE_USABLE);
        tree_free(t);
    }
}

/* A whole library of this system, but for the number of its architecture. */
static void other_architecture(void **state)
{
    (void)state;
    enum { MACHINE = 18, SPARC = 43 }; /* e_machine, in the low byte of either byte order that this runs on */
    tree *t = machine(NODES, A100, A100, NULL, NULL);
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/libcuda.so.1", t->libraries);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, MACHINE, SEEK_SET), 0);
    assert_int_equal(fputc(SPARC, file), SPARC);
    assert_int_equal(fclose(file), 0);
    rung_device_report r = probe_tree(rung_probe_nvidia, t, RUNG_DEPTH_LOOK);
    assert_state(r, RUNG_STATE_LIBRARY_INVALID);
    assert_contains(r.detail, "libcuda.so.1");
    tree_free(t);
}

/* More GPUs than a record has room for. */
static void many(void **state)
{
    (void)state;
    enum { ALL = 70 };
    static char devices[ALL * 96];
    size_t at = 0;
    for (int i = 0; i < ALL; i++)
        at += (size_t)snprintf(devices + at, sizeof devices - at, "device=A100|8.0|1|GPU-%08x|0000:%02x:00.0;", i, i);
    tree *t = machine(NODES, devices, devices, NULL, NULL);
    rung_device_report r = probe(t, RUNG_DEPTH_LOOK);
    assert_int_equal(r.count, RUNG_UNITS_MAX);
    assert_string_equal(r.unit[RUNG_UNITS_MAX - 1].uuid, "GPU-0000003f");
    tree_free(t);
    t = machine(NODES, devices, devices, "69,3", NULL);
    r = probe(t, RUNG_DEPTH_LOOK);
    assert_int_equal(r.count, 2);
    assert_int_equal(r.hidden, ALL - 2);
    assert_string_equal(r.unit[0].bus, "0000:45:00.0");
    tree_free(t);
    t = machine(NODES, devices, devices, NULL, NULL);
    r = probe(t, RUNG_DEPTH_FULL);
    assert_int_equal(r.count, RUNG_UNITS_MAX);
    assert_string_equal(r.unit[RUNG_UNITS_MAX - 1].bus, "0000:3f:00.0");
    tree_free(t);
}

/* The imitated driver fails in a fork of a process that initialised it, as the real one does. */
static void a_fork(void **state)
{
    (void)state;
    tree *t = machine(NODES, A100, NULL, NULL, NULL);
    rung_device_report r = probe(t, RUNG_DEPTH_OPEN);
    assert_state(r, RUNG_STATE_USABLE);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const rung_world world = tree_world(t);
        rung_device_report inside = {.device = "cuda"};
        rung_probe_nvidia(&world, RUNG_DEPTH_OPEN, &inside);
        _exit(inside.state == RUNG_STATE_FORKED && !inside.initialised ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    tree_free(t);
}

/* What is asked, in its order; on a machine without a GPU that is a look at nodes alone. */
static void steps(void **state)
{
    (void)state;
    static told all;
    tree *t = machine(NOTHING, A100, A100, NULL, NULL);
    rung_world world = tree_world(t);
    world.tell = told_line;
    world.tell_user = &all;
    (void)probe_world(rung_probe_nvidia, &world, RUNG_DEPTH_OPEN);
    assert_string_equal(all.text, "cuda: look for nodes: none\n");
    tree_free(t);

    all = (told){.text = ""};
    t = machine(NODES, A100, A100, NULL, NULL);
    world = tree_world(t);
    world.tell = told_line;
    world.tell_user = &all;
    (void)probe_world(rung_probe_nvidia, &world, RUNG_DEPTH_FULL);
    assert_string_equal(all.text, "cuda: look for nodes: /dev/nvidiactl\n"
                                  "cuda: permission: granted\n"
                                  "cuda: open libcuda.so.1: opened\n"
                                  "cuda: open libnvidia-ml.so.1: opened\n"
                                  "cuda: ask libnvidia-ml.so.1: 580.65.06\n"
                                  "cuda: initialise the driver: done\n");
    tree_free(t);
}

/* Values that do not fit anywhere, and bytes that are no text. */
static void garbage(void **state)
{
    (void)state;
    static char device[512];
    int at = snprintf(device, sizeof device, "device=\x01\xff%0200d|8.0|99999999999999999999|GPU-\x80\n", 0);
    (void)snprintf(device + at, sizeof device - (size_t)at, "|zz:zz|77");
    static char list[300];
    memset(list, '\xff', sizeof list - 1);
    for (int depth = RUNG_DEPTH_LOOK; depth <= RUNG_DEPTH_FULL; depth++) {
        tree *t = machine(NODES, device, device, NULL, NULL);
        rung_device_report r = probe(t, (rung_depth)depth);
        assert_state(r, RUNG_STATE_USABLE);
        for (const char *c = r.unit[0].name; *c != '\0'; c++)
            assert_in_range(*c, ' ', '~');
        for (const char *c = r.unit[0].uuid; *c != '\0'; c++)
            assert_in_range(*c, ' ', '~');
        tree_free(t);
        t = machine(NODES, A100, A100, list, NULL);
        r = probe(t, (rung_depth)depth);
        assert_state(r, RUNG_STATE_HIDDEN);
        assert_contains(r.detail, "????...\"");
        tree_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machines),
        cmocka_unit_test(fields),
        cmocka_unit_test(fields_of_instances),
        cmocka_unit_test(versions),
        cmocka_unit_test(permissions),
        cmocka_unit_test(broken_libraries),
        cmocka_unit_test(other_architecture),
        cmocka_unit_test(many),
        cmocka_unit_test(a_fork),
        cmocka_unit_test(steps),
        cmocka_unit_test(garbage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
