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

#include "cells.h"
#include "pf/proof.h"

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

/* What malloc has given out is known of glibc's from 2.33 on. */
#define ALLOCATES RUNG_PROOF_PASSED, ""
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define OWN_ALLOCATOR 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OWN_ALLOCATOR 1
#endif
#if defined(__GLIBC__) && !defined(OWN_ALLOCATOR)
#if __GLIBC_PREREQ(2, 33)
#undef ALLOCATES
#define ALLOCATES RUNG_PROOF_FAILED, "memory allocated"
#endif
#endif

typedef struct expectation {
    const char *cell;
    rung_proof_state state;
    const char *words; /* that are in `why`; several with | between them: one of those */
} expectation;

/* In the order of the reports. */
static const expectation expectations[] = {
    {"affine accel/generic/default", RUNG_PROOF_FAILED, "powers of two"},
    {"affine cpu/generic/default", RUNG_PROOF_FAILED, "powers of two"},
    {"blend cpu/generic/default", RUNG_PROOF_PASSED, ""},
    {"blend cpu/generic/finite", RUNG_PROOF_FAILED, "beta=inf|beta=-inf"},
    {"blend cpu/generic/reads", RUNG_PROOF_FAILED, "beta=0"},
    {"blend cpu/generic/right", RUNG_PROOF_PASSED, ""},
    {"copy accel/generic/default", RUNG_PROOF_FAILED, MODE},
    {"copy cpu/generic/default", RUNG_PROOF_FAILED, MODE},
    {"draw cpu/generic/default", RUNG_PROOF_PASSED, ""},
    {"draw cpu/generic/offset", RUNG_PROOF_FAILED, "the mean of y"},
    {"draw cpu/generic/other", RUNG_PROOF_PASSED, ""},
    {"draw cpu/generic/spread", RUNG_PROOF_FAILED, "the standard deviation of y"},
    {"factor cpu/generic/accepts", RUNG_PROOF_FAILED, "the reference refuses this"},
    {"factor cpu/generic/below", RUNG_PROOF_FAILED, "l["},
    {"factor cpu/generic/default", RUNG_PROOF_PASSED, ""},
    {"factor cpu/generic/refuses", RUNG_PROOF_FAILED, "no numerical answer"},
    {"factor cpu/generic/right", RUNG_PROOF_PASSED, ""},
    {"factor cpu/generic/upper", RUNG_PROOF_PASSED, ""},
    {"halve cpu/generic/default", RUNG_PROOF_PASSED, ""},
    {"halve cpu/generic/insists", RUNG_PROOF_FAILED, "Segmentation fault|ended with status"},
    {"halve cpu/generic/right", RUNG_PROOF_PASSED, ""},
    {"halve cpu/generic/toward_zero", RUNG_PROOF_FAILED, "y["},
    {"mean_square accel/generic/default", RUNG_PROOF_FAILED, "numpy.longdouble"},
    {"mean_square cpu/generic/default", RUNG_PROOF_FAILED, "numpy.longdouble"},
    {"pairs cpu/generic/default", RUNG_PROOF_PASSED, ""},
    {"pairs cpu/generic/lenient", RUNG_PROOF_FAILED, "bad argument, the cell does not"},
    {"pairs cpu/generic/most", RUNG_PROOF_FAILED, "n=20"},
    {"pairs cpu/generic/right", RUNG_PROOF_PASSED, ""},
    {"step accel/generic/default", RUNG_PROOF_PASSED, ""},
    {"step cpu/generic/adds", RUNG_PROOF_FAILED, "y["},
    {"step cpu/generic/after", RUNG_PROOF_FAILED, "just behind the end of y|around y"},
    {"step cpu/generic/allocates", ALLOCATES},
    {"step cpu/generic/apart", RUNG_PROOF_FAILED, "in place"},
    {"step cpu/generic/before", RUNG_PROOF_FAILED, "4 bytes before the beginning of y|around y"},
    {"step cpu/generic/behind", RUNG_PROOF_FAILED, "in place"},
    {"step cpu/generic/beyond", RUNG_PROOF_FAILED, "just behind the end of x"},
    {"step cpu/generic/blocks", RUNG_PROOF_FAILED, "special values"},
    {"step cpu/generic/counts", RUNG_PROOF_FAILED, "n=65549"},
    {"step cpu/generic/default", RUNG_PROOF_PASSED, ""},
    {"step cpu/generic/empty", RUNG_PROOF_FAILED, "bad argument"},
    {"step cpu/generic/flag", RUNG_PROOF_FAILED, FLAG},
    {"step cpu/generic/flush", RUNG_PROOF_FAILED, "e-"},
    {"step cpu/generic/illegal", RUNG_PROOF_FAILED, "Illegal instruction|ended with status"},
    {"step cpu/generic/infinity", RUNG_PROOF_FAILED, "not inf"},
    {"step cpu/generic/input", RUNG_PROOF_FAILED, "v was written|of v, which is only read|ended with status"},
    {"step cpu/generic/long", RUNG_PROOF_FAILED, "y["},
    {"step cpu/generic/masks", RUNG_PROOF_FAILED, "signals are blocked"},
    {"step cpu/generic/misaligned", RUNG_PROOF_FAILED, "y[0]"},
    {"step cpu/generic/mode", RUNG_PROOF_FAILED, MODE},
    {"step cpu/generic/named", RUNG_PROOF_FAILED, "n=1537"},
    {"step cpu/generic/nan", RUNG_PROOF_FAILED, "is 0, not nan"},
    {"step cpu/generic/opens", RUNG_PROOF_FAILED, "files open"},
    {"step cpu/generic/prints", RUNG_PROOF_FAILED, "standard output"},
    {"step cpu/generic/remote", RUNG_PROOF_UNPROVEN, "nowhere"},
    {"step cpu/generic/residue", RUNG_PROOF_FAILED, "n=26"},
    {"step cpu/generic/restores", RUNG_PROOF_FAILED, "of v, which is only read|ended with status"},
    {"step cpu/generic/right", RUNG_PROOF_PASSED, ""},
    {"step cpu/generic/saved", RUNG_PROOF_FAILED, SAVED},
    {"step cpu/generic/seventeen", RUNG_PROOF_FAILED, "n=17"},
    {"step cpu/generic/shared", RUNG_PROOF_FAILED, "one array for two arguments"},
    {"step cpu/generic/short", RUNG_PROOF_FAILED, "y["},
    {"step cpu/generic/sign", RUNG_PROOF_FAILED, "is 0, not -0"},
    {"step cpu/generic/skewed", RUNG_PROOF_FAILED, "y[3]"},
    {"step cpu/generic/status", RUNG_PROOF_FAILED, "device failure"},
    {"step cpu/generic/tried", RUNG_PROOF_FAILED, "a=1"},
    {"step cpu/generic/whole", RUNG_PROOF_FAILED, "around y"},
    {"step cpu/neon/default", NEON},
    {"step cpu/x86-64-v2/default", V2},
    {"sum cpu/generic/biased", RUNG_PROOF_FAILED, "powers of two"},
    {"sum cpu/generic/default", RUNG_PROOF_PASSED, ""},
    {"sum cpu/generic/drift", RUNG_PROOF_FAILED, "repeated"},
    {"sum cpu/generic/loose", RUNG_PROOF_PASSED, ""},
    {"sum cpu/generic/missing", RUNG_PROOF_FAILED, "w:NULL"},
    {"sum cpu/generic/near", RUNG_PROOF_FAILED, "e["},
    {"sum cpu/generic/right", RUNG_PROOF_PASSED, ""},
    {"sum cpu/generic/roomy", RUNG_PROOF_PASSED, ""},
    {"sum cpu/generic/rounded", RUNG_PROOF_PASSED, ""},
    {"sum cpu/generic/spills", RUNG_PROOF_FAILED, "behind the end of the workspace|around the workspace"},
    {"sum cpu/generic/stale", RUNG_PROOF_FAILED, "e["},
    {"sum cpu/generic/within", RUNG_PROOF_PASSED, ""},
    {"transpose cpu/generic/corner", RUNG_PROOF_FAILED, "drawn sizes"},
    {"transpose cpu/generic/default", RUNG_PROOF_PASSED, ""},
    {"transpose cpu/generic/oblong", RUNG_PROOF_FAILED, "y["},
    {"transpose cpu/generic/right", RUNG_PROOF_PASSED, ""},
    {"transpose cpu/generic/timed", RUNG_PROOF_FAILED, "sizes of benchmarks: m=300 n=200"},
    {"uneven accel/generic/default", RUNG_PROOF_FAILED, "permuted"},
    {"uneven cpu/generic/default", RUNG_PROOF_FAILED, "permuted"},
    {"variance accel/generic/default", RUNG_PROOF_FAILED, "wide numbers"},
    {"variance cpu/generic/default", RUNG_PROOF_FAILED, "wide numbers"},
};

/* What a quick proof may take for right: one size of many, and one that it leaves out. */
static bool takes_a_whole_proof(const char *name)
{
    static const char *const names[] = {"pairs cpu/generic/most", "step cpu/generic/residue",
                                        "transpose cpu/generic/corner", "transpose cpu/generic/timed"};
    bool found = false;
    for (size_t i = 0; i < COUNT(names); i++)
        found = found || strcmp(names[i], name) == 0;
    return found;
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
    char name[CELL_NAME];
    cell_name(&result->cell, name);
    (void)print_message("%-34s %s %s\n", name, rung_proof_state_text(result->state, result->how), result->why);
    assert_int_equal(count, COUNT(expectations));
    assert_int_equal(done, s->next + 1);
    const expectation *e = &expectations[s->next++];
    assert_string_equal(name, e->cell);
    if (result->quick && result->state == RUNG_PROOF_PASSED && takes_a_whole_proof(name))
        return 0;
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

static void find_every_fault(const rung_proof_options *options)
{
    seen s = {0, 0};
    rung_error err = {0};
    assert_int_equal(rung_proof_run(&pf_proof, options, meets_its_expectation, &s, &err), RUNG_OK);
    assert_int_equal(s.next, COUNT(expectations));
    assert_int_equal(s.wrong, 0);
}

static void every_fault_is_found(void **state)
{
    (void)state;
    find_every_fault(NULL);
}

static void a_quick_proof_finds_those_of_many_cases(void **state)
{
    (void)state;
    find_every_fault(&(rung_proof_options){.quick = true});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fault_is_found),
        cmocka_unit_test(a_quick_proof_finds_those_of_many_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
