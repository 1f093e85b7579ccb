/* SPDX-License-Identifier: Apache-2.0
 *
 * test_named_arch.c: archs that have no order, named in a chain for a device that is there (R11).
 */
#include "runtime_test.h"

#include <string.h>

#include "gp/gp.h"
#include "rung/table.h"

enum { CELLS = 64 };

/* The registry gp with all kernels for rocm built. */
static const rung_registry *with_rocm(rung_registry *registry, rung_cell_row cells[CELLS])
{
    *registry = gp_registry;
    assert_true(gp_registry.n_cells <= CELLS);
    memcpy(cells, gp_registry.cells, gp_registry.n_cells * sizeof *cells);
    registry->cells = cells;
    uint32_t rocm = rung_device_find(&gp_registry, "rocm");
    for (uint32_t i = 0; i < registry->n_cells; i++)
        if (registry->arch_names[cells[i].arch].device == rocm)
            cells[i].flags |= RUNG_CELL_BUILT;
    return registry;
}

static void a_device_is_no_other(void **state)
{
    (void)state;
    rung_registry registry;
    rung_cell_row cells[CELLS];
    (void)with_rocm(&registry, cells);
    static const struct {
        const char *detected, *named;
        int opens;
    } table[] = {
        {"gfx90a", "gfx90a", 1},
        {"gfx90a:sramecc+:xnack-", "gfx90a", 1},
        {"gfx90a", "gfx90a:xnack+", 1}, /* features do not make another device */
        {"gfx90a:xnack-", "gfx90a:xnack+", 1},
        {"gfx90a", "generic", 1},
        {"gfx90a", "gfx942", 0},
        {"gfx90a:sramecc+:xnack-", "gfx942:xnack-", 0},
        {"gfx90a", "gfx11-generic", 0},
        {"gfx90a", "gfx1031", 0}, /* that no list holds */
        {"gfx90a", "gfx90c", 0},
        {"gfx1100", "gfx11-generic", 1},
        {"gfx1103", "gfx11-generic", 1},
        {"gfx1103", "gfx1100", 0},
        {"gfx1103", "gfx1103", 1},
        {"gfx1250", "gfx1251", 0}, /* neither is known by name */
        {"gfx1250", "gfx1250", 1},
        {"gfx1250:xnack-", "gfx1250:xnack+", 1},
        {"", "gfx942", 1}, /* what is not known is not judged */
        {"an arch of tomorrow", "gfx942", 1},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const rung_found found = {.device = "rocm", .arch = table[i].detected, .detail = "", .count = 1};
        rung_machine machine = machine_x86(0);
        machine.found = &found;
        machine.n_found = 1;
        char chain[64] = "rocm/";
        strcat(chain, table[i].named);
        rung_platform *p = NULL;
        rung_error err;
        rung_status status = rung_platform_open_on(&registry, chain, 0, &machine, &p, &err);
        if (status != (table[i].opens ? RUNG_OK : RUNG_ERR_UNAVAILABLE))
            fail_msg("%s on %s: status %d: %s", chain, table[i].detected, (int)status, err.text);
        if (table[i].opens) {
            rung_platform_close(p);
            continue;
        }
        char expected[128] = "";
        strcat(strcat(strcat(expected, chain), ": this device is "), table[i].detected);
        assert_string_equal(err.text, expected);
        /* for inspection anything goes */
        assert_int_equal(rung_platform_open_on(&registry, chain, RUNG_OPEN_INSPECT, &machine, &p, &err), RUNG_OK);
        rung_platform_close(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_is_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
