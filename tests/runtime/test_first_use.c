/* SPDX-License-Identifier: Apache-2.0
 *
 * First uses that fail: the cell is given up, the next one is called, the reason is kept, nothing comes back.
 */
#include "imitation.h"

static const char *pick(rung_platform *p, uint32_t op, uint32_t variant, rung_memory memory)
{
    static char text[128];
    const rung_registry *registry = rung_platform_registry(p);
    uint32_t cell = pick_cell(p, op, variant, memory);
    if (cell == RUNG_NONE)
        return "none";
    /* from now on without a first use */
    size_t at = (size_t)memory * p->head.plane + (size_t)op * p->head.variants + variant;
    assert_int_equal(atomic_load(&p->choice[at]), cell - registry->ops[op].first_cell);
    const rung_cell_row *row = &registry->cells[cell];
    const rung_arch_row *arch = &registry->arch_names[row->arch];
    rung_text t = rung_text_in(text, sizeof text);
    rung_text_join(&t,
                   (const char *const[]){rung_device_name(registry, arch->device), "/", registry->strings + arch->name,
                                         " ", rung_variant_name(registry, row->variant), NULL});
    return text;
}

static void a_first_use_is_done_once(void **state)
{
    (void)state;
    imitation m;
    rung_platform *p = open_on(imitate(&m, "sm90", 0), "cuda", 0, &m.machine);
    /* known before it is used, and used by nobody who only asks */
    assert_string_equal(resolved(p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_ANY), "cuda/generic default");
    assert_int_equal(m.uses, 0);
    assert_string_equal(pick(p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_ANY), "cuda/generic default");
    assert_string_equal(pick(p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_DEVICE), "cuda/generic default");
    assert_string_equal(pick(p, VD_OP_FLOW_MATCH_STEP, VD_VARIANT_FAST, RUNG_MEMORY_ANY), "cuda/generic default");
    assert_int_equal(m.uses, 1);
    assert_string_equal(pick(p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_HOST), "cpu/generic default");
    assert_int_equal(m.uses, 1);
    rung_platform_close(p);
}

static void a_cell_that_fails_is_followed_by_the_next(void **state)
{
    (void)state;
    imitation m;
    rung_platform *p = open_on(imitate(&m, "sm90", 0), "cuda", 0, &m.machine);
    m.failing[0] = "cuda/generic";
    assert_string_equal(pick(p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_ANY), "cpu/generic default");
    assert_string_equal(pick(p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_DEVICE), "none");
    assert_string_equal(resolved(p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_ANY), "cpu/generic default");
    assert_non_null(strstr(explained(p, VD_OP_FLOW_MATCH_STEP, 0),
                           "cuda/generic default: load failed: imitated failure of cuda/generic\n"
                           "*cpu/generic default: available\n"));
    /* nothing is promoted, though it would work now */
    m.failing[0] = NULL;
    uint32_t demoted = 7;
    assert_int_equal(rung_warm(p, &demoted, NULL), RUNG_OK);
    assert_int_equal(demoted, 0);
    assert_string_equal(pick(p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_ANY), "cpu/generic default");
    /* it is this platform's own affair */
    rung_platform *other = open_on(&m.registry, "cuda", 0, &m.machine);
    assert_string_equal(pick(other, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_ANY), "cuda/generic default");
    rung_platform_close(other);
    rung_platform_close(p);
}

static void warming_does_all_first_uses(void **state)
{
    (void)state;
    imitation m;
    rung_platform *p = open_on(imitate(&m, "sm90", RUNG_DRIVER_VERSION(12, 4)), "cuda", 0, &m.machine);
    m.failing[0] = "cpu/generic"; /* the tracked variant of blend, whose library is missing */
    m.how = RUNG_REASON_LIBRARY_MISSING;
    uint32_t demoted = 0;
    rung_error err;
    assert_int_equal(rung_warm(p, &demoted, &err), RUNG_OK);
    assert_int_equal(demoted, 1);
    int uses = m.uses;
    assert_string_equal(pick(p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_ANY), "cuda/generic default");
    assert_string_equal(pick(p, VD_OP_FLOW_SDE_STEP, 0, RUNG_MEMORY_ANY), "cuda/generic default");
    assert_string_equal(pick(p, VD_OP_BLEND, VD_VARIANT_TRACKED, RUNG_MEMORY_ANY), "cpu/generic default");
    assert_int_equal(m.uses, uses);
    assert_int_equal(rung_warm(p, NULL, NULL), RUNG_OK);
    assert_int_equal(m.uses, uses);
    assert_int_equal(rung_warm(NULL, NULL, &err), RUNG_ERR_ARGUMENT);
    rung_platform_close(p);
}

static void a_driver_that_is_too_old_for_one_cell(void **state)
{
    (void)state;
    static const struct {
        uint32_t driver;
        const char *answer, *why;
    } rows[] = {
        {RUNG_DRIVER_VERSION(12, 4), "cuda/generic default", "cuda/generic default: available\n"},
        {RUNG_DRIVER_VERSION(13, 0), "cuda/generic default", "cuda/generic default: available\n"},
        {RUNG_DRIVER_VERSION(12, 3), "cpu/generic default",
         "cuda/generic default: requirement unmet: conditional_graphs is driver 12.4, this is 12.3\n"},
        {0, "cpu/generic default",
         "cuda/generic default: requirement unmet: conditional_graphs is driver 12.4 or newer, this one's version is "
         "not "
         "known\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        imitation m;
        rung_platform *p = open_on(imitate(&m, "sm90", rows[i].driver), "cuda", 0, &m.machine);
        assert_string_equal(resolved(p, VD_OP_FLOW_SDE_STEP, 0, RUNG_MEMORY_ANY), rows[i].answer);
        assert_non_null(strstr(explained(p, VD_OP_FLOW_SDE_STEP, 0), rows[i].why));
        rung_platform_close(p);
    }
}

/* The real thing: a library that no machine has. */
static void a_library_that_is_missing(void **state)
{
    (void)state;
    rung_platform *p;
    assert_int_equal(rung_platform_open(&vd_registry, "cpu/generic", 0, &p, NULL), RUNG_OK);
    rung_ctx cx = rung_ctx_of(p);
    cx.variant = VD_VARIANT_TRACKED;
    const float a[2] = {1, 2};
    const float b[2] = {3, 6};
    float y[2] = {0, 0};
    /* the one that is given up wants workspace, its successor does not */
    assert_int_equal(rung_workspace(p, VD_OP_BLEND, VD_VARIANT_TRACKED, RUNG_MEMORY_HOST), 4096);
    assert_int_equal(vd_blend(&cx, y, a, b, 2), RUNG_OK);
    assert_true(y[0] == 2 && y[1] == 4);
    assert_int_equal(rung_workspace(p, VD_OP_BLEND, VD_VARIANT_TRACKED, RUNG_MEMORY_HOST), 0);
    const char *ladder = explained(p, VD_OP_BLEND, VD_VARIANT_TRACKED);
    assert_non_null(strstr(ladder, "cpu/generic tracked: "));
    assert_non_null(strstr(ladder, "librung-no-such-library.so.7"));
    assert_non_null(strstr(ladder, "*cpu/generic default: available\n"));
    rung_platform_close(p);
}

static void workspace_covers_whoever_may_take_over(void **state)
{
    (void)state;
    rung_platform *p;
    assert_int_equal(rung_platform_open(&vd_registry, "cpu/generic", 0, &p, NULL), RUNG_OK);
    assert_int_equal(rung_workspace(p, VD_OP_BLEND, 0, RUNG_MEMORY_HOST), 0);
    assert_int_equal(rung_workspace(p, VD_OP_BLEND, VD_VARIANT_OPENBLAS, RUNG_MEMORY_HOST), 256);
    assert_int_equal(rung_workspace(p, VD_OP_BLEND, 99, RUNG_MEMORY_HOST), 0);
    assert_int_equal(rung_workspace(p, VD_OP_FLOW_SDE_STEP, VD_VARIANT_OPENBLAS, RUNG_MEMORY_HOST), 0);
    assert_int_equal(rung_workspace(p, RUNG_NONE, 0, RUNG_MEMORY_HOST), 4096);
    assert_int_equal(rung_workspace(p, 99, 0, RUNG_MEMORY_HOST), 0);
    assert_int_equal(rung_workspace(NULL, RUNG_NONE, 0, RUNG_MEMORY_HOST), 0);
    assert_int_equal(rung_warm(p, NULL, NULL), RUNG_OK);
    assert_int_equal(rung_workspace(p, RUNG_NONE, 0, RUNG_MEMORY_HOST), 256);

    rung_ctx cx = rung_ctx_of(p);
    cx.variant = VD_VARIANT_OPENBLAS;
    float y[1];
    const float one[1] = {1};
    _Alignas(64) char scratch[256];
    assert_int_equal(vd_blend(&cx, y, one, one, 1), RUNG_ERR_WORKSPACE);
    cx.workspace = scratch;
    cx.workspace_size = sizeof scratch;
    assert_int_equal(vd_blend(&cx, y, one, one, 1), RUNG_OK);
    rung_platform_close(p);
}

static void the_source_of_a_resolution(void **state)
{
    (void)state;
    rung_platform *p;
    assert_int_equal(rung_platform_open(&vd_registry, "accel/sm80", 0, &p, NULL), RUNG_OK);
    static const char wanted[] = "blend/accel/sm80/fast@kernels/blend.fast.c";
    char text[sizeof wanted] = "untouched";
    rung_error err;
    assert_int_equal(
        rung_resolved_source(p, VD_OP_BLEND, VD_VARIANT_FAST, RUNG_MEMORY_HOST, text, sizeof text - 1, &err),
        RUNG_ERR_ARGUMENT);
    assert_string_equal(text, "untouched");
    assert_int_equal(rung_resolved_source(p, VD_OP_BLEND, VD_VARIANT_FAST, RUNG_MEMORY_HOST, text, sizeof text, &err),
                     RUNG_OK);
    assert_string_equal(text, wanted);
    assert_int_equal(
        rung_resolved_source(p, VD_OP_FLOW_SDE_STEP, VD_VARIANT_OPENBLAS, RUNG_MEMORY_HOST, text, sizeof text, &err),
        RUNG_ERR_NO_KERNEL);
    assert_int_equal(rung_resolved_source(p, VD_OP_BLEND, 0, RUNG_MEMORY_HOST, NULL, 9, &err), RUNG_ERR_ARGUMENT);
    rung_platform_close(p);
}

static char logged[2048];
static rung_platform *calling; /* what the callback calls on: it may */
static void take_line(rung_log_level level, const char *line, void *user)
{
    (void)level;
    (void)user;
    rung_text t = rung_text_in(logged, sizeof logged);
    rung_text_add(&t, line);
    if (calling != NULL)
        (void)pick(calling, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_ANY);
}

static void demotions_are_logged(void **state)
{
    (void)state;
    imitation m;
    rung_log_set(take_line, NULL, RUNG_LOG_INFO);
    rung_platform *p = open_on(imitate(&m, "sm90", 0), "cuda", 0, &m.machine);
    m.failing[0] = "cuda/generic";
    calling = p;
    (void)pick(p, VD_OP_FLOW_MATCH_STEP, 0, RUNG_MEMORY_ANY);
    calling = NULL;
    rung_log_set(NULL, NULL, RUNG_LOG_INFO);
    assert_string_equal(logged, "vd: vd_flow_match_step__cuda_generic is given up: load failed (imitated failure of "
                                "cuda/generic)");
    rung_platform_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_first_use_is_done_once),    cmocka_unit_test(a_cell_that_fails_is_followed_by_the_next),
        cmocka_unit_test(warming_does_all_first_uses), cmocka_unit_test(a_driver_that_is_too_old_for_one_cell),
        cmocka_unit_test(a_library_that_is_missing),   cmocka_unit_test(workspace_covers_whoever_may_take_over),
        cmocka_unit_test(the_source_of_a_resolution),  cmocka_unit_test(demotions_are_logged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
