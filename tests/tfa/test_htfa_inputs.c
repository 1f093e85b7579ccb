/* SPDX-License-Identifier: Apache-2.0
 *
 * test_htfa_inputs.c: what cannot be fitted is refused, with the subject that it is; what is odd but possible is
 * fitted; fits can be stopped at every step.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rk/rk.h"
#include "subjects.h"

static int set_up(void **state)
{
    *state = open_cpu("cpu");
    return 0;
}

static int tear_down(void **state)
{
    rung_platform_close(*state);
    return 0;
}

static rung_tfa_status fit(rung_platform *platform, const rung_tfa_scan *scans, size_t count,
                           const rung_htfa_options *options, size_t *who)
{
    rung_htfa_result *result = (rung_htfa_result *)&scans; /* anything but NULL */
    rung_htfa_error error;
    rung_tfa_status status = rung_htfa_fit(platform, scans, count, options, &result, &error);
    assert_int_equal(status, error.status);
    assert_true((status == RUNG_TFA_OK) == (result != NULL));
    assert_true((status == RUNG_TFA_OK) == (error.text[0] == '\0'));
    *who = error.subject;
    if (status != RUNG_TFA_OK)
        print_message("%s\n", error.text);
    for (size_t i = 0; result != NULL && i < 4 * result->factors; i++)
        assert_true(isfinite(result->theta[i]));
    rung_htfa_result_free(result);
    return status;
}

static rung_htfa_options options_for(size_t factors)
{
    rung_htfa_options o = rung_htfa_options_default();
    o.fit.factors = factors;
    return o;
}

static void bad_options(void **state)
{
    subjects s = subjects_new(&(subjects_recipe){1, 0.0, 0.5, 0, 0, 21});
    size_t who;
    for (int i = 0; i < 8; i++) {
        rung_htfa_options o = options_for(i == 0 ? 0 : 2);
        o.fit.tol = i == 1 ? NAN : 1e-6;
        o.fit.detrend = i == 2 ? 4 : 1;
        o.max_rounds = i == 3 ? 0 : i == 4 ? 1000001 : 3;
        o.template_tol = i == 5 ? 0.0 : i == 6 ? NAN : i == 7 ? HUGE_VAL : 1e-4;
        assert_int_equal(fit(*state, &s.one[0].scan, 1, &o, &who), RUNG_TFA_ERR_ARGUMENT);
        assert_true(who == RUNG_HTFA_NOBODY);
    }
    rung_htfa_options o = options_for(2);
    o.fit.variant = 12345;
    assert_int_equal(fit(*state, &s.one[0].scan, 1, &o, &who), RUNG_TFA_ERR_ARGUMENT);
    subjects_free(&s);
}

static void bad_scans(void **state)
{
    subjects s = subjects_new(&(subjects_recipe){3, 0.0, 0.5, 0, 0, 22});
    rung_htfa_options o = options_for(2);
    rung_htfa_result *result;
    size_t who;
    for (size_t bad = 0; bad < 3; bad++) {
        for (int what = 0; what < 7; what++) {
            subjects fresh = subjects_new(&(subjects_recipe){3, 0.0, 0.5, 0, 0, 22});
            rung_tfa_scan scans[3] = {fresh.one[0].scan, fresh.one[1].scan, fresh.one[2].scan};
            scans[bad].voxels = what == 0 ? 1 : scans[bad].voxels;
            scans[bad].volumes = what == 1 ? 2 : scans[bad].volumes;
            scans[bad].xyz = what == 2 ? NULL : scans[bad].xyz;
            scans[bad].voxel_mm = what == 3 ? -1.0 : scans[bad].voxel_mm;
            if (what == 4)
                scans[bad].x[77] = NAN;
            for (size_t i = 0; what == 5 && i < scans[bad].voxels * scans[bad].volumes; i++)
                scans[bad].x[i] = 3.0F;
            if (what == 6)
                scans[bad].x = scans[(bad + 1) % 3].x;
            assert_int_equal(fit(*state, scans, 3, &o, &who), RUNG_TFA_ERR_ARGUMENT);
            assert_true(what == 6 ? who < 3 : who == bad);
            subjects_free(&fresh);
        }
    }
    assert_int_equal(fit(*state, &s.one[0].scan, 0, &o, &who), RUNG_TFA_ERR_ARGUMENT);
    assert_int_equal(fit(*state, &s.one[0].scan, SIZE_MAX, &o, &who), RUNG_TFA_ERR_ARGUMENT);
    assert_int_equal(rung_htfa_fit(NULL, &s.one[0].scan, 1, &o, &result, NULL), RUNG_TFA_ERR_ARGUMENT);
    assert_int_equal(rung_htfa_fit(*state, NULL, 1, &o, &result, NULL), RUNG_TFA_ERR_ARGUMENT);
    assert_int_equal(rung_htfa_fit(*state, &s.one[0].scan, 1, NULL, &result, NULL), RUNG_TFA_ERR_ARGUMENT);
    assert_int_equal(rung_htfa_fit(*state, &s.one[0].scan, 1, &o, NULL, NULL), RUNG_TFA_ERR_ARGUMENT);
    rung_htfa_result_free(NULL);
    subjects_free(&s);
}

/* The same scan twice, more factors than sources, no noise at all, nothing but noise, a few voxels. */
static void odd_scans(void **state)
{
    size_t who;
    subjects s = subjects_new(&(subjects_recipe){2, 0.0, 0.0, 0, 0, 23});
    subjects again = subjects_new(&(subjects_recipe){1, 0.0, 0.0, 0, 0, 23});
    rung_tfa_scan scans[3] = {s.one[0].scan, s.one[1].scan, again.one[0].scan};
    rung_htfa_options o = options_for(6);
    assert_int_equal(fit(*state, scans, 3, &o, &who), RUNG_TFA_OK);
    subjects_free(&s);
    subjects_free(&again);

    float x[3][40 * 8];
    double xyz[3][40 * 3];
    o = options_for(3);
    for (size_t i = 0; i < 3; i++) {
        size_t v = i == 2 ? 3 : 40;
        for (size_t j = 0; j < v; j++) {
            xyz[i][3 * j] = (double)(j % 8) + 100.0 * (double)i; /* far from each other, too */
            xyz[i][3 * j + 1] = (double)(j * 7 % 5);
            xyz[i][3 * j + 2] = i == 0 ? 0.0 : (double)(j % 3);
            for (size_t p = 0; p < 8; p++)
                x[i][j * 8 + p] = (float)(((j * 37 + p * 101 + j * p * 13 + i) % 97) / 97.0);
        }
        scans[i] = (rung_tfa_scan){.x = x[i], .xyz = xyz[i], .voxels = v, .volumes = 8};
    }
    assert_int_equal(fit(*state, scans, 3, &o, &who), RUNG_TFA_OK);
}

typedef struct watch {
    unsigned at, calls, rounds;
    size_t seen; /* subjects, as bits */
    bool wrong;
} watch;

static int count_and_stop(const rung_htfa_progress *p, void *user)
{
    watch *w = user;
    w->wrong = w->wrong || p->done >= 3 || p->subject >= 3 || p->round < w->rounds || !(p->moved >= 0.0);
    w->rounds = p->round;
    w->seen |= (size_t)1 << p->subject;
    return ++w->calls == w->at;
}

static void cancelling(void **state)
{
    unsigned calls = 1;
    for (unsigned at = 0; at <= calls; at += at < 3 ? 1 : calls / 7 + 1) {
        subjects s = subjects_new(&(subjects_recipe){3, 0.5, 0.7, 0, 1, 24});
        rung_tfa_scan scans[3] = {s.one[0].scan, s.one[1].scan, s.one[2].scan};
        watch w = {.at = at};
        rung_htfa_options o = options_for(FACTORS);
        size_t who;
        o.progress = count_and_stop;
        o.user = &w;
        rung_tfa_status status = fit(*state, scans, 3, &o, &who);
        assert_int_equal(status, at == 0 ? RUNG_TFA_OK : RUNG_TFA_CANCELLED);
        assert_false(w.wrong);
        if (at == 0) {
            calls = w.calls;
            assert_true(w.rounds >= 1 && w.seen == 7);
        } else {
            assert_int_equal(w.calls, at);
            assert_true(who == RUNG_HTFA_NOBODY);
        }
        subjects_free(&s);
    }
}

static void one_round_only(void **state)
{
    subjects s = subjects_new(&(subjects_recipe){3, 0.5, 3.0, 0, 0, 25});
    rung_tfa_scan scans[3] = {s.one[0].scan, s.one[1].scan, s.one[2].scan};
    rung_htfa_options o = options_for(FACTORS);
    rung_htfa_result *result;
    o.max_rounds = 1;
    o.template_tol = 1e-300;
    assert_int_equal(rung_htfa_fit(*state, scans, 3, &o, &result, NULL), RUNG_TFA_OK);
    assert_int_equal(result->rounds, 1);
    assert_true(!result->converged && result->moved > 0.0);
    rung_htfa_result_free(result);
    subjects_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_options), cmocka_unit_test(bad_scans),      cmocka_unit_test(odd_scans),
        cmocka_unit_test(cancelling),  cmocka_unit_test(one_round_only),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
