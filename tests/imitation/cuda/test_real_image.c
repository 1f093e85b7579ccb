/* SPDX-License-Identifier: Apache-2.0
 *
 * test_real_image.c: an image that nvcc has made of words.cu, with machine code of 8.0 and 9.0a and PTX of 8.0: the
 * imitated driver reads it, and runs the kernels of its names.
 */
#include <stdio.h>

#include "imitated_cuda.h"

static void *image;

static int read_image(void **state)
{
    (void)state;
    FILE *file = fopen(REAL_IMAGE, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    rewind(file);
    image = malloc((size_t)size);
    assert_non_null(image);
    assert_int_equal(fread(image, 1, (size_t)size, file), (size_t)size);
    assert_int_equal(fclose(file), 0);
    return 0;
}

static int free_image(void **state)
{
    (void)state;
    free(image);
    return 0;
}

/* By machine code, whose names can be read, and by PTX, whose names cannot. */
static void test_runs(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        int code, binary;
    } cases[] = {
        {"device=GPU|8.6|67108864", 0, 80},
        {"device=GPU|9.0|67108864", 0, 90},
        {"device=GPU|12.0|67108864", 0, 120},
        {"device=GPU|7.5|67108864", 209, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        void *library = NULL, *kernel = NULL, *f = NULL;
        int binary = 0;
        float x = 3.0F;
        reload(cases[i].device);
        assert_ok(cu.cuCtxSetCurrent(context_of(0)));
        assert_ok(cu.cuLibraryLoadData(&library, image, NULL, NULL, 0, NULL, NULL, 0));
        assert_int_equal(cu.cuLibraryGetKernel(&kernel, library, WORDS("nonesuch")), 500);
        assert_ok(cu.cuLibraryGetKernel(&kernel, library, WORDS("scale")));
        assert_int_equal(cu.cuKernelGetFunction(&f, kernel), cases[i].code);
        if (cases[i].code == 0) {
            const uintptr_t at = alloc(4);
            assert_ok(cu.cuFuncGetAttribute(&binary, 6, f));
            assert_int_equal(binary, cases[i].binary);
            assert_ok(cu.cuMemcpyHtoD_v2(at, &x, 4));
            assert_ok(scale(f, NULL, at, at, 1, 2.0F));
            assert_ok(cu.cuMemcpyDtoH_v2(&x, at, 4));
            assert_true(x == 6.0F);
            assert_ok(cu.cuMemFree_v2(at));
        }
        assert_ok(cu.cuLibraryUnload(library));
        assert_ok(cu.cuCtxSetCurrent(NULL));
        assert_ok(cu.cuDevicePrimaryCtxRelease_v2(0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_runs, unload),
    };
    return cmocka_run_group_tests(tests, read_image, free_image);
}
