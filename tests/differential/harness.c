/* SPDX-License-Identifier: Apache-2.0
 *
 * harness.c: what the library answers of a batch of registries on imitated machines, one line an answer, in the words
 * of oracle.py. Commands come line by line on standard input, fields between tabs:
 *
 *     cpu FAMILY FEATURES DISABLED AMX                a machine begins; features between commas
 *     found DEVICE STATE ARCH COUNT DRIVER            one kind of device of it
 *     fail KEY REASON                                 a kernel or builder whose first use fails in the next platform
 *     open REGISTRY FLAGS CHAIN ENV                   every answer of this platform; "-" is NULL, "=text" is text
 *     list REGISTRY                                   what is known without a platform
 *
 * Each of the last two ends with an empty line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "cpu.h"
#include "machine.h"
#include "rung/dispatch.h"
#include "rung/table.h"

enum { LINE = 4096, FIELDS = 8, DEVICES = 8, FAILURES = 1024, KEY = 256, MEMORIES = RUNG_MEMORY_ANY + 1 };

static const char *const memory_names[MEMORIES] = {"host", "device", "any"};
static const char unheard[] = "unheard-of";

typedef struct found_text {
    char device[64], arch[80];
} found_text;

typedef struct failure {
    char key[KEY];
    rung_reason reason;
} failure;

static failure failures[FAILURES];
static unsigned n_failures;
static rung_machine machine;
static rung_found found[DEVICES];
static found_text found_texts[DEVICES];

static void die(const char *what, const char *which)
{
    fprintf(stderr, "harness: %s: %s\n", what, which);
    exit(2);
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

/* The imitated first use: fails as it was told to. */
static rung_reason first_use(const rung_registry *registry, uint32_t cell, uint32_t builder, rung_text *detail,
                             void *user)
{
    (void)user;
    char key[KEY];
    rung_text t = rung_text_in(key, sizeof key);
    uint32_t variant;
    if (cell != RUNG_NONE) {
        const rung_cell_row *row = &registry->cells[cell];
        const rung_arch_row *arch = &registry->arch_names[row->arch];
        rung_text_join(&t, (const char *const[]){rung_op_name(registry, row->op), "/",
                                                 rung_device_name(registry, arch->device), "/",
                                                 registry->strings + arch->name, NULL});
        variant = row->variant;
    } else {
        const rung_builder_row *row = &registry->builders[builder];
        rung_text_join(&t, (const char *const[]){rung_kind_name(registry, row->kind), "/",
                                                 rung_device_name(registry, row->device), NULL});
        variant = row->variant;
    }
    rung_text_join(&t, (const char *const[]){"/", rung_variant_name(registry, variant), NULL});
    for (unsigned i = 0; i < n_failures; i++) {
        if (strcmp(failures[i].key, key) == 0) {
            rung_text_add(detail, "imitated");
            return failures[i].reason;
        }
    }
    return RUNG_REASON_NONE;
}

static unsigned split(char *line, char *fields[FIELDS])
{
    unsigned n = 0;
    for (char *at = line; at != NULL && n < FIELDS; n++) {
        fields[n] = at;
        at = strchr(at, '\t');
        if (at != NULL)
            *at++ = '\0';
    }
    return n;
}

static void put(char *at, size_t size, const char *text)
{
    if (strlen(text) >= size)
        die("too long", text);
    strcpy(at, text);
}

static uint64_t features_of(rung_model model, char *names)
{
    uint64_t bits = 0;
    for (char *name = strtok(names, ","); name != NULL; name = strtok(NULL, ",")) {
        unsigned bit = 0;
        while (bit < RUNG_CPU_BITS &&
               (rung_feature_name(model, bit) == NULL || strcmp(rung_feature_name(model, bit), name) != 0))
            bit++;
        if (bit == RUNG_CPU_BITS)
            die("unknown feature", name);
        bits |= UINT64_C(1) << bit;
    }
    return bits;
}

static void set_cpu(char *fields[FIELDS])
{
    static char family[16];
    put(family, sizeof family, fields[1]);
    machine = (rung_machine){.found = found, .first_use = first_use};
    rung_cpu *cpu = &machine.cpu;
    cpu->family = family;
    rung_model model = rung_cpu_model(cpu);
    cpu->features = features_of(model, fields[2]);
    cpu->disabled = features_of(model, fields[3]);
    cpu->amx_permission = atoi(fields[4]);
    rung_cpu_set_level(cpu);
}

static rung_reason reason_of(const char *text)
{
    for (int i = 0; i < RUNG_REASON_COUNT; i++)
        if (strcmp(rung_reason_text((rung_reason)i), text) == 0)
            return (rung_reason)i;
    die("unknown reason", text);
    return RUNG_REASON_NONE;
}

static void add_failure(char *fields[FIELDS])
{
    if (n_failures == FAILURES)
        die("too many failures", fields[1]);
    put(failures[n_failures].key, KEY, fields[1]);
    failures[n_failures++].reason = reason_of(fields[2]);
}

static uint32_t version_of(const char *text)
{
    unsigned major;
    unsigned minor;
    return sscanf(text, "%u.%u", &major, &minor) == 2 ? RUNG_DRIVER_VERSION(major, minor) : 0;
}

static void add_found(char *fields[FIELDS])
{
    if (machine.n_found == DEVICES)
        die("too many devices", fields[1]);
    found_text *texts = &found_texts[machine.n_found];
    put(texts->device, sizeof texts->device, fields[1]);
    put(texts->arch, sizeof texts->arch, fields[3]);
    found[machine.n_found++] = (rung_found){.device = texts->device,
                                            .state = reason_of(fields[2]),
                                            .detail = "imitated",
                                            .arch = texts->arch,
                                            .count = (uint32_t)atoi(fields[4]),
                                            .driver = version_of(fields[5])};
}

static unsigned flags_of(char *names)
{
    unsigned flags = 0;
    for (char *name = strtok(names, ","); name != NULL; name = strtok(NULL, ","))
        flags |= strcmp(name, "inspect") == 0        ? (unsigned)RUNG_OPEN_INSPECT
                 : strcmp(name, "experimental") == 0 ? (unsigned)RUNG_OPEN_EXPERIMENTAL
                                                     : (unsigned)RUNG_OPEN_NO_ENV;
    return flags;
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static const char *variant_name(const rung_registry *registry, uint32_t variant)
{
    const char *name = rung_variant_name(registry, variant);
    return name == NULL ? unheard : name;
}

static void tell_reason(rung_reason reason, const char *detail)
{
    fputs(rung_reason_text(reason), stdout);
    if (reason == RUNG_REASON_CPU_LACKS || reason == RUNG_REASON_SYSTEM_DISABLED)
        printf(" %s", detail);
}

typedef struct telling {
    const char *when;
    unsigned count;
} telling;

static int tell_step(const rung_cell *cell, void *user)
{
    telling *t = user;
    printf("%s%s/%s/%s=", t->count++ == 0 ? "" : "; ", cell->device, cell->arch, cell->variant);
    tell_reason(cell->reason, cell->detail);
    fputs(cell->chosen ? "*" : "", stdout);
    return 0;
}

static int tell_cell(const rung_cell *cell, void *user)
{
    const telling *t = user;
    printf("%smatrix %s/%s/%s/%s\t", t->when, cell->op, cell->device, cell->arch, cell->variant);
    tell_reason(cell->reason, cell->detail);
    puts(cell->chosen ? "*" : "");
    return 0;
}

/* What a call takes without a first use. A buffer call looks in the platform's answers for any memory itself. */
static unsigned picked(rung_platform *p, uint32_t op, uint32_t variant, uint32_t memory)
{
    rung_ctx cx = rung_ctx_of(p);
    cx.variant = variant;
    cx.memory = memory;
    if (memory != RUNG_MEMORY_ANY)
        return rung_pick(&cx, rung_platform_registry(p), op);
    const rung_platform_head *head = (const rung_platform_head *)(const void *)p;
    size_t at = (size_t)memory * head->plane + (size_t)op * head->variants + (variant < head->variants ? variant : 0);
    return atomic_load_explicit(&head->choice[at], memory_order_acquire);
}

/* Whether a call would take the resolved cell: at once, or after its first use. */
static bool is_called(rung_platform *p, uint32_t op, uint32_t variant, uint32_t memory, const rung_resolution *found)
{
    const rung_registry *registry = rung_platform_registry(p);
    unsigned ordinal = picked(p, op, variant, memory);
    if (found == NULL)
        return ordinal == RUNG_NO_CHOICE;
    if (ordinal == RUNG_NO_CHOICE)
        return (registry->cells[found->cell.id].flags & RUNG_CELL_FIRST_USE) != 0;
    return registry->ops[op].first_cell + ordinal == found->cell.id;
}

static bool is_told(const rung_platform *p, uint32_t op, uint32_t variant, uint32_t memory,
                    const rung_resolution *found)
{
    char told[512];
    char wanted[512];
    const rung_cell *cell = &found->cell;
    rung_text t = rung_text_in(wanted, sizeof wanted);
    rung_text_join(&t, (const char *const[]){cell->op, "/", cell->device, "/", cell->arch, "/", cell->variant, "@",
                                             cell->source, NULL});
    return rung_resolved_source(p, op, variant, (rung_memory)memory, told, sizeof told, NULL) == RUNG_OK &&
           strcmp(told, wanted) == 0;
}

/* Resolution by id and by name, its text, and what a call takes are the same. */
static void tell_resolution(rung_platform *p, uint32_t op, uint32_t variant, uint32_t memory, const char *when)
{
    const rung_registry *registry = rung_platform_registry(p);
    rung_resolution by_id;
    rung_resolution by_name;
    rung_error err;
    const char *name = variant_name(registry, variant);
    rung_status status = rung_resolve(p, op, variant, (rung_memory)memory, &by_id, &err);
    printf("%sresolve %s %s %s\t", when, rung_op_name(registry, op), name, memory_names[memory]);
    if (rung_resolve_name(p, rung_op_name(registry, op), name, (rung_memory)memory, &by_name, NULL) != status ||
        (status == RUNG_OK && (by_id.cell.id != by_name.cell.id || by_id.rung != by_name.rung ||
                               by_id.variant_not_declared != by_name.variant_not_declared)))
        fputs("by name otherwise than ", stdout);
    if (!is_called(p, op, variant, memory, status == RUNG_OK ? &by_id : NULL))
        fputs("called is another than ", stdout);
    if (status == RUNG_OK && !is_told(p, op, variant, memory, &by_id))
        fputs("told is another than ", stdout);
    if (status != RUNG_OK)
        puts(rung_status_text(status));
    else
        printf("%s/%s/%s %u%s\n", by_id.cell.device, by_id.cell.arch, by_id.cell.variant, by_id.rung,
               by_id.variant_not_declared ? " not declared" : "");
    printf("%sworkspace %s %s %s\t%llu\n", when, rung_op_name(registry, op), name, memory_names[memory],
           (unsigned long long)rung_workspace(p, op, variant, (rung_memory)memory));
}

/* ---- components -------------------------------------------------------------------------------------------------- */

static int tell_builder_step(const rung_component_cell *cell, void *user)
{
    telling *t = user;
    printf("%s%s/%s=", t->count++ == 0 ? "" : "; ", cell->device, cell->variant);
    tell_reason(cell->reason, cell->detail);
    fputs(cell->chosen ? "*" : "", stdout);
    return 0;
}

static int tell_builder(const rung_component_cell *cell, void *user)
{
    const telling *t = user;
    printf("%sbuilder-matrix %s/%s/%s\t", t->when, cell->kind, cell->device, cell->variant);
    tell_reason(cell->reason, cell->detail);
    puts(cell->chosen ? "*" : "");
    return 0;
}

static void tell_builder_resolution(const rung_platform *p, uint32_t kind, uint32_t variant, const char *when)
{
    const rung_registry *registry = rung_platform_registry(p);
    rung_component_resolution by_id;
    rung_component_resolution by_name;
    const char *kind_name = rung_kind_name(registry, kind);
    const char *name = variant_name(registry, variant);
    rung_status status = rung_component_resolve(p, kind, variant, &by_id, NULL);
    printf("%sbuilder-resolve %s %s\t", when, kind_name, name);
    if (rung_component_resolve_name(p, kind_name, name, &by_name, NULL) != status ||
        (status == RUNG_OK && (by_id.cell.id != by_name.cell.id || by_id.rung != by_name.rung ||
                               by_id.variant_not_declared != by_name.variant_not_declared)))
        fputs("by name otherwise than ", stdout);
    if (status != RUNG_OK)
        puts(rung_status_text(status));
    else
        printf("%s/%s %u%s\n", by_id.cell.device, by_id.cell.variant, by_id.rung,
               by_id.variant_not_declared ? " not declared" : "");
}

static void tell_all_builders(const rung_platform *p, const char *when)
{
    const rung_registry *registry = rung_platform_registry(p);
    for (uint32_t kind = 0; kind < rung_kind_count(registry); kind++) {
        for (uint32_t variant = 0; variant <= rung_variant_count(registry); variant++) {
            tell_builder_resolution(p, kind, variant, when);
            telling t = {when, 0};
            printf("%sbuilder-explain %s %s\t", when, rung_kind_name(registry, kind), variant_name(registry, variant));
            rung_component_explain(p, kind, variant, tell_builder_step, &t);
            puts("");
        }
    }
    telling t = {when, 0};
    rung_component_matrix(registry, p, tell_builder, &t);
}

/* A component is the number of its builder among those of its kind. */
static uint32_t built_ordinal;

static rung_status build_number(uint32_t ordinal, const rung_component_spec *spec, const void *instance,
                                rung_platform *platform, rung_built *out, rung_error *err)
{
    (void)spec, (void)instance, (void)platform, (void)err;
    built_ordinal = ordinal;
    out->object = &built_ordinal;
    return RUNG_OK;
}

static rung_status make_number(const void *instance, rung_built *out, rung_error *err)
{
    (void)instance, (void)err;
    out->object = &built_ordinal;
    return RUNG_OK;
}

static void tell_built(rung_platform *p, uint32_t kind, uint32_t variant)
{
    const rung_registry *registry = rung_platform_registry(p);
    const rung_kind one = {registry, kind, build_number};
    rung_component_spec spec = {.kind = &one};
    rung_component *component = NULL;
    printf("build %s %s\t", rung_kind_name(registry, kind), variant_name(registry, variant));
    rung_status status = rung_component_build(p, &spec, NULL, variant, &component, NULL);
    if (status != RUNG_OK) {
        printf("%s, ", rung_status_text(status));
        spec.factory = make_number;
        if (rung_component_build(p, &spec, NULL, variant, &component, NULL) != RUNG_OK)
            die("no factory for", rung_kind_name(registry, kind));
        puts(rung_component_built_by(component)->source);
    } else {
        const rung_component_cell *cell = rung_component_built_by(component);
        bool called = registry->kinds[kind].first_builder + built_ordinal == cell->id;
        printf("%s/%s%s\n", cell->device, cell->variant, called ? "" : " told, another called");
    }
    rung_component_destroy(component);
}

/* ---- platforms --------------------------------------------------------------------------------------------------- */

static void tell_all(rung_platform *p, const char *when)
{
    const rung_registry *registry = rung_platform_registry(p);
    for (uint32_t memory = 0; memory < MEMORIES; memory++)
        printf("%sworkspace-of-all %s\t%llu\n", when, memory_names[memory],
               (unsigned long long)rung_workspace(p, RUNG_NONE, 0, (rung_memory)memory));
    for (uint32_t op = 0; op < rung_op_count(registry); op++) {
        for (uint32_t variant = 0; variant <= rung_variant_count(registry); variant++) {
            for (uint32_t memory = 0; memory < MEMORIES; memory++)
                tell_resolution(p, op, variant, memory, when);
            telling t = {when, 0};
            printf("%sexplain %s %s\t", when, rung_op_name(registry, op), variant_name(registry, variant));
            rung_explain(p, op, variant, tell_step, &t);
            puts("");
        }
    }
    telling t = {when, 0};
    rung_matrix(registry, p, tell_cell, &t);
    tell_all_builders(p, when);
}

/* After all first uses. Those of builders come with their first component. */
static void tell_warm(rung_platform *p)
{
    const rung_registry *registry = rung_platform_registry(p);
    uint32_t demoted = 0;
    uint32_t again = 0;
    if (rung_warm(p, &demoted, NULL) != RUNG_OK || rung_warm(p, &again, NULL) != RUNG_OK || again != 0)
        die("not warm", rung_platform_text(p));
    printf("warm demoted\t%u\n", demoted);
    for (uint32_t kind = 0; kind < rung_kind_count(registry); kind++)
        for (uint32_t variant = 0; variant <= rung_variant_count(registry); variant++)
            tell_built(p, kind, variant);
    if (n_failures != 0)
        tell_all(p, "warm ");
}

static void tell_devices(const rung_platform *p)
{
    for (uint32_t i = 0; i < rung_platform_devices(p); i++) {
        printf("device %u\t%s %u %s [%s]:", i, rung_platform_device(p, i), rung_platform_index(p, i),
               rung_platform_arch(p, i), rung_platform_detected(p, i));
        const char *arch;
        for (uint32_t step = 0; (arch = rung_platform_arch_step(p, i, step)) != NULL; step++)
            printf(" %s", arch);
        puts(rung_platform_arch_step(p, i, 0) == NULL ? " " : "");
    }
}

/* ---- the same platform again ------------------------------------------------------------------------------------- */

enum { SEEN = 1 << 16 };
typedef struct seen {
    uint32_t n;
    uint8_t reason[SEEN];
} seen;

static int note_cell(const rung_cell *cell, void *user)
{
    seen *s = user;
    if (s->n == SEEN)
        die("too many cells", cell->op);
    s->reason[s->n++] = (uint8_t)(cell->reason << 1 | (cell->chosen != 0));
    return 0;
}

static bool is_same(const rung_platform *p, const rung_platform *q)
{
    static seen a;
    static seen b;
    const rung_registry *registry = rung_platform_registry(p);
    a.n = b.n = 0;
    rung_matrix(registry, p, note_cell, &a);
    rung_matrix(registry, q, note_cell, &b);
    /* devices that are not there are not in the text: there are fewer rungs, and some of other reasons */
    bool whole = rung_platform_devices(p) == rung_platform_devices(q);
    if (whole && (a.n != b.n || memcmp(a.reason, b.reason, a.n) != 0))
        return false;
    for (uint32_t op = 0; op < rung_op_count(registry); op++) {
        for (uint32_t at = 0; at < rung_variant_count(registry) * MEMORIES; at++) {
            rung_resolution x = {.rung = 0};
            rung_resolution y = {.rung = 0};
            rung_memory memory = (rung_memory)(at % MEMORIES);
            rung_status status = rung_resolve(p, op, at / MEMORIES, memory, &x, NULL);
            if (rung_resolve(q, op, at / MEMORIES, memory, &y, NULL) != status || x.cell.id != y.cell.id ||
                (whole && x.rung != y.rung))
                return false;
        }
    }
    return strcmp(rung_platform_text(p), rung_platform_text(q)) == 0;
}

static void tell_reopened(const rung_platform *p, unsigned flags)
{
    rung_platform *again = NULL;
    rung_error err;
    const rung_registry *registry = rung_platform_registry(p);
    rung_status status = rung_platform_open_on(registry, rung_platform_text(p), flags, &machine, &again, &err);
    if (status != RUNG_OK)
        printf("reopen\t%s: %s\n", rung_status_text(status), err.text);
    else
        printf("reopen\t%s\n", is_same(p, again) ? "same" : rung_platform_text(again));
    rung_platform_close(again);
}

static void open_one(const rung_registry *registry, char *fields[FIELDS])
{
    unsigned flags = flags_of(fields[2]);
    const char *chain = fields[3][0] == '-' ? NULL : fields[3] + 1;
    machine.env_platform = fields[4][0] == '-' ? NULL : fields[4] + 1;
    rung_platform *p = NULL;
    rung_error err;
    rung_status status = rung_platform_open_on(registry, chain, flags, &machine, &p, &err);
    if (status != RUNG_OK) {
        printf("open\t%s\n", rung_status_text(status));
        return;
    }
    printf("open\tok %s\n", rung_platform_text(p));
    tell_devices(p);
    tell_reopened(p, flags);
    tell_all(p, "");
    tell_warm(p);
    rung_platform_close(p);
}

/* ---- without a platform ------------------------------------------------------------------------------------------ */

/* A cell as the build knows it, and that its key finds it and no other. */
static int tell_listed(const rung_cell *cell, void *user)
{
    const rung_registry *registry = user;
    rung_cell same;
    rung_status status = rung_cell_find(registry, cell->op, cell->device, cell->arch, cell->variant, &same, NULL);
    printf("listed %s/%s/%s/%s\t%s %llu%s%s%s%s\n", cell->op, cell->device, cell->arch, cell->variant,
           rung_reason_text(cell->reason), (unsigned long long)cell->workspace, cell->built ? " built" : "",
           cell->planned ? " planned" : "", cell->experimental ? " experimental" : "",
           status == RUNG_OK && same.id == cell->id ? "" : " not found by its key");
    return 0;
}

static int tell_listed_builder(const rung_component_cell *cell, void *user)
{
    const rung_registry *registry = user;
    rung_component_cell same;
    rung_status status = rung_component_cell_find(registry, cell->kind, cell->device, cell->variant, &same, NULL);
    printf("listed-builder %s/%s/%s\t%s 0%s%s%s%s\n", cell->kind, cell->device, cell->variant,
           rung_reason_text(cell->reason), cell->built ? " built" : "", cell->planned ? " planned" : "",
           cell->experimental ? " experimental" : "",
           status == RUNG_OK && same.id == cell->id ? "" : " not found by its key");
    return 0;
}

/* How many keys of an op have a cell, of all that could be. */
static void tell_keys(const rung_registry *registry, uint32_t op)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < registry->n_archs; i++) {
        const rung_arch_row *arch = &registry->arch_names[i];
        for (uint32_t variant = 0; variant < rung_variant_count(registry); variant++) {
            rung_cell cell;
            count += rung_cell_find(registry, rung_op_name(registry, op), rung_device_name(registry, arch->device),
                                    registry->strings + arch->name, rung_variant_name(registry, variant), &cell,
                                    NULL) == RUNG_OK;
        }
    }
    printf("keys %s\t%u\n", rung_op_name(registry, op), count);
}

static void list(const rung_registry *registry)
{
    rung_matrix(registry, NULL, tell_listed, (void *)registry);
    rung_component_matrix(registry, NULL, tell_listed_builder, (void *)registry);
    for (uint32_t op = 0; op < rung_op_count(registry); op++) {
        tell_keys(registry, op);
        if (rung_op_find(registry, rung_op_name(registry, op)) != op)
            die("not found by its name", rung_op_name(registry, op));
    }
    for (uint32_t variant = 0; variant < rung_variant_count(registry); variant++)
        if (rung_variant_find(registry, rung_variant_name(registry, variant)) != variant)
            die("not found by its name", rung_variant_name(registry, variant));
    if (rung_op_find(registry, unheard) != RUNG_NONE || rung_variant_find(registry, unheard) != RUNG_NONE ||
        rung_device_find(registry, unheard) != RUNG_NONE)
        die("found", unheard);
}

int main(void)
{
    static char line[LINE];
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *fields[FIELDS];
        line[strcspn(line, "\n")] = '\0';
        unsigned n = split(line, fields);
        if (n == 5 && strcmp(fields[0], "cpu") == 0)
            set_cpu(fields);
        else if (n == 6 && strcmp(fields[0], "found") == 0)
            add_found(fields);
        else if (n == 3 && strcmp(fields[0], "fail") == 0)
            add_failure(fields);
        else if (n == 5 && strcmp(fields[0], "open") == 0 && (unsigned)atoi(fields[1]) < batch_count)
            open_one(batch[atoi(fields[1])], fields), puts(""), n_failures = 0;
        else if (n == 2 && strcmp(fields[0], "list") == 0 && (unsigned)atoi(fields[1]) < batch_count)
            list(batch[atoi(fields[1])]), puts("");
        else
            die("unknown command", fields[0]);
    }
    return 0;
}
