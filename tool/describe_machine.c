/* SPDX-License-Identifier: Apache-2.0
 *
 * describe_machine.c: the same for a person and for a program.
 */
#include "describe_machine.h"

#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "say.h"

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* Puts more behind a text, which is taken over. */
static char *more(char *text, char *tail)
{
    char *longer = say_format("%s%s", text, tail);
    free(text);
    free(tail);
    return longer;
}

char *describe_bytes(uint64_t bytes)
{
    const double mib = 1024.0 * 1024.0;
    if (bytes == 0)
        return say_format("unknown");
    if ((double)bytes >= 1024.0 * mib)
        return say_format("%.1f GiB", (double)bytes / (1024.0 * mib));
    return say_format("%.0f MiB", (double)bytes / mib);
}

/* Whether two units are told in one breath. */
static bool are_alike(const rung_device_unit *a, const rung_device_unit *b)
{
    return a->state == b->state && a->memory == b->memory && strcmp(a->arch, b->arch) == 0 &&
           strcmp(a->name, b->name) == 0;
}

/* What holds for the whole report is said once. */
static char *unit_words(const rung_device_report *report, const rung_device_unit *unit, uint32_t count)
{
    char *text = count > 1 ? say_format("%u x ", (unsigned)count) : say_format("%s", "");
    text = more(
        text, say_format("%s%s%s", unit->arch, unit->arch[0] != '\0' && unit->name[0] != '\0' ? " " : "", unit->name));
    if (unit->memory != 0) {
        char *bytes = describe_bytes(unit->memory);
        text = more(text, say_format(", %s", bytes));
        free(bytes);
    }
    if (unit->state != report->state)
        text = more(text, say_format(": %s", rung_device_state_text(unit->state)));
    return text;
}

/* At most three groups of units that are alike; the JSON has them all. */
static char *units_words(const rung_device_report *report)
{
    enum { GROUPS = 3 };
    char *text = say_format("%s", "");
    uint32_t count = report->count < RUNG_UNITS_MAX ? report->count : RUNG_UNITS_MAX;
    unsigned groups = 0;
    for (uint32_t i = 0; i < count;) {
        uint32_t n = 1;
        while (i + n < count && are_alike(&report->unit[i], &report->unit[i + n]))
            n++;
        if (groups == GROUPS)
            return more(text, say_format("; and %u more", (unsigned)(count - i)));
        text = more(text, say_format("%s", groups == 0 ? "" : "; "));
        text = more(text, unit_words(report, &report->unit[i], n));
        groups++;
        i += n;
    }
    return text;
}

char *describe_device(const rung_device_report *report)
{
    char *text = say_format("%s", rung_device_state_text(report->state));
    if (report->state != RUNG_STATE_USABLE && report->detail[0] != '\0')
        text = more(text, say_format(" (%s)", report->detail));
    if (report->count > 0)
        text = more(more(text, say_format(": ")), units_words(report));
    if (report->hidden > 0)
        text = more(text, say_format("; %u hidden", (unsigned)report->hidden));
    if (report->driver[0] != '\0')
        text = more(text, say_format("; driver %s", report->driver));
    return text;
}

typedef struct target {
    unsigned bit;
    const char *name, *word;
} target;

static const target targets[] = {
    {RUNG_BUILT_CUDA, "cuda", "CUDA"}, {RUNG_BUILT_ROCM, "rocm", "ROCm"}, {RUNG_BUILT_METAL, "metal", "Metal"},
    {RUNG_BUILT_TPU, "tpu", "TPU"},    {RUNG_BUILT_XPU, "xpu", "XPU"},    {RUNG_BUILT_CPU, "cpu", "CPU"},
};
enum { TARGETS = sizeof targets / sizeof *targets };

char *describe_framework(const rung_framework *framework)
{
    if (framework->state != RUNG_FRAMEWORK_INSTALLED) {
        const char *open = framework->detail[0] != '\0' ? " (" : "";
        return say_format("%s%s%s%s", rung_framework_state_text(framework->state), open, framework->detail,
                          open[0] != '\0' ? ")" : "");
    }
    char *text = say_format("%s", framework->version);
    const char *join = " for ";
    for (int i = 0; i < TARGETS; i++) {
        if (!(framework->built & targets[i].bit))
            continue;
        const char *version = targets[i].bit == RUNG_BUILT_CUDA   ? framework->cuda
                              : targets[i].bit == RUNG_BUILT_ROCM ? framework->rocm
                                                                  : "";
        text = more(text, say_format("%s%s%s%s", join, targets[i].word, version[0] != '\0' ? " " : "", version));
        join = ", ";
    }
    if (framework->editable)
        text = more(text, say_format(", editable"));
    return text;
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

/* Names of the bits, as a list. */
static json_t *feature_list(uint64_t bits)
{
    json_t *list = json_array();
    for (unsigned b = 0; b < 64; b++)
        if ((bits >> b & 1) != 0 && rung_cpu_feature_name(b) != NULL)
            json_add(list, json_text(rung_cpu_feature_name(b)));
    return list;
}

/* vendor and model need not be terminated when they are full. */
static json_t *bounded(const char *s, size_t size)
{
    char *text = say_format("%.*s", (int)strnlen(s, size), s);
    json_t *value = json_text(text);
    free(text);
    return value;
}

json_t *describe_cpu_json(const rung_cpu *cpu)
{
    json_t *one = json_object();
    json_put(one, "family", json_text(cpu->family));
    json_put(one, "level", json_text(cpu->level));
    json_put(one, "vendor", bounded(cpu->vendor, sizeof cpu->vendor));
    json_put(one, "model", bounded(cpu->model, sizeof cpu->model));
    json_put(one, "features", feature_list(cpu->features));
    json_put(one, "disabled", feature_list(cpu->disabled));
    json_put(one, "amx_permission", json_integer(cpu->amx_permission));
    json_put(one, "sve_bytes", json_count(cpu->sve_bytes));
    return one;
}

json_t *describe_host_json(const rung_host *host)
{
    json_t *one = json_object();
    json_put(one, "cores", json_count(host->cores));
    json_put(one, "cores_online", json_count(host->cores_online));
    json_put(one, "cores_by", json_text(host->cores_by));
    json_put(one, "memory", json_count(host->memory));
    json_put(one, "memory_machine", json_count(host->memory_machine));
    json_put(one, "memory_available", json_count(host->memory_available));
    json_put(one, "memory_by", json_text(host->memory_by));
    return one;
}

static json_t *unit_json(const rung_device_unit *unit)
{
    json_t *one = json_object();
    json_put(one, "index", json_count(unit->index));
    json_put(one, "name", json_text(unit->name));
    json_put(one, "arch", json_text(unit->arch));
    json_put(one, "uuid", json_text(unit->uuid));
    json_put(one, "bus", json_text(unit->bus));
    json_put(one, "memory", unit->memory == 0 ? json_null() : json_count(unit->memory));
    json_put(one, "state", json_text(rung_device_state_name(unit->state)));
    json_put(one, "detail", json_text(unit->detail));
    return one;
}

static json_t *report_json_of(const rung_device_report *report)
{
    json_t *one = json_object();
    json_put(one, "device", json_text(report->device));
    json_put(one, "present", json_boolean(report->present));
    json_put(one, "usable", json_boolean(report->state == RUNG_STATE_USABLE));
    json_put(one, "state", json_text(rung_device_state_name(report->state)));
    json_put(one, "text", json_text(rung_device_state_text(report->state)));
    json_put(one, "detail", json_text(report->detail));
    json_put(one, "remedy", json_text(rung_device_state_remedy(report->state)));
    rung_reason reason = rung_device_state_reason(report->state);
    json_put(one, "reason", reason == RUNG_REASON_NONE ? json_null() : json_text(rung_reason_text(reason)));
    json_put(one, "driver", json_text(report->driver));
    uint32_t version = report->driver_version;
    char *supports = say_format("%u.%u", (unsigned)(version >> 16), (unsigned)(version & 0xffff));
    json_put(one, "driver_supports", version == 0 ? json_null() : json_text(supports));
    free(supports);
    json_put(one, "library", json_text(report->library));
    json_put(one, "initialised", json_boolean(report->initialised));
    json_put(one, "count", json_count(report->count));
    json_put(one, "hidden", json_count(report->hidden));
    json_t *units = json_array();
    for (uint32_t i = 0; i < report->count && i < RUNG_UNITS_MAX; i++)
        json_add(units, unit_json(&report->unit[i]));
    json_put(one, "units", units);
    return one;
}

json_t *describe_devices_json(const rung_devices *devices)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < rung_devices_count(devices); i++)
        json_add(list, report_json_of(rung_devices_at(devices, i)));
    return list;
}

static json_t *framework_json(const rung_framework *framework)
{
    json_t *one = json_object();
    json_put(one, "name", json_text(framework->name));
    json_put(one, "installed", json_boolean(framework->state == RUNG_FRAMEWORK_INSTALLED));
    json_put(one, "state", json_text(rung_framework_state_name(framework->state)));
    json_put(one, "text", json_text(rung_framework_state_text(framework->state)));
    json_put(one, "version", json_text(framework->version));
    json_t *built = json_array();
    for (int i = 0; i < TARGETS; i++)
        if (framework->built & targets[i].bit)
            json_add(built, json_text(targets[i].name));
    json_put(one, "built", built);
    json_put(one, "cuda", json_text(framework->cuda));
    json_put(one, "rocm", json_text(framework->rocm));
    json_put(one, "plugins", json_text(framework->plugins));
    json_put(one, "editable", json_boolean(framework->editable));
    json_put(one, "path", json_text(framework->path));
    json_put(one, "detail", json_text(framework->detail));
    return one;
}

json_t *describe_python_json(const rung_python *python)
{
    json_t *one = json_object();
    json_put(one, "prefix", json_text(python->prefix));
    json_put(one, "version", json_text(python->version));
    json_put(one, "found_by", json_text(python->found_by));
    json_t *list = json_array();
    for (unsigned i = 0; i < RUNG_FRAMEWORKS; i++)
        json_add(list, framework_json(&python->framework[i]));
    json_put(one, "frameworks", list);
    return one;
}

static json_t *backend_json(const rung_backend *backend)
{
    json_t *one = json_object();
    json_put(one, "name", json_text(backend->name));
    json_put(one, "device", json_text(backend->device));
    json_put(one, "kind", json_text(backend->kind));
    json_put(one, "version", json_text(backend->version));
    json_put(one, "score", json_count(backend->score));
    json_put(one, "available", json_boolean(backend->available));
    json_put(one, "native", json_boolean(backend->native));
    json_put(one, "reason", json_text(backend->reason));
    return one;
}

json_t *describe_choice_json(const rung_choice *choice)
{
    json_t *one = json_object();
    json_put(one, "chosen", choice->chosen.name[0] == '\0' ? json_null() : backend_json(&choice->chosen));
    json_put(one, "asked_for", json_boolean(choice->asked_for));
    json_put(one, "cached", json_boolean(choice->cached));
    json_t *ranked = json_array();
    for (uint32_t i = 0; i < choice->count; i++)
        json_add(ranked, backend_json(&choice->ranked[i]));
    json_put(one, "ranked", ranked);
    json_put(one, "fits", json_boolean(choice->fits));
    json_put(one, "needed_mb", choice->needed_mb == UINT64_MAX ? json_null() : json_count(choice->needed_mb));
    json_put(one, "memory_mb", json_count(choice->memory_mb));
    json_put(one, "gpu_memory_mb", choice->gpu_memory_mb == 0 ? json_null() : json_count(choice->gpu_memory_mb));
    json_t *warnings = json_array();
    for (uint32_t i = 0; i < choice->warnings; i++)
        json_add(warnings, json_text(choice->warning[i]));
    json_put(one, "warnings", warnings);
    json_put(one, "advice", json_text(choice->advice));
    return one;
}
