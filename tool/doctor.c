/* SPDX-License-Identifier: Apache-2.0
 *
 * doctor.c: one line for every thing that there is; what is not there shares one.
 */
#include "doctor.h"

#include <stdlib.h>
#include <string.h>

#include "say.h"

/* A line "name  text", the name padded; the text is taken over. */
static void line(FILE *to, const char *name, char *text)
{
    say_to(to, "%-12s%s", name, text);
    free(text);
}

/* Names, separated by commas, with one more; the text is taken over. */
static char *with_name(char *names, const char *name)
{
    char *longer = say_format("%s%s%s", names, names[0] != '\0' ? ", " : "", name);
    free(names);
    return longer;
}

/* A line of names; none for no names. The text is taken over. */
static void names_line(FILE *to, const char *head, char *names)
{
    if (names[0] != '\0')
        line(to, head, names);
    else
        free(names);
}

static void print_cpu(const doctor_facts *f, FILE *to)
{
    const rung_host *host = f->host;
    char *available = describe_bytes(host->memory_available), *memory = describe_bytes(host->memory);
    const char *model = f->cpu->model[0] != '\0' ? f->cpu->model : f->cpu->family;
    line(to, "cpu",
         say_format("%s: %.*s; %u of %u cores%s%s, %s of %s memory free%s%s", f->cpu->level,
                    (int)strnlen(model, sizeof f->cpu->model), model, (unsigned)host->cores,
                    (unsigned)host->cores_online, host->cores_by[0] != '\0' ? " by " : "", host->cores_by, available,
                    memory, host->memory_by[0] != '\0' ? " by " : "", host->memory_by));
    free(available);
    free(memory);
}

static void print_devices(const doctor_facts *f, FILE *to)
{
    char *absent = say_format("%s", "");
    for (uint32_t i = 0; i < rung_devices_count(f->devices); i++) {
        const rung_device_report *report = rung_devices_at(f->devices, i);
        if (strcmp(report->device, "cpu") == 0)
            continue;
        if (report->state != RUNG_STATE_ABSENT) {
            line(to, report->device, describe_device(report));
            continue;
        }
        absent = with_name(absent, report->device);
    }
    names_line(to, "not here", absent);
}

static void print_python(const rung_python *python, FILE *to)
{
    if (python->prefix[0] == '\0') {
        line(to, "python", say_format("none: %s", python->framework[0].detail));
        return;
    }
    line(to, "python", say_format("%s in %s (%s)", python->version, python->prefix, python->found_by));
    char *absent = say_format("%s", "");
    for (unsigned i = 0; i < RUNG_FRAMEWORKS; i++) {
        const rung_framework *framework = &python->framework[i];
        if (framework->state != RUNG_FRAMEWORK_ABSENT) {
            char *name = say_format("  %s", framework->name);
            line(to, name, describe_framework(framework));
            free(name);
            continue;
        }
        absent = with_name(absent, framework->name);
    }
    names_line(to, "  without", absent);
}

static void print_chosen(const char *head, const rung_choice *choice, FILE *to)
{
    const rung_backend *chosen = &choice->chosen;
    if (chosen->name[0] == '\0')
        line(to, head, say_format("nothing"));
    else
        line(to, head, say_format("%s on %s: %s", chosen->name, chosen->device, chosen->reason));
}

static void print_choices(const doctor_facts *f, FILE *to)
{
    const rung_choice *all = f->all;
    line(to, "platform", say_format("%s (%s)", f->platform != NULL ? f->platform : "none", f->platform_reason));
    print_chosen("chosen", f->native, to);
    if (strcmp(all->chosen.name, f->native->chosen.name) != 0)
        print_chosen("in Python", all, to);
    const char *head = "rejected";
    for (uint32_t i = 0; i < all->count; i++) {
        const rung_backend *backend = &all->ranked[i];
        if (strcmp(backend->name, all->chosen.name) == 0 || strcmp(backend->name, f->native->chosen.name) == 0)
            continue;
        line(to, head,
             say_format("%s: %s%s", backend->name, backend->available ? "ranks lower: " : "", backend->reason));
        head = "";
    }
}

/* "" where nothing is to be done: what is not there, and what only has the name, need not be wanted. */
static const char *framework_remedy(const rung_framework *framework)
{
    switch (framework->state) {
    case RUNG_FRAMEWORK_REMOVED:
    case RUNG_FRAMEWORK_UNREADABLE:
        return "Install it anew.";
    case RUNG_FRAMEWORK_MISMATCH:
        return "Install it anew, in versions that belong together.";
    default:
        return "";
    }
}

static void print_remedies(const doctor_facts *f, FILE *to)
{
    const char *head = "what to do";
    if (f->platform == NULL) {
        line(to, head, say_format("Unset or change RUNG_PLATFORM."));
        head = "";
    }
    if (rung_devices_warning(f->devices)[0] != '\0') {
        line(to, head, say_format("%s", rung_devices_warning(f->devices)));
        head = "";
    }
    for (uint32_t i = 0; i < rung_devices_count(f->devices); i++) {
        const rung_device_report *report = rung_devices_at(f->devices, i);
        const char *remedy = rung_device_state_remedy(report->state);
        if (remedy[0] == '\0')
            continue;
        line(to, head, say_format("%s: %s", report->device, remedy));
        head = "";
    }
    for (unsigned i = 0; i < RUNG_FRAMEWORKS; i++) {
        const rung_framework *framework = &f->python->framework[i];
        const char *remedy = framework_remedy(framework);
        if (remedy[0] == '\0')
            continue;
        line(to, head, say_format("%s: %s", framework->name, remedy));
        head = "";
    }
    for (uint32_t i = 0; i < f->all->warnings; i++) {
        line(to, head, say_format("%s", f->all->warning[i]));
        head = "";
    }
    /* about this process' own kernels, the devices' remedies above say it */
    if (!f->all->chosen.native && f->all->advice[0] != '\0') {
        line(to, head, say_format("%s", f->all->advice));
        head = "";
    }
    if (head[0] != '\0')
        line(to, head, say_format("nothing"));
}

void doctor_print(const doctor_facts *facts, FILE *to)
{
    print_cpu(facts, to);
    print_devices(facts, to);
    print_python(facts->python, to);
    print_choices(facts, to);
    print_remedies(facts, to);
}
