/* SPDX-License-Identifier: Apache-2.0
 *
 * test_words.c: every word of on_host.h, in every order of threads.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "on_host_test.h"

#define WORDS(part) "words__cuda_sm80__" part

enum { FORWARD, BACKWARD, SHUFFLED, ORDERS };

/* The body once for each order. */
#define IN_EVERY_ORDER for (on_host_order = FORWARD; on_host_order < ORDERS; on_host_order++)

static void test_where_a_thread_stands(void **state)
{
    (void)state;
    const on_host_shape shape = {{2, 3, 2}, {4, 2, 3}, 0};
    IN_EVERY_ORDER
    {
        unsigned got[12 * 24], *out = got, threads = 24;
        memset(got, 0xff, sizeof got);
        assert_done(RUN(WORDS("index"), &shape, &out, &threads));
        for (unsigned block = 0; block < 12; block++)
            for (unsigned t = 0; t < 24; t++)
                assert_int_equal(got[block * 24 + t], block * 10000 + t * 10 + 1);
    }
}

static void test_parameters_are_known(void **state)
{
    (void)state;
    const rung_on_host_kernel *k = on_host_kernel(WORDS("numbers"));
    assert_non_null(k);
    assert_string_equal(k->name, WORDS("numbers"));
    assert_int_equal(k->parameters, 3);
    assert_int_equal(k->sizes[0], sizeof(void *));
    assert_int_equal(k->sizes[1], 4);
    assert_int_equal(k->sizes[2], 8);
    assert_null(on_host_kernel("words__cuda_sm80__nonesuch"));
}

/* ---- shared memory and barriers ---------------------------------------------------------------------------------- */

static void test_barrier(void **state)
{
    (void)state;
    IN_EVERY_ORDER
    {
        float in[256], got[256], *out = got, *from = in;
        int wait = 1;
        for (int i = 0; i < 256; i++)
            in[i] = (float)i;
        assert_done(RUN(WORDS("reverse"), ONE_BLOCK(256), &out, &from, &wait));
        for (int i = 0; i < 256; i++)
            assert_true(got[i] == (float)(255 - i));
    }
}

static void test_missing_barrier_shows(void **state)
{
    (void)state;
    IN_EVERY_ORDER
    {
        float in[256], got[256], *out = got, *from = in;
        int wait = 0, wrong = 0;
        for (int i = 0; i < 256; i++)
            in[i] = (float)i;
        assert_done(RUN(WORDS("reverse"), ONE_BLOCK(256), &out, &from, &wait));
        for (int i = 0; i < 256; i++)
            wrong += isnan(got[i]);
        assert_in_range(wrong, 100, 156); /* half of the threads read before the other half has written */
    }
}

static void test_unwritten_shared_memory_shows(void **state)
{
    (void)state;
    const on_host_shape shape = {{2, 1, 1}, {32, 1, 1}, 128};
    unsigned got[2 * 2 * 32], *out = got;
    memset(got, 0, sizeof got);
    assert_done(RUN(WORDS("unwritten"), &shape, &out));
    for (size_t i = 0; i < sizeof got / sizeof *got; i++)
        assert_int_equal(got[i], UINT32_MAX); /* in the second block too */
}

static void test_dynamic_shared_memory(void **state)
{
    (void)state;
    on_host_shape shape = {{1, 1, 1}, {50, 1, 1}, 50 * sizeof(float)}; /* no multiple of 16 bytes */
    float in[50], got[50], *out = got, *from = in;
    unsigned past = 0;
    for (int i = 0; i < 50; i++)
        in[i] = (float)i;
    assert_done(RUN(WORDS("dynamic"), &shape, &out, &from, &past));
    for (int i = 0; i < 50; i++)
        assert_true(got[i] == (float)(49 - i));
    past = 1; /* into the slack */
    assert_int_equal(RUN(WORDS("dynamic"), &shape, &out, &from, &past), RUNG_ON_HOST_FAULT);
    assert_non_null(strstr(on_host_said, "behind its 200 bytes of shared memory"));
    past = 3; /* and behind that */
    assert_int_equal(RUN(WORDS("dynamic"), &shape, &out, &from, &past), RUNG_ON_HOST_FAULT);
    assert_non_null(strstr(on_host_said, "thread (2, 0, 0) touched"));
    shape.shared = (48 << 10) + 1;
    assert_int_equal(RUN(WORDS("dynamic"), &shape, &out, &from, &past), RUNG_ON_HOST_DIVERGED);
}

static void test_counting_barriers(void **state)
{
    (void)state;
    IN_EVERY_ORDER
    {
        int got[256], *out = got;
        assert_done(RUN(WORDS("counts"), ONE_BLOCK(256), &out));
        for (int i = 0; i < 256; i++)
            assert_int_equal(got[i], 128 * 8 + 4 + 2);
    }
}

static void test_divergence_is_an_error(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "32 of 48 threads wait at the barrier",
        "while others wait at that of line",
        "wait for the others of mask ffffffff; 32 of 48 threads wait at the barrier",
        "mask 00000001 lacks the lane",
        "wait for the others of mask ffffffff; 32 of 48 threads wait at the barrier",
        "wait for this one at line",
        "__trap",
        "waited for its copies",
    };
    for (int how = 0; how < 8; how++)
        IN_EVERY_ORDER
        {
            int got[48], *out = got;
            assert_int_equal(RUN(WORDS("diverge"), ONE_BLOCK(48), &out, &how), RUNG_ON_HOST_DIVERGED);
            if (strstr(on_host_said, expected[how]) == NULL)
                fail_msg("how %d: %s", how, on_host_said);
            assert_non_null(strstr(on_host_said, "thread ("));
        }
    /* nothing of it stays behind */
    int got[48], *out = got, none = 8;
    assert_done(RUN(WORDS("diverge"), ONE_BLOCK(48), &out, &none));
    assert_int_equal(got[47], 8);
}

/* ---- warps ------------------------------------------------------------------------------------------------------- */

static void test_warps(void **state)
{
    (void)state;
    enum { THREADS = 96, ROWS = 14 };
    IN_EVERY_ORDER
    {
        int got[ROWS][THREADS], *out = got[0];
        memset(got, 0xff, sizeof got);
        assert_done(RUN(WORDS("warp"), ONE_BLOCK(THREADS), &out));
        for (int t = 0; t < THREADS; t++) {
            const int lane = t % 32, first = t - lane, eighth = lane % 8;
            const int expected[ROWS] = {
                first + 5,
                t - eighth + 1,
                lane >= 3 ? t - 3 : t,
                eighth >= 3 ? t - 3 : t,
                lane < 29 ? t + 3 : t,
                eighth < 5 ? t + 3 : t,
                first + (lane ^ 16),
                (lane ^ 12) < lane - eighth + 8 ? first + (lane ^ 12) : t,
                (int)0x49249249,
                2,
                2,
                1,
                first + (lane ^ 1),
                lane < 31 ? t + 1 : t,
            };
            for (int row = 0; row < ROWS; row++)
                if (got[row][t] != expected[row])
                    fail_msg("word %d, thread %d: %d, not %d", row, t, got[row][t], expected[row]);
        }
        unsigned sums[4][THREADS], *to = sums[0];
        assert_done(RUN(WORDS("reduce"), ONE_BLOCK(THREADS), &to));
        for (unsigned t = 0; t < THREADS; t++) {
            const unsigned first = t - t % 32;
            assert_int_equal(sums[0][t], 32 * first + 31 * 16);
            assert_int_equal(sums[1][t], first + 31);
            assert_int_equal(sums[2][t], first);
            assert_int_equal(sums[3][t], first | 31);
        }
    }
}

static void test_lane_that_is_not_there(void **state)
{
    (void)state;
    unsigned got[20], *out = got;
    int from = 3;
    assert_done(RUN(WORDS("partial"), ONE_BLOCK(20), &out, &from));
    assert_int_equal(got[19], 3);
    from = 20;
    assert_done(RUN(WORDS("partial"), ONE_BLOCK(20), &out, &from));
    assert_int_equal(got[0], UINT32_MAX);
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static void test_atomics(void **state)
{
    (void)state;
    struct {
        int i, i_max, i_min, i_sub;
        unsigned u, u_max, u_min, u_inc, u_or, u_and, u_xor, u_exch, u_cas;
        unsigned long long l, l_max, l_cas;
        float f;
        double d;
    } s = {.u_min = 100, .u_and = UINT32_MAX, .u_xor = 1}, *at = &s;
    on_host_order = FORWARD;
    assert_done(RUN(WORDS("atomics"), ONE_BLOCK(64), &at));
    assert_int_equal(s.i, -63 * 32);
    assert_int_equal(s.i_max, 63);
    assert_int_equal(s.i_min, -63);
    assert_int_equal(s.i_sub, -64);
    assert_int_equal(s.u, 63 * 32);
    assert_int_equal(s.u_max, 63);
    assert_int_equal(s.u_min, 3);
    assert_int_equal(s.u_inc, 64 % 10);
    assert_int_equal(s.u_or, UINT32_MAX);
    assert_int_equal(s.u_and, 0);
    assert_int_equal(s.u_xor, 1);
    assert_int_equal(s.u_exch, 5);
    assert_int_equal(s.u_cas, 64);
    assert_true(s.l == 64ULL << 33 && s.l_max == 63ULL << 40 && s.l_cas == 1);
    assert_true(s.f == 32.0F && s.d == 16.0);
}

static void test_numbers(void **state)
{
    (void)state;
    double got[32], *out = got;
    float x = 1.0F + 0x1p-12F;
    double y = 1.0 + 0x1p-30;
    const double expected[] = {
        (double)(float)(x * 3.0F),
        x,
        0x1p-11 + 0x1p-24, /* not what remains of it in two roundings */
        y * 3.0,
        y,
        0x1p-29 + 0x1p-60,
        0x1p-29 + 0x1p-60,
        0x1p-11 + 0x1p-24,
        0.5,
        (double)nextafterf(x, 2.0F),
        -(double)x,
        nextafter(y, 2.0),
        3.0,
        5 + 2.5 + 2 + 2,
        8 * 100 + 31 + 4,
        2147483648.0,
        3.0,
        3.0 + 4.0 + 5.0 + 0.25 + 0.125,
        2 * 10 - 2,
        1.0,
        100.0,
    };
    assert_done(RUN(WORDS("numbers"), ONE_BLOCK(1), &out, &x, &y));
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (got[i] != expected[i])
            fail_msg("word %zu: %a, not %a", i, got[i], expected[i]);
}

static void test_vectors(void **state)
{
    (void)state;
    _Alignas(16) float got[12], in[4] = {1, 2, 3, 4}, *out = got, *from = in;
    _Alignas(16) double pair[2] = {5, 6}, *pairs = pair;
    _Alignas(16) unsigned four[4] = {7, 8, 9, 10}, *words = four;
    const float expected[12] = {4, 3, 2, 1, 5, 6, 15, 19, 1, 2, 3, 4};
    assert_done(RUN(WORDS("vectors"), ONE_BLOCK(1), &out, &from, &pairs, &words));
    assert_memory_equal(got, expected, sizeof got);
}

static void test_bf16(void **state)
{
    (void)state;
    float in[] = {1.0F, -2.5F, 1.00390625F, 1.01171875F, 1.00390637F, INFINITY, NAN, 3.4e38F, 1e-40F};
    const uint16_t expected[] = {0x3f80, 0xc020, 0x3f80, 0x3f82, 0x3f81, 0x7f80, 0x7fff, 0x7f80, 0x0001};
    uint16_t got[9], *out = got;
    float returned[9], *back = returned, *from = in;
    unsigned n = 9;
    assert_done(RUN(WORDS("bf16"), ONE_BLOCK(32), &out, &back, &from, &n));
    for (unsigned i = 0; i < n; i++) {
        assert_int_equal(got[i], expected[i]);
        uint32_t bits;
        memcpy(&bits, &returned[i], sizeof bits);
        assert_int_equal(bits, (uint32_t)expected[i] << 16);
    }
}

static void test_copies_come_when_they_are_waited_for(void **state)
{
    (void)state;
    float in[64], got[128], *out = got, *from = in;
    for (int i = 0; i < 64; i++)
        in[i] = (float)i;
    assert_done(RUN(WORDS("copies"), ONE_BLOCK(32), &out, &from));
    for (int t = 0; t < 32; t++) {
        assert_true(got[t] == (float)t);
        assert_true(isnan(got[32 + t]));
        assert_true(isnan(got[64 + t]));
        assert_true(got[96 + t] == (float)(32 + t));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_where_a_thread_stands),
        cmocka_unit_test(test_parameters_are_known),
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_missing_barrier_shows),
        cmocka_unit_test(test_unwritten_shared_memory_shows),
        cmocka_unit_test(test_dynamic_shared_memory),
        cmocka_unit_test(test_counting_barriers),
        cmocka_unit_test(test_divergence_is_an_error),
        cmocka_unit_test(test_warps),
        cmocka_unit_test(test_lane_that_is_not_there),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_bf16),
        cmocka_unit_test(test_copies_come_when_they_are_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
