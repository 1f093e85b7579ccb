/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <stdlib.h>

#include "rk/rk.h"

/* ---- arch chains --------------------------------------------------------------------------------------------------
 */

/* The examples of docs/resolution.md, and what lies between them. */
static void arch_chains(void **state)
{
    (void)state;
    fixture f;
    const rung_registry *fx = fixture_of(&f, 0);
    rung_machine machine = machine_x86(0);
    static const struct {
        const char *chain, *archs;
    } table[] = {
        {"accel", "sm90 sm80 generic"},
        {"accel/sm70", "sm70 generic"},
        {"accel/sm80", "sm80 generic"},
        {"accel/sm85", "sm85 sm80 generic"},
        {"accel/sm90", "sm90 sm80 generic"},
        {"accel/sm120", "sm120 sm90 sm80 generic"},
        {"accel/sm99999999", "sm99999999 sm90 sm80 generic"},
        {"accel/generic", "generic"},
        {"accel/gfx90a", "gfx90a generic"},
        {"accel/sm090", "sm090 generic"},
        {"accel/sm90a", "sm90a generic"},
        {"cuda", "ptx generic"},
        {"cuda/sm60", "generic"},
        {"cuda/sm75", "ptx generic"},
        {"cuda/sm80", "sm80 ptx generic"},
        {"cuda/sm86", "sm80 ptx generic"},
        {"cuda/sm89", "sm80 ptx generic"},
        {"cuda/sm90", "sm90a sm90 sm80 ptx generic"},
        {"cuda/sm100", "sm100 sm90 sm80 ptx generic"},
        {"cuda/sm103", "sm100 sm90 sm80 ptx generic"},
        {"cuda/sm110", "sm100 sm90 sm80 ptx generic"},
        {"cuda/sm120", "sm100 sm90 sm80 ptx generic"},
        {"cuda/sm121", "sm100 sm90 sm80 ptx generic"},
        {"cuda/sm999", "sm100 sm90 sm80 ptx generic"},
        {"cuda/ptx", "ptx generic"},
        {"cuda/generic", "generic"},
        {"cpu", "generic"},
        {"cpu/x86-64-v2", "x86-64-v2 generic"},
        {"cpu/amx", "amx x86-64-v4 x86-64-v3 x86-64-v2 generic"},
        {"cpu/neon", "neon generic"},
        {"cpu/sve2", "sve2 sve neon generic"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        rung_platform *p = open_on(fx, table[i].chain, RUNG_OPEN_INSPECT, &machine);
        assert_string_equal(chain_of(p, 0), table[i].archs);
        assert_string_equal(chain_of(p, 99), "");
        rung_platform_close(p);
    }
}

static void the_cpu_chain_is_the_running_processor_s(void **state)
{
    (void)state;
    fixture f;
    const rung_registry *fx = fixture_of(&f, 0);
    static const struct {
        int aarch64;
        uint16_t rank;
        const char *text, *archs;
    } table[] = {
        {0, 0, "accel/sm90,cpu/generic", "generic"},
        {0, 2, "accel/sm90,cpu/x86-64-v2", "x86-64-v2 generic"},
        {0, 3, "accel/sm90,cpu/x86-64-v3", "x86-64-v3 x86-64-v2 generic"},
        {0, 4, "accel/sm90,cpu/x86-64-v4", "x86-64-v4 x86-64-v3 x86-64-v2 generic"},
        {0, 5, "accel/sm90,cpu/amx", "amx x86-64-v4 x86-64-v3 x86-64-v2 generic"},
        {1, 1, "accel/sm90,cpu/neon", "neon generic"},
        {1, 2, "accel/sm90,cpu/sve", "sve neon generic"},
        {1, 3, "accel/sm90,cpu/sve2", "sve2 sve neon generic"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        rung_machine machine = table[i].aarch64 ? machine_aarch64(table[i].rank) : machine_x86(table[i].rank);
        rung_platform *p = open_on(fx, "accel", 0, &machine);
        assert_string_equal(rung_platform_text(p), table[i].text);
        assert_string_equal(chain_of(p, 1), table[i].archs);
        rung_platform_close(p);
    }
}

/* rk lists neither x86-64-v2, nor amx, nor sve: such a machine stands on the row of its rank. */
static void a_level_that_no_list_holds(void **state)
{
    (void)state;
    static const struct {
        int aarch64;
        uint16_t rank;
        const char *text, *archs;
    } table[] = {
        {0, 2, "cpu/x86-64-v2", "generic"},
        {0, 3, "cpu/x86-64-v3", "x86-64-v3 generic"},
        {0, 5, "cpu/amx", "x86-64-v4 x86-64-v3 generic"},
        {1, 1, "cpu/neon", "neon generic"},
        {1, 3, "cpu/sve2", "neon generic"},
        {1, 0, "cpu/generic", "generic"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        rung_machine machine = table[i].aarch64 ? machine_aarch64(table[i].rank) : machine_x86(table[i].rank);
        rung_platform *p = open_on(&rk_registry, NULL, 0, &machine);
        assert_string_equal(rung_platform_text(p), table[i].text);
        assert_string_equal(chain_of(p, 0), table[i].archs);
        rung_platform_close(p);
    }
    rung_machine other = machine_with("other", 0);
    rung_platform *p = open_on(&rk_registry, NULL, 0, &other);
    assert_string_equal(rung_platform_text(p), "cpu/generic");
    rung_platform_close(p);
}

/* ---- what is asked for --------------------------------------------------------------------------------------------
 */

static void accessors(void **state)
{
    (void)state;
    fixture f;
    const rung_registry *fx = fixture_of(&f, 0);
    rung_machine machine = machine_x86(4);
    rung_platform *p = open_on(fx, "cuda:3/sm86,accel/sm85,cpu/x86-64-v3", RUNG_OPEN_INSPECT, &machine);
    assert_string_equal(rung_platform_text(p), "cuda:3/sm86,accel/sm85,cpu/x86-64-v3");
    assert_string_equal(rung_platform_reason(p), "asked for cuda:3/sm86,accel/sm85,cpu/x86-64-v3");
    assert_ptr_equal(rung_platform_registry(p), fx);
    assert_int_equal(rung_platform_devices(p), 3);
    assert_string_equal(rung_platform_device(p, 0), "cuda");
    assert_string_equal(rung_platform_device(p, 2), "cpu");
    assert_null(rung_platform_device(p, 3));
    assert_string_equal(rung_platform_arch(p, 1), "sm85");
    assert_string_equal(rung_platform_detected(p, 0), "");
    assert_string_equal(rung_platform_detected(p, 1), "");
    assert_string_equal(rung_platform_detected(p, 2), "x86-64-v4");
    assert_int_equal(rung_platform_index(p, 0), 3);
    assert_int_equal(rung_platform_index(p, 1), 0);
    assert_null(rung_platform_arch(p, 3));
    assert_null(rung_platform_detected(p, 3));
    assert_int_equal(rung_platform_index(p, 3), 0);
    assert_null(rung_platform_arch_step(p, 3, 0));
    rung_ctx cx = rung_ctx_of(p);
    assert_ptr_equal(cx.platform, p);
    assert_int_equal(cx.variant, 0);
    assert_int_equal(cx.memory, RUNG_MEMORY_HOST);
    rung_platform_close(p);

    assert_null(rung_platform_registry(NULL));
    assert_null(rung_platform_text(NULL));
    assert_null(rung_platform_reason(NULL));
    assert_int_equal(rung_platform_devices(NULL), 0);
    assert_null(rung_platform_device(NULL, 0));
    rung_platform_close(NULL);
}

static void a_text_opens_the_same_platform(void **state)
{
    (void)state;
    fixture f;
    const rung_registry *fx = fixture_of(&f, 0);
    static const char *const chains[] = {NULL, "cpu", "accel", "accel/sm120", "cpu/x86-64-v3", "cuda,accel", "cuda:2"};
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        rung_machine machine = machine_x86(4);
        rung_platform *a = open_on(fx, chains[i], RUNG_OPEN_INSPECT, &machine);
        rung_platform *b = open_on(fx, rung_platform_text(a), RUNG_OPEN_INSPECT, &machine);
        assert_string_equal(rung_platform_text(a), rung_platform_text(b));
        for (uint32_t op = 0; op < FX_OP_COUNT; op++) {
            for (uint32_t variant = 0; variant < FX_VARIANT_COUNT; variant++) {
                char first[8192];
                rung_text t = rung_text_in(first, sizeof first);
                rung_text_add(&t, explained(a, op, variant));
                assert_string_equal(first, explained(b, op, variant));
            }
        }
        rung_platform_close(a);
        rung_platform_close(b);
    }
}

static void what_cannot_be_had(void **state)
{
    (void)state;
    fixture f;
    const rung_registry *fx = fixture_of(&f, 0);
    static const struct {
        unsigned rank;
        rung_status status;
        const char *chain;
        const char *text;
    } table[] = {
        {3, RUNG_ERR_UNAVAILABLE, "cpu/x86-64-v4", "cpu/x86-64-v4: this CPU lacks avx512f"},
        {2, RUNG_ERR_UNAVAILABLE, "cpu/x86-64-v4", "cpu/x86-64-v4: this CPU lacks avx"},
        {4, RUNG_ERR_UNAVAILABLE, "cpu/amx", "cpu/amx: this CPU lacks amx_tile"},
        {0, RUNG_ERR_UNAVAILABLE, "cpu/x86-64-v2", "cpu/x86-64-v2: this CPU lacks sse3"},
        {4, RUNG_ERR_UNAVAILABLE, "cpu/neon", "cpu/neon: for aarch64, this processor is x86"},
        {4, RUNG_ERR_UNKNOWN, "cpu/x86-64-v5", "cpu/x86-64-v5: unknown arch; nearest: x86-64-v4, x86-64-v3, x86-64-v2"},
        {4, RUNG_ERR_UNKNOWN, "cpu:1", "cpu:1: the only index of cpu is 0"},
        {4, RUNG_ERR_UNKNOWN, "accel:1/sm90", "accel:1/sm90: the only index of accel is 0"},
        {4, RUNG_ERR_UNKNOWN, "gpu", "unknown device \"gpu\"; nearest: cpu, cuda, accel"},
        {4, RUNG_ERR_UNKNOWN, "cpu,metal", "unknown device \"metal\"; nearest: accel, cuda, cpu"},
        {4, RUNG_ERR_UNAVAILABLE, "cuda", "cuda: not built: no kernels for cuda in this build"},
        {4, RUNG_ERR_UNAVAILABLE, "accel,cuda:1/sm90", "cuda:1/sm90: not built: no kernels for cuda in this build"},
        {4, RUNG_ERR_UNKNOWN, "cuda/sm90a",
         "cuda/sm90a: kernels are built for this arch, but no device is called so: name the device's own"},
        {4, RUNG_ERR_UNKNOWN, "cuda/sm90f", "cuda/sm90f: unknown arch; nearest: sm90, sm100, sm80"},
        {4, RUNG_ERR_UNKNOWN, "cuda/SM90", "cuda/SM90: unknown arch; nearest: sm90, sm80, sm100"},
        {4, RUNG_ERR_SYNTAX, "", "platform string \"\": character 1: expected the name of a device"},
        {4, RUNG_ERR_SYNTAX, "cpu,cpu", "platform string \"cpu,cpu\": character 5: this device is named twice"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        rung_machine machine = machine_x86((uint16_t)table[i].rank);
        rung_platform *p = (rung_platform *)&machine;
        rung_error err;
        assert_int_equal(rung_platform_open_on(fx, table[i].chain, 0, &machine, &p, &err), table[i].status);
        assert_string_equal(err.text, table[i].text);
        assert_int_equal(err.status, table[i].status);
        assert_ptr_equal(p, &machine); /* untouched */
    }
}

static void what_the_system_does_not_enable_cannot_be_had(void **state)
{
    (void)state;
    rung_machine machine = machine_x86(3);
    machine.cpu.disabled = rung_level_features(RUNG_MODEL_X86, 4) & ~machine.cpu.features;
    rung_platform *p;
    rung_error err;
    assert_int_equal(rung_platform_open_on(&fx_registry, "cpu/x86-64-v4", 0, &machine, &p, &err), RUNG_ERR_UNAVAILABLE);
    assert_string_equal(err.text, "cpu/x86-64-v4: this system does not enable avx512f");
    machine.cpu.disabled &= ~RUNG_CPU_MASK(x86, avx512vl);
    assert_int_equal(rung_platform_open_on(&fx_registry, "cpu/x86-64-v4", 0, &machine, &p, &err), RUNG_ERR_UNAVAILABLE);
    assert_string_equal(err.text, "cpu/x86-64-v4: this CPU lacks avx512vl");

    machine = machine_x86(4);
    machine.cpu.disabled = RUNG_CPU_MASK(x86, amx_tile) | RUNG_CPU_MASK(x86, amx_int8) | RUNG_CPU_MASK(x86, amx_bf16);
    machine.cpu.amx_permission = 0;
    p = open_on(&fx_registry, "cpu/amx", 0, &machine); /* they have only to be asked for */
    assert_string_equal(rung_platform_text(p), "cpu/amx");
    rung_platform_close(p);
    machine.cpu.amx_permission = -1;
    assert_int_equal(rung_platform_open_on(&fx_registry, "cpu/amx", 0, &machine, &p, &err), RUNG_ERR_UNAVAILABLE);
    assert_string_equal(err.text, "cpu/amx: this system does not enable amx_tile");
}

static void for_inspection_nothing_has_to_be_there(void **state)
{
    (void)state;
    fixture f;
    const rung_registry *fx = fixture_of(&f, 0);
    rung_machine machine = machine_x86(3);
    static const char *const chains[] = {"cpu/x86-64-v4", "cpu/neon", "cuda", "cuda:7/sm90", "cpu/amx,cuda"};
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++)
        rung_platform_close(open_on(fx, chains[i], RUNG_OPEN_INSPECT, &machine));
    static const char *const wrong[] = {"cpu/v9", "gpu", "cuda/sm90a", "cpu:1", "cpu,"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        rung_platform *p;
        assert_int_not_equal(rung_platform_open_on(fx, wrong[i], RUNG_OPEN_INSPECT, &machine, &p, NULL), RUNG_OK);
    }
}

/* ---- automatic, and the environment -------------------------------------------------------------------------------
 */

static void automatic(void **state)
{
    (void)state;
    fixture f;
    rung_machine machine = machine_x86(3);
    rung_platform *p = open_on(fixture_of(&f, 0), NULL, 0, &machine);
    assert_string_equal(rung_platform_text(p), "cpu/x86-64-v3");
    assert_string_equal(rung_platform_reason(p), "automatic: first of cuda, cpu that is usable; cuda: not built");
    rung_platform_close(p);

    p = open_on(fixture_of(&f, 1), NULL, 0, &machine);
    assert_string_equal(rung_platform_text(p), "cpu/x86-64-v3");
    assert_string_equal(rung_platform_reason(p), "automatic: first of cuda, cpu that is usable; cuda: device absent");
    rung_platform_close(p);

    const rung_found broken = {"cuda", RUNG_REASON_DRIVER_TOO_OLD, "driver 11.4", "", 0, 0, false};
    machine.found = &broken;
    machine.n_found = 1;
    p = open_on(fixture_of(&f, 1), NULL, 0, &machine);
    assert_string_equal(rung_platform_reason(p), "automatic: first of cuda, cpu that is usable; cuda: driver too old");
    rung_platform_close(p);

    const rung_found present = {"cuda", RUNG_REASON_NONE, "", "sm86", 2, 0, false};
    machine.found = &present;
    p = open_on(fixture_of(&f, 1), NULL, 0, &machine);
    assert_string_equal(rung_platform_text(p), "cuda/sm86,cpu/x86-64-v3");
    assert_string_equal(rung_platform_reason(p), "automatic: first of cuda, cpu that is usable");
    assert_string_equal(rung_platform_detected(p, 0), "sm86");
    rung_platform_close(p);
    p = open_on(fixture_of(&f, 0), NULL, 0, &machine); /* there, and nothing is built for it */
    assert_string_equal(rung_platform_text(p), "cpu/x86-64-v3");
    rung_platform_close(p);
}

static void a_device_that_is_there(void **state)
{
    (void)state;
    fixture f;
    const rung_registry *fx = fixture_of(&f, 1);
    rung_machine machine = machine_x86(3);
    const rung_found present = {"cuda", RUNG_REASON_NONE, "", "sm86", 2, 0, false};
    machine.found = &present;
    machine.n_found = 1;
    rung_platform *p = open_on(fx, "cuda:1", 0, &machine);
    assert_string_equal(rung_platform_text(p), "cuda:1/sm86,cpu/x86-64-v3");
    rung_platform_close(p);
    static const struct {
        const char *chain, *text;
    } table[] = {
        {"cuda:2", "cuda:2: device absent: there are fewer devices than that"},
        {"cuda/sm90", "cuda/sm90: this device is sm86"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        rung_error err;
        assert_int_equal(rung_platform_open_on(fx, table[i].chain, 0, &machine, &p, &err), RUNG_ERR_UNAVAILABLE);
        assert_string_equal(err.text, table[i].text);
    }
    machine.n_found = 0;
    rung_error err;
    assert_int_equal(rung_platform_open_on(fx, "cuda", 0, &machine, &p, &err), RUNG_ERR_UNAVAILABLE);
    assert_string_equal(err.text, "cuda: device absent: no such device was found");
}

static void the_environment_stands_in_for_null_only(void **state)
{
    (void)state;
    rung_machine machine = machine_x86(3);
    machine.env_platform = "accel/sm80";
    rung_platform *p = open_on(&fx_registry, NULL, 0, &machine);
    assert_string_equal(rung_platform_text(p), "accel/sm80,cpu/x86-64-v3");
    assert_string_equal(rung_platform_reason(p), "RUNG_PLATFORM=accel/sm80");
    rung_platform_close(p);
    p = open_on(&fx_registry, "cpu", 0, &machine);
    assert_string_equal(rung_platform_reason(p), "asked for cpu");
    rung_platform_close(p);
    p = open_on(&fx_registry, NULL, RUNG_OPEN_NO_ENV, &machine);
    assert_string_equal(rung_platform_text(p), "cpu/x86-64-v3");
    rung_platform_close(p);
    machine.env_platform = "";
    p = open_on(&fx_registry, NULL, 0, &machine);
    assert_string_equal(rung_platform_text(p), "cpu/x86-64-v3");
    rung_platform_close(p);
}

static void errors_of_the_environment_name_the_variable(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        rung_status status;
        const char *text;
    } table[] = {
        {"cpu/x86-64-v4", RUNG_ERR_UNAVAILABLE, "RUNG_PLATFORM: cpu/x86-64-v4: this CPU lacks avx512f"},
        {"gpu", RUNG_ERR_UNKNOWN, "RUNG_PLATFORM: unknown device \"gpu\"; nearest: cpu, cuda, accel"},
        {"c\npu", RUNG_ERR_SYNTAX,
         "RUNG_PLATFORM: platform string \"c?pu\": character 2: expected `:` and an index, `/` and an arch, `,` and a "
         "device, or the end"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        rung_machine machine = machine_x86(3);
        machine.env_platform = table[i].value;
        rung_platform *p;
        rung_error err;
        assert_int_equal(rung_platform_open_on(&fx_registry, NULL, 0, &machine, &p, &err), table[i].status);
        assert_string_equal(err.text, table[i].text);
    }
}

static void the_environment_is_read(void **state)
{
    (void)state;
    rung_platform *p;
    rung_error err;
    assert_int_equal(setenv("RUNG_PLATFORM", "accel/sm80", 1), 0);
    assert_int_equal(rung_platform_open(&fx_registry, NULL, 0, &p, &err), RUNG_OK);
    assert_string_equal(rung_platform_reason(p), "RUNG_PLATFORM=accel/sm80");
    assert_string_equal(getenv("RUNG_PLATFORM"), "accel/sm80");
    rung_platform_close(p);
    assert_int_equal(unsetenv("RUNG_PLATFORM"), 0);
    assert_int_equal(rung_platform_open(&fx_registry, NULL, 0, &p, NULL), RUNG_OK);
    rung_cpu cpu;
    rung_cpu_detect(&cpu);
    assert_string_equal(rung_platform_detected(p, 0), cpu.level);
    rung_platform_close(p);
}

/* Strings of pieces that mean something, put together at random: an answer each time, and a text of one line. */
static void any_string_is_answered(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "cpu",    "cuda", "accel",     "gpu",     ",",   ",",    ":", "/",    "/",
        "sm90",   "sm86", "x86-64-v3", "generic", "amx", "neon", "0", "7",    "99999999999",
        "gfx90a", "ptx",  "sm90a",     " ",       "\n",  "\xff", "-", "%s%n",
    };
    enum { PIECES = sizeof pieces / sizeof *pieces };
    fixture f;
    const rung_registry *fx = fixture_of(&f, 0);
    rung_machine machine = machine_x86(4);
    uint32_t seed = 1;
    unsigned opened = 0;
    for (int i = 0; i < 50000; i++) {
        char chain[256];
        rung_text t = rung_text_in(chain, sizeof chain);
        do {
            seed = seed * 1664525u + 1013904223u;
            rung_text_add(&t, pieces[(seed >> 16) % PIECES]);
        } while (seed >> 29 != 0);
        rung_platform *p = NULL;
        rung_error err;
        rung_status status = rung_platform_open_on(fx, chain, i % 2 ? RUNG_OPEN_INSPECT : 0, &machine, &p, &err);
        assert_int_equal(status, err.status);
        if (status == RUNG_OK) {
            opened++;
            assert_string_equal(err.text, "");
            rung_platform_close(p);
            continue;
        }
        assert_true(status == RUNG_ERR_SYNTAX || status == RUNG_ERR_UNKNOWN || status == RUNG_ERR_UNAVAILABLE);
        assert_null(p);
        assert_true(strlen(err.text) > 0);
        for (const char *at = err.text; *at != '\0'; at++)
            assert_true(*at >= ' ' && *at <= '~');
    }
    assert_true(opened > 100);
}

/* ---- arguments ----------------------------------------------------------------------------------------------------
 */

static void bad_arguments(void **state)
{
    (void)state;
    rung_platform *p = NULL;
    rung_error err;
    assert_int_equal(rung_platform_open(NULL, NULL, 0, &p, &err), RUNG_ERR_ARGUMENT);
    assert_string_equal(err.text, "no registry given");
    assert_int_equal(rung_platform_open(&fx_registry, NULL, 0, NULL, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_platform_open(&fx_registry, NULL, 8, &p, &err), RUNG_ERR_ARGUMENT);
    assert_string_equal(err.text, "unknown flag");
    assert_int_equal(rung_platform_open(NULL, NULL, 0, NULL, NULL), RUNG_ERR_ARGUMENT);
    assert_null(p);
}

static void tables_of_another_version(void **state)
{
    (void)state;
    rung_platform *p = NULL;
    rung_error err;
    rung_registry other = fx_registry;
    other.abi = RUNG_TABLE_ABI + 1;
    assert_int_equal(rung_platform_open(&other, NULL, 0, &p, &err), RUNG_ERR_ABI);
    assert_non_null(strstr(err.text, "ABI 4"));
    assert_int_equal(err.status, RUNG_ERR_ABI);
    other = fx_registry;
    other.size--;
    assert_int_equal(rung_platform_open(&other, NULL, 0, &p, NULL), RUNG_ERR_ABI);
    rung_cell cell;
    assert_int_equal(rung_cell_find(&other, "which", "cpu", "generic", NULL, &cell, &err), RUNG_ERR_ABI);
    assert_int_equal(rung_matrix(&other, NULL, print_cell, NULL), RUNG_ERR_ABI);
    assert_null(p);
    assert_null(rung_registry_namespace(&other));
    assert_int_equal(rung_op_count(&other) + rung_variant_count(&other) + rung_device_count(&other), 0);
    assert_int_equal(rung_op_find(&other, "which"), RUNG_NONE);
    assert_int_equal(rung_variant_find(&other, "default"), RUNG_NONE);
    assert_int_equal(rung_device_find(&other, "cpu"), RUNG_NONE);
    assert_null(rung_op_name(&other, 0));
}

static void a_platform_of_another_registry_is_refused(void **state)
{
    (void)state;
    rung_platform *fx;
    rung_platform *rk;
    assert_int_equal(rung_platform_open(&fx_registry, "cpu", 0, &fx, NULL), RUNG_OK);
    assert_int_equal(rung_platform_open(&rk_registry, "cpu", 0, &rk, NULL), RUNG_OK);
    rung_ctx cx = rung_ctx_of(rk);
    int32_t number = -1;
    assert_int_equal(fx_which(&cx, &number), RUNG_ERR_ARGUMENT);
    assert_int_equal(number, -1);
    cx = rung_ctx_of(fx);
    assert_int_equal(fx_which(&cx, &number), RUNG_OK);
    assert_int_not_equal(number, -1);
    double c[1] = {0};
    double a[1] = {2};
    double b[1] = {3};
    assert_int_equal(rk_gemm_tn(&cx, c, a, b, 1, 1, 1, 1.0, 0.0), RUNG_ERR_ARGUMENT);
    cx = rung_ctx_of(rk);
    assert_int_equal(rk_gemm_tn(&cx, c, a, b, 1, 1, 1, 1.0, 0.0), RUNG_OK);
    assert_true(c[0] == 6.0);
    assert_int_equal(rung_matrix(&fx_registry, rk, print_cell, NULL), RUNG_ERR_ARGUMENT);
    cx.memory = 3;
    assert_int_equal(rk_gemm_tn(&cx, c, a, b, 1, 1, 1, 1.0, 0.0), RUNG_ERR_ARGUMENT);
    cx.platform = NULL;
    assert_int_equal(rk_gemm_tn(&cx, c, a, b, 1, 1, 1, 1.0, 0.0), RUNG_ERR_ARGUMENT);
    assert_int_equal(rk_gemm_tn(NULL, c, a, b, 1, 1, 1, 1.0, 0.0), RUNG_ERR_ARGUMENT);
    rung_platform_close(fx);
    rung_platform_close(rk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arch_chains),
        cmocka_unit_test(the_cpu_chain_is_the_running_processor_s),
        cmocka_unit_test(a_level_that_no_list_holds),
        cmocka_unit_test(accessors),
        cmocka_unit_test(a_text_opens_the_same_platform),
        cmocka_unit_test(what_cannot_be_had),
        cmocka_unit_test(what_the_system_does_not_enable_cannot_be_had),
        cmocka_unit_test(for_inspection_nothing_has_to_be_there),
        cmocka_unit_test(automatic),
        cmocka_unit_test(a_device_that_is_there),
        cmocka_unit_test(the_environment_stands_in_for_null_only),
        cmocka_unit_test(errors_of_the_environment_name_the_variable),
        cmocka_unit_test(the_environment_is_read),
        cmocka_unit_test(any_string_is_answered),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(tables_of_another_version),
        cmocka_unit_test(a_platform_of_another_registry_is_refused),
    };
    (void)unsetenv("RUNG_PLATFORM");
    (void)unsetenv("RUNG_LOG");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
