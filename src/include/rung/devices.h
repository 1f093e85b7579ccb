/* SPDX-License-Identifier: Apache-2.0
 *
 * devices.h: what accelerators this machine has, whether they can be used, and if not, why and what to do about it.
 *
 *     rung_devices *found;
 *     if (rung_devices_detect(&rk_registry, 0, &found, &err) == RUNG_OK) {
 *         for (uint32_t i = 0; i < rung_devices_count(found); i++) {
 *             const rung_device_report *d = rung_devices_at(found, i);
 *             printf("%s: %s\n", d->device, rung_device_state_text(d->state));
 *         }
 *         rung_devices_free(found);
 *     }
 *
 * rung_platform_open asks the same questions, of the devices of its chain alone; programs need this header to tell
 * people. docs/detection.md says what is read for every device, and in which order.
 *
 * HARMLESS. Nothing here prints, changes the environment, the locale or a signal handler, or leaves a file descriptor
 * or a child behind. Without RUNG_DETECT_FULL rung_devices_detect initialises no driver; rung_platform_open does so
 * only where nothing else tells what a device of its chain is. Vendor libraries are opened only where a device node or
 * file says that there is something to ask. Metal is the exception to both: it has no files, and is asked at once. What
 * a vendor library does when it is opened is beyond us: RUNG_DETECT_ISOLATED opens them in another process.
 *
 * ENVIRONMENT. RUNG_SKIP: devices, separated by commas, that are not looked for ("cuda,opencl"; "all"), in any case.
 * RUNG_PROBE: "isolated" makes every detection one that is isolated, those of rung_platform_open included.
 * RUNG_PROBE_HELPER: the path of the program rung-probe, where it is not where it was installed. RUNG_LOG=debug tells
 * every probe with its time. The variables of the vendors, such as CUDA_VISIBLE_DEVICES, act as they do on the vendors'
 * own libraries.
 */
#ifndef RUNG_DEVICES_H
#define RUNG_DEVICES_H

#include "rung/rung.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- states ------------------------------------------------------------------------------------------------------ */

/* Whether a device can be used, and if not why. More is told apart here than a rejected kernel has reasons:
 * rung_device_state_reason gives the reason that stands for a state in rung_explain. */
typedef enum rung_device_state {
    RUNG_STATE_USABLE = 0,
    RUNG_STATE_ABSENT,          /* no trace of a device or of its driver */
    RUNG_STATE_SKIPPED,         /* RUNG_SKIP names it */
    RUNG_STATE_NOT_ASKED,       /* it is there; only RUNG_DETECT_FULL finds out whether it can be used */
    RUNG_STATE_NO_DRIVER,       /* the device is on the bus, no kernel driver serves it */
    RUNG_STATE_NO_LIBRARY,      /* the device is there, the driver's library is not */
    RUNG_STATE_LIBRARY_INVALID, /* a file of that name is there and is no library of this architecture */
    RUNG_STATE_STUB,            /* the library is the toolkit's stub, for linking only */
    RUNG_STATE_STATIC_PROGRAM,  /* this program has no dynamic loader */
    RUNG_STATE_DRIVER_TOO_OLD,  /* for the images that are built in */
    RUNG_STATE_DRIVER_MISMATCH, /* the library is not of the kernel module's version */
    RUNG_STATE_NOT_READY,       /* the system has not finished setting the device up */
    RUNG_STATE_COMPAT_REFUSED,  /* a forward-compatibility library on a device that forbids it */
    RUNG_STATE_NO_DEVICES,      /* the driver answers that it has none */
    RUNG_STATE_PROHIBITED,      /* its compute mode forbids every use */
    RUNG_STATE_EXCLUSIVE,       /* another process has it for itself */
    RUNG_STATE_OUT_OF_MEMORY,   /* no memory left for a context */
    RUNG_STATE_HIDDEN,          /* the environment hides every device */
    RUNG_STATE_NO_PERMISSION,   /* this user may not open the device node */
    RUNG_STATE_ARCH_TOO_NEW,    /* newer than any image, and no image can be translated for it */
    RUNG_STATE_ARCH_TOO_OLD,    /* older than any image */
    RUNG_STATE_NO_KERNELS,      /* it is fine, and this build has no kernels for it */
    RUNG_STATE_FORKED,          /* the driver was initialised before this process was forked */
    RUNG_STATE_TIMED_OUT,       /* isolated: the vendor's library did not come back */
    RUNG_STATE_CRASHED,         /* isolated: the vendor's library died by a signal */
    RUNG_STATE_EXITED,          /* isolated: the vendor's library ended the process */
    RUNG_STATE_NO_HELPER,       /* isolated: rung-probe could not be started */
    RUNG_STATE_FAILED,          /* the driver gave another error: `detail` has its number */
    RUNG_STATE_COUNT
} rung_device_state;

/* A stable word such as "driver_too_old", for programs; never NULL. */
RUNG_API const char *rung_device_state_name(rung_device_state state);
/* A constant text such as "the driver is too old"; never NULL. */
RUNG_API const char *rung_device_state_text(rung_device_state state);
/* What a person can do about it, one sentence; "" where there is nothing to be done; never NULL. */
RUNG_API const char *rung_device_state_remedy(rung_device_state state);
/* The reason that stands for it in rung_cell.reason; NONE for USABLE. */
RUNG_API rung_reason rung_device_state_reason(rung_device_state state);

/* ---- records ----------------------------------------------------------------------------------------------------- */

enum { RUNG_UNITS_MAX = 64 };

/* One device of a kind, e.g. one GPU. What is not known is "" or 0. */
typedef struct rung_device_unit {
    uint32_t index;  /* as the kind's own library counts those that are visible: the N of "cuda:N" */
    char name[96];   /* for people: "NVIDIA A100-SXM4-40GB"; decides nothing */
    char arch[32];   /* as registries name it: "sm80", "gfx90a", "x86-64-v3" */
    char uuid[64];   /* "GPU-...", "MIG-..." */
    char bus[32];    /* PCI address: "0000:3b:00.0" */
    uint64_t memory; /* bytes in all; of the processor, the machine's: rung_host has what may be used of it */
    rung_device_state state;
    char detail[160]; /* the figures behind the state */
} rung_device_unit;

/* All devices of a kind. */
typedef struct rung_device_report {
    char device[16];         /* "cpu", "cuda", "rocm", "metal", "tpu", "opencl" */
    int present;             /* there is a trace of hardware or of a driver */
    int initialised;         /* its driver was initialised in this process */
    rung_device_state state; /* USABLE when at least one unit is; else that of the first, or why there is none */
    char detail[160];        /* the figures behind the state */
    char driver[64];         /* the driver's version as its maker writes it: "580.65.06" */
    char library[128];       /* the library that answered */
    uint32_t driver_version; /* what it supports, major << 16 | minor, e.g. of CUDA; 0: not known */
    uint32_t count;          /* visible units: as many of `unit` are filled, at most RUNG_UNITS_MAX */
    uint32_t hidden;         /* units that the environment hides, where that is known */
    rung_device_unit unit[RUNG_UNITS_MAX];
} rung_device_report;

/* ---- detection --------------------------------------------------------------------------------------------------- */

enum {
    RUNG_DETECT_FULL = 1u,     /* initialise drivers and try a context: slow, and not before a fork */
    RUNG_DETECT_ISOLATED = 2u, /* in another process, at most ten seconds for each device */
    RUNG_DETECT_NO_ENV = 4u    /* RUNG_SKIP and RUNG_PROBE are not looked at */
};

typedef struct rung_devices rung_devices;

/* Looks for all kinds of devices, the processor first. `registry` may be NULL: what depends on the kernels of a build
 * (DRIVER_TOO_OLD, ARCH_*, NO_KERNELS) is then not told. Never fails for what a machine lacks; fails with ARGUMENT,
 * MEMORY or ABI. The result is a value of its own, to be given to rung_devices_free. */
RUNG_API rung_status rung_devices_detect(const rung_registry *registry, unsigned flags, rung_devices **out,
                                         rung_error *err);
RUNG_API void rung_devices_free(rung_devices *devices); /* NULL is allowed */
RUNG_API uint32_t rung_devices_count(const rung_devices *devices);
RUNG_API const rung_device_report *rung_devices_at(const rung_devices *devices, uint32_t i); /* NULL past the end */
RUNG_API const rung_device_report *rung_devices_find(const rung_devices *devices, const char *device); /* or NULL */
/* What RUNG_SKIP and RUNG_PROBE had that nobody understands, in one line: `RUNG_SKIP: no device "nvidia"; there are
 * cuda, rocm, metal, tpu, opencl and all`. "" where all is well, and with RUNG_DETECT_NO_ENV. As long as `devices`
 * lives. */
RUNG_API const char *rung_devices_warning(const rung_devices *devices);

/* ---- the host ---------------------------------------------------------------------------------------------------- */

/* What this process may use of the machine: affinity, control groups of every level, resource limits. Figures that the
 * system does not tell are 0 (cores: 1), and limits that it does not tell are none. */
typedef struct rung_host {
    uint32_t cores;            /* at least 1 */
    uint32_t cores_online;     /* of the machine */
    uint64_t memory;           /* bytes that the process may use in all */
    uint64_t memory_machine;   /* bytes that the machine has */
    uint64_t memory_available; /* bytes that can be had now, page cache counted as free; 1: none */
    const char *cores_by;      /* what bounds the cores: "", "affinity", "cgroup" */
    const char *memory_by;     /* what bounds the memory: "", "cgroup", "limit" */
} rung_host;

RUNG_API void rung_host_detect(rung_host *out);

#ifdef __cplusplus
}
#endif
#endif
