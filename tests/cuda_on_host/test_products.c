/* SPDX-License-Identifier: Apache-2.0
 *
 * test_products.c: nvcuda::wmma against plain loops. What a real tensor core rounds is not shown by that.
 */
#include <math.h>
#include <string.h>

#include "on_host_test.h"

#define PRODUCTS(part) "products__cuda_sm80__" part

static float of_bf16(uint16_t bits)
{
    const uint32_t word = (uint32_t)bits << 16;
    float x;
    memcpy(&x, &word, sizeof x);
    return x;
}

static float tf32(float x)
{
    uint32_t word;
    memcpy(&word, &x, sizeof word);
    word &= 0xffffe000U;
    memcpy(&x, &word, sizeof x);
    return x;
}

/* c [16][20] += a [16][24] b, b by columns of 32. */
static void test_bf16(void **state)
{
    (void)state;
    _Alignas(32) uint16_t a[16 * 24], b[16 * 32];
    _Alignas(32) float c[16 * 20], expected[16 * 20];
    void *at_a = a, *at_b = b, *at_c = c;
    for (on_host_order = 0; on_host_order < 3; on_host_order++) {
        for (unsigned i = 0; i < 16 * 24; i++)
            a[i] = (uint16_t)(0x3f80 + i * 37 % 128);
        for (unsigned i = 0; i < 16 * 32; i++)
            b[i] = (uint16_t)(0xbf80 + i * 29 % 128);
        for (int i = 0; i < 16 * 20; i++)
            c[i] = expected[i] = (float)i;
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 16; j++) {
                float sum = 0;
                for (int k = 0; k < 16; k++)
                    sum += of_bf16(a[i * 24 + k]) * of_bf16(b[j * 32 + k]);
                expected[i * 20 + j] += sum;
            }
        assert_done(RUN(PRODUCTS("bf16"), ONE_BLOCK(32), &at_c, &at_a, &at_b));
        assert_memory_equal(c, expected, sizeof c);
    }
}

/* c += a b, all by columns of 16, b by rows of 20. The lower bits of a and b do not count. */
static void test_tf32(void **state)
{
    (void)state;
    _Alignas(32) float a[8 * 16], b[8 * 20], c[16 * 16], expected[16 * 16];
    void *at_a = a, *at_b = b, *at_c = c;
    for (int i = 0; i < 8 * 16; i++)
        a[i] = 1.0F + (float)i * 0x1.23457p-9F;
    for (int i = 0; i < 8 * 20; i++)
        b[i] = 1.0F - (float)i * 0x1.54321p-9F;
    for (int i = 0; i < 16 * 16; i++)
        c[i] = expected[i] = (float)(i % 7);
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) {
            float sum = 0;
            for (int k = 0; k < 8; k++)
                sum += tf32(a[k * 16 + i]) * tf32(b[k * 20 + j]);
            expected[j * 16 + i] += sum;
        }
    assert_done(RUN(PRODUCTS("tf32"), ONE_BLOCK(32), &at_c, &at_a, &at_b));
    assert_memory_equal(c, expected, sizeof c);
}

static void test_f64(void **state)
{
    (void)state;
    _Alignas(32) double a[8 * 4], b[4 * 8], c[8 * 8], expected[8 * 8];
    void *at_a = a, *at_b = b, *at_c = c;
    for (int i = 0; i < 32; i++) {
        a[i] = 1.0 / (i + 1);
        b[i] = i * 0.1;
    }
    for (int i = 0; i < 64; i++) {
        c[i] = i;
        expected[i] = 0;
    }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            for (int k = 0; k < 4; k++)
                expected[i * 8 + j] += a[i * 4 + k] * b[k * 8 + j];
            expected[i * 8 + j] += i * 8 + j;
        }
    assert_done(RUN(PRODUCTS("f64"), ONE_BLOCK(32), &at_c, &at_a, &at_b));
    assert_memory_equal(c, expected, sizeof c);
}

static void test_f64_16x8x8(void **state)
{
    (void)state;
    double a[16 * 8], b[8 * 8], c[16 * 8], expected[16 * 8];
    void *at_a = a, *at_b = b, *at_c = c;
    for (int i = 0; i < 16 * 8; i++) {
        a[i] = 1.0 / (i + 1);
        c[i] = expected[i] = i;
    }
    for (int i = 0; i < 8 * 8; i++)
        b[i] = i * 0.1;
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 8; j++)
            for (int k = 0; k < 8; k++)
                expected[i * 8 + j] += a[i * 8 + k] * b[k * 8 + j];
    assert_done(RUN(PRODUCTS("f64_16x8x8"), ONE_BLOCK(32), &at_c, &at_a, &at_b));
    for (int i = 0; i < 16 * 8; i++) /* a compiler may fuse the sums above */
        assert_true(fabs(c[i] - expected[i]) <= 1e-14 * expected[i]);
    assert_int_equal(RUN(PRODUCTS("f64_16x8x8"), ONE_BLOCK(31), &at_c, &at_a, &at_b), RUNG_ON_HOST_DIVERGED);
}

static void test_a_part_of_a_warp_is_an_error(void **state)
{
    (void)state;
    _Alignas(32) double c[64] = {0}, a[32] = {0}, b[32] = {0};
    void *at_a = a, *at_b = b, *at_c = c;
    assert_int_equal(RUN(PRODUCTS("f64"), ONE_BLOCK(31), &at_c, &at_a, &at_b), RUNG_ON_HOST_DIVERGED);
    assert_non_null(strstr(on_host_said, "whole warp"));
    at_a = a + 1;
    assert_int_equal(RUN(PRODUCTS("f64"), ONE_BLOCK(32), &at_c, &at_a, &at_b), RUNG_ON_HOST_DIVERGED);
    assert_non_null(strstr(on_host_said, "multiples of 32"));
}

static void test_rounding(void **state)
{
    (void)state;
    float x[] = {1.0F, 1.0F + 0x1p-11F, 1.0F + 0x1p-12F, -1.0F - 0x1.8p-11F, INFINITY}, *at = x;
    const float expected[] = {1.0F, 1.0F + 0x1p-10F, 1.0F, -1.0F - 0x1p-10F, INFINITY};
    unsigned n = 5;
    assert_done(RUN(PRODUCTS("round"), ONE_BLOCK(32), &at, &n));
    assert_memory_equal(x, expected, sizeof x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bf16),
        cmocka_unit_test(test_tf32),
        cmocka_unit_test(test_f64),
        cmocka_unit_test(test_f64_16x8x8),
        cmocka_unit_test(test_a_part_of_a_warp_is_an_error),
        cmocka_unit_test(test_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
