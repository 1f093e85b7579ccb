/* SPDX-License-Identifier: Apache-2.0
 *
 * The proof finds every fault of the fixture's kernels and says which it was, and passes the kernels that have none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pf/ids.h"
#include "pf/proof.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

#if defined(__aarch64__)
#define SAVED "x19 was changed"
#define MODE  "FPCR was left as 0x01000000, not 0x00000000"
#define FLAG  "d8 was changed"
#define NEON  RUNG_PROOF_PASSED, ""
#define V2    RUNG_PROOF_UNPROVEN, ""
#else
#define SAVED "rbx was changed"
#define MODE  "MXCSR was left as 0x9fc0, not 0x1f80"
#define FLAG  "the direction flag was left set"
#define NEON  RUNG_PROOF_UNPROVEN, ""
#define V2    RUNG_PROOF_PASSED, ""
#endif

typedef struct expectation {
    const char *cell;
    rung_proof_state state;
    const char *words; /* that are in `why`; several with | between them: one of those */
} expectation;

/* In the order of the reports. */
static const expectation expectations[] = {
    {"affine accel/generic/default", RUNG_PROOF_FAILED, "scal"},
    {"affine cpu/generic/default", RUNG_PROOF_FAILED, "scal"},
    {"blend cpu/generic/default", RUNG_PROOF_PASSED, ""},
    {"blend cpu/generic/reads", RUNG_PROOF_FAILED, "beta"},
    {"blend cpu/generic/right", RUNG_PROOF_PASSED, ""},
    {"draw cpu/generic/default", RUNG_PROOF_PASSED, ""},
    {"draw cpu/generic/offset", RUNG_PROOF_FAILED, "mean"},
    {"draw cpu/generic/other", RUNG_PROOF_PASSED, ""},
    {"draw cpu/generic/spread", RUNG_PROOF_FAILED, "deviation"},
    {"factor cpu/generic/accepts", RUNG_PROOF_FAILED, "answer"},
    {"factor cpu/generic/below", RUNG_PROOF_FAILED, "l["},
    {"factor cpu/generic/default", RUNG_PROOF_PASSED, ""},
    {"factor cpu/generic/refuses", RUNG_PROOF_FAILED, "answer"},
    {"factor cpu/generic/right", RUNG_PROOF_PASSED, ""},
    {"factor cpu/generic/upper", RUNG_PROOF_PASSED, ""},
    {"halve cpu/generic/default", RUNG_PROOF_PASSED, ""},
    {"halve cpu/generic/insists", RUNG_PROOF_FAILED, "SIGSEGV"},
    {"halve cpu/generic/right", RUNG_PROOF_PASSED, ""},
    {"halve cpu/generic/toward_zero", RUNG_PROOF_FAILED, "y["},
    {"mean_square accel/generic/default", RUNG_PROOF_FAILED, "numpy"},
    {"mean_square cpu/generic/default", RUNG_PROOF_FAILED, "numpy"},
    {"step accel/generic/default", RUNG_PROOF_PASSED, ""},
    {"step cpu/generic/adds", RUNG_PROOF_FAILED, "y["},
    {"step cpu/generic/after", RUNG_PROOF_FAILED, "SIGSEGV|behind"},
    {"step cpu/generic/apart", RUNG_PROOF_FAILED, "in place"},
    {"step cpu/generic/before", RUNG_PROOF_FAILED, "SIGSEGV|before"},
    {"step cpu/generic/beyond", RUNG_PROOF_FAILED, "SIGSEGV"},
    {"step cpu/generic/default", RUNG_PROOF_PASSED, ""},
    {"step cpu/generic/empty", RUNG_PROOF_FAILED, "answer"},
    {"step cpu/generic/flag", RUNG_PROOF_FAILED, FLAG},
    {"step cpu/generic/flush", RUNG_PROOF_FAILED, "y["},
    {"step cpu/generic/illegal", RUNG_PROOF_FAILED, "SIGILL"},
    {"step cpu/generic/infinity", RUNG_PROOF_FAILED, "inf"},
    {"step cpu/generic/input", RUNG_PROOF_FAILED, "v"},
    {"step cpu/generic/misaligned", RUNG_PROOF_FAILED, "y[0]"},
    {"step cpu/generic/mode", RUNG_PROOF_FAILED, MODE},
    {"step cpu/generic/named", RUNG_PROOF_FAILED, "1031"},
    {"step cpu/generic/nan", RUNG_PROOF_FAILED, "nan"},
    {"step cpu/generic/remote", RUNG_PROOF_UNPROVEN, "nowhere"},
    {"step cpu/generic/right", RUNG_PROOF_PASSED, ""},
    {"step cpu/generic/saved", RUNG_PROOF_FAILED, SAVED},
    {"step cpu/generic/seventeen", RUNG_PROOF_FAILED, "y[16]"},
    {"step cpu/generic/short", RUNG_PROOF_FAILED, "y["},
    {"step cpu/generic/sign", RUNG_PROOF_FAILED, "-0"},
    {"step cpu/generic/skewed", RUNG_PROOF_FAILED, "y[3]"},
    {"step cpu/generic/status", RUNG_PROOF_FAILED, "answer"},
    {"step cpu/generic/tried", RUNG_PROOF_FAILED, "y["},
    {"step cpu/neon/default", NEON},
    {"step cpu/x86-64-v2/default", V2},
    {"sum cpu/generic/biased", RUNG_PROOF_FAILED, "scal"},
    {"sum cpu/generic/default", RUNG_PROOF_PASSED, ""},
    {"sum cpu/generic/drift", RUNG_PROOF_FAILED, "again"},
    {"sum cpu/generic/loose", RUNG_PROOF_PASSED, ""},
    {"sum cpu/generic/missing", RUNG_PROOF_FAILED, "w"},
    {"sum cpu/generic/near", RUNG_PROOF_FAILED, "e["},
    {"sum cpu/generic/right", RUNG_PROOF_PASSED, ""},
    {"sum cpu/generic/roomy", RUNG_PROOF_PASSED, ""},
    {"sum cpu/generic/spills", RUNG_PROOF_FAILED, "SIGSEGV|workspace"},
    {"sum cpu/generic/within", RUNG_PROOF_PASSED, ""},
    {"transpose cpu/generic/default", RUNG_PROOF_PASSED, ""},
    {"transpose cpu/generic/oblong", RUNG_PROOF_FAILED, "y["},
    {"transpose cpu/generic/right", RUNG_PROOF_PASSED, ""},
    {"uneven accel/generic/default", RUNG_PROOF_FAILED, "permut"},
    {"uneven cpu/generic/default", RUNG_PROOF_FAILED, "permut"},
    {"variance accel/generic/default", RUNG_PROOF_FAILED, "wide"},
    {"variance cpu/generic/default", RUNG_PROOF_FAILED, "wide"},
};

static const char *name_of(const rung_cell *cell, char at[128])
{
    (void)snprintf(at, 128, "%s %s/%s/%s", cell->op, cell->device, cell->arch, cell->variant);
    return at;
}

static bool has_words(const char *why, const char *words)
{
    while (*words != '\0') {
        char one[128];
        size_t length = strcspn(words, "|");
        (void)snprintf(one, sizeof one, "%.*s", (int)length, words);
        if (strstr(why, one) != NULL)
            return true;
        words += length + (words[length] == '|');
    }
    return false;
}

/* ---- every fault ------------------------------------------------------------------------------------------------- */

typedef struct seen {
    size_t next; /* expectation */
    unsigned wrong;
} seen;

static int meets_its_expectation(const rung_proof_result *result, size_t done, size_t count, void *user)
{
    seen *s = user;
    char name[128];
    (void)name_of(&result->cell, name);
    (void)print_message("%-34s %s %s\n", name, rung_proof_state_text(result->state, result->how), result->why);
    assert_int_equal(count, COUNT(expectations));
    assert_int_equal(done, s->next + 1);
    const expectation *e = &expectations[s->next++];
    assert_string_equal(name, e->cell);
    bool right = result->state == e->state && strchr(result->why, '\n') == NULL;
    switch (result->state) {
    case RUNG_PROOF_PASSED:
        right = right && result->why[0] == '\0' && result->failures == 0 && result->cases > 0 &&
                result->checks > result->cases && result->worst <= 1.0 && result->worst_wide <= 1.0;
        break;
    case RUNG_PROOF_FAILED:
        right = right && has_words(result->why, e->words) && result->failures > 0;
        break;
    default:
        right = right && (has_words(result->why, e->words) || (e->words[0] == '\0' && result->why[0] != '\0'));
    }
    if (!right)
        (void)print_error("%s: not as expected: %s\n", name, e->words);
    s->wrong += !right;
    return 0;
}

static void every_fault_is_found(void **state)
{
    (void)state;
    seen s = {0, 0};
    rung_error err = {0};
    assert_int_equal(rung_proof_run(&pf_proof, NULL, meets_its_expectation, &s, &err), RUNG_OK);
    assert_int_equal(s.next, COUNT(expectations));
    assert_int_equal(s.wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fault_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
