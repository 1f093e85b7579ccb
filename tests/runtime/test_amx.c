/* SPDX-License-Identifier: Apache-2.0
 *
 * When Linux is asked for the AMX tiles, and what its answers do: the real acquisition, linked with --wrap for syscall.
 * No kernel is called: the processors are imitated.
 */
#include "imitation.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>

#include "acquire.h"
#include "names.h"
#include "rung/devices.h"

enum { GET_SUPPORTED = 0x1021, GET_PERMITTED = 0x1022, REQUEST = 0x1023, TILE_DATA = 18, ERRNO = 4711 };

/* The system that answers: errnos, 0 for none. */
static struct answers {
    int get, request;
    unsigned long supported, permitted;
} answers;
static int requests; /* for TILE_DATA; any other makes it negative */

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

static long answer(int error)
{
    if (error == 0)
        return 0;
    errno = error;
    return -1;
}

/* Also of whatever else is linked, such as a sanitizer's runtime, before it has set itself up. */
__attribute__((no_sanitize("address", "thread", "undefined"))) long __wrap_syscall(long number, ...)
{
    long args[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        args[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_arch_prctl && args[0] == REQUEST) {
        requests = args[1] == TILE_DATA && requests >= 0 ? requests + 1 : -1;
        return answer(answers.request);
    }
    if (number == SYS_arch_prctl && (args[0] == GET_SUPPORTED || args[0] == GET_PERMITTED)) {
        *(unsigned long *)args[1] = args[0] == GET_SUPPORTED ? answers.supported : answers.permitted;
        return answer(answers.get);
    }
    return __real_syscall(number, args[0], args[1], args[2], args[3], args[4], args[5]);
}

static int forget(void **state)
{
    (void)state;
    requests = 0;
    answers = (struct answers){.supported = 1ul << TILE_DATA};
    return 0;
}

/* The registry as built for a processor with AMX; every cell has a first use, so that the acquisition sees all. */
static const rung_registry *built(fixture *f)
{
    const rung_registry *registry = fixture_of(f, 0);
    for (uint32_t i = 0; i < registry->n_cells; i++)
        f->cells[i].flags |= RUNG_CELL_FIRST_USE;
    return registry;
}

/* A processor whose tiles nobody has asked for yet; first uses are the real ones. */
static rung_machine machine_amx(void)
{
    rung_machine machine = machine_x86(5);
    machine.cpu.amx_permission = 0;
    assert_null(machine.first_use);
    return machine;
}

static uint32_t cell_of(const rung_registry *registry, uint32_t op, const char *arch)
{
    const rung_op_row *row = &registry->ops[op];
    for (uint32_t i = row->first_cell; i < row->first_cell + row->cells; i++) {
        const rung_arch_row *at = &registry->arch_names[registry->cells[i].arch];
        if (rung_is_cpu(registry, at->device) && strcmp(registry->strings + at->name, arch) == 0)
            return i;
    }
    return RUNG_NONE;
}

static uint32_t cell_called(rung_platform *p, uint32_t op)
{
    errno = ERRNO;
    uint32_t cell = pick_cell(p, op, 0, RUNG_MEMORY_HOST);
    assert_int_equal(errno, ERRNO);
    return cell;
}

/* ---- when -------------------------------------------------------------------------------------------------------- */

static void detection_and_opening_do_not_ask(void **state)
{
    (void)state;
    rung_cpu cpu;
    rung_cpu_detect(&cpu);
    static const unsigned flags[] = {0, RUNG_DETECT_FULL};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        rung_devices *devices;
        assert_int_equal(rung_devices_detect(&fx_registry, RUNG_DETECT_NO_ENV | flags[i], &devices, NULL), RUNG_OK);
        rung_devices_free(devices);
    }
    rung_platform *p;
    assert_int_equal(rung_platform_open(&fx_registry, "cpu", RUNG_OPEN_NO_ENV, &p, NULL), RUNG_OK);
    rung_platform_close(p);
    fixture f;
    rung_machine machine = machine_amx();
    p = open_on(built(&f), "cpu", RUNG_OPEN_NO_ENV, &machine);
    /* nor who asks what would be called */
    assert_string_equal(resolved(p, FX_OP_WHICH, 0, RUNG_MEMORY_HOST), "cpu/amx default");
    assert_non_null(strstr(explained(p, FX_OP_WHICH, 0), "*cpu/amx default: available\n"));
    rung_platform_close(p);
    assert_int_equal(requests, 0);
}

static void cells_without_tiles_do_not_ask(void **state)
{
    (void)state;
    fixture f;
    const rung_registry *registry = built(&f);
    rung_machine machine = machine_amx();
    /* an op that has no kernel with tiles, a library that is missing, and all of a platform that is capped */
    rung_platform *p = open_on(registry, "cpu", RUNG_OPEN_NO_ENV, &machine);
    assert_int_equal(cell_called(p, FX_OP_SCALE), cell_of(registry, FX_OP_SCALE, "x86-64-v4"));
    rung_platform_close(p);
    p = open_on(registry, "cpu/x86-64-v4", RUNG_OPEN_NO_ENV, &machine);
    assert_int_equal(rung_warm(p, NULL, NULL), RUNG_OK);
    assert_int_equal(cell_called(p, FX_OP_WHICH), cell_of(registry, FX_OP_WHICH, "x86-64-v4"));
    rung_platform_close(p);
    uint32_t demoted;
    p = open_on(&vd_registry, "cpu/generic", RUNG_OPEN_NO_ENV, &machine);
    assert_int_equal(rung_warm(p, &demoted, NULL), RUNG_OK);
    assert_int_equal(demoted, 1);
    rung_platform_close(p);
    assert_int_equal(requests, 0);
}

static void the_first_cell_with_tiles_asks_once(void **state)
{
    (void)state;
    fixture f;
    const rung_registry *registry = built(&f);
    uint32_t amx = cell_of(registry, FX_OP_WHICH, "amx");
    rung_machine machine = machine_amx();
    rung_platform *p = open_on(registry, "cpu", RUNG_OPEN_NO_ENV, &machine);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(cell_called(p, FX_OP_WHICH), amx);
        assert_int_equal(requests, 1);
    }
    assert_int_equal(rung_warm(p, NULL, NULL), RUNG_OK);
    assert_int_equal(requests, 1);
    rung_platform_close(p);
}

/* As the generator marks them, whatever this test sets. */
static void cells_with_tiles_have_a_first_use(void **state)
{
    (void)state;
    uint32_t amx = cell_of(&fx_registry, FX_OP_WHICH, "amx");
    uint32_t v4 = cell_of(&fx_registry, FX_OP_WHICH, "x86-64-v4");
    assert_true(amx != RUNG_NONE && v4 != RUNG_NONE);
    assert_true(fx_registry.cells[amx].flags & RUNG_CELL_FIRST_USE);
    assert_false(fx_registry.cells[v4].flags & RUNG_CELL_FIRST_USE);
}

/* Where it is not the arch but the cell or the builder that names tiles. */
static void features_ask_too(void **state)
{
    (void)state;
    const uint64_t tile = RUNG_CPU_MASK(x86, amx_tile);
    const uint64_t other = RUNG_CPU_MASK(x86, avx512_fp16);
    fixture f;
    const rung_registry *registry = built(&f);
    uint32_t v4 = cell_of(registry, FX_OP_SCALE, "x86-64-v4");
    rung_text nowhere = {0};
    rung_platform asking = {.head = {.registry = registry}};
    f.cells[v4].features = other;
    assert_int_equal(rung_acquire(&asking, v4, RUNG_NONE, &nowhere), RUNG_REASON_NONE);
    assert_int_equal(requests, 0);
    f.cells[v4].features = other | tile;
    assert_int_equal(rung_acquire(&asking, v4, RUNG_NONE, &nowhere), RUNG_REASON_NONE);
    assert_int_equal(requests, 1);

    static const struct {
        uint64_t features;
        rung_model model;
        int asks;
    } rows[] = {{0, RUNG_MODEL_NONE, 0}, {other, RUNG_MODEL_X86, 0}, {tile, RUNG_MODEL_X86, 1}};
    imitation m;
    (void)imitate(&m, NULL, 0);
    asking.head.registry = &m.registry;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        (void)forget(NULL);
        m.builders[0].requirements = 0;
        m.builders[0].features = rows[i].features;
        m.builders[0].model = (uint8_t)rows[i].model;
        assert_int_equal(rung_acquire(&asking, RUNG_NONE, 0, &nowhere), RUNG_REASON_NONE);
        assert_int_equal(requests, rows[i].asks);
    }
}

/* ---- what is answered -------------------------------------------------------------------------------------------- */

static void a_refusal_is_followed_by_the_next_cell(void **state)
{
    (void)state;
    static const struct {
        int error;
        const char *ladder;
    } rows[] = {
        {EPERM, "cpu/amx default: permission refused: arch_prctl(ARCH_REQ_XCOMP_PERM, 18): error 1\n"
                "*cpu/x86-64-v4 default: available\n"},
        {EINVAL, "cpu/amx default: permission refused: arch_prctl(ARCH_REQ_XCOMP_PERM, 18): error 22\n"
                 "*cpu/x86-64-v4 default: available\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        (void)forget(NULL);
        answers.request = rows[i].error;
        fixture f;
        const rung_registry *registry = built(&f);
        rung_machine machine = machine_amx();
        rung_platform *p = open_on(registry, "cpu", RUNG_OPEN_NO_ENV, &machine);
        uint32_t v4 = cell_of(registry, FX_OP_WHICH, "x86-64-v4");
        assert_int_equal(cell_called(p, FX_OP_WHICH), v4);
        assert_non_null(strstr(explained(p, FX_OP_WHICH, 0), rows[i].ladder));
        /* nothing comes back, though it would be granted now */
        answers.request = 0;
        assert_int_equal(cell_called(p, FX_OP_WHICH), v4);
        assert_int_equal(requests, 1);
        rung_platform_close(p);
    }
}

static void the_permission_is_read_without_asking(void **state)
{
    (void)state;
    static const struct {
        struct answers system;
        int permission;
    } rows[] = {
        {{0, 0, 1ul << TILE_DATA, 1ul << TILE_DATA}, 1},
        {{0, 0, 1ul << TILE_DATA, ~(1ul << TILE_DATA)}, 0},
        {{0, 0, ~(1ul << TILE_DATA), ~0ul}, -1}, /* a system that cannot save them */
        {{EINVAL, 0, ~0ul, ~0ul}, -1},           /* one from before Linux 5.16 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        answers = rows[i].system;
        errno = ERRNO;
        assert_int_equal(rung_amx_permission(), rows[i].permission);
        assert_int_equal(errno, ERRNO);
    }
    assert_int_equal(requests, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(detection_and_opening_do_not_ask, forget),
        cmocka_unit_test_setup(cells_without_tiles_do_not_ask, forget),
        cmocka_unit_test_setup(the_first_cell_with_tiles_asks_once, forget),
        cmocka_unit_test_setup(cells_with_tiles_have_a_first_use, forget),
        cmocka_unit_test_setup(features_ask_too, forget),
        cmocka_unit_test_setup(a_refusal_is_followed_by_the_next_cell, forget),
        cmocka_unit_test_setup(the_permission_is_read_without_asking, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
