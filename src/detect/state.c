/* SPDX-License-Identifier: Apache-2.0
 *
 * state.c: the states of devices in words, and the reason of docs/resolution.md that stands for each.
 */
#include "rung/devices.h"

typedef struct meaning {
    const char *name, *text, *remedy;
    rung_reason reason;
} meaning;

static const meaning meanings[RUNG_STATE_COUNT] = {
    [RUNG_STATE_USABLE] = {"usable", "usable", "", RUNG_REASON_NONE},
    [RUNG_STATE_ABSENT] = {"absent", "not on this machine", "", RUNG_REASON_DEVICE_ABSENT},
    [RUNG_STATE_SKIPPED] = {"skipped", "skipped by RUNG_SKIP", "Take it, or `all`, out of RUNG_SKIP.",
                            RUNG_REASON_DEVICE_HIDDEN},
    [RUNG_STATE_NOT_ASKED] = {"not_asked", "there, and not asked whether it can be used", "Run `rung doctor`.",
                              RUNG_REASON_DEVICE_UNUSABLE},
    [RUNG_STATE_NO_DRIVER] = {"no_driver", "on the bus, and no kernel driver serves it",
                              "Install and load the kernel driver of its maker.", RUNG_REASON_DRIVER_MISSING},
    [RUNG_STATE_NO_LIBRARY] = {"no_library", "the driver's library is missing",
                               "Install the driver's user-space part; in a container, let the runtime mount it.",
                               RUNG_REASON_DRIVER_MISSING},
    [RUNG_STATE_LIBRARY_INVALID] = {"library_invalid", "the driver's library cannot be loaded",
                                    "Reinstall the driver's user-space part for this architecture.",
                                    RUNG_REASON_DRIVER_BROKEN},
    [RUNG_STATE_STUB] = {"stub", "the driver's library is a toolkit's stub",
                         "Take the toolkit's `stubs` folder out of LD_LIBRARY_PATH.", RUNG_REASON_DRIVER_BROKEN},
    [RUNG_STATE_STATIC_PROGRAM] = {"static_program", "a static program cannot load drivers",
                                   "Link the program dynamically.", RUNG_REASON_STATIC_PROGRAM},
    [RUNG_STATE_DRIVER_TOO_OLD] = {"driver_too_old", "the driver is too old for the kernels of this build",
                                   "Update the driver, or build with an older toolkit.", RUNG_REASON_DRIVER_TOO_OLD},
    [RUNG_STATE_DRIVER_MISMATCH] = {"driver_mismatch", "the driver's library is not of the kernel module's version",
                                    "Restart the machine, or reload the kernel module.", RUNG_REASON_DRIVER_BROKEN},
    [RUNG_STATE_NOT_READY] = {"not_ready", "the system is not ready",
                              "Start the driver's services, such as the fabric manager, and try again.",
                              RUNG_REASON_DEVICE_UNUSABLE},
    [RUNG_STATE_COMPAT_REFUSED] = {"compat_refused", "this device forbids the forward-compatibility library",
                                   "Take the `compat` folder out of LD_LIBRARY_PATH, or update the driver.",
                                   RUNG_REASON_DRIVER_BROKEN},
    [RUNG_STATE_NO_DEVICES] = {"no_devices", "the driver has no devices",
                               "See whether the device is switched on and given to this machine or container.",
                               RUNG_REASON_DEVICE_ABSENT},
    [RUNG_STATE_PROHIBITED] = {"prohibited", "its compute mode forbids every use",
                               "Have the administrator set the compute mode to `Default`.",
                               RUNG_REASON_DEVICE_UNUSABLE},
    [RUNG_STATE_EXCLUSIVE] = {"exclusive", "another process has it for itself",
                              "Wait for the other process, or have the compute mode set to `Default`.",
                              RUNG_REASON_DEVICE_UNUSABLE},
    [RUNG_STATE_OUT_OF_MEMORY] = {"out_of_memory", "no memory is left on it",
                                  "Wait for the processes that hold its memory, or end them.",
                                  RUNG_REASON_DEVICE_UNUSABLE},
    [RUNG_STATE_HIDDEN] = {"hidden", "hidden by the environment", "Unset or change the variable that is named.",
                           RUNG_REASON_DEVICE_HIDDEN},
    [RUNG_STATE_NO_PERMISSION] =
        {"no_permission", "this user may not open it",
         "Be given the device node (its group, where its mode allows that); in a container, have it passed in.",
         RUNG_REASON_PERMISSION_DENIED},
    [RUNG_STATE_ARCH_TOO_NEW] = {"arch_too_new", "newer than every image of this build",
                                 "Build with its arch, or with an arch `ptx` that newer devices can translate.",
                                 RUNG_REASON_ARCH_INVALID},
    [RUNG_STATE_ARCH_TOO_OLD] = {"arch_too_old", "older than every image of this build", "Build with its arch.",
                                 RUNG_REASON_ARCH_INVALID},
    [RUNG_STATE_NO_KERNELS] = {"no_kernels", "usable, and this build has no kernels for it",
                               "Build the kernels for it, where this version has any (`rung matrix` lists them).",
                               RUNG_REASON_NOT_BUILT},
    [RUNG_STATE_FORKED] = {"forked", "its driver was initialised before this process was forked",
                           "Use the device first in the child, not before the fork, or start the child with exec.",
                           RUNG_REASON_FORKED},
    [RUNG_STATE_TIMED_OUT] = {"timed_out", "its library did not come back in time",
                              "See the system's log for the driver; name it in RUNG_SKIP to skip it.",
                              RUNG_REASON_DRIVER_BROKEN},
    [RUNG_STATE_CRASHED] = {"crashed", "its library crashed",
                            "See the system's log for the driver; name it in RUNG_SKIP to skip it.",
                            RUNG_REASON_DRIVER_BROKEN},
    [RUNG_STATE_EXITED] = {"exited", "its library ended the process",
                           "See the system's log for the driver; name it in RUNG_SKIP to skip it.",
                           RUNG_REASON_DRIVER_BROKEN},
    [RUNG_STATE_NO_HELPER] = {"no_helper", "the program that asks in isolation could not be started",
                              "Install rung-probe, or name it with RUNG_PROBE_HELPER.", RUNG_REASON_DEVICE_UNUSABLE},
    [RUNG_STATE_FAILED] = {"failed", "the driver reports an error",
                           "See the system's log for the driver, and look the error up in its manual.",
                           RUNG_REASON_DEVICE_UNUSABLE},
};

static const meaning *meaning_of(rung_device_state state)
{
    return &meanings[(unsigned)state < RUNG_STATE_COUNT ? state : RUNG_STATE_FAILED];
}

const char *rung_device_state_name(rung_device_state state)
{
    return meaning_of(state)->name;
}

const char *rung_device_state_text(rung_device_state state)
{
    return meaning_of(state)->text;
}

const char *rung_device_state_remedy(rung_device_state state)
{
    return meaning_of(state)->remedy;
}

rung_reason rung_device_state_reason(rung_device_state state)
{
    return meaning_of(state)->reason;
}
