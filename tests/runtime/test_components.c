/* SPDX-License-Identifier: Apache-2.0
 *
 * Components: which builder is called, what it is given, what becomes of its failures, and who destroys what.
 */
#include "imitation.h"

#include "../fixtures/vd/model.h"

#include <stdlib.h>

static rung_kind kind_on(const rung_registry *registry, const rung_kind *kind)
{
    return (rung_kind){registry, kind->id, kind->build};
}

static void a_component_knows_where_it_comes_from(void **state)
{
    (void)state;
    imitation m;
    const rung_registry *vd = imitate(&m, "sm90", 0);
    rung_kind kind = kind_on(vd, &vd_dit_kind);
    static const struct {
        const char *platform, *device, *source;
    } places[] = {{"cuda", "cuda", "components/model.c"}, {"accel/sm80", "accel", "components/model.c"}};
    for (size_t i = 0; i < 2; i++) {
        rung_platform *p = open_on(vd, places[i].platform, 0, &m.machine);
        const rung_component_spec spec = {.kind = &kind, .id = "wan", .factory = vd_model_factory};
        vd_order order = {0};
        rung_component *built = NULL;
        rung_error err = {.status = RUNG_ERR_ABI};
        assert_int_equal(rung_component_build(p, &spec, &order, 0, &built, &err), RUNG_OK);
        assert_int_equal(err.status, RUNG_OK);
        assert_string_equal(order.built_by, places[i].device);
        assert_string_equal(order.id, "wan");
        assert_ptr_equal(order.given, p);
        assert_ptr_equal(rung_component_object(built), &order);
        assert_ptr_equal(rung_component_platform(built), p);
        assert_string_equal(rung_component_id(built), "wan");
        const rung_component_cell *cell = rung_component_built_by(built);
        assert_string_equal(cell->kind, "dit");
        assert_string_equal(cell->device, places[i].device);
        assert_string_equal(cell->variant, "default");
        assert_string_equal(cell->source, places[i].source);
        assert_true(cell->declared && cell->chosen && cell->reason == RUNG_REASON_NONE);
        assert_int_equal(order.destroyed, 0);
        rung_component_destroy(built);
        assert_int_equal(order.built, 1);
        assert_int_equal(order.destroyed, 1);
        rung_platform_close(p);
    }
    rung_component_destroy(NULL);
    assert_null(rung_component_object(NULL));
    assert_null(rung_component_platform(NULL));
    assert_null(rung_component_id(NULL));
    assert_null(rung_component_built_by(NULL));
}

static void without_a_platform_one_is_opened_for_it(void **state)
{
    (void)state;
    const rung_component_spec spec = {.kind = &vd_vae_kind, .factory = vd_model_factory};
    vd_order order = {0};
    rung_component *built;
    assert_int_equal(rung_component_build(NULL, &spec, &order, 0, &built, NULL), RUNG_OK);
    assert_string_equal(rung_platform_device(rung_component_platform(built), 0), "cpu");
    assert_string_equal(rung_component_built_by(built)->source, "factory");
    assert_string_equal(rung_component_id(built), "?");
    rung_component_destroy(built);
    assert_int_equal(order.destroyed, 1);
}

/* The failure of a builder is the answer: neither the factory nor another device is tried behind its back. */
static void a_builder_s_failure_is_the_answer(void **state)
{
    (void)state;
    rung_platform *p;
    assert_int_equal(rung_platform_open(&vd_registry, "accel", 0, &p, NULL), RUNG_OK);
    const rung_component_spec spec = {.kind = &vd_dit_kind, .id = "wan", .factory = vd_model_factory};
    rung_component *built = NULL;
    rung_error err;

    vd_order order = {.fail = RUNG_ERR_MEMORY, .text = "weights of 28 GB do not fit"};
    assert_int_equal(rung_component_build(p, &spec, &order, 0, &built, &err), RUNG_ERR_MEMORY);
    assert_string_equal(err.text, "dit wan on accel: weights of 28 GB do not fit");
    assert_int_equal(err.status, RUNG_ERR_MEMORY);
    assert_string_equal(order.built_by, "accel");

    order = (vd_order){.fail = RUNG_ERR_MEMORY, .text = "two\nlines\x1b[31m"};
    assert_int_equal(rung_component_build(p, &spec, &order, 0, &built, &err), RUNG_ERR_MEMORY);
    assert_string_equal(err.text, "dit wan on accel: two lines [31m");

    order = (vd_order){.fail = RUNG_ERR_NUMERIC}; /* it says nothing */
    assert_int_equal(rung_component_build(p, &spec, &order, 0, &built, &err), RUNG_ERR_NUMERIC);
    assert_string_equal(err.text, "dit wan on accel: no numerical answer");
    assert_int_equal(rung_component_build(p, &spec, &order, 0, &built, NULL), RUNG_ERR_NUMERIC);

    order = (vd_order){.fail = RUNG_ERR_DEVICE, .text = "half way", .half_made = true};
    assert_int_equal(rung_component_build(p, &spec, &order, 0, &built, &err), RUNG_ERR_DEVICE);
    assert_int_equal(order.built, 1);
    assert_int_equal(order.destroyed, 1); /* what it had made is not lost */

    order = (vd_order){.nothing = true};
    assert_int_equal(rung_component_build(p, &spec, &order, 0, &built, &err), RUNG_ERR_ARGUMENT);
    assert_string_equal(err.text, "dit wan on accel: the builder made nothing");
    assert_int_equal(order.destroyed, 0);

    const rung_component_spec other = {.kind = &vd_text_encoder_kind, .factory = vd_model_factory};
    order = (vd_order){.fail = RUNG_ERR_UNAVAILABLE, .text = "no weights"};
    assert_int_equal(rung_component_build(p, &other, &order, 0, &built, &err), RUNG_ERR_UNAVAILABLE);
    assert_string_equal(err.text, "text_encoder ? on accel: no weights");
    assert_null(built);
    rung_platform_close(p);
}

static void variants_fall_to_default_and_strict_ones_do_not(void **state)
{
    (void)state;
    rung_platform *p;
    assert_int_equal(rung_platform_open(&vd_registry, "accel", 0, &p, NULL), RUNG_OK);
    static const struct {
        const rung_kind *kind;
        uint32_t variant;
        const char *built_by, *variant_built;
    } rows[] = {
        {&vd_dit_kind, VD_VARIANT_FAST, "accel", "default"},
        {&vd_dit_kind, VD_VARIANT_OPENBLAS, "factory", "openblas"},
        {&vd_audio_vae_kind, VD_VARIANT_OPENBLAS, "accel openblas", "openblas"},
        {&vd_audio_vae_kind, 77, "accel", "default"},
        /* its library is nowhere: demoted at its first use, once and for good */
        {&vd_audio_vae_kind, VD_VARIANT_TRACKED, "accel", "default"},
        {&vd_audio_vae_kind, VD_VARIANT_TRACKED, "accel", "default"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const rung_component_spec spec = {.kind = rows[i].kind, .factory = vd_model_factory};
        vd_order order = {0};
        rung_component *built;
        assert_int_equal(rung_component_build(p, &spec, &order, rows[i].variant, &built, NULL), RUNG_OK);
        assert_string_equal(order.built_by, rows[i].built_by);
        assert_string_equal(rung_component_built_by(built)->variant, rows[i].variant_built);
        rung_component_destroy(built);
        assert_int_equal(order.destroyed, 1);
    }
    rung_platform_close(p);
}

static int print_component(const rung_component_cell *cell, void *user)
{
    rung_text *t = user;
    rung_text_join(t, (const char *const[]){cell->chosen ? "*" : "", cell->kind, " ", cell->device, " ", cell->variant,
                                            ": ", rung_reason_text(cell->reason), cell->detail[0] == '\0' ? "" : ": ",
                                            cell->detail, "\n", NULL});
    return 0;
}

static void the_ladder_and_the_matrix(void **state)
{
    (void)state;
    char text[4096];
    rung_platform *p;
    assert_int_equal(rung_platform_open(&vd_registry, "accel", 0, &p, NULL), RUNG_OK);
    rung_text t = rung_text_in(text, sizeof text);
    assert_int_equal(rung_component_explain(p, VD_KIND_AUDIO_VAE, VD_VARIANT_TRACKED, print_component, &t), RUNG_OK);
    assert_string_equal(text, "*audio_vae accel tracked: available\n"
                              "audio_vae accel default: available\n"
                              "audio_vae cpu tracked: not declared\n"
                              "audio_vae cpu default: not declared\n");

    const rung_component_spec spec = {.kind = &vd_audio_vae_kind};
    vd_order order = {0};
    rung_component *built;
    assert_int_equal(rung_component_build(p, &spec, &order, VD_VARIANT_TRACKED, &built, NULL), RUNG_OK);
    rung_component_destroy(built);
    t = rung_text_in(text, sizeof text);
    assert_int_equal(rung_component_explain(p, VD_KIND_AUDIO_VAE, VD_VARIANT_TRACKED, print_component, &t), RUNG_OK);
    const char *missing = strstr(text, "audio_vae accel tracked: ");
    assert_ptr_equal(missing, text);
    assert_non_null(strstr(text, "librung-no-such-library.so.7"));
    assert_non_null(strstr(text, "*audio_vae accel default: available\n"));

    t = rung_text_in(text, sizeof text);
    assert_int_equal(rung_component_matrix(&vd_registry, NULL, print_component, &t), RUNG_OK);
    assert_string_equal(text, "audio_vae accel default: available\n"
                              "audio_vae accel openblas: available\n"
                              "audio_vae accel tracked: available\n"
                              "audio_vae cuda default: not built: this build leaves out cuda\n"
                              "dit accel default: available\n"
                              "dit cuda default: not built: this build leaves out cuda\n"
                              "text_encoder cuda default: not built: this build leaves out cuda\n"
                              "vae accel default: available\n"
                              "vae cuda default: not built: this build leaves out cuda\n");
    rung_platform_close(p);

    imitation m;
    const rung_registry *vd = imitate(&m, NULL, 0);
    p = open_on(vd, "cpu", 0, &m.machine);
    t = rung_text_in(text, sizeof text);
    assert_int_equal(rung_component_matrix(vd, p, print_component, &t), RUNG_OK);
    assert_non_null(strstr(text, "dit cuda default: device absent: cuda is not in this platform's chain\n"));
    assert_null(strchr(text, '*'));
    rung_platform_close(p);
}

/* A device is there for its components as for its kernels. */
static void a_device_with_builders_alone(void **state)
{
    (void)state;
    imitation m;
    const rung_registry *vd = imitate(&m, "sm90", 0);
    uint32_t cuda = rung_device_find(vd, "cuda");
    for (uint32_t i = 0; i < vd->n_cells; i++)
        if (vd->arch_names[m.cells[i].arch].device == cuda)
            m.cells[i].flags &= (uint8_t)~RUNG_CELL_BUILT;
    static const char *const chains[] = {NULL, "cuda"};
    for (size_t i = 0; i < 2; i++) {
        rung_platform *p = open_on(vd, chains[i], 0, &m.machine);
        assert_string_equal(rung_platform_device(p, 0), "cuda");
        rung_component_resolution found;
        assert_int_equal(rung_component_resolve(p, VD_KIND_DIT, 0, &found, NULL), RUNG_OK);
        assert_string_equal(found.cell.device, "cuda");
        assert_string_equal(resolved(p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_ANY), "cpu/generic default");
        rung_platform_close(p);
    }
}

static void names_and_keys(void **state)
{
    (void)state;
    assert_int_equal(rung_kind_count(&vd_registry), 4);
    assert_string_equal(rung_kind_name(&vd_registry, VD_KIND_VAE), "vae");
    assert_string_equal(rung_kind_summary(&vd_registry, VD_KIND_VAE), "The decoder of frames.");
    assert_null(rung_kind_name(&vd_registry, 4));
    assert_null(rung_kind_summary(&vd_registry, 4));
    assert_int_equal(rung_kind_find(&vd_registry, "text_encoder"), VD_KIND_TEXT_ENCODER);
    assert_int_equal(rung_kind_find(&vd_registry, "text_decoder"), RUNG_NONE);
    assert_int_equal(rung_kind_find(&vd_registry, NULL), RUNG_NONE);
    assert_int_equal(rung_kind_count(&fx_registry), 0);
    assert_int_equal(rung_kind_find(&fx_registry, "dit"), RUNG_NONE);
    assert_ptr_equal(vd_kind_find("dit"), &vd_dit_kind);
    assert_null(vd_kind_find("dat"));

    rung_component_cell cell;
    rung_error err;
    assert_int_equal(rung_component_cell_find(&vd_registry, "dit", "accel", NULL, &cell, &err), RUNG_OK);
    assert_string_equal(cell.symbol, "vd_dit__accel");
    assert_int_equal(rung_component_cell_find(&vd_registry, "dit", "cpu", NULL, &cell, &err), RUNG_ERR_UNKNOWN);
    assert_string_equal(err.text, "dit has no builder on cpu, variant default");
    assert_int_equal(rung_component_cell_find(&vd_registry, "did", "cpu", NULL, &cell, &err), RUNG_ERR_UNKNOWN);
    assert_string_equal(err.text, "unknown kind \"did\"; nearest: dit, vae, audio_vae");
    assert_int_equal(rung_component_cell_find(&vd_registry, "dit", "cqu", NULL, &cell, &err), RUNG_ERR_UNKNOWN);
    assert_int_equal(rung_component_cell_find(&vd_registry, "dit", "cpu", "slow", &cell, &err), RUNG_ERR_UNKNOWN);

    rung_platform *p;
    assert_int_equal(rung_platform_open(&vd_registry, "cpu", 0, &p, NULL), RUNG_OK);
    rung_component_resolution found;
    assert_int_equal(rung_component_resolve_name(p, "fit", NULL, &found, &err), RUNG_ERR_UNKNOWN);
    assert_int_equal(rung_component_resolve_name(p, "dit", "slow", &found, &err), RUNG_ERR_NO_COMPONENT);
    assert_string_equal(err.text, "dit, variant default: no builder along cpu: none is declared");
    rung_platform_close(p);
    assert_int_equal(rung_platform_open(&vd_registry, "accel", 0, &p, NULL), RUNG_OK);
    assert_int_equal(rung_component_resolve_name(p, "dit", "slow", &found, &err), RUNG_OK);
    assert_true(found.variant_not_declared);
    rung_platform_close(p);
}

static void bad_arguments(void **state)
{
    (void)state;
    rung_platform *p;
    assert_int_equal(rung_platform_open(&fx_registry, "cpu", 0, &p, NULL), RUNG_OK);
    rung_component *built = NULL;
    rung_error err;
    rung_component_spec spec = {.kind = &vd_dit_kind};
    rung_component_resolution found;
    assert_int_equal(rung_component_build(p, &spec, NULL, 0, &built, &err), RUNG_ERR_ARGUMENT);
    assert_string_equal(err.text, "the platform is of another registry than the kind");
    assert_int_equal(rung_component_build(p, NULL, NULL, 0, &built, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_component_build(p, &spec, NULL, 0, NULL, &err), RUNG_ERR_ARGUMENT);
    spec.kind = NULL;
    assert_int_equal(rung_component_build(p, &spec, NULL, 0, &built, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_component_resolve(p, 0, 0, &found, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_component_resolve(NULL, 0, 0, &found, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_component_resolve_name(p, NULL, NULL, &found, &err), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_component_explain(p, 0, 0, print_component, NULL), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_component_matrix(&vd_registry, p, print_component, NULL), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_component_matrix(&vd_registry, NULL, NULL, NULL), RUNG_ERR_ARGUMENT);
    assert_null(built);
    rung_platform_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_component_knows_where_it_comes_from),
        cmocka_unit_test(without_a_platform_one_is_opened_for_it),
        cmocka_unit_test(a_builder_s_failure_is_the_answer),
        cmocka_unit_test(variants_fall_to_default_and_strict_ones_do_not),
        cmocka_unit_test(the_ladder_and_the_matrix),
        cmocka_unit_test(a_device_with_builders_alone),
        cmocka_unit_test(names_and_keys),
        cmocka_unit_test(bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
