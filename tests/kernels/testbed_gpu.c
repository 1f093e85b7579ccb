/* SPDX-License-Identifier: Apache-2.0
 *
 * testbed_gpu.c: this processor, and the GPU that RUNG_FAKE_CUDA and RUNG_FAKE_NVML describe, with NVIDIA's libraries
 * imitated (tests/imitation).
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "testbed.h"

#include "machine.h"
#include "tree.h"

static tree *gpu;
static pid_t maker; /* of its files: a child that was forked leaves them to it */

static void make(void)
{
    maker = getpid();
    gpu = tree_new();
    tree_file(gpu, "/proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06\n");
    tree_node(gpu, "/dev/nvidiactl", 0666);
    tree_node(gpu, "/dev/nvidia-uvm", 0666);
    tree_node(gpu, "/dev/nvidia0", 0666);
}

rung_status testbed_open(const char *chain, unsigned flags, rung_platform **out, rung_error *err)
{
    if (gpu == NULL)
        make();
    rung_world here;
    rung_machine machine;
    rung_machine_detect(&here, &machine);
    static rung_world world; /* the platform keeps what it points to */
    world = tree_world(gpu);
    world.libraries = RUNG_FAKE_LIBRARIES; /* in their own place, where cuBLAS and find() look for the driver */
    machine.world = &world;
    return rung_platform_open_on(&rk_registry, chain, flags, &machine, out, err);
}

/* A function of an imitated library that was opened; NULL otherwise. */
static void *find(const char *library, const char *name)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_NOLOAD);
    if (handle == NULL)
        return NULL;
    void *address = dlsym(handle, name);
    (void)dlclose(handle);
    return address;
}

typedef int count_fn(void);
typedef int live_fn(const char *what);
typedef const char *violation_fn(void);

static int count_of(const char *library, const char *name)
{
    void *address = find(library, name);
    count_fn *count;
    memcpy(&count, &address, sizeof count);
    return address == NULL ? 0 : count();
}

int testbed_cublas_handles(void)
{
    return count_of("libcublas.so.13", "rung_fake_cublas_handles");
}

const char *testbed_complaint(void)
{
    static char text[1024];
    void *last = find("libcuda.so.1", "rung_fake_cuda_violation"), *live = find("libcuda.so.1", "rung_fake_cuda_live");
    if (last == NULL || live == NULL)
        return NULL;
    violation_fn *violation;
    live_fn *count;
    memcpy(&violation, &last, sizeof violation);
    memcpy(&count, &live, sizeof count);
    if (count_of("libcuda.so.1", "rung_fake_cuda_violations") > 0) {
        (void)snprintf(text, sizeof text, "%s", violation());
        return text;
    }
    static const char *const kinds[] = {"contexts", "libraries", "streams", "events", "memory", "pinned", "work"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (count(kinds[i]) != 0) {
            (void)snprintf(text, sizeof text, "%d of %s are left", count(kinds[i]), kinds[i]);
            return text;
        }
    }
    if (count_of("libcublas.so.13", "rung_fake_cublas_violations") != 0)
        return "a rule of cuBLAS was broken";
    return testbed_cublas_handles() != 0 ? "handles of cuBLAS are left" : NULL;
}

const char *testbed_end(void)
{
    const char *said = find("libcuda.so.1", "rung_fake_cuda_live") == NULL ? "the imitated driver was never opened"
                                                                           : testbed_complaint();
    if (gpu != NULL && maker == getpid())
        tree_free(gpu);
    gpu = NULL;
    return said;
}
