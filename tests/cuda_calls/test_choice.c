/* SPDX-License-Identifier: Apache-2.0
 *
 * Which cell runs on which GPU, with which driver. What is expected stands here, written down from docs/resolution.md,
 * R3, by hand.
 */
#include "calls.h"

/* The numbers of kernels/cu.cu. */
enum { ON_CPU = 0, BY_PTX = 1, BY_GENERIC = 2, SM90A = 901, SM100F = 1002 };

typedef struct expected {
    int which;
    bool native; /* its image has machine code that this GPU runs */
    int some;    /* of sm80 sm100 ptx generic */
    bool some_native;
    int exact; /* of sm90a sm100f */
    bool generic_native;
} expected;

/* generic is built for 75 80 86 89 90 100 103 120. */
static const expected on[GPUS] = {
    [GPU_75] = {75, true, BY_PTX, false, ON_CPU, true},
    [GPU_80] = {80, true, 80, true, ON_CPU, true},
    [GPU_86] = {86, true, 80, true, ON_CPU, true},
    [GPU_87] = {86, false, 80, false, ON_CPU, false}, /* machine code of desktops does not run on Tegra */
    [GPU_89] = {86, true, 80, true, ON_CPU, true},
    [GPU_90] = {SM90A, true, 80, false, SM90A, true},
    [GPU_100] = {SM100F, true, 100, true, SM100F, true},
    [GPU_103] = {SM100F, true, 100, true, SM100F, true},
    [GPU_110] = {103, false, 100, false, ON_CPU, false},
    [GPU_120] = {120, true, 100, false, ON_CPU, true},
    [GPU_121] = {120, true, 100, false, ON_CPU, true},
    [GPU_130] = {120, false, 100, false, ON_CPU, false},
};

static int compiled_by(rung_platform *p, number_fn *op, int expect)
{
    int before = alive("compiled");
    heard_nothing();
    assert_int_equal(number(p, op, 40), expect);
    return alive("compiled") - before;
}

/* Runs an op; holds the use of PTX, and what is said of it, to what is expected. */
static void check(unsigned gpu, rung_platform *p, number_fn *op, int expect, bool native, const char *arch)
{
    int compiled = compiled_by(p, op, expect);
    assert_int_equal(compiled, native ? 0 : 1);
    if (native) {
        assert_not_heard("PTX");
        return;
    }
    char part[128];
    (void)snprintf(part, sizeof part, "cuda:%u (sm%u): the image of kernels/cu.cu for cuda/%s has no machine code", gpu,
                   capability_of[gpu], arch);
    assert_heard(part);
    if (strcmp(arch, "generic") == 0) {
        assert_heard(gpu == GPU_87    ? "build with RUNG_CUDA_ARCHS=\"75 80 86 87 89 90 100 103 120 100f 90a\""
                     : gpu == GPU_110 ? "build with RUNG_CUDA_ARCHS=\"75 80 86 89 90 100 103 110 120 100f 90a\""
                                      : "build with RUNG_CUDA_ARCHS=\"75 80 86 89 90 100 103 120 130 100f 90a\"");
    } else {
        (void)snprintf(part, sizeof part, "list cuda/sm%u for it in the registry", capability_of[gpu]);
        assert_heard(part);
    }
    (void)snprintf(part, sizeof part, ", with an nvcc that can target sm_%u", capability_of[gpu]);
    assert_int_equal(strstr(heard(), part) != NULL, capability_of[gpu] > 120);
}

static const char *arch_of(int number)
{
    static char text[16];
    if (number == BY_PTX || number == BY_GENERIC)
        return number == BY_PTX ? "ptx" : "generic";
    (void)snprintf(text, sizeof text, "sm%d", number);
    return text;
}

/* One op after the other, each on a platform of its own: an image is told about once. */
static void test_every_capability(void **state)
{
    (void)state;
    steer("");
    for (unsigned gpu = 0; gpu < GPUS; gpu++) {
        const expected *e = &on[gpu];
        rung_platform *p = open_gpu(gpu);
        char arch[8];
        (void)snprintf(arch, sizeof arch, "sm%u", capability_of[gpu]);
        assert_string_equal(rung_platform_detected(p, 0), arch);
        check(gpu, p, cu_which_buf, e->which, e->native, arch_of(e->which));
        assert_int_equal(compiled_by(p, cu_exact_buf, e->exact), 0);
        close_last(p);

        p = open_gpu(gpu);
        check(gpu, p, cu_some_buf, e->some, e->some_native, arch_of(e->some));
        close_last(p);

        p = open_gpu(gpu);
        check(gpu, p, cu_by_ptx_buf, BY_PTX, false, "ptx");
        close_last(p);

        p = open_gpu(gpu);
        check(gpu, p, cu_by_generic_buf, BY_GENERIC, e->generic_native, "generic");
        close_last(p);
    }
}

/* Every GPU of the machine in one process, all open at once. */
static void test_mixed(void **state)
{
    (void)state;
    steer("");
    rung_platform *p[GPUS];
    for (unsigned gpu = 0; gpu < GPUS; gpu++)
        p[gpu] = open_gpu(gpu);
    for (int turn = 0; turn < 2; turn++)
        for (unsigned gpu = 0; gpu < GPUS; gpu++)
            assert_int_equal(NUMBER(p[gpu], which), on[gpu].which);
    assert_int_equal(alive("contexts"), GPUS);
    for (unsigned gpu = 0; gpu < GPUS; gpu++) {
        assert_int_equal(NUMBER(p[gpu], some), on[gpu].some);
        rung_platform_close(p[gpu]);
        assert_int_equal(alive("contexts"), GPUS - 1 - gpu);
    }
    assert_all_given_back();
}

/* A cap takes away what is above it. */
static void test_capped(void **state)
{
    (void)state;
    steer("");
    rung_platform *p = open_on("cuda:6/sm80");
    assert_int_equal(NUMBER(p, which), 80);
    assert_int_equal(NUMBER(p, exact), ON_CPU);
    close_last(p);
}

/* ---- drivers ----------------------------------------------------------------------------------------------------- */

static void with_driver(int version)
{
    char how[32];
    (void)snprintf(how, sizeof how, "driver=%d;", version);
    steer(how);
}

static void assert_nothing_loaded(void)
{
    static const char *const none[] = {"cuLibraryLoadData", "cuDevicePrimaryCtxRetain", "cuLaunchKernel"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(calls(none[i]), 0);
}

/* Older than the toolkit's major version: no image can be loaded, which is known when the platform is opened. */
static void test_too_old(void **state)
{
    (void)state;
    static const struct {
        int version;
        const char *text;
    } drivers[] = {{11080, "11.8"}, {12000, "12.0"}, {12080, "12.8"}};
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++) {
        with_driver(drivers[i].version);
        char why[96];
        (void)snprintf(why, sizeof why, "driver too old: the kernels need cuda 13.0, this driver is for %s",
                       drivers[i].text);
        rung_platform *p = NULL;
        rung_error err;
        assert_int_equal(try_open("cuda:1", 0, &p, &err), RUNG_ERR_UNAVAILABLE);
        assert_true(has_text(err.text, why));

        assert_int_equal(try_open("cuda:1", RUNG_OPEN_INSPECT, &p, &err), RUNG_OK);
        static const char *const archs[] = {"sm80", "ptx", "generic"};
        for (size_t arch = 0; arch < sizeof archs / sizeof *archs; arch++)
            assert_true(has_text(why_not(p, "which", archs[arch]), "driver too old"));
        assert_true(has_text(why_not(p, "called", "generic"), "driver too old"));
        assert_int_equal(NUMBER(p, which), ON_CPU);
        rung_platform_close(p);

        heard_nothing();
        p = open_on(NULL);
        assert_heard("(automatic: first of cuda, cpu that is usable; cuda: driver too old)");
        assert_string_equal(rung_platform_device(p, 0), "cpu");
        assert_int_equal(NUMBER(p, which), ON_CPU);
        assert_nothing_loaded();
        close_last(p);
    }
    steer("");
}

/* PTX is of 13.0, so that every driver of 13 compiles it. */
static void test_new_enough(void **state)
{
    (void)state;
    static const int drivers[] = {13000, 13020, 14000};
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++) {
        with_driver(drivers[i]);
        rung_platform *p = open_gpu(GPU_130);
        assert_int_equal(NUMBER(p, which), on[GPU_130].which);
        close_last(p);
        p = open_on(NULL);
        assert_string_equal(rung_platform_device(p, 0), "cuda");
        assert_int_equal(NUMBER(p, which), on[0].which);
        close_last(p);
    }
    steer("");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_capability), cmocka_unit_test(test_mixed),      cmocka_unit_test(test_capped),
        cmocka_unit_test(test_too_old),          cmocka_unit_test(test_new_enough),
    };
    return cmocka_run_group_tests(tests, machine_begin, machine_end);
}
