/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include "rk/rk.h"

static void the_examples_of_the_rules(void **state)
{
    (void)state;
    static const struct {
        const char *chain, *op, *variant, *answer;
        int variant_not_declared;
        uint32_t rung;
    } table[] = {
        {"accel/sm90", "flow_match_step", NULL, "accel/generic default", 0, 2},
        {"accel/sm90", "scale", "", "accel/sm90 default", 0, 0},
        {"cuda/sm90", "flow_match_step", "default", "cpu/generic default", 0, 8},
        {"cpu", "scale", "nonesuch", "cpu/x86-64-v4 default", 1, 0},
        {"accel/sm90", "scale", "fast", "accel/sm90 default", 0, 1},
        {"accel/sm80", "scale", "fast", "accel/sm80 fast", 0, 0},
        {"cpu/x86-64-v4", "scale", "exact", "cpu/generic exact", 0, 3},
        {"cpu", "later", NULL, "cpu/x86-64-v3 default", 0, 0},
        {"accel/sm70", "hole", NULL, "none", 0, 0},
        {"cpu", "hole", NULL, "none", 0, 0},
        {"cpu", "scale", "remote", "none", 0, 0},
        {"cpu", "which", "exact", "none", 0, 0}, /* strict, and the op has no cell of it */
        {"cpu", "which", "fast", "cpu/x86-64-v4 default", 0, 1},
    };
    fixture f;
    const rung_registry *fx = fixture_of(&f, 0);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        rung_machine machine = machine_x86(4);
        rung_platform *p = open_on(fx, table[i].chain, RUNG_OPEN_INSPECT, &machine);
        rung_resolution found;
        rung_error err;
        rung_status status = rung_resolve_name(p, table[i].op, table[i].variant, RUNG_MEMORY_HOST, &found, &err);
        if (strcmp(table[i].answer, "none") == 0) {
            assert_int_equal(status, RUNG_ERR_NO_KERNEL);
            assert_non_null(strstr(err.text, table[i].op));
            assert_non_null(strstr(err.text, rung_platform_text(p)));
        } else {
            assert_int_equal(status, RUNG_OK);
            char answer[128];
            rung_text t = rung_text_in(answer, sizeof answer);
            const char *const parts[] = {found.cell.device, "/", found.cell.arch, " ", found.cell.variant};
            for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
                rung_text_add(&t, parts[k]);
            assert_string_equal(answer, table[i].answer);
            assert_int_equal(found.variant_not_declared, table[i].variant_not_declared);
            assert_int_equal(found.rung, table[i].rung);
            assert_int_equal(found.cell.chosen, 1);
            assert_int_equal(found.cell.reason, RUNG_REASON_NONE);
        }
        rung_platform_close(p);
    }
}

static void the_error_of_no_kernel(void **state)
{
    (void)state;
    fixture f;
    rung_machine machine = machine_x86(0);
    rung_platform *p = open_on(fixture_of(&f, 0), "cpu", 0, &machine);
    rung_resolution found;
    rung_error err;
    assert_int_equal(rung_resolve_name(p, "scale", "remote", RUNG_MEMORY_HOST, &found, &err), RUNG_ERR_NO_KERNEL);
    assert_string_equal(err.text, "scale, variant remote: no kernel along cpu/generic: cpu/generic remote not built "
                                  "(needs nowhere, which this build lacks)");
    assert_int_equal(rung_resolve_name(p, "hole", NULL, RUNG_MEMORY_HOST, &found, &err), RUNG_ERR_NO_KERNEL);
    assert_string_equal(err.text, "hole, variant default: no kernel along cpu/generic: none is declared");
    rung_platform_close(p);
}

static void names_that_do_not_exist(void **state)
{
    (void)state;
    rung_machine machine = machine_x86(4);
    rung_platform *p = open_on(&rk_registry, "cpu", 0, &machine);
    rung_resolution found;
    rung_error err;
    assert_int_equal(rung_resolve_name(p, "gemm_tt", NULL, RUNG_MEMORY_HOST, &found, &err), RUNG_ERR_UNKNOWN);
    assert_string_equal(err.text, "unknown op \"gemm_tt\"; nearest: gemm_nt, gemm_tn, gemm_nt_f32");
    assert_int_equal(rung_resolve_name(p, "", NULL, RUNG_MEMORY_HOST, &found, &err), RUNG_ERR_UNKNOWN);
    assert_int_equal(rung_resolve_name(p, "GEMM_TN", NULL, RUNG_MEMORY_HOST, &found, &err), RUNG_ERR_UNKNOWN);
    rung_platform_close(p);
}

static void bad_arguments(void **state)
{
    (void)state;
    rung_machine machine = machine_x86(4);
    rung_platform *p = open_on(&rk_registry, "cpu", 0, &machine);
    rung_resolution found;
    rung_error err;
    assert_int_equal(rung_resolve(NULL, 0, 0, RUNG_MEMORY_HOST, &found, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_resolve(p, RK_OP_COUNT, 0, RUNG_MEMORY_HOST, &found, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_resolve(p, 0, 0, (rung_memory)3, &found, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_resolve(p, 0, 0, RUNG_MEMORY_HOST, NULL, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_resolve_name(p, NULL, NULL, RUNG_MEMORY_HOST, &found, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_resolve_name(NULL, "gemm_tn", NULL, RUNG_MEMORY_HOST, &found, NULL), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_resolve_name(p, "gemm_tn", NULL, RUNG_MEMORY_HOST, NULL, NULL), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_resolve(p, 0, RUNG_NONE, RUNG_MEMORY_HOST, &found, &err), RUNG_OK);
    assert_int_equal(found.variant_not_declared, 1);
    assert_string_equal(found.cell.variant, "default");
    rung_platform_close(p);
}

/* ---- what is called is what was resolved ---------------------------------------------------------------------------
 */

static void the_resolved_cell_is_called(void **state)
{
    (void)state;
    static const struct {
        const char *chain;
        int32_t number; /* of tests/fixtures/fx/which.h */
    } table[] = {{"cpu/generic", 1}, {"accel/sm90", 11}, {"accel/sm89", 10}, {"accel/generic", 9}, {"accel/gfx90a", 9}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        rung_platform *p;
        assert_int_equal(rung_platform_open(&fx_registry, table[i].chain, 0, &p, NULL), RUNG_OK);
        rung_ctx cx = rung_ctx_of(p);
        int32_t number = 0;
        assert_int_equal(fx_which(&cx, &number), RUNG_OK);
        assert_int_equal(number, table[i].number);
        cx.memory = RUNG_MEMORY_DEVICE;
        number = 0;
        assert_int_equal(fx_which(&cx, &number), RUNG_OK);
        assert_int_equal(number, table[i].number);
        cx.variant = FX_VARIANT_EXACT;
        assert_int_equal(fx_which(&cx, &number), RUNG_ERR_NO_KERNEL);
        cx.variant = 4711;
        assert_int_equal(fx_which(&cx, &number), RUNG_OK);
        rung_platform_close(p);
    }
}

static void every_level_of_this_machine_can_be_called(void **state)
{
    (void)state;
    rung_platform *p;
    assert_int_equal(rung_platform_open(&fx_registry, "cpu", 0, &p, NULL), RUNG_OK);
    const char *arch;
    for (uint32_t step = 0; (arch = rung_platform_arch_step(p, 0, step)) != NULL; step++) {
        char chain[32];
        rung_text t = rung_text_in(chain, sizeof chain);
        rung_text_add(&t, "cpu/");
        rung_text_add(&t, arch);
        rung_platform *capped;
        assert_int_equal(rung_platform_open(&fx_registry, chain, 0, &capped, NULL), RUNG_OK);
        rung_ctx cx = rung_ctx_of(capped);
        int32_t number = 0;
        assert_int_equal(fx_which(&cx, &number), RUNG_OK);
        rung_resolution found;
        assert_int_equal(rung_resolve(capped, FX_OP_WHICH, 0, RUNG_MEMORY_HOST, &found, NULL), RUNG_OK);
        assert_string_equal(found.cell.arch, arch);
        assert_true(number > 0);
        rung_platform_close(capped);
    }
    rung_platform_close(p);
}

static void workspace_is_asked_for(void **state)
{
    (void)state;
    rung_platform *p;
    assert_int_equal(rung_platform_open(&fx_registry, "cpu/generic", 0, &p, NULL), RUNG_OK);
    rung_resolution found;
    assert_int_equal(rung_resolve(p, FX_OP_REASONS, 0, RUNG_MEMORY_HOST, &found, NULL), RUNG_OK);
    assert_int_equal(found.cell.workspace, 4096);
    rung_ctx cx = rung_ctx_of(p);
    int32_t number = 0;
    assert_int_equal(fx_reasons(&cx, &number), RUNG_ERR_WORKSPACE);
    _Alignas(64) static char workspace[4096];
    cx.workspace = workspace;
    cx.workspace_size = sizeof workspace;
    assert_int_equal(fx_reasons(&cx, &number), RUNG_OK);
    cx.workspace_size--;
    assert_int_equal(fx_reasons(&cx, &number), RUNG_ERR_WORKSPACE);
    rung_platform_close(p);
}

/* ---- exact look-up --------------------------------------------------------------------------------------------------
 */

static void exact_look_up_ignores_availability(void **state)
{
    (void)state;
    rung_cell cell;
    rung_error err;
    assert_int_equal(rung_cell_find(&fx_registry, "scale", "cuda", "sm80", NULL, &cell, &err), RUNG_OK);
    assert_string_equal(cell.symbol, "fx_scale__cuda_sm80");
    assert_string_equal(cell.source, "kernels/cuda/sm80/scale.cu");
    assert_int_equal(cell.planned, 1);
    assert_int_equal(cell.built, 0);
    assert_int_equal(cell.declared, 1);
    assert_int_equal(cell.reason, RUNG_REASON_PLANNED);
    assert_int_equal(rung_cell_find(&fx_registry, "scale", "cpu", "generic", "remote", &cell, &err), RUNG_OK);
    assert_int_equal(cell.reason, RUNG_REASON_NOT_BUILT);
    assert_string_equal(cell.detail, "needs nowhere, which this build lacks");
    assert_int_equal(rung_cell_find(&fx_registry, "reasons", "cpu", "x86-64-v3", NULL, &cell, &err), RUNG_OK);
    assert_int_equal(cell.experimental, 1);
    assert_int_equal(rung_cell_find(&fx_registry, "which", "cuda", "sm90a", "default", &cell, &err), RUNG_OK);
    assert_string_equal(cell.arch, "sm90a");
}

static void keys_that_do_not_exist(void **state)
{
    (void)state;
    static const struct {
        const char *op, *device, *arch, *variant, *text;
    } table[] = {
        {"scal", "cpu", "generic", NULL, "unknown op \"scal\"; nearest: scale, hole, later"},
        {"scale", "Cpu", "generic", NULL, "unknown device \"Cpu\"; nearest: cpu, cuda, accel"},
        {"scale", "cpu", "Generic", NULL, "cpu has no arch \"Generic\"; nearest: generic, neon, sve2"},
        {"scale", "accel", "sm85", NULL, "accel has no arch \"sm85\"; nearest: sm80, sm90, generic"},
        {"scale", "cpu", "generic", "slow", "unknown variant \"slow\"; nearest: fast, exact, remote"},
        {"scale", "cpu", "generic", "", "unknown variant \"\"; nearest: fast, exact, remote"},
        {"scale", "cpu", "neon", NULL, "scale has no cell cpu/neon, variant default"},
        {"scale", "cpu", "generic", "fast", "scale has no cell cpu/generic, variant fast"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        rung_cell cell;
        rung_error err;
        assert_int_equal(
            rung_cell_find(&fx_registry, table[i].op, table[i].device, table[i].arch, table[i].variant, &cell, &err),
            RUNG_ERR_UNKNOWN);
        assert_string_equal(err.text, table[i].text);
    }
    rung_cell cell;
    assert_int_equal(rung_cell_find(NULL, "scale", "cpu", "generic", NULL, &cell, NULL), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_cell_find(&fx_registry, NULL, "cpu", "generic", NULL, &cell, NULL), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_cell_find(&fx_registry, "scale", NULL, "generic", NULL, &cell, NULL), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_cell_find(&fx_registry, "scale", "cpu", NULL, NULL, &cell, NULL), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_cell_find(&fx_registry, "scale", "cpu", "generic", NULL, NULL, NULL), RUNG_ERR_ARGUMENT);
}

/* ---- the matrix -----------------------------------------------------------------------------------------------------
 */

typedef struct seen {
    rung_cell last;
    uint32_t count, chosen, available;
} seen;

static int see(const rung_cell *cell, void *user)
{
    seen *s = user;
    if (s->count > 0) {
        int order = strcmp(s->last.op, cell->op);
        order = order != 0 ? order : strcmp(s->last.device, cell->device);
        order = order != 0 ? order : strcmp(s->last.arch, cell->arch);
        order = order != 0 ? order : strcmp(s->last.variant, cell->variant);
        assert_true(order < 0);
    }
    assert_int_equal(cell->declared, 1);
    assert_string_not_equal(cell->symbol, "");
    assert_string_not_equal(cell->source, "");
    s->last = *cell;
    s->count++;
    s->chosen += cell->chosen != 0;
    s->available += cell->reason == RUNG_REASON_NONE;
    return 0;
}

static void the_matrix_is_complete_and_sorted(void **state)
{
    (void)state;
    static const rung_registry *const registries[] = {&rk_registry, &fx_registry};
    for (int r = 0; r < 2; r++) {
        seen s = {.count = 0};
        assert_int_equal(rung_matrix(registries[r], NULL, see, &s), RUNG_OK);
        assert_int_equal(s.count, registries[r]->n_cells);
        assert_int_equal(s.chosen, 0);
        rung_platform *p;
        assert_int_equal(rung_platform_open(registries[r], "accel", 0, &p, NULL), RUNG_OK);
        seen with = {.count = 0};
        assert_int_equal(rung_matrix(registries[r], p, see, &with), RUNG_OK);
        assert_int_equal(with.count, s.count);
        assert_true(with.chosen > 0 && with.chosen <= with.available);
        rung_platform_close(p);
    }
}

static void the_matrix_without_a_platform(void **state)
{
    (void)state;
    fixture f;
    static char text[8192];
    rung_text t = rung_text_in(text, sizeof text);
    assert_int_equal(rung_matrix(fixture_of(&f, 0), NULL, print_cell, &t), RUNG_OK);
    static const char *const lines[] = {
        "accel/generic default: available\n"
        "cpu/generic default: available\n"
        "cuda/generic default: not built: this build was made without nvcc, or with RUNG_CUDA off\n",
        "cpu/amx default: planned\n"
        "cpu/generic default: available\n"
        "cpu/x86-64-v2 default: not built: needs nowhere, which this build lacks\n"
        "cpu/x86-64-v3 default: experimental\n"
        "cpu/x86-64-v4 default: available\n",
        "accel/sm80 fast: available\n"
        "accel/sm90 default: available\n"
        "cpu/generic default: available\n"
        "cpu/generic exact: available\n"
        "cpu/generic remote: not built: needs nowhere, which this build lacks\n"
        "cpu/x86-64-v4 default: available\n"
        "cuda/sm80 default: planned\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_non_null(strstr(text, lines[i]));
}

/* In a build for CUDA that leaves out an arch. */
static void a_kernel_for_an_arch_that_is_not_built(void **state)
{
    (void)state;
    const rung_toolkit toolkit = {.version = RUNG_DRIVER_VERSION(13, 0)};
    struct rung_registry partly = fx_registry;
    partly.toolkits[rung_device_find(&partly, "cuda")] = &toolkit;
    rung_cell cell;
    rung_error err;
    assert_int_equal(rung_cell_find(&partly, "scale", "cuda", "sm80", NULL, &cell, &err), RUNG_OK);
    rung_cell_row *cells = test_malloc(partly.n_cells * sizeof *cells);
    memcpy(cells, partly.cells, partly.n_cells * sizeof *cells);
    cells[cell.id].flags &= (uint8_t)~RUNG_CELL_PLANNED;
    partly.cells = cells;
    static char text[8192];
    rung_text t = rung_text_in(text, sizeof text);
    assert_int_equal(rung_matrix(&partly, NULL, print_cell, &t), RUNG_OK);
    assert_non_null(strstr(text, "cuda/sm80 default: not built: sm80 is not among this build's RUNG_CUDA_ARCHS\n"));
    test_free(cells);
}

static void the_matrix_of_a_platform(void **state)
{
    (void)state;
    fixture f;
    const rung_registry *fx = fixture_of(&f, 1);
    rung_machine machine = machine_x86(3);
    rung_platform *p = open_on(fx, "cpu/x86-64-v2", 0, &machine);
    static char text[8192];
    rung_text t = rung_text_in(text, sizeof text);
    assert_int_equal(rung_matrix(fx, p, print_cell, &t), RUNG_OK);
    static const char *const lines[] = {
        "accel/generic default: device absent: accel is not in this platform's chain\n"
        "*cpu/generic default: available\n"
        "cuda/generic default: device absent: cuda is not in this platform's chain\n",
        "cpu/generic default: available\n"
        "cpu/neon default: arch invalid: for aarch64, this processor is x86\n"
        "cpu/sve default: arch invalid: for aarch64, this processor is x86\n"
        "cpu/sve2 default: arch invalid: for aarch64, this processor is x86\n"
        "*cpu/x86-64-v2 default: available\n"
        "cpu/x86-64-v3 default: capped: capped at x86-64-v2\n"
        "cpu/x86-64-v4 default: capped: capped at x86-64-v2\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_non_null(strstr(text, lines[i]));
    rung_platform_close(p);
}

static int stop(const rung_cell *cell, void *user)
{
    (void)cell;
    ++*(int *)user;
    return 1;
}

static void the_matrix_can_be_stopped(void **state)
{
    (void)state;
    int calls = 0;
    assert_int_equal(rung_matrix(&fx_registry, NULL, stop, &calls), RUNG_OK);
    assert_int_equal(calls, 1);
    assert_int_equal(rung_matrix(NULL, NULL, stop, &calls), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_matrix(&fx_registry, NULL, NULL, NULL), RUNG_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_examples_of_the_rules),
        cmocka_unit_test(the_error_of_no_kernel),
        cmocka_unit_test(names_that_do_not_exist),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(the_resolved_cell_is_called),
        cmocka_unit_test(every_level_of_this_machine_can_be_called),
        cmocka_unit_test(workspace_is_asked_for),
        cmocka_unit_test(exact_look_up_ignores_availability),
        cmocka_unit_test(keys_that_do_not_exist),
        cmocka_unit_test(the_matrix_is_complete_and_sorted),
        cmocka_unit_test(the_matrix_without_a_platform),
        cmocka_unit_test(the_matrix_of_a_platform),
        cmocka_unit_test(a_kernel_for_an_arch_that_is_not_built),
        cmocka_unit_test(the_matrix_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
