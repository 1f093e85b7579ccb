/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_gpu_parity OP|ARCH|VARIANT...: the quick proof (rung/proof.h) of each of these cells of cuda, as lines of JSON:
 * a rented GPU has minutes for all of them, and `rung selftest` proves them in full. Each is run in a child process:
 * one that loses the device leaves it to the others.
 */
#include <stdio.h>

#include <rk/proof.h>

#include "items.h"
#include "measures.h"
#include "say.h"

static int tell(const rung_proof_result *result, size_t done, size_t count, void *user)
{
    static const char *const states[] = {[RUNG_PROOF_UNPROVEN] = "unproven",
                                         [RUNG_PROOF_PASSED] = "proven",
                                         [RUNG_PROOF_FAILED] = "failed",
                                         [RUNG_PROOF_MISSED] = "missed"};
    (void)done;
    (void)count;
    (void)user;
    char checks[64];
    (void)snprintf(checks, sizeof checks, "%lu checks, %lu failed%s", result->checks, result->failures,
                   result->quick ? ", quick" : "");
    say_begin("parity");
    say_text("op", result->cell.op);
    say_text("arch", result->cell.arch);
    say_text("variant", result->cell.variant);
    say_text("state", states[result->state]);
    say_text("why", result->why[0] != '\0' ? result->why : checks);
    say_end();
    return 0;
}

static int prove(const char *const parts[3])
{
    char pattern[160];
    const char *const only = pattern;
    (void)snprintf(pattern, sizeof pattern, "%s cuda/%s/%s", parts[0], parts[1], parts[2]);
    const rung_proof_options options = {.only = &only, .only_count = 1, .quick = true};
    rung_error err;
    const rung_status status = rung_proof_run(&rk_proof, &options, tell, NULL, &err);
    if (status == RUNG_OK)
        return MEASURED;
    (void)fprintf(stderr, "bench_gpu_parity: %s\n", err.text);
    return status == RUNG_ERR_ARGUMENT ? MEASURE_USAGE : MEASURE_FAILED;
}

int main(int argc, char **argv)
{
    int end = MEASURED;
    for (int i = 1; i < argc && end == MEASURED; i++) {
        const char *parts[3] = {NULL};
        end = item_parts(argv[i], parts, 3) < 3 ? MEASURE_USAGE : prove(parts);
    }
    return end;
}
