/* SPDX-License-Identifier: Apache-2.0
 *
 * machine.h: machines that are made up for the choice of a backend, and answers as text.
 */
#ifndef SELECT_MACHINE_H
#define SELECT_MACHINE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rk/rk.h"
#include "select/rank.h"
#include "text.h"

#define MB        (UINT64_C(1) << 20)
#define NOT_KNOWN UINT64_MAX

/* What was found of a kind of device. */
typedef struct kind {
    const char *device;
    rung_device_state state;
    uint32_t units; /* so many, all in this state */
    uint64_t memory_mb;
    uint32_t driver;
    const char *detail;
} kind;

typedef struct installed {
    const char *name;
    unsigned built; /* 0: it is not installed */
    const char *version, *cuda;
    rung_framework_state state;
    const char *detail;
} installed;

typedef struct machine {
    kind kinds[4];
    installed frameworks[4];
    uint64_t memory_mb;    /* 0: 32768; NOT_KNOWN */
    uint64_t available_mb; /* 0: as much as memory_mb */
    const char *platform;  /* NULL: "cpu/x86-64-v3"; "": none can be opened */
} machine;

static inline void copy_text(char *out, size_t size, const char *text)
{
    rung_text t = rung_text_in(out, size);
    rung_text_add(&t, text == NULL ? "" : text);
}

static inline void report_of(const kind *k, rung_device_report *out)
{
    memset(out, 0, sizeof *out);
    copy_text(out->device, sizeof out->device, k->device);
    copy_text(out->detail, sizeof out->detail, k->detail);
    out->state = k->state;
    out->present = k->state != RUNG_STATE_ABSENT;
    out->driver_version = k->driver;
    out->count = k->units;
    for (uint32_t i = 0; i < k->units; i++)
        out->unit[i] = (rung_device_unit){.index = i, .state = k->state, .memory = k->memory_mb * MB};
}

static inline void python_of(const installed *frameworks, rung_python *out)
{
    static const char *const names[RUNG_FRAMEWORKS] = {"jax", "pytorch", "numpy", "tensorflow"};
    memset(out, 0, sizeof *out);
    copy_text(out->prefix, sizeof out->prefix, "/opt/venv");
    copy_text(out->version, sizeof out->version, "3.12");
    copy_text(out->found_by, sizeof out->found_by, "VIRTUAL_ENV");
    for (int i = 0; i < RUNG_FRAMEWORKS; i++) {
        rung_framework *framework = &out->framework[i];
        framework->name = names[i];
        framework->state = RUNG_FRAMEWORK_ABSENT;
        for (int j = 0; j < 4 && frameworks[j].name != NULL; j++) {
            const installed *one = &frameworks[j];
            if (strcmp(one->name, names[i]) != 0)
                continue;
            framework->state = one->built == 0 && one->state == 0 ? RUNG_FRAMEWORK_ABSENT : one->state;
            framework->built = one->built;
            copy_text(framework->version, sizeof framework->version, one->version);
            copy_text(framework->cuda, sizeof framework->cuda, one->cuda);
            copy_text(framework->detail, sizeof framework->detail, one->detail);
        }
    }
}

static inline void facts_of(const machine *m, bool full, rung_facts *out)
{
    static rung_device_report report;
    rung_facts_begin(out, full);
    for (int i = 0; i < 4 && m->kinds[i].device != NULL; i++) {
        report_of(&m->kinds[i], &report);
        rung_facts_see(out, &report);
    }
    if (full)
        python_of(m->frameworks, &out->python);
    uint64_t memory = m->memory_mb == 0 ? 32768 : m->memory_mb == NOT_KNOWN ? 0 : m->memory_mb;
    out->host = (rung_host){
        .cores = 4, .memory = memory * MB, .memory_available = (m->available_mb == 0 ? memory : m->available_mb) * MB};
    const char *platform = m->platform == NULL ? "cpu/x86-64-v3" : m->platform;
    if (platform[0] == '\0') {
        copy_text(out->native.why, sizeof out->native.why, "RUNG_PLATFORM: unknown device \"cpx\"");
        return;
    }
    copy_text(out->native.platform, sizeof out->native.platform, platform);
    char device[16];
    copy_text(device, sizeof device, platform);
    device[strcspn(device, ":/")] = '\0';
    copy_text(out->native.device, sizeof out->native.device, device);
    unsigned on = rung_on_of(device);
    if (rung_on_is_apart(on))
        out->native.memory = out->seen[on].memory;
}

/* The machine that rung_select_by finds with find_machine, and how often it was looked at. Of one thread. */
static const machine *the_machine;
static unsigned looked;

static inline rung_status find_machine(const rung_backend_request *request, bool full, rung_facts *out, rung_error *err)
{
    (void)request, (void)err;
    looked++;
    facts_of(the_machine, full, out);
    return RUNG_OK;
}

/* "jax gpu [cuda] 90: JAX with GPU acceleration", "- " before an unavailable one; then warnings and advice. */
static inline const char *answer_text(rung_status status, const rung_choice *c, const rung_error *err)
{
    static char text[16384];
    rung_text t = rung_text_in(text, sizeof text);
    if (status != RUNG_OK) {
        rung_text_join(&t, (const char *const[]){"error: ", err->text, "\n", NULL});
        if (status != RUNG_ERR_UNAVAILABLE)
            return text;
        assert_string_equal(c->chosen.name, "");
    } else {
        rung_text_join(&t, (const char *const[]){"=> ", c->chosen.name, " ", c->chosen.device, "\n", NULL});
    }
    for (uint32_t i = 0; i < c->count; i++) {
        const rung_backend *b = &c->ranked[i];
        rung_text_join(
            &t, (const char *const[]){b->available ? "" : "- ", b->name, " ", b->device, " [", b->kind, "] ", NULL});
        rung_text_uint(&t, b->score);
        rung_text_join(&t, (const char *const[]){": ", b->reason, "\n", NULL});
    }
    for (uint32_t i = 0; i < c->warnings; i++)
        rung_text_join(&t, (const char *const[]){"! ", c->warning[i], "\n", NULL});
    if (c->advice[0] != '\0')
        rung_text_join(&t, (const char *const[]){"? ", c->advice, "\n", NULL});
    return text;
}

/* The answer of this machine, looked at anew. */
static inline const char *answer_of(const rung_registry *registry, const machine *m, const char *name, unsigned flags,
                                    const rung_problem *problem)
{
    rung_choice c;
    memset(&c, 0, sizeof c);
    rung_error err;
    the_machine = m;
    const rung_backend_request request = {.registry = registry, .name = name, .flags = flags | RUNG_SELECT_FRESH};
    rung_status status = rung_select_by(find_machine, &request, problem, &c, &err);
    return answer_text(status, &c, &err);
}

#endif
