/* SPDX-License-Identifier: Apache-2.0
 *
 * Watched calls: arguments arrive in registers and on the stack, what a function has to leave alone and does not is
 * named, and the program goes on with everything as it was.
 */
#include <float.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "clobbers.h"
#include "proof/registers.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const rung_ctx context;

static rung_proof_op op_of(const rung_proof_arg *args, size_t count)
{
    return (rung_proof_op){.name = "watched", .args = args, .arg_count = (uint8_t)count};
}

/* Calls a function that leaves all as it was. */
static rung_status call(rung_proof_function *fn, const rung_proof_arg *args, size_t count, const rung_value *values)
{
    rung_proof_op op = op_of(args, count);
    rung_status status = RUNG_ERR_ABI;
    char what[128];
    bool clean = rung_proof_registers_call(fn, &context, &op, values, &status, what, sizeof what);
    assert_string_equal(what, "");
    assert_true(clean);
    return status;
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static rung_value got[RUNG_PROOF_ARGS_MAX];
static const rung_ctx *got_context;

static rung_status take_integers(const rung_ctx *cx, int8_t a, uint8_t b, int16_t c, uint16_t d, int32_t e, uint32_t f,
                                 int64_t g, uint64_t h, size_t i, ptrdiff_t j, int8_t k, uint8_t l, int16_t m,
                                 uint16_t n, int32_t o, uint32_t p, const float *q)
{
    got_context = cx;
    got[0].i8 = a, got[1].u8 = b, got[2].i16 = c, got[3].u16 = d, got[4].i32 = e, got[5].u32 = f, got[6].i64 = g;
    got[7].u64 = h, got[8].size = i, got[9].ptrdiff = j, got[10].i8 = k, got[11].u8 = l, got[12].i16 = m;
    got[13].u16 = n, got[14].i32 = o, got[15].u32 = p, memcpy(&got[16].array, &q, sizeof q);
    return RUNG_ERR_NUMERIC;
}

static void integers_arrive(void **state)
{
    (void)state;
    static const rung_proof_arg args[] = {
        {.type = RUNG_PROOF_INT8},
        {.type = RUNG_PROOF_UINT8},
        {.type = RUNG_PROOF_INT16},
        {.type = RUNG_PROOF_UINT16},
        {.type = RUNG_PROOF_INT32},
        {.type = RUNG_PROOF_UINT32},
        {.type = RUNG_PROOF_INT64},
        {.type = RUNG_PROOF_UINT64},
        {.type = RUNG_PROOF_SIZE},
        {.type = RUNG_PROOF_PTRDIFF},
        {.type = RUNG_PROOF_INT8},
        {.type = RUNG_PROOF_UINT8},
        {.type = RUNG_PROOF_INT16},
        {.type = RUNG_PROOF_UINT16},
        {.type = RUNG_PROOF_INT32},
        {.type = RUNG_PROOF_UINT32},
        {.type = RUNG_PROOF_FLOAT, .pointer = true},
    };
    float array[1];
    const rung_value values[] = {
        {.i8 = -2},
        {.u8 = 254},
        {.i16 = -30000},
        {.u16 = 60000},
        {.i32 = INT32_MIN},
        {.u32 = 3000000000u},
        {.i64 = INT64_MIN},
        {.u64 = UINT64_MAX - 1},
        {.size = SIZE_MAX - 2},
        {.ptrdiff = -5},
        {.i8 = -128},
        {.u8 = 255},
        {.i16 = -1},
        {.u16 = 65535},
        {.i32 = -7},
        {.u32 = UINT32_MAX},
        {.array = array},
    };
    memset(got, 0, sizeof got);
    assert_int_equal(call((rung_proof_function *)take_integers, args, COUNT(args), values), RUNG_ERR_NUMERIC);
    assert_ptr_equal(got_context, &context);
    assert_int_equal(got[0].i8, -2);
    assert_int_equal(got[1].u8, 254);
    assert_int_equal(got[2].i16, -30000);
    assert_int_equal(got[3].u16, 60000);
    assert_int_equal(got[4].i32, INT32_MIN);
    assert_int_equal(got[5].u32, 3000000000u);
    assert_true(got[6].i64 == INT64_MIN);
    assert_true(got[7].u64 == UINT64_MAX - 1);
    assert_true(got[8].size == SIZE_MAX - 2);
    assert_true(got[9].ptrdiff == -5);
    assert_int_equal(got[10].i8, -128);
    assert_int_equal(got[11].u8, 255);
    assert_int_equal(got[12].i16, -1);
    assert_int_equal(got[13].u16, 65535);
    assert_int_equal(got[14].i32, -7);
    assert_true(got[15].u32 == UINT32_MAX);
    assert_ptr_equal(got[16].array, array);
}

static rung_status take_floats(const rung_ctx *cx, double a, float b, double c, float d, double e, float f, double g,
                               float h, float i, double j, float k, double l, float m)
{
    got_context = cx;
    got[0].d = a, got[1].f = b, got[2].d = c, got[3].f = d, got[4].d = e, got[5].f = f, got[6].d = g, got[7].f = h;
    got[8].f = i, got[9].d = j, got[10].f = k, got[11].d = l, got[12].f = m;
    return RUNG_OK;
}

static void floats_arrive(void **state)
{
    (void)state;
    static const bool is_float[] = {0, 1, 0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1};
    rung_proof_arg args[COUNT(is_float)] = {{0}};
    rung_value values[COUNT(is_float)];
    for (size_t i = 0; i < COUNT(is_float); i++) {
        args[i].type = is_float[i] ? RUNG_PROOF_FLOAT : RUNG_PROOF_DOUBLE;
        if (is_float[i])
            values[i].f = -1.5f * (float)(i + 1);
        else
            values[i].d = DBL_MIN * (double)(i + 1);
    }
    memset(got, 0, sizeof got);
    assert_int_equal(call((rung_proof_function *)take_floats, args, COUNT(args), values), RUNG_OK);
    assert_ptr_equal(got_context, &context);
    for (size_t i = 0; i < COUNT(is_float); i++)
        assert_true(is_float[i] ? got[i].f == values[i].f : got[i].d == values[i].d);
}

/* 32 arguments: pointer, double, size_t, float; pointer ... Both kinds of registers run out, at different arguments. */
#define FOUR(n) double *p##n, double d##n, size_t s##n, float f##n
#define KEEP(n) got[4 * n].array = p##n, got[4 * n + 1].d = d##n, got[4 * n + 2].size = s##n, got[4 * n + 3].f = f##n

static rung_status take_mixed(const rung_ctx *cx, FOUR(0), FOUR(1), FOUR(2), FOUR(3), FOUR(4), FOUR(5), FOUR(6),
                              FOUR(7))
{
    got_context = cx;
    KEEP(0), KEEP(1), KEEP(2), KEEP(3), KEEP(4), KEEP(5), KEEP(6), KEEP(7);
    return RUNG_OK;
}

static void mixed_arguments_arrive(void **state)
{
    (void)state;
    rung_proof_arg args[RUNG_PROOF_ARGS_MAX] = {{0}};
    rung_value values[RUNG_PROOF_ARGS_MAX];
    static double arrays[RUNG_PROOF_ARGS_MAX];
    for (size_t i = 0; i < RUNG_PROOF_ARGS_MAX; i += 4) {
        args[i].type = RUNG_PROOF_DOUBLE;
        args[i].pointer = true;
        values[i].array = arrays + i;
        args[i + 1].type = RUNG_PROOF_DOUBLE;
        values[i + 1].d = 0.1 * (double)i;
        args[i + 2].type = RUNG_PROOF_SIZE;
        values[i + 2].size = 0x0102030405060708u * i;
        args[i + 3].type = RUNG_PROOF_FLOAT;
        values[i + 3].f = -0.1f * (float)i;
    }
    memset(got, 0, sizeof got);
    assert_int_equal(call((rung_proof_function *)take_mixed, args, COUNT(args), values), RUNG_OK);
    assert_ptr_equal(got_context, &context);
    for (size_t i = 0; i < RUNG_PROOF_ARGS_MAX; i += 4) {
        assert_ptr_equal(got[i].array, values[i].array);
        assert_true(got[i + 1].d == values[i + 1].d);
        assert_true(got[i + 2].size == values[i + 2].size);
        assert_true(got[i + 3].f == values[i + 3].f);
    }
}

static void they_are_watched_here(void **state)
{
    (void)state;
    assert_true(rung_proof_registers_supported());
}

static void the_stack_is_aligned_whatever_stands_on_it(void **state)
{
    (void)state;
    rung_proof_arg args[RUNG_PROOF_ARGS_MAX] = {{0}};
    rung_value values[RUNG_PROOF_ARGS_MAX] = {{0}};
    for (size_t i = 0; i < RUNG_PROOF_ARGS_MAX; i++)
        args[i].type = RUNG_PROOF_SIZE;
    for (size_t count = 0; count <= RUNG_PROOF_ARGS_MAX; count++)
        assert_int_equal(call(clobbers_alignment, args, count, values), 0);
}

/* ---- what is to be left alone ------------------------------------------------------------------------------------ */

static void the_program_is_as_it_was(void)
{
    /* neither are denormals flushed, nor is the direction of rounding or the precision another */
    volatile float small = FLT_MIN;
    volatile double third = 1.0;
    volatile long double fine = 1.0L;
    third /= 3.0;
    fine = (fine + LDBL_EPSILON) - 1.0L;
    assert_true(small / 2.0f > 0.0f);
    assert_true(third == 0x1.5555555555555p-2);
    assert_true(fine == LDBL_EPSILON);
    assert_int_equal(call(clobbers[0].function, NULL, 0, NULL), RUNG_ERR_NUMERIC);
}

static void what_is_changed_is_named(void **state)
{
    (void)state;
    rung_proof_op op = op_of(NULL, 0);
    for (size_t i = 0; i < clobber_count; i++) {
        char what[256];
        rung_status status = RUNG_OK;
        bool clean = rung_proof_registers_call(clobbers[i].function, &context, &op, NULL, &status, what, sizeof what);
        assert_string_equal(what, clobbers[i].words);
        assert_int_equal(clean, clobbers[i].words[0] == '\0');
        assert_int_equal(status, RUNG_ERR_NUMERIC);
        the_program_is_as_it_was();
    }
}

static void words_that_find_no_room_are_cut(void **state)
{
    (void)state;
    const clobber *many = &clobbers[clobber_count - 1];
    rung_proof_op op = op_of(NULL, 0);
    rung_status status;
    char what[8];
    assert_false(rung_proof_registers_call(many->function, &context, &op, NULL, &status, what, sizeof what));
    assert_int_equal(strlen(what), 7);
    assert_memory_equal(what, many->words, 7);
    assert_false(rung_proof_registers_call(many->function, &context, &op, NULL, &status, NULL, 0));
}

/* ---- calls in calls, and beside each other ----------------------------------------------------------------------- */

static rung_status calls_another(const rung_ctx *cx)
{
    rung_proof_op op = op_of(NULL, 0);
    rung_status status;
    char what[256];
    return rung_proof_registers_call(clobbers[clobber_count - 1].function, cx, &op, NULL, &status, what, sizeof what)
               ? RUNG_ERR_DEVICE
               : RUNG_OK;
}

static void a_call_may_stand_in_another(void **state)
{
    (void)state;
    assert_int_equal(call((rung_proof_function *)calls_another, NULL, 0, NULL), RUNG_OK);
}

static void *many_calls(void *of)
{
    const clobber *mine = of;
    rung_proof_op op = op_of(NULL, 0);
    for (int i = 0; i < 2000; i++) {
        char what[256];
        rung_status status;
        bool clean = rung_proof_registers_call(mine->function, &context, &op, NULL, &status, what, sizeof what);
        if (clean != (mine->words[0] == '\0') || strcmp(what, mine->words) != 0)
            return NULL;
    }
    return of;
}

static void threads_do_not_meet(void **state)
{
    (void)state;
    pthread_t threads[4];
    for (size_t i = 0; i < COUNT(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, many_calls, (void *)&clobbers[2 * i]), 0);
    for (size_t i = 0; i < COUNT(threads); i++) {
        void *done = NULL;
        assert_int_equal(pthread_join(threads[i], &done), 0);
        assert_ptr_equal(done, &clobbers[2 * i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_watched_here),
        cmocka_unit_test(integers_arrive),
        cmocka_unit_test(floats_arrive),
        cmocka_unit_test(mixed_arguments_arrive),
        cmocka_unit_test(the_stack_is_aligned_whatever_stands_on_it),
        cmocka_unit_test(what_is_changed_is_named),
        cmocka_unit_test(words_that_find_no_room_are_cut),
        cmocka_unit_test(a_call_may_stand_in_another),
        cmocka_unit_test(threads_do_not_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
