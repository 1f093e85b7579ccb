/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <stdio.h>

#include "arch.h"
#include "hash.h"
#include "names.h"
#include "rk/rk.h"

enum { REGISTRIES = 2 };
static const rung_registry *const registries[REGISTRIES] = {&rk_registry, &fx_registry};

static void every_name_is_found(void **state)
{
    (void)state;
    for (int r = 0; r < REGISTRIES; r++) {
        const rung_registry *registry = registries[r];
        assert_true(rung_op_count(registry) > 0);
        for (uint32_t i = 0; i < rung_op_count(registry); i++) {
            assert_int_equal(rung_op_find(registry, rung_op_name(registry, i)), i);
            assert_string_not_equal(rung_op_summary(registry, i), "");
        }
        for (uint32_t i = 0; i < rung_variant_count(registry); i++)
            assert_int_equal(rung_variant_find(registry, rung_variant_name(registry, i)), i);
        for (uint32_t i = 0; i < rung_device_count(registry); i++)
            assert_int_equal(rung_device_find(registry, rung_device_name(registry, i)), i);
        for (uint32_t i = 0; i < registry->n_archs; i++) {
            const char *name = rung_arch_text(registry, i);
            assert_int_equal(rung_arch_listed(registry, registry->arch_names[i].device, name, strlen(name)), i);
        }
        for (uint32_t i = 0; i < registry->n_cells; i++) {
            const rung_cell_row *row = &registry->cells[i];
            assert_int_equal(rung_cell_of(registry, row->op, row->arch, row->variant), i);
        }
    }
}

static void no_other_name_is_found(void **state)
{
    (void)state;
    for (int r = 0; r < REGISTRIES; r++) {
        const rung_registry *registry = registries[r];
        for (unsigned i = 0; i < 20000; i++) {
            char name[64];
            (void)snprintf(name, sizeof name, "%.*s%u", (int)(i % 40), "gemm_tn_a_rather_long_name_of_no_op_at_all", i);
            assert_int_equal(rung_op_find(registry, name), RUNG_NONE);
            assert_int_equal(rung_variant_find(registry, name), RUNG_NONE);
            assert_int_equal(rung_device_find(registry, name), RUNG_NONE);
            assert_int_equal(rung_arch_listed(registry, i % registry->n_devices, name, strlen(name)), RUNG_NONE);
        }
    }
}

/* What differs from a name by one byte is another name: cut, longer, or with one letter in the other case. */
static void near_misses_are_not_found(void **state)
{
    (void)state;
    for (int r = 0; r < REGISTRIES; r++) {
        const rung_registry *registry = registries[r];
        for (uint32_t i = 0; i < rung_op_count(registry); i++) {
            char name[64];
            const char *op = rung_op_name(registry, i);
            size_t len = strlen(op);
            (void)snprintf(name, sizeof name, "%.*s", (int)len - 1, op);
            assert_int_equal(rung_op_find(registry, name), RUNG_NONE);
            (void)snprintf(name, sizeof name, "%s_", op);
            assert_int_equal(rung_op_find(registry, name), RUNG_NONE);
            for (size_t k = 0; k < len; k++) {
                (void)snprintf(name, sizeof name, "%s", op);
                name[k] ^= 0x20;
                assert_int_equal(rung_op_find(registry, name), RUNG_NONE);
            }
        }
        assert_int_equal(rung_op_find(registry, ""), RUNG_NONE);
        assert_int_equal(rung_device_find(registry, "CPU"), RUNG_NONE);
    }
}

static void every_key_has_its_cell_or_none(void **state)
{
    (void)state;
    for (int r = 0; r < REGISTRIES; r++) {
        const rung_registry *registry = registries[r];
        uint32_t found = 0;
        for (uint32_t op = 0; op <= registry->n_ops; op++)
            for (uint32_t arch = 0; arch <= registry->n_archs; arch++)
                for (uint32_t variant = 0; variant <= registry->n_variants; variant++)
                    found += rung_cell_of(registry, op, arch, variant) != RUNG_NONE;
        assert_int_equal(found, registry->n_cells);
    }
}

/* Worked out with codegen/perfect_hash.py. */
static void hashes_agree_with_the_generator(void **state)
{
    (void)state;
    assert_true(rung_hash_bytes(UINT64_C(0), "", 0) == UINT64_C(0x0000000000000000));
    assert_true(rung_hash_bytes(UINT64_C(0), "a", 1) == UINT64_C(0xdae43303d66645e1));
    assert_true(rung_hash_bytes(UINT64_C(1), "cpu", 3) == UINT64_C(0xf7520b07274594cf));
    assert_true(rung_hash_bytes(UINT64_C(7), "rms_norm", 8) == UINT64_C(0x43eeb21eedf93f53));
    assert_true(rung_hash_bytes(UINT64_C(2), "rbf_factors", 11) == UINT64_C(0x57aff2e94ac0ef6d));
    assert_true(rung_hash_bytes(UINT64_C(18446744073709551615), "cpu/x86-64-v4", 13) == UINT64_C(0x8dfa4b06b2e39f42));
    assert_true(rung_hash_bytes(UINT64_C(5), "a name of more than sixteen bytes", 33) == UINT64_C(0x5e54fc24c83fa43e));
}

static void an_empty_hash_has_nothing(void **state)
{
    (void)state;
    const rung_hash empty = {0};
    assert_int_equal(rung_hash_bytes_find(&empty, "x", 1), RUNG_NONE);
}

static void without_a_registry_there_are_no_names(void **state)
{
    (void)state;
    assert_null(rung_registry_namespace(NULL));
    assert_int_equal(rung_op_count(NULL), 0);
    assert_int_equal(rung_variant_count(NULL), 0);
    assert_int_equal(rung_device_count(NULL), 0);
    assert_null(rung_op_name(NULL, 0));
    assert_null(rung_op_summary(NULL, 0));
    assert_null(rung_variant_name(NULL, 0));
    assert_null(rung_device_name(NULL, 0));
    assert_int_equal(rung_op_find(NULL, "x"), RUNG_NONE);
    assert_int_equal(rung_op_find(&rk_registry, NULL), RUNG_NONE);
    assert_int_equal(rung_variant_find(&rk_registry, NULL), RUNG_NONE);
    assert_int_equal(rung_device_find(&rk_registry, NULL), RUNG_NONE);
    assert_null(rung_op_name(&rk_registry, rung_op_count(&rk_registry)));
    assert_null(rung_op_summary(&rk_registry, RUNG_NONE));
    assert_null(rung_variant_name(&rk_registry, RUNG_NONE));
    assert_null(rung_device_name(&rk_registry, RUNG_NONE));
    assert_string_equal(rung_registry_namespace(&rk_registry), "rk");
    assert_string_equal(rung_registry_namespace(&fx_registry), "fx");
}

static void ids_of_the_headers_are_those_of_the_tables(void **state)
{
    (void)state;
    assert_int_equal(rung_op_find(&rk_registry, "gemm_tn"), RK_OP_GEMM_TN);
    assert_int_equal(rung_op_find(&fx_registry, "which"), FX_OP_WHICH);
    assert_int_equal(rung_variant_find(&fx_registry, "default"), FX_VARIANT_DEFAULT);
    assert_int_equal(rung_variant_find(&fx_registry, "exact"), FX_VARIANT_EXACT);
    assert_int_equal(rung_op_count(&fx_registry), FX_OP_COUNT);
    assert_int_equal(rung_variant_count(&fx_registry), FX_VARIANT_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_is_found),
        cmocka_unit_test(no_other_name_is_found),
        cmocka_unit_test(near_misses_are_not_found),
        cmocka_unit_test(every_key_has_its_cell_or_none),
        cmocka_unit_test(hashes_agree_with_the_generator),
        cmocka_unit_test(an_empty_hash_has_nothing),
        cmocka_unit_test(without_a_registry_there_are_no_names),
        cmocka_unit_test(ids_of_the_headers_are_those_of_the_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
