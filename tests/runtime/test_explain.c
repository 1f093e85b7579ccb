/* SPDX-License-Identifier: Apache-2.0
 *
 * Why each rung is chosen or not: every reason that can be met, and whole ladders as text.
 */
#include "fixture.h"

#include "platform.h"

/* ---- whole ladders ------------------------------------------------------------------------------------------------
 */

typedef struct ladder {
    const char *chain;
    unsigned flags;
    uint16_t rank; /* of the x86 machine */
    uint32_t op, variant;
    const char *text;
} ladder;

static void check(const rung_registry *registry, const ladder *table, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        rung_machine machine = machine_x86(table[i].rank);
        rung_platform *p = open_on(registry, table[i].chain, table[i].flags, &machine);
        assert_string_equal(explained(p, table[i].op, table[i].variant), table[i].text);
        rung_platform_close(p);
    }
}

static void ladders_of_the_cpu(void **state)
{
    (void)state;
    static const ladder table[] = {
        {"cpu", 0, 3, FX_OP_WHICH, 0,
         "cpu/amx default: CPU lacks: avx512f\n"
         "cpu/x86-64-v4 default: CPU lacks: avx512f\n"
         "cpu/sve2 default: arch invalid: for aarch64, this processor is x86\n"
         "cpu/sve default: arch invalid: for aarch64, this processor is x86\n"
         "cpu/neon default: arch invalid: for aarch64, this processor is x86\n"
         "*cpu/x86-64-v3 default: available\n"
         "cpu/x86-64-v2 default: available\n"
         "cpu/generic default: available\n"},
        {"cpu/x86-64-v2", 0, 4, FX_OP_WHICH, 0,
         "cpu/amx default: capped: capped at x86-64-v2\n"
         "cpu/x86-64-v4 default: capped: capped at x86-64-v2\n"
         "cpu/x86-64-v3 default: capped: capped at x86-64-v2\n"
         "cpu/sve2 default: arch invalid: for aarch64, this processor is x86\n"
         "cpu/sve default: arch invalid: for aarch64, this processor is x86\n"
         "cpu/neon default: arch invalid: for aarch64, this processor is x86\n"
         "*cpu/x86-64-v2 default: available\n"
         "cpu/generic default: available\n"},
        {"cpu/generic", 0, 2, FX_OP_SCALE, 0,
         "cpu/x86-64-v4 default: capped: capped at generic\n"
         "*cpu/generic default: available\n"},
        {"cpu/x86-64-v4", RUNG_OPEN_INSPECT, 3, FX_OP_WHICH, 0,
         "cpu/amx default: CPU lacks: avx512f\n"
         "cpu/sve2 default: arch invalid: for aarch64, this processor is x86\n"
         "cpu/sve default: arch invalid: for aarch64, this processor is x86\n"
         "cpu/neon default: arch invalid: for aarch64, this processor is x86\n"
         "cpu/x86-64-v4 default: CPU lacks: avx512f\n"
         "*cpu/x86-64-v3 default: available\n"
         "cpu/x86-64-v2 default: available\n"
         "cpu/generic default: available\n"},
        {"cpu/neon", RUNG_OPEN_INSPECT, 3, FX_OP_SCALE, 0,
         "cpu/x86-64-v4 default: CPU lacks: avx512f\n"
         "cpu/neon default: not declared\n"
         "*cpu/generic default: available\n"},
    };
    fixture f;
    check(fixture_of(&f, 0), table, sizeof table / sizeof *table);
}

static void ladders_over_devices(void **state)
{
    (void)state;
    static const ladder table[] = {
        /* R5: a default kernel on a newer arch stands before the asked variant on an older one */
        {"accel/sm90", 0, 3, FX_OP_SCALE, FX_VARIANT_FAST,
         "accel/sm90 fast: not declared\n"
         "*accel/sm90 default: available\n"
         "accel/sm80 fast: available\n"
         "accel/sm80 default: not declared\n"
         "accel/generic fast: not declared\n"
         "accel/generic default: not declared\n"
         "cpu/x86-64-v4 default: CPU lacks: avx512f\n"
         "cpu/x86-64-v3 fast: not declared\n"
         "cpu/x86-64-v3 default: not declared\n"
         "cpu/x86-64-v2 fast: not declared\n"
         "cpu/x86-64-v2 default: not declared\n"
         "cpu/generic fast: not declared\n"
         "cpu/generic default: available\n"},
        {"accel/sm85,cpu/generic", 0, 0, FX_OP_SCALE, FX_VARIANT_FAST,
         "accel/sm90 default: capped: capped at sm85\n"
         "accel/sm85 fast: not declared\n"
         "accel/sm85 default: not declared\n"
         "*accel/sm80 fast: available\n"
         "accel/sm80 default: not declared\n"
         "accel/generic fast: not declared\n"
         "accel/generic default: not declared\n"
         "cpu/x86-64-v4 default: CPU lacks: sse3\n"
         "cpu/generic fast: not declared\n"
         "cpu/generic default: available\n"},
        {"accel/gfx90a,cpu/generic", 0, 0, FX_OP_WHICH, 0,
         "accel/sm90 default: arch invalid: not for gfx90a\n"
         "accel/sm80 default: arch invalid: not for gfx90a\n"
         "accel/gfx90a default: not declared\n"
         "*accel/generic default: available\n"
         "cpu/amx default: CPU lacks: sse3\n"
         "cpu/x86-64-v4 default: CPU lacks: sse3\n"
         "cpu/x86-64-v3 default: CPU lacks: sse3\n"
         "cpu/x86-64-v2 default: CPU lacks: sse3\n"
         "cpu/sve2 default: arch invalid: for aarch64, this processor is x86\n"
         "cpu/sve default: arch invalid: for aarch64, this processor is x86\n"
         "cpu/neon default: arch invalid: for aarch64, this processor is x86\n"
         "cpu/generic default: available\n"},
        /* strict: no rung but its own */
        {"cpu/x86-64-v2", 0, 2, FX_OP_SCALE, FX_VARIANT_EXACT,
         "cpu/x86-64-v2 exact: not declared\n"
         "*cpu/generic exact: available\n"},
        {"cpu", 0, 0, FX_OP_SCALE, FX_VARIANT_REMOTE,
         "cpu/generic remote: not built: needs nowhere, which this build lacks\n"},
        /* R12: measured to be slower, so tried later; told in the order in which they are tried */
        {"cpu", 0, 4, FX_OP_LATER, 0,
         "*cpu/x86-64-v3 default: available\n"
         "cpu/x86-64-v4 default: available\n"
         "cpu/x86-64-v2 default: not declared\n"
         "cpu/generic default: available\n"},
        {"cpu", 0, 0, FX_OP_HOLE, 0, "cpu/generic default: not declared\n"},
    };
    fixture f;
    check(fixture_of(&f, 0), table, sizeof table / sizeof *table);
}

static void ladders_of_absent_devices(void **state)
{
    (void)state;
    static const ladder unbuilt[] = {
        {"cuda/sm90", RUNG_OPEN_INSPECT, 0, FX_OP_FLOW_MATCH_STEP, 0,
         "cuda/sm90a default: not declared\n"
         "cuda/sm90 default: not declared\n"
         "cuda/sm80 default: not declared\n"
         "cuda/ptx default: not declared\n"
         "cuda/generic default: not built: this build was made without nvcc\n"
         "*cpu/generic default: available\n"},
        {"cuda/sm86", RUNG_OPEN_INSPECT, 0, FX_OP_SCALE, 0,
         "cuda/sm80 default: planned\n"
         "cuda/ptx default: not declared\n"
         "cuda/generic default: not declared\n"
         "cpu/x86-64-v4 default: CPU lacks: sse3\n"
         "*cpu/generic default: available\n"},
    };
    static const ladder built[] = {
        {"cuda/sm90", RUNG_OPEN_INSPECT, 0, FX_OP_FLOW_MATCH_STEP, 0,
         "cuda/sm90a default: not declared\n"
         "cuda/sm90 default: not declared\n"
         "cuda/sm80 default: not declared\n"
         "cuda/ptx default: not declared\n"
         "cuda/generic default: device absent: no such device was found\n"
         "*cpu/generic default: available\n"},
    };
    fixture f;
    check(fixture_of(&f, 0), unbuilt, sizeof unbuilt / sizeof *unbuilt);
    check(fixture_of(&f, 1), built, sizeof built / sizeof *built);
}

static void a_detected_device(void **state)
{
    (void)state;
    fixture f;
    const rung_registry *fx = fixture_of(&f, 1);
    const rung_found present = {"cuda", RUNG_REASON_NONE, "", "sm90", 1, 0, false};
    rung_machine machine = machine_x86(0);
    machine.found = &present;
    machine.n_found = 1;
    rung_platform *p = open_on(fx, "cuda/sm86", 0, &machine);
    static const char cuda[] = "cuda/sm100 default: capped: capped at sm86\n"
                               "cuda/sm90a default: capped: capped at sm86\n"
                               "cuda/sm90 default: capped: capped at sm86\n"
                               "*cuda/sm80 default: available\n"
                               "cuda/ptx default: available\n"
                               "cuda/generic default: available\n";
    assert_memory_equal(explained(p, FX_OP_WHICH, 0), cuda, sizeof cuda - 1);
    rung_platform_close(p);
    p = open_on(fx, "cuda", 0, &machine);
    static const char whole[] = "cuda/sm100 default: arch invalid: not for sm90\n"
                                "*cuda/sm90a default: available\n";
    assert_memory_equal(explained(p, FX_OP_WHICH, 0), whole, sizeof whole - 1);
    rung_platform_close(p);
    p = open_on(fx, "cuda/sm120", RUNG_OPEN_INSPECT, &machine);
    static const char above[] = "cuda/sm90a default: arch invalid: not for sm120\n"
                                "cuda/sm100 default: arch invalid: this device is sm90\n"
                                "*cuda/sm90 default: available\n";
    assert_memory_equal(explained(p, FX_OP_WHICH, 0), above, sizeof above - 1);
    rung_platform_close(p);
}

/* A cap changes what is tried, not what the device can run. */
static void a_cap_makes_no_image_fit(void **state)
{
    (void)state;
    fixture f;
    const rung_registry *fx = fixture_of(&f, 1);
    rung_found present = {"cuda", RUNG_REASON_NONE, "", "sm103", 1, 0, false};
    rung_machine machine = machine_x86(0);
    machine.found = &present;
    machine.n_found = 1;
    rung_platform *p = open_on(fx, "cuda/sm90", 0, &machine);
    static const char capped[] = "cuda/sm100 default: capped: capped at sm90\n"
                                 "cuda/sm90a default: arch invalid: this device is sm103\n"
                                 "*cuda/sm90 default: available\n";
    assert_memory_equal(explained(p, FX_OP_WHICH, 0), capped, sizeof capped - 1);
    rung_platform_close(p);
    present.arch = "sm50";
    p = open_on(fx, "cuda/ptx", 0, &machine);
    assert_non_null(strstr(explained(p, FX_OP_WHICH, 0),
                           "cuda/ptx default: arch invalid: compute_75, this device is sm50\n"
                           "*cuda/generic default: available\n"));
    rung_platform_close(p);
}

static void states_of_devices_are_reasons(void **state)
{
    (void)state;
    fixture f;
    const rung_registry *fx = fixture_of(&f, 1);
    for (int reason = RUNG_REASON_DEVICE_ABSENT; reason <= RUNG_REASON_FORKED; reason++) {
        const rung_found found = {"cuda", (rung_reason)reason, "a figure", "", 0, 0, false};
        rung_machine machine = machine_x86(0);
        machine.found = &found;
        machine.n_found = 1;
        rung_platform *p = open_on(fx, "cuda", RUNG_OPEN_INSPECT, &machine);
        char line[256];
        rung_text t = rung_text_in(line, sizeof line);
        rung_text_add(&t, "cuda/generic default: ");
        rung_text_add(&t, rung_reason_text((rung_reason)reason));
        rung_text_add(&t, ": a figure\n*cpu/generic default: available\n");
        assert_non_null(strstr(explained(p, FX_OP_FLOW_MATCH_STEP, 0), line));
        rung_platform_close(p);
        rung_error err;
        assert_int_equal(rung_platform_open_on(fx, "cuda", 0, &machine, &p, &err), RUNG_ERR_UNAVAILABLE);
        assert_non_null(strstr(err.text, rung_reason_text((rung_reason)reason)));
    }
}

/* ---- one reason each ----------------------------------------------------------------------------------------------
 */

static void requirements_of_a_cell(void **state)
{
    (void)state;
    fixture f;
    const rung_registry *fx = fixture_of(&f, 0);
    rung_machine machine = machine_x86(4);
    rung_platform *p = open_on(fx, "cpu", 0, &machine);
    assert_string_equal(explained(p, FX_OP_REASONS, 0),
                        "cpu/amx default: planned\n"
                        "cpu/x86-64-v4 default: CPU lacks: avx512_fp16\n"
                        "cpu/x86-64-v3 default: experimental\n"
                        "cpu/x86-64-v2 default: not built: needs nowhere, which this build lacks\n"
                        "*cpu/generic default: available\n");
    rung_platform_close(p);

    machine.cpu.disabled = RUNG_CPU_MASK(x86, avx512_fp16);
    p = open_on(fx, "cpu", 0, &machine);
    assert_non_null(strstr(explained(p, FX_OP_REASONS, 0), "v4 default: system does not enable: avx512_fp16\n"));
    rung_platform_close(p);

    machine.cpu.disabled = 0;
    machine.cpu.features |= RUNG_CPU_MASK(x86, avx512_fp16);
    p = open_on(fx, "cpu", 0, &machine);
    assert_non_null(strstr(explained(p, FX_OP_REASONS, 0), "*cpu/x86-64-v4 default: available\n"));
    rung_platform_close(p);
}

static void experimental_cells_are_chosen_when_asked_for(void **state)
{
    (void)state;
    fixture f;
    rung_machine machine = machine_x86(3);
    rung_platform *p = open_on(fixture_of(&f, 0), "cpu", RUNG_OPEN_EXPERIMENTAL, &machine);
    assert_non_null(strstr(explained(p, FX_OP_REASONS, 0), "*cpu/x86-64-v3 default: available\n"));
    rung_platform_close(p);
}

/* They count until they are asked for, at the first use. */
static void tiles_that_are_still_to_be_granted(void **state)
{
    (void)state;
    fixture f;
    rung_machine machine = machine_x86(4);
    machine.cpu.disabled = RUNG_CPU_MASK(x86, amx_tile) | RUNG_CPU_MASK(x86, amx_int8) | RUNG_CPU_MASK(x86, amx_bf16);
    machine.cpu.amx_permission = 0;
    rung_platform *p = open_on(fixture_of(&f, 0), "cpu", 0, &machine);
    assert_non_null(strstr(explained(p, FX_OP_WHICH, 0), "*cpu/amx default: available\n"));
    assert_string_equal(chain_of(p, 0), "amx x86-64-v4 x86-64-v3 x86-64-v2 generic");
    rung_platform_close(p);
}

/* On AArch64 the x86 half of the list is foreign. */
static void ladder_of_an_aarch64_machine(void **state)
{
    (void)state;
    fixture f;
    rung_machine machine = machine_aarch64(1);
    rung_platform *p = open_on(fixture_of(&f, 0), "cpu", 0, &machine);
    assert_string_equal(explained(p, FX_OP_WHICH, 0),
                        "cpu/amx default: arch invalid: for x86, this processor is aarch64\n"
                        "cpu/x86-64-v4 default: arch invalid: for x86, this processor is aarch64\n"
                        "cpu/x86-64-v3 default: arch invalid: for x86, this processor is aarch64\n"
                        "cpu/x86-64-v2 default: arch invalid: for x86, this processor is aarch64\n"
                        "cpu/sve2 default: CPU lacks: fphp\n"
                        "cpu/sve default: CPU lacks: fphp\n"
                        "*cpu/neon default: available\n"
                        "cpu/generic default: available\n");
    rung_platform_close(p);
}

static void cells_of_the_other_family_are_not_built(void **state)
{
    (void)state;
    rung_machine x86 = machine_x86(3);
    rung_machine arm = machine_aarch64(1);
    rung_platform *p = open_on(&fx_registry, "cpu", 0, &x86);
    const char *text = explained(p, FX_OP_WHICH, 0);
#if defined(__aarch64__)
    assert_non_null(strstr(text, "cpu/x86-64-v3 default: not built: only in builds for x86\n"));
    assert_non_null(strstr(text, "*cpu/generic default: available\n"));
#else
    assert_non_null(strstr(text, "cpu/neon default: not built: only in builds for aarch64\n"));
#endif
    rung_platform_close(p);
    p = open_on(&fx_registry, "cpu", 0, &arm);
    assert_non_null(strstr(explained(p, FX_OP_WHICH, 0), "*cpu/"));
    rung_platform_close(p);
}

/* What host pointers cannot be given to, and what device pointers cannot. */
static void memory_is_a_reason(void **state)
{
    (void)state;
    fixture f;
    const rung_registry *fx = fixture_of(&f, 1);
    const rung_found present = {"cuda", RUNG_REASON_NONE, "", "sm90", 1, 0, false};
    rung_machine machine = machine_x86(0);
    machine.found = &present;
    machine.n_found = 1;
    rung_platform *p = open_on(fx, NULL, 0, &machine);
    rung_cell cell;
    assert_int_equal(rung_cell_find(fx, "flow_match_step", "cuda", "generic", NULL, &cell, NULL), RUNG_OK);
    char detail[64];
    rung_text t = rung_text_in(detail, sizeof detail);
    assert_int_equal(rung_judge(fx, p, cell.id, RUNG_MEMORY_HOST, &t), RUNG_REASON_MEMORY);
    assert_string_equal(detail, "the data is in host memory");
    assert_int_equal(rung_judge(fx, p, cell.id, RUNG_MEMORY_DEVICE, NULL), RUNG_REASON_NONE);
    assert_int_equal(rung_judge(fx, p, cell.id, RUNG_MEMORY_ANY, NULL), RUNG_REASON_NONE);
    assert_int_equal(rung_cell_find(fx, "flow_match_step", "cpu", "generic", NULL, &cell, NULL), RUNG_OK);
    t = rung_text_in(detail, sizeof detail);
    assert_int_equal(rung_judge(fx, p, cell.id, RUNG_MEMORY_DEVICE, &t), RUNG_REASON_MEMORY);
    assert_string_equal(detail, "the data is in memory of cuda");

    assert_string_equal(resolved(p, FX_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_HOST), "cpu/generic default");
    assert_string_equal(resolved(p, FX_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_DEVICE), "cuda/generic default");
    assert_string_equal(resolved(p, FX_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_ANY), "cuda/generic default");
    assert_string_equal(resolved(p, FX_OP_SCALE, 0, RUNG_MEMORY_DEVICE), "none");
    rung_resolution found;
    rung_error err;
    assert_int_equal(rung_resolve(p, FX_OP_SCALE, 0, RUNG_MEMORY_DEVICE, &found, &err), RUNG_ERR_NO_KERNEL);
    assert_string_equal(err.text, "scale, variant default: no kernel along cuda/sm90,cpu/generic: cuda/sm80 default "
                                  "planned; cpu/x86-64-v4 default memory (the data is in memory of cuda); "
                                  "cpu/generic default memory (the data is in memory of cuda)");
    rung_platform_close(p);
}

static void caps_by_the_environment_say_so(void **state)
{
    (void)state;
    fixture f;
    rung_machine machine = machine_x86(4);
    machine.env_platform = "cpu/x86-64-v3";
    rung_platform *p = open_on(fixture_of(&f, 0), NULL, 0, &machine);
    assert_string_equal(explained(p, FX_OP_SCALE, 0), "cpu/x86-64-v4 default: capped: capped at x86-64-v3 by "
                                                      "RUNG_PLATFORM\n"
                                                      "cpu/x86-64-v3 default: not declared\n"
                                                      "cpu/x86-64-v2 default: not declared\n"
                                                      "*cpu/generic default: available\n");
    rung_platform_close(p);
}

static void a_reason_and_its_figures_are_one_phrase(void **state)
{
    (void)state;
    static const struct {
        rung_reason reason;
        const char *detail, *text;
    } table[] = {
        {RUNG_REASON_NONE, "", "available"},
        {RUNG_REASON_PLANNED, "", "planned"},
        {RUNG_REASON_CAPPED, "capped at x86-64-v3", "capped at x86-64-v3"},
        {RUNG_REASON_CAPPED, "", "capped"},
        {RUNG_REASON_CPU_LACKS, "avx512f", "CPU lacks avx512f"},
        {RUNG_REASON_SYSTEM_DISABLED, "avx", "system does not enable avx"},
        {RUNG_REASON_DRIVER_TOO_OLD, "driver 11.4", "driver too old (driver 11.4)"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        rung_cell cell = {.reason = table[i].reason};
        rung_text t = rung_text_in(cell.detail, sizeof cell.detail);
        rung_text_add(&t, table[i].detail);
        char text[128];
        t = rung_text_in(text, sizeof text);
        rung_why(cell.reason, cell.detail, &t);
        assert_string_equal(text, table[i].text);
    }
}

/* ---- the call -----------------------------------------------------------------------------------------------------
 */

static int stop_at_second(const rung_cell *cell, void *user)
{
    (void)cell;
    int *calls = user;
    return ++*calls == 2;
}

static void explaining_can_be_stopped(void **state)
{
    (void)state;
    rung_machine machine = machine_x86(3);
    rung_platform *p = open_on(&fx_registry, "accel", 0, &machine);
    int calls = 0;
    assert_int_equal(rung_explain(p, FX_OP_WHICH, 0, stop_at_second, &calls), RUNG_OK);
    assert_int_equal(calls, 2);
    rung_platform_close(p);
}

static void unknown_variants_act_as_default(void **state)
{
    (void)state;
    rung_machine machine = machine_x86(3);
    rung_platform *p = open_on(&fx_registry, "accel", 0, &machine);
    char expected[8192];
    rung_text t = rung_text_in(expected, sizeof expected);
    rung_text_add(&t, explained(p, FX_OP_SCALE, 0));
    assert_string_equal(explained(p, FX_OP_SCALE, FX_VARIANT_COUNT), expected);
    assert_string_equal(explained(p, FX_OP_SCALE, RUNG_NONE), expected);
    rung_platform_close(p);
}

static void bad_arguments(void **state)
{
    (void)state;
    rung_machine machine = machine_x86(3);
    rung_platform *p = open_on(&fx_registry, "cpu", 0, &machine);
    assert_int_equal(rung_explain(NULL, 0, 0, print_cell, NULL), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_explain(p, FX_OP_COUNT, 0, print_cell, NULL), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_explain(p, 0, 0, NULL, NULL), RUNG_ERR_ARGUMENT);
    rung_platform_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ladders_of_the_cpu),
        cmocka_unit_test(ladders_over_devices),
        cmocka_unit_test(ladders_of_absent_devices),
        cmocka_unit_test(a_detected_device),
        cmocka_unit_test(a_cap_makes_no_image_fit),
        cmocka_unit_test(states_of_devices_are_reasons),
        cmocka_unit_test(requirements_of_a_cell),
        cmocka_unit_test(experimental_cells_are_chosen_when_asked_for),
        cmocka_unit_test(tiles_that_are_still_to_be_granted),
        cmocka_unit_test(ladder_of_an_aarch64_machine),
        cmocka_unit_test(cells_of_the_other_family_are_not_built),
        cmocka_unit_test(memory_is_a_reason),
        cmocka_unit_test(caps_by_the_environment_say_so),
        cmocka_unit_test(a_reason_and_its_figures_are_one_phrase),
        cmocka_unit_test(explaining_can_be_stopped),
        cmocka_unit_test(unknown_variants_act_as_default),
        cmocka_unit_test(bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
