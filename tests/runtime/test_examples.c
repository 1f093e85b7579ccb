/* SPDX-License-Identifier: Apache-2.0
 *
 * The examples of docs/resolution.md, each by its name.
 */
#include "imitation.h"

#include "../fixtures/vd/model.h"

typedef struct chain_example {
    const char *platform, *chain;
} chain_example;

static void chains_of_the_first_device(void **state)
{
    (void)state;
    static const chain_example examples[] = {
        {"cuda/sm75", "ptx generic"},
        {"cuda/sm80", "sm80 ptx generic"},
        {"cuda/sm86", "sm80 ptx generic"},
        {"cuda/sm89", "sm80 ptx generic"},
        {"cuda/sm90", "sm90 sm80 ptx generic"},
        {"cuda/sm103", "sm100 sm90 sm80 ptx generic"},
        {"cuda/sm120", "sm100 sm90 sm80 ptx generic"},
        {"cuda/sm121", "sm100 sm90 sm80 ptx generic"},
        {"accel/sm70", "sm70 generic"},
        {"accel/sm90", "sm90 sm80 generic"},
        {"accel/sm120", "sm120 sm90 sm80 generic"},
        {"accel/generic", "generic"},
        {"accel/gfx90a", "gfx90a generic"},
    };
    imitation m;
    const rung_registry *vd = imitate(&m, NULL, 0);
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        rung_platform *p = open_on(vd, examples[i].platform, RUNG_OPEN_INSPECT, &m.machine);
        assert_string_equal(chain_of(p, 0), examples[i].chain);
        assert_string_equal(rung_platform_device(p, 1), "cpu");
        assert_string_equal(chain_of(p, 1), "generic");
        rung_platform_close(p);
    }
}

/* With sm90a declared it comes first on sm90: the registry fx declares it. */
static void sm90a_is_first_on_sm90(void **state)
{
    (void)state;
    fixture f;
    rung_machine machine = machine_with("other", 0);
    rung_platform *p = open_on(fixture_of(&f, 1), "cuda/sm90", RUNG_OPEN_INSPECT, &machine);
    assert_string_equal(chain_of(p, 0), "sm90a sm90 sm80 ptx generic");
    rung_platform_close(p);
}

static void solver_ops_on_accel_sm90(void **state)
{
    (void)state;
    imitation m;
    rung_platform *p = open_on(imitate(&m, NULL, 0), "accel/sm90", 0, &m.machine);
    assert_string_equal(resolved(p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_HOST), "accel/generic default");
    assert_string_equal(resolved(p, VD_OP_FLOW_SDE_STEP, 0, RUNG_MEMORY_HOST), "accel/sm90 default");
    rung_platform_close(p);
}

static void flow_match_step_on_cuda_sm90_for_inspection_without_a_gpu(void **state)
{
    (void)state;
    imitation m;
    rung_platform *p = open_on(imitate(&m, NULL, 0), "cuda/sm90", RUNG_OPEN_INSPECT, &m.machine);
    assert_string_equal(resolved(p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_ANY), "cpu/generic default");
    assert_string_equal(explained(p, VD_OP_FLOW_MATCH_STEP, 0),
                        "cuda/sm90 default: not declared\n"
                        "cuda/sm80 default: not declared\n"
                        "cuda/ptx default: not declared\n"
                        "cuda/generic default: device absent: no such device was found\n"
                        "*cpu/generic default: available\n");
    rung_platform_close(p);
}

static void variant_nonesuch_on_cpu(void **state)
{
    (void)state;
    imitation m;
    rung_platform *p = open_on(imitate(&m, NULL, 0), "cpu", 0, &m.machine);
    rung_resolution found;
    rung_error err;
    assert_int_equal(rung_resolve_name(p, "flow_match_step", "nonesuch", RUNG_MEMORY_HOST, &found, &err), RUNG_OK);
    assert_string_equal(found.cell.device, "cpu");
    assert_string_equal(found.cell.arch, "generic");
    assert_string_equal(found.cell.variant, "default");
    assert_true(found.variant_not_declared);
    rung_platform_close(p);
}

static void variant_fast_on_accel_sm90(void **state)
{
    (void)state;
    imitation m;
    rung_platform *p = open_on(imitate(&m, NULL, 0), "accel/sm90", 0, &m.machine);
    assert_string_equal(resolved(p, VD_OP_BLEND, VD_VARIANT_FAST, RUNG_MEMORY_HOST), "accel/sm90 default");
    rung_platform_close(p);
    p = open_on(&m.registry, "accel/sm80", 0, &m.machine);
    assert_string_equal(resolved(p, VD_OP_BLEND, VD_VARIANT_FAST, RUNG_MEMORY_HOST), "accel/sm80 fast");
    rung_platform_close(p);
}

static void strict_variant_openblas_on_cpu_x86_64_v4(void **state)
{
    (void)state;
    imitation m;
    const rung_registry *vd = imitate(&m, NULL, 0);
    m.machine = machine_x86(4);
    rung_platform *p = open_on(vd, "cpu/x86-64-v4", 0, &m.machine);
    assert_string_equal(resolved(p, VD_OP_BLEND, VD_VARIANT_OPENBLAS, RUNG_MEMORY_HOST), "cpu/generic openblas");
    assert_string_equal(resolved(p, VD_OP_BLEND, 0, RUNG_MEMORY_HOST), "cpu/x86-64-v4 default");
    assert_string_equal(resolved(p, VD_OP_FLOW_SDE_STEP, VD_VARIANT_OPENBLAS, RUNG_MEMORY_HOST), "none");
    rung_platform_close(p);
}

static void component_dit_on_accel_sm90(void **state)
{
    (void)state;
    imitation m;
    rung_platform *p = open_on(imitate(&m, NULL, 0), "accel/sm90", 0, &m.machine);
    rung_component_resolution found;
    assert_int_equal(rung_component_resolve(p, VD_KIND_DIT, 0, &found, NULL), RUNG_OK);
    assert_string_equal(found.cell.device, "accel");
    assert_string_equal(found.cell.symbol, "vd_dit__accel");
    assert_int_equal(found.rung, 0);
    rung_platform_close(p);
}

static void component_text_encoder_on_accel_sm90(void **state)
{
    (void)state;
    rung_platform *p;
    assert_int_equal(rung_platform_open(&vd_registry, "accel/sm90", 0, &p, NULL), RUNG_OK);
    const rung_component_spec spec = {.kind = &vd_text_encoder_kind, .id = "umt5", .factory = vd_model_factory};
    vd_order order = {0};
    rung_component *built;
    assert_int_equal(rung_component_build(p, &spec, &order, 0, &built, NULL), RUNG_OK);
    assert_string_equal(order.built_by, "factory");
    assert_string_equal(rung_component_built_by(built)->source, "factory");
    assert_string_equal(rung_component_built_by(built)->device, "accel");
    rung_component_destroy(built);
    assert_int_equal(order.destroyed, 1);
    rung_platform_close(p);
}

static void component_dit_on_cuda_sm90_for_inspection_without_a_gpu_or_factory(void **state)
{
    (void)state;
    imitation m;
    const rung_registry *vd = imitate(&m, NULL, 0);
    rung_platform *p = open_on(vd, "cuda/sm90", RUNG_OPEN_INSPECT, &m.machine);
    const rung_kind kind = {vd, VD_KIND_DIT, vd_dit_kind.build};
    const rung_component_spec spec = {.kind = &kind, .id = "wan"};
    rung_component *built = NULL;
    rung_error err;
    assert_int_equal(rung_component_build(p, &spec, NULL, 0, &built, &err), RUNG_ERR_NO_COMPONENT);
    assert_string_equal(err.text, "dit wan: no factory, and no builder along cuda, cpu: cuda default device absent (no "
                                  "such device was found)");
    assert_null(built);
    rung_platform_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_of_the_first_device),
        cmocka_unit_test(sm90a_is_first_on_sm90),
        cmocka_unit_test(solver_ops_on_accel_sm90),
        cmocka_unit_test(flow_match_step_on_cuda_sm90_for_inspection_without_a_gpu),
        cmocka_unit_test(variant_nonesuch_on_cpu),
        cmocka_unit_test(variant_fast_on_accel_sm90),
        cmocka_unit_test(strict_variant_openblas_on_cpu_x86_64_v4),
        cmocka_unit_test(component_dit_on_accel_sm90),
        cmocka_unit_test(component_text_encoder_on_accel_sm90),
        cmocka_unit_test(component_dit_on_cuda_sm90_for_inspection_without_a_gpu_or_factory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
