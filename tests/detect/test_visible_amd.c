/* SPDX-License-Identifier: Apache-2.0
 *
 * The variables that hide AMD's GPUs, in every form, one after another; and those that give them another arch.
 */
#include "detect_test.h"

#include "detect/visible_amd.h"

static const uint64_t ids[] = {0x7b2f0000000000a1, 0x7b2f0000000000b2, 0, 0x1c00000000000003};

enum { GPUS = 4 };

typedef struct rule {
    const char *rocr, *hip, *cuda; /* NULL: unset */
    const char *seen;              /* places, in order */
    const char *hidden_by;
} rule;

#define ROCR "ROCR_VISIBLE_DEVICES"
#define HIP  "HIP_VISIBLE_DEVICES"
#define CUDA "CUDA_VISIBLE_DEVICES"

static const rule rules[] = {
    {NULL, NULL, NULL, "0123", NULL},
    /* ROCr: empty hides everything */
    {"", NULL, NULL, "", ROCR},
    {"-1", NULL, NULL, "", ROCR},
    {"0", NULL, NULL, "0", ROCR},
    {"3,1", NULL, NULL, "31", ROCR},
    {"0,1,2,3", NULL, NULL, "0123", NULL},
    {" 2 ,\t0", NULL, NULL, "20", ROCR},
    {"+1", NULL, NULL, "1", ROCR},
    {"0x1,0X2", NULL, NULL, "12", ROCR},
    {"01,02", NULL, NULL, "12", ROCR},
    {"0x", NULL, NULL, "", ROCR},
    {"08", NULL, NULL, "", ROCR},
    {"2,9,0", NULL, NULL, "2", ROCR},
    {"2,-1,0", NULL, NULL, "2", ROCR},
    {"2,x,0", NULL, NULL, "2", ROCR},
    {"2x,0", NULL, NULL, "", ROCR},
    {"99999999999999999999999", NULL, NULL, "", ROCR},
    {"1,1,0", NULL, NULL, "1", ROCR},
    {"NoDevFiles", NULL, NULL, "", ROCR},
    {"none", NULL, NULL, "", ROCR},
    /* what is behind as many tokens as there are GPUs is not looked at; an empty token before takes everything */
    {"0,1,2,3,,x", NULL, NULL, "0123", NULL},
    {"0,,1", NULL, NULL, "", ROCR},
    {",0", NULL, NULL, "", ROCR},
    {" ", NULL, NULL, "", ROCR},
    {"1,", NULL, NULL, "1", ROCR},
    {"GPU-7b2f0000000000b2", NULL, NULL, "1", ROCR},
    {"gpu-7B2F0000000000A1", NULL, NULL, "0", ROCR},
    {"GPU-1c", NULL, NULL, "3", ROCR},
    {"GPU-7b", NULL, NULL, "", ROCR}, /* of two GPUs */
    {"GPU-", NULL, NULL, "", ROCR},
    {"GPU-XX", NULL, NULL, "", ROCR},
    {"GPU-7b2f0000000000b2f", NULL, NULL, "", ROCR},
    {"GPU-1c,0,GPU-ff,1", NULL, NULL, "30", ROCR},
    {"3,GPU-1c,0", NULL, NULL, "3", ROCR},
    {"G", NULL, NULL, "", ROCR},
    /* HIP: empty is as unset */
    {NULL, "", NULL, "0123", NULL},
    {NULL, "-1", NULL, "", HIP},
    {NULL, "2", NULL, "2", HIP},
    {NULL, "2,0", NULL, "20", HIP},
    {NULL, "3,3,0", NULL, "30", HIP},
    {NULL, "0,1,2,3", NULL, "0123", NULL},
    {NULL, "0,x,1", NULL, "0", HIP},
    {NULL, "0,4,1", NULL, "0", HIP},
    {NULL, "0,,1", NULL, "0", HIP},
    {NULL, ",1", NULL, "", HIP},
    {NULL, "1,", NULL, "1", HIP},
    {NULL, " 1", NULL, "", HIP},
    {NULL, "1 ", NULL, "", HIP},
    {NULL, "+1", NULL, "", HIP},
    {NULL, "01", NULL, "", HIP},
    {NULL, "0x1", NULL, "", HIP},
    {NULL, "NoDevFiles", NULL, "", HIP},
    {NULL, "99999999999999999999999", NULL, "", HIP},
    {NULL, "GPU-1c00000000000003,0", NULL, "30", HIP},
    {NULL, "GPU-7b", NULL, "0", HIP}, /* the first that fits */
    {NULL, "GPU-7B", NULL, "", HIP},  /* letter by letter */
    {NULL, "gpu-7b", NULL, "", HIP},
    {NULL, "GPU-XX", NULL, "2", HIP}, /* the one without an id */
    {NULL, "GPU-1c,3,1", NULL, "31", HIP},
    {NULL, "GPU-7b2f0000000000a1f", NULL, "", HIP},
    /* CUDA's where HIP's is unset or empty */
    {NULL, NULL, "1", "1", CUDA},
    {NULL, "", "1", "1", CUDA},
    {NULL, "2", "1", "2", HIP},
    {NULL, NULL, "", "0123", NULL},
    {NULL, NULL, "-1", "", CUDA},
    {NULL, NULL, "GPU-8a3c", "", CUDA}, /* an NVIDIA uuid */
    /* one after another: HIP counts what ROCr left */
    {"3,1", "0", NULL, "3", HIP},
    {"3,1", "1,0", NULL, "13", ROCR},
    {"3,1", "2", NULL, "", HIP},
    {"3,1", NULL, "1", "1", CUDA},
    {"GPU-1c,2", "GPU-1c", NULL, "3", HIP},
    {"0", "GPU-1c", NULL, "", HIP},
    {"", "0", "0", "", ROCR},
    {"-1", "0", NULL, "", ROCR},
};

static void test_rules(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const rule *r = &rules[i];
        tree *t = tree_new();
        rung_amd_visible visible;
        char seen[GPUS + 1] = "";
        if (r->rocr != NULL)
            tree_env(t, ROCR, r->rocr);
        if (r->hip != NULL)
            tree_env(t, HIP, r->hip);
        if (r->cuda != NULL)
            tree_env(t, CUDA, r->cuda);
        const rung_world world = tree_world(t);
        rung_amd_filter(&world, ids, GPUS, &visible);
        assert_in_range(visible.count, 0, GPUS);
        for (uint32_t at = 0; at < visible.count; at++)
            seen[at] = (char)('0' + visible.at[at]);
        if (strcmp(seen, r->seen) != 0 || (visible.hidden_by == NULL) != (r->hidden_by == NULL) ||
            (r->hidden_by != NULL && strcmp(visible.hidden_by, r->hidden_by) != 0))
            fail_msg("rule %zu: \"%s\" by %s, not \"%s\"", i, seen, visible.hidden_by, r->seen);
        tree_free(t);
    }
}

static void test_no_gpu(void **state)
{
    (void)state;
    tree *t = tree_new();
    rung_amd_visible visible;
    tree_env(t, ROCR, "0");
    tree_env(t, HIP, "0");
    const rung_world world = tree_world(t);
    rung_amd_filter(&world, ids, 0, &visible);
    assert_int_equal(visible.count, 0);
    assert_null(visible.hidden_by);
    tree_free(t);
}

static void test_many(void **state)
{
    (void)state;
    uint64_t many[RUNG_AMD_GPUS_MAX];
    tree *t = tree_new();
    rung_amd_visible visible;
    for (uint32_t i = 0; i < RUNG_AMD_GPUS_MAX; i++)
        many[i] = i;
    tree_env(t, HIP, "127,126");
    const rung_world world = tree_world(t);
    rung_amd_filter(&world, many, RUNG_AMD_GPUS_MAX, &visible);
    assert_int_equal(visible.count, 2);
    assert_int_equal(visible.at[0], 127);
    assert_int_equal(visible.at[1], 126);
    tree_free(t);
}

static void test_arch_names(void **state)
{
    (void)state;
    static const struct {
        rung_amd_version version;
        const char *name;
    } names[] = {{{9, 0, 0}, "gfx900"},   {{9, 0, 8}, "gfx908"},         {{9, 0, 10}, "gfx90a"},
                 {{9, 0, 12}, "gfx90c"},  {{9, 4, 2}, "gfx942"},         {{9, 5, 0}, "gfx950"},
                 {{10, 3, 6}, "gfx1036"}, {{11, 0, 1}, "gfx1101"},       {{11, 5, 1}, "gfx1151"},
                 {{12, 0, 1}, "gfx1201"}, {{63, 255, 255}, "gfx63255ff"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[32];
        rung_amd_arch(names[i].version, name, sizeof name);
        assert_string_equal(name, names[i].name);
    }
}

typedef struct override {
    const char *text;
    rung_amd_override expected;
    rung_amd_version version;
} override;

static const override overrides[] = {
    {"10.3.0", RUNG_AMD_OVERRIDE, {10, 3, 0}},
    {"9.0.10", RUNG_AMD_OVERRIDE, {9, 0, 10}},
    {"09.00.08", RUNG_AMD_OVERRIDE, {9, 0, 8}},
    {" 11. 0. 0", RUNG_AMD_OVERRIDE, {11, 0, 0}},
    {"63.255.255", RUNG_AMD_OVERRIDE, {63, 255, 255}},
    {"0.0.0", RUNG_AMD_NO_OVERRIDE, {0, 0, 0}},
    {"", RUNG_AMD_OVERRIDE_INVALID, {0, 0, 0}},
    {"10.3", RUNG_AMD_OVERRIDE_INVALID, {0, 0, 0}},
    {"10.3.", RUNG_AMD_OVERRIDE_INVALID, {0, 0, 0}},
    {"10.3.0.0", RUNG_AMD_OVERRIDE_INVALID, {0, 0, 0}},
    {"10.3.0 ", RUNG_AMD_OVERRIDE_INVALID, {0, 0, 0}},
    {"10.3.a", RUNG_AMD_OVERRIDE_INVALID, {0, 0, 0}},
    {"gfx1030", RUNG_AMD_OVERRIDE_INVALID, {0, 0, 0}},
    {"10-3-0", RUNG_AMD_OVERRIDE_INVALID, {0, 0, 0}},
    {"-1.0.0", RUNG_AMD_OVERRIDE_INVALID, {0, 0, 0}},
    {"64.0.0", RUNG_AMD_OVERRIDE_INVALID, {0, 0, 0}},
    {"9.256.0", RUNG_AMD_OVERRIDE_INVALID, {0, 0, 0}},
    {"9.0.256", RUNG_AMD_OVERRIDE_INVALID, {0, 0, 0}},
    {"99999999999999999999999.0.0", RUNG_AMD_OVERRIDE_INVALID, {0, 0, 0}},
};

static void test_overrides(void **state)
{
    (void)state;
    for (int of_node = 0; of_node < 2; of_node++) {
        for (size_t i = 0; i < sizeof overrides / sizeof *overrides; i++) {
            const override *o = &overrides[i];
            const char *name = of_node ? "HSA_OVERRIDE_GFX_VERSION_12" : "HSA_OVERRIDE_GFX_VERSION";
            rung_amd_version version = {0, 0, 0};
            char variable[48];
            tree *t = tree_new();
            tree_env(t, name, o->text);
            const rung_world world = tree_world(t);
            if (rung_amd_overridden(&world, 12, &version, variable) != o->expected)
                fail_msg("%s=%s", name, o->text);
            assert_string_equal(variable, name);
            assert_memory_equal(&version, &o->version, sizeof version);
            tree_free(t);
        }
    }
}

static void test_override_of_a_node(void **state)
{
    (void)state;
    tree *t = tree_new();
    rung_amd_version version;
    char variable[48];
    tree_env(t, "HSA_OVERRIDE_GFX_VERSION", "10.3.0");
    tree_env(t, "HSA_OVERRIDE_GFX_VERSION_2", "11.0.0");
    const rung_world world = tree_world(t);
    assert_int_equal(rung_amd_overridden(&world, 2, &version, variable), RUNG_AMD_OVERRIDE);
    assert_int_equal(version.major, 11);
    assert_int_equal(rung_amd_overridden(&world, 1, &version, variable), RUNG_AMD_OVERRIDE);
    assert_int_equal(version.major, 10);
    tree_free(t);
    t = tree_new();
    const rung_world none = tree_world(t);
    assert_int_equal(rung_amd_overridden(&none, 1, &version, variable), RUNG_AMD_NO_OVERRIDE);
    tree_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),      cmocka_unit_test(test_no_gpu),    cmocka_unit_test(test_many),
        cmocka_unit_test(test_arch_names), cmocka_unit_test(test_overrides), cmocka_unit_test(test_override_of_a_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
