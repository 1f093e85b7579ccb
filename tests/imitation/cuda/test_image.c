/* SPDX-License-Identifier: Apache-2.0
 *
 * test_image.c: which part of an image a device takes, and what speaks against it.
 */
#include <stdio.h>

#include "imitated_cuda.h"

enum { PTX_OF = 5, BINARY_OF = 6 };

/* Fetches a function of an image on a device of a capability: its code, and what it was made from. */
static int fetch(const char *capability, const char *how, const rung_image *image, int *binary, int *ptx)
{
    char devices[96];
    void *kernel = NULL, *f = NULL;
    *binary = *ptx = 0;
    (void)snprintf(devices, sizeof devices, "device=GPU|%s|67108864", capability);
    reload(devices);
    steer(how);
    assert_ok(cu.cuCtxSetCurrent(context_of(0)));
    void *library = loaded(image);
    assert_ok(cu.cuLibraryGetKernel(&kernel, library, WORDS("scale")));
    const int code = cu.cuKernelGetFunction(&f, kernel);
    if (code == 0) {
        assert_ok(cu.cuFuncGetAttribute(binary, BINARY_OF, f));
        assert_ok(cu.cuFuncGetAttribute(ptx, PTX_OF, f));
    }
    assert_int_equal(live("compiled"), code == 0 && *binary != *ptx);
    assert_ok(cu.cuLibraryUnload(library));
    assert_ok(cu.cuCtxSetCurrent(NULL));
    assert_ok(cu.cuDevicePrimaryCtxRelease_v2(0));
    return code;
}

static void test_choice(void **state)
{
    (void)state;
    static const struct {
        const char *capability, *how;
        const rung_image *image;
        int code, binary, ptx;
    } cases[] = {
        /* machine code of the same major */
        {"8.0", "", &image_sm80, 0, 80, 80},
        {"8.9", "", &image_sm80, 0, 80, 80},
        {"8.9", "", &image_generic, 0, 89, 89},
        {"8.8", "", &image_generic, 0, 86, 86},
        {"10.3", "", &image_generic, 0, 103, 103},
        {"12.1", "", &image_generic, 0, 120, 120},
        /* PTX for the others */
        {"9.0", "", &image_sm80, 0, 90, 80},
        {"8.7", "", &image_sm80, 0, 87, 80},
        {"11.0", "", &image_generic, 0, 110, 75},
        {"13.0", "", &image_generic, 0, 130, 75},
        {"12.0", "", &image_ptx, 0, 120, 75},
        {"7.5", "", &image_sm80, 209, 0, 0},
        {"7.0", "", &image_generic, 209, 0, 0},
        /* between desktop and Tegra, and back */
        {"8.7", "", &image_sm87, 0, 87, 87},
        {"8.9", "", &image_sm87, 0, 89, 87},
        /* suffixes */
        {"9.0", "", &image_sm90a, 0, 90, 90},
        {"10.0", "", &image_sm90a, 209, 0, 0},
        {"10.0", "", &image_sm100f, 0, 100, 100},
        {"10.3", "", &image_sm100f, 0, 100, 100},
        {"11.0", "", &image_sm100f, 209, 0, 0},
        {"12.0", "", &image_sm100f, 209, 0, 0},
        /* drivers */
        {"9.0", "driver=12080", &image_sm80, 222, 0, 0},
        {"9.0", "driver=12080;toolkit=12090", &image_sm80, 222, 0, 0},
        {"8.0", "driver=12080;toolkit=12090", &image_sm80, 0, 80, 80},
        {"9.0", "driver=12080;ptx=12080", &image_sm80, 0, 90, 80},
        {"9.0", "ptx=13020", &image_sm80, 222, 0, 0},
        {"9.0", "driver=13020;ptx=13020", &image_sm80, 0, 90, 80},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int binary, ptx;
        const int code = fetch(cases[i].capability, cases[i].how, cases[i].image, &binary, &ptx);
        if (code != cases[i].code || binary != cases[i].binary || ptx != cases[i].ptx)
            fail_msg("case %zu, %s, %s: %d, %d from %d", i, cases[i].capability, cases[i].how, code, binary, ptx);
    }
}

static void test_environment(void **state)
{
    (void)state;
    int binary, ptx;
    assert_ok(setenv("CUDA_DISABLE_PTX_JIT", "1", 1));
    assert_int_equal(fetch("9.0", "", &image_sm80, &binary, &ptx), 223);
    assert_ok(unsetenv("CUDA_DISABLE_PTX_JIT"));
    assert_ok(setenv("CUDA_FORCE_PTX_JIT", "1", 1));
    assert_int_equal(fetch("9.0", "", &image_sm90a, &binary, &ptx), 209);
    assert_int_equal(fetch("9.0", "", &image_generic, &binary, &ptx), 0);
    assert_int_equal(ptx, 75);
    assert_ok(unsetenv("CUDA_FORCE_PTX_JIT"));
}

static void test_eager(void **state)
{
    (void)state;
    void *library = NULL;
    reload("device=GPU|7.5|67108864");
    steer("eager=1");
    assert_ok(cu.cuCtxSetCurrent(context_of(0)));
    assert_int_equal(cu.cuLibraryLoadData(&library, image_sm80.data, NULL, NULL, 0, NULL, NULL, 0), 209);
}

static void test_broken_container(void **state)
{
    (void)state;
    _Alignas(64) char bytes[4096] = {0}; /* no further part behind the image */
    void *library = NULL;
    /* the magic, the version, the size of the header, the amount, the first part's header and size */
    static const struct {
        size_t at;
        unsigned char value;
    } damages[] = {{0, 1}, {4, 9}, {6, 17}, {9, 0xff}, {8, 0}, {20, 8}, {25, 0xff}};
    assert_true(image_sm80.size < sizeof bytes);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        memcpy(bytes, image_sm80.data, image_sm80.size);
        bytes[damages[i].at] = (char)damages[i].value;
        assert_int_equal(cu.cuLibraryLoadData(&library, bytes, NULL, NULL, 0, NULL, NULL, 0), 200);
    }
    assert_int_equal(cu.cuLibraryLoadData(&library, NULL, NULL, NULL, 0, NULL, NULL, 0), 200);
}

static void test_names(void **state)
{
    (void)state;
    void *library = loaded(&image_sm80), *kernel = NULL, *again = NULL, *f = NULL;
    assert_int_equal(cu.cuLibraryGetKernel(&kernel, library, WORDS("nonesuch")), 500);
    assert_int_equal(cu.cuLibraryGetKernel(&kernel, library, "words__cuda_sm80__scal"), 500);
    assert_ok(cu.cuLibraryGetKernel(&kernel, library, WORDS("scale")));
    assert_ok(cu.cuLibraryGetKernel(&again, library, WORDS("scale")));
    assert_ptr_equal(kernel, again);
    assert_ok(cu.cuKernelGetFunction(&f, kernel));
    assert_ok(cu.cuLibraryUnload(library));
    assert_breaks(400, "kernel that was destroyed", cu.cuKernelGetFunction(&f, kernel));
    assert_breaks(400, "function that was destroyed", scale(f, NULL, 0, 0, 0, 1.0F));
    assert_breaks(400, "library that was destroyed", cu.cuLibraryUnload(library));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_choice, load, unload),
        cmocka_unit_test_setup_teardown(test_environment, load, unload),
        cmocka_unit_test_setup_teardown(test_eager, load, unload),
        cmocka_unit_test_setup_teardown(test_broken_container, load, unload),
        cmocka_unit_test_setup_teardown(test_names, load_current, unload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
