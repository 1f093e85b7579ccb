/* SPDX-License-Identifier: Apache-2.0 */
#include "imitated_cuda.h"

#include <dlfcn.h>
#include <stdio.h>

struct cu cu;
rung_fake_cuda_live_fn *live;
rung_fake_cuda_violations_fn *violations;
rung_fake_cuda_violation_fn *violation;
rung_fake_cuda_calls_fn *calls;
int broken;

static void *library;
static char having[512];

static void find(const char *name, void *to)
{
    void *found = dlsym(library, name);
    if (found == NULL)
        fail_msg("%s", dlerror());
    memcpy(to, &found, sizeof found);
}

void steer(const char *how)
{
    char all[1024];
    (void)snprintf(all, sizeof all, "%s;%s", having, how);
    assert_int_equal(setenv("RUNG_FAKE_CUDA", all, 1), 0);
}

void reload(const char *devices)
{
    if (library != NULL)
        assert_int_equal(dlclose(library), 0);
    (void)snprintf(having, sizeof having, "%s", devices);
    steer("");
    assert_int_equal(setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1), 0);
    assert_int_equal(setenv("RUNG_FAKE_CUDA_KERNELS", ON_HOST_MODULE, 1), 0);
    library = dlopen(RUNG_FAKE_LIBRARIES "/libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        fail_msg("%s", dlerror());
#define FAKE_API(name, version, symbol, parameters) find(#symbol, &cu.symbol);
    FAKE_APIS
#undef FAKE_API
    find("rung_fake_cuda_live", &live);
    find("rung_fake_cuda_violations", &violations);
    find("rung_fake_cuda_violation", &violation);
    find("rung_fake_cuda_calls", &calls);
    broken = 0;
    assert_int_equal(violations(), 0);
    assert_ok(cu.cuInit(0));
}

int load(void **state)
{
    (void)state;
    reload("device=A100|8.0|67108864|GPU-1|0000:3b:00.0;device=RTX 5090|12.0|67108864|GPU-2|0000:61:00.0");
    return 0;
}

int load_current(void **state)
{
    (void)load(state);
    assert_ok(cu.cuCtxSetCurrent(context_of(0)));
    return 0;
}

int unload(void **state)
{
    (void)state;
    static const char *const kinds[] = {"libraries", "streams", "events", "graphs",
                                        "execs",     "memory",  "pinned", "work"};
    void *current = NULL;
    if (library == NULL)
        return 0;
    steer("");
    assert_ok(cu.cuCtxGetCurrent(&current));
    if (current != NULL) {
        assert_ok(cu.cuCtxSetCurrent(NULL));
        assert_ok(cu.cuDevicePrimaryCtxRelease_v2(0));
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (live(kinds[i]) != 0)
            fail_msg("%d %s are left", live(kinds[i]), kinds[i]);
    assert_int_equal(live("contexts"), 0);
    if (violations() != broken)
        fail_msg("a rule was broken: %s", violation());
    assert_int_equal(dlclose(library), 0);
    library = NULL;
    return 0;
}

/* ---- shorthands -------------------------------------------------------------------------------------------------- */

void *context_of(int device)
{
    void *context = NULL;
    assert_ok(cu.cuDevicePrimaryCtxRetain(&context, device));
    assert_non_null(context);
    return context;
}

uintptr_t alloc(size_t bytes)
{
    uintptr_t at = 0;
    assert_ok(cu.cuMemAlloc_v2(&at, bytes));
    assert_int_equal(at % 256, 0);
    return at;
}

void *stream(unsigned flags)
{
    void *made = NULL;
    assert_ok(cu.cuStreamCreate(&made, flags));
    return made;
}

void *event(unsigned flags)
{
    void *made = NULL;
    assert_ok(cu.cuEventCreate(&made, flags));
    return made;
}

void *loaded(const rung_image *image)
{
    void *made = NULL;
    assert_ok(cu.cuLibraryLoadData(&made, image->data, NULL, NULL, 0, NULL, NULL, 0));
    return made;
}

void *function(void *of, const char *name)
{
    void *kernel = NULL, *made = NULL;
    assert_ok(cu.cuLibraryGetKernel(&kernel, of, name));
    assert_ok(cu.cuKernelGetFunction(&made, kernel));
    return made;
}

int scale(void *of, void *on, uintptr_t y, uintptr_t x, unsigned n, float a)
{
    return cu.cuLaunchKernel(of, 2, 1, 1, 128, 1, 1, 0, on, (void *[]){&y, &x, &n, &a}, NULL);
}
