/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of ranking, with rankings that are not the project's.
 */
#include "machine.h"

#define NUMPY                                                                                                          \
    {                                                                                                                  \
        "numpy", RUNG_BUILT_CPU, "2.3.0", "", 0, NULL                                                                  \
    }
#define JAX_CUDA                                                                                                       \
    {                                                                                                                  \
        "jax", RUNG_BUILT_CPU | RUNG_BUILT_CUDA, "0.7.2", "12", 0, NULL                                                \
    }
#define TORCH_CUDA                                                                                                     \
    {                                                                                                                  \
        "pytorch", RUNG_BUILT_CPU | RUNG_BUILT_CUDA, "2.8.0", "12.8", 0, NULL                                          \
    }

/* A registry of nothing but a ranking. */
struct strings {
    char empty[1], jax[4], pytorch[8], native[7], numpy[6], cupy[5], where[16], why[32], little[7];
};
static const struct strings strings = {
    "", "jax", "pytorch", "native", "numpy", "cupy", "{index}.{index}", "{count} of {count}", "little"};
#define AT(name) offsetof(struct strings, name)

static const rung_registry *ranking(const rung_backend_row *rows, uint32_t n)
{
    static rung_registry registry;
    registry = (rung_registry){.abi = RUNG_TABLE_ABI,
                               .size = sizeof registry,
                               .name_space = "xy",
                               .strings = (const char *)&strings,
                               .backends = rows,
                               .n_backends = n};
    return &registry;
}

static const char *answer(const rung_backend_row *rows, uint32_t n, const machine *m)
{
    return answer_of(ranking(rows, n), m, NULL, RUNG_SELECT_FULL, NULL);
}

static void equal_scores_stay_in_the_order_of_the_registry(void **state)
{
    (void)state;
    const rung_backend_row rows[] = {
        {.framework = AT(numpy), .reason = AT(little), .score = 30},
        {.framework = AT(jax), .reason = AT(little), .score = 30, .devices = RUNG_ON_CPU},
        {.framework = AT(pytorch), .reason = AT(little), .score = 30, .devices = RUNG_ON_CPU},
    };
    const machine m = {.frameworks = {JAX_CUDA, TORCH_CUDA, NUMPY}};
    assert_string_equal(answer(rows, 3, &m), "=> numpy none\n"
                                             "numpy none [] 30: little\n"
                                             "jax none [cpu] 30: little\n"
                                             "pytorch none [cpu] 30: little\n"
                                             "? install JAX or PyTorch: NumPy has neither a compiler nor GPUs\n");
}

/* Of equal scores the line counts, not where the framework is listed first: jax enters with its last line. */
static void the_line_that_is_entered_with_settles_a_tie(void **state)
{
    (void)state;
    const rung_backend_row rows[] = {
        {.framework = AT(jax), .reason = AT(little), .score = 90, .devices = RUNG_ON_TPU},
        {.framework = AT(pytorch), .reason = AT(little), .score = 50, .devices = RUNG_ON_CPU},
        {.framework = AT(jax), .reason = AT(little), .score = 50, .devices = RUNG_ON_CPU},
    };
    const machine m = {.frameworks = {JAX_CUDA, TORCH_CUDA}};
    assert_memory_equal(answer(rows, 3, &m), "=> pytorch", 10);
}

static void little_memory_can_make_another_line_the_better_one(void **state)
{
    (void)state;
    const rung_backend_row rows[] = {
        {.framework = AT(jax),
         .reason = AT(why),
         .score = 60,
         .devices = RUNG_ON_CUDA,
         .limited_score = 10,
         .limited_reason = AT(little),
         .limited_below = 8192},
        {.framework = AT(jax), .reason = AT(why), .score = 50, .devices = RUNG_ON_CPU},
    };
    machine m = {.kinds = {{"cuda", RUNG_STATE_USABLE, 2, 0, 0, NULL}}, .frameworks = {JAX_CUDA}};
    assert_memory_equal(answer(rows, 2, &m), "=> jax none\njax none [cuda] 60: 2 of 2\n", 40);
    m.memory_mb = 8191;
    assert_memory_equal(answer(rows, 2, &m), "=> jax none\njax none [cpu] 50: 1 of 1\n", 38);
}

static void figures_stand_in_every_place_of_their_placeholder(void **state)
{
    (void)state;
    const rung_backend_row row = {
        .framework = AT(jax), .device = AT(where), .reason = AT(why), .score = 90, .devices = RUNG_ON_CUDA};
    const machine m = {.kinds = {{"cuda", RUNG_STATE_USABLE, 3, 0, 0, NULL}}, .frameworks = {JAX_CUDA}};
    assert_string_equal(answer(&row, 1, &m), "=> jax 0.0\njax 0.0 [cuda] 90: 3 of 3\n");
}

static void a_framework_without_a_line_that_holds_says_what_is_against_it(void **state)
{
    (void)state;
    const rung_backend_row rows[] = {
        {.framework = AT(jax), .reason = AT(little), .score = 90, .devices = RUNG_ON_TPU | RUNG_ON_CUDA},
        {.framework = AT(cupy), .reason = AT(little), .score = 80, .devices = RUNG_ON_CUDA},
        {.framework = AT(pytorch), .reason = AT(little), .score = 70, .devices = RUNG_ON_OPENCL},
        {.framework = AT(native), .reason = AT(little), .score = 60, .devices = RUNG_ON_CUDA},
    };
    const machine m = {.kinds = {{"cuda", RUNG_STATE_EXCLUSIVE, 0, 0, 0, "process 4711"},
                                 {"opencl", RUNG_STATE_USABLE, 1, 0, 0, NULL}},
                       .frameworks = {JAX_CUDA, TORCH_CUDA}};
    assert_string_equal(answer(rows, 4, &m),
                        "error: no backend is available; native: the platform that is opened is cpu/x86-64-v3\n"
                        "- jax none [cuda] 90: cuda: another process has it for itself (process 4711)\n"
                        "- cupy none [cuda] 80: this version of Rung does not look for it\n"
                        "- pytorch none [opencl] 70: pytorch 2.8.0 has no build or plug-in for opencl\n"
                        "- native cpu/x86-64-v3 [cpu] 60: the platform that is opened is cpu/x86-64-v3\n");
}

static void without_native_nothing_is_left_to_a_c_program(void **state)
{
    (void)state;
    const rung_backend_row row = {.framework = AT(numpy), .reason = AT(little), .score = 30};
    const machine m = {.frameworks = {NUMPY}};
    assert_string_equal(answer_of(ranking(&row, 1), &m, NULL, 0, NULL),
                        "error: no backend is available: none is native\n"
                        "- numpy none [] 30: only Python can drive it\n");
}

/* More frameworks than the generator lets through: the first sixteen are ranked, and nothing is overrun. */
static void more_frameworks_than_an_answer_holds(void **state)
{
    (void)state;
    static char pool[32 * 4];
    rung_backend_row rows[31];
    memset(rows, 0, sizeof rows);
    for (uint32_t i = 0; i < 31; i++) {
        (void)snprintf(pool + 4 * i + 4, 4, "f%02u", i);
        rows[i].framework = 4 * i + 4;
        rows[i].score = 31 - i;
    }
    rung_registry registry = *ranking(rows, 31);
    registry.strings = pool;
    const machine m = {0};
    rung_choice c;
    rung_facts facts;
    facts_of(&m, true, &facts);
    rung_rank(&registry, &facts, &c);
    assert_int_equal(c.count, RUNG_BACKENDS_MAX);
    assert_string_equal(c.ranked[15].name, "f15");
}

/* ---- records of devices ------------------------------------------------------------------------------------------ */

static rung_seen seen_of(rung_device_report *report)
{
    rung_facts facts;
    rung_facts_begin(&facts, false);
    rung_facts_see(&facts, report);
    return facts.seen[rung_on_of("cuda")];
}

static void the_first_usable_device_counts(void **state)
{
    (void)state;
    static rung_device_report report;
    report_of(&(kind){"cuda", RUNG_STATE_USABLE, 4, 1000, 0, NULL}, &report);
    report.unit[0].state = RUNG_STATE_PROHIBITED;
    report.unit[1].state = RUNG_STATE_OUT_OF_MEMORY;
    report.unit[2].memory = 77;
    rung_seen seen = seen_of(&report);
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.index, 2);
    assert_int_equal(seen.memory, 77);

    const rung_backend_row row = {
        .framework = AT(jax), .device = AT(where), .reason = AT(why), .score = 90, .devices = RUNG_ON_CUDA};
    const machine m = {.frameworks = {JAX_CUDA}};
    rung_facts facts;
    facts_of(&m, true, &facts);
    rung_facts_see(&facts, &report);
    rung_line line;
    rung_judge_line(ranking(&row, 1), 0, &facts, &line);
    assert_string_equal(line.backend.device, "2.2");
    assert_string_equal(line.backend.reason, "2 of 2");
}

static void records_that_cannot_be(void **state)
{
    (void)state;
    static rung_device_report report;
    report_of(&(kind){"cuda", RUNG_STATE_USABLE, 0, 0, 0, NULL}, &report);
    report.count = UINT32_MAX; /* more than there is room for: units of the state 0, USABLE */
    assert_int_equal(seen_of(&report).count, RUNG_UNITS_MAX);
    report.state = (rung_device_state)4711;
    assert_int_equal(seen_of(&report).count, 0);

    rung_facts facts, before;
    rung_facts_begin(&facts, false);
    before = facts;
    copy_text(report.device, sizeof report.device, "abacus");
    rung_facts_see(&facts, &report);
    assert_memory_equal(&facts, &before, sizeof facts);
}

static void kinds_of_devices_and_their_bits(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned bit;
    } kinds[] = {{"accel", RUNG_ON_ACCEL},   {"cpu", RUNG_ON_CPU},   {"cuda", RUNG_ON_CUDA}, {"metal", RUNG_ON_METAL},
                 {"opencl", RUNG_ON_OPENCL}, {"rocm", RUNG_ON_ROCM}, {"tpu", RUNG_ON_TPU}};
    assert_int_equal(sizeof kinds / sizeof *kinds, RUNG_ON_COUNT);
    for (size_t i = 0; i < RUNG_ON_COUNT; i++) {
        unsigned on = rung_on_of(kinds[i].name);
        assert_int_equal(1u << on, kinds[i].bit);
        assert_string_equal(rung_on_name(on), kinds[i].name);
        assert_int_equal(rung_on_is_apart(on), kinds[i].bit != RUNG_ON_ACCEL && kinds[i].bit != RUNG_ON_CPU);
    }
    assert_int_equal(rung_on_of(""), RUNG_ON_COUNT);
    assert_int_equal(rung_on_of("CUDA"), RUNG_ON_COUNT);
    assert_string_equal(rung_on_name(RUNG_ON_COUNT), "");
    assert_false(rung_on_is_apart(RUNG_ON_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_scores_stay_in_the_order_of_the_registry),
        cmocka_unit_test(the_line_that_is_entered_with_settles_a_tie),
        cmocka_unit_test(little_memory_can_make_another_line_the_better_one),
        cmocka_unit_test(figures_stand_in_every_place_of_their_placeholder),
        cmocka_unit_test(a_framework_without_a_line_that_holds_says_what_is_against_it),
        cmocka_unit_test(without_native_nothing_is_left_to_a_c_program),
        cmocka_unit_test(more_frameworks_than_an_answer_holds),
        cmocka_unit_test(the_first_usable_device_counts),
        cmocka_unit_test(records_that_cannot_be),
        cmocka_unit_test(kinds_of_devices_and_their_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
