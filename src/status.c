/* SPDX-License-Identifier: Apache-2.0 */
#include "rung/rung.h"

const char *rung_status_text(rung_status status)
{
    switch (status) {
    case RUNG_OK:
        return "ok";
    case RUNG_ERR_ARGUMENT:
        return "bad argument";
    case RUNG_ERR_SYNTAX:
        return "bad platform string";
    case RUNG_ERR_UNKNOWN:
        return "unknown name";
    case RUNG_ERR_UNAVAILABLE:
        return "platform unavailable";
    case RUNG_ERR_NO_KERNEL:
        return "no kernel";
    case RUNG_ERR_MEMORY:
        return "out of memory";
    case RUNG_ERR_WORKSPACE:
        return "workspace missing or too small";
    case RUNG_ERR_NUMERIC:
        return "no numerical answer";
    case RUNG_ERR_DEVICE:
        return "device failure";
    case RUNG_ERR_ABI:
        return "tables of another version";
    case RUNG_ERR_NO_COMPONENT:
        return "no component";
    }
    return "unknown status";
}

const char *rung_reason_text(rung_reason reason)
{
    switch (reason) {
    case RUNG_REASON_NONE:
        return "available";
    case RUNG_REASON_NOT_DECLARED:
        return "not declared";
    case RUNG_REASON_PLANNED:
        return "planned";
    case RUNG_REASON_NOT_BUILT:
        return "not built";
    case RUNG_REASON_EXPERIMENTAL:
        return "experimental";
    case RUNG_REASON_CAPPED:
        return "capped";
    case RUNG_REASON_MEMORY:
        return "memory";
    case RUNG_REASON_DEVICE_ABSENT:
        return "device absent";
    case RUNG_REASON_DEVICE_HIDDEN:
        return "device hidden";
    case RUNG_REASON_DRIVER_MISSING:
        return "driver missing";
    case RUNG_REASON_DRIVER_BROKEN:
        return "driver broken";
    case RUNG_REASON_DRIVER_TOO_OLD:
        return "driver too old";
    case RUNG_REASON_STATIC_PROGRAM:
        return "static program cannot load drivers";
    case RUNG_REASON_PERMISSION_DENIED:
        return "permission denied";
    case RUNG_REASON_DEVICE_UNUSABLE:
        return "device unusable";
    case RUNG_REASON_FORKED:
        return "forked";
    case RUNG_REASON_ARCH_INVALID:
        return "arch invalid";
    case RUNG_REASON_PTX_TOO_NEW:
        return "PTX too new";
    case RUNG_REASON_CPU_LACKS:
        return "CPU lacks";
    case RUNG_REASON_SYSTEM_DISABLED:
        return "system does not enable";
    case RUNG_REASON_REQUIREMENT_UNMET:
        return "requirement unmet";
    case RUNG_REASON_LIBRARY_MISSING:
        return "library missing";
    case RUNG_REASON_LOAD_FAILED:
        return "load failed";
    case RUNG_REASON_PERMISSION_REFUSED:
        return "permission refused";
    case RUNG_REASON_COUNT:
        break;
    }
    return "unknown reason";
}
