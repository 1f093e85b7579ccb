/* SPDX-License-Identifier: Apache-2.0 */
#include "proof/json.h"

#include <inttypes.h>
#include <math.h>
#include <sys/utsname.h>

/* A string: what JSON does not allow in one is escaped, bytes above 127 are left as they are. */
static void text(FILE *to, const char *s)
{
    (void)fputc('"', to);
    for (; *s != '\0'; s++) {
        const unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\')
            (void)fprintf(to, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            (void)fprintf(to, "\\u%04x", c);
        else
            (void)fputc(c, to);
    }
    (void)fputc('"', to);
}

static void field(FILE *to, const char *name, const char *value)
{
    (void)fprintf(to, "\"%s\": ", name);
    text(to, value);
    (void)fputs(", ", to);
}

/* JSON has no infinities and no NaN. */
static void number(FILE *to, const char *name, double value)
{
    if (isfinite(value))
        (void)fprintf(to, "\"%s\": %.6g, ", name, value);
    else
        (void)fprintf(to, "\"%s\": null, ", name);
}

static void machine(FILE *to)
{
    rung_cpu cpu;
    rung_cpu_detect(&cpu);
    struct utsname names;
    char about[sizeof names.sysname + sizeof names.release + sizeof names.machine + 2] = "unknown";
    if (uname(&names) >= 0)
        (void)snprintf(about, sizeof about, "%s %s %s", names.sysname, names.release, names.machine);
    (void)fputs("\"machine\": {", to);
    /* only those of x86 tell a model */
    field(to, "processor", cpu.model[0] != '\0' ? cpu.model : cpu.vendor[0] != '\0' ? cpu.vendor : cpu.family);
    field(to, "level", cpu.level);
    (void)fputs("\"system\": ", to);
    text(to, about);
    (void)fputs("}, ", to);
}

static void cell(FILE *to, const rung_proof_result *r)
{
    (void)fputs("  {", to);
    field(to, "op", r->cell.op);
    field(to, "device", r->cell.device);
    field(to, "arch", r->cell.arch);
    field(to, "variant", r->cell.variant);
    field(to, "state", rung_proof_state_text(r->state, RUNG_PROOF_NATIVE));
    field(to, "how", rung_proof_how_text(r->how));
    (void)fprintf(to, "\"cases\": %lu, \"checks\": %lu, \"failures\": %lu, ", r->cases, r->checks, r->failures);
    number(to, "worst", r->worst);
    number(to, "worst_wide", r->worst_wide < 0.0 ? NAN : r->worst_wide);
    (void)fprintf(to, "\"examples\": %u, \"registers\": %s, \"quick\": %s, \"why\": ", r->examples,
                  r->registers ? "true" : "false", r->quick ? "true" : "false");
    text(to, r->why);
    (void)fputs("}", to);
}

bool rung_proof_json_write(FILE *to, const rung_proof *proof, rung_proof_how how, uint64_t seed,
                           const rung_proof_result *results, size_t count)
{
    (void)fputs("{\"rung\": \"selftest\", \"version\": 1, ", to);
    field(to, "namespace", rung_registry_namespace(proof->registry));
    machine(to);
    field(to, "how", rung_proof_how_text(how));
    (void)fprintf(to, "\"seed\": \"0x%" PRIx64 "\", \"cells\": [\n", seed);
    for (size_t i = 0; i < count; i++) {
        cell(to, &results[i]);
        (void)fputs(i + 1 < count ? ",\n" : "\n", to);
    }
    (void)fputs("]}\n", to);
    return fflush(to) == 0 && ferror(to) == 0;
}
