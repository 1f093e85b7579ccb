/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_cuda_kernels.c: the code of kernels, from libraries that have them compiled for the host (cuda_on_host/abi.h).
 */
#include "fake_cuda_state.h"

#include <dlfcn.h>
#include <stdio.h>

enum { MOST_LIBRARIES = 16 };
static struct {
    char path[1024];
    rung_on_host_find_fn *find;
} libraries[MOST_LIBRARIES];
static int count;
static int ran;

int fake_ran(void)
{
    return ran;
}

/* The library of a path, opened once; NULL when it cannot be. */
static rung_on_host_find_fn *library_of(const char *path)
{
    for (int i = 0; i < count; i++)
        if (strcmp(libraries[i].path, path) == 0)
            return libraries[i].find;
    if (count == MOST_LIBRARIES)
        return NULL;
    rung_on_host_find_fn *find = NULL;
    void *opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *found = opened == NULL ? NULL : dlsym(opened, RUNG_ON_HOST_FIND);
    if (found == NULL)
        (void)fprintf(stderr, "fake libcuda: RUNG_FAKE_CUDA_KERNELS: %s: %s\n", path, dlerror());
    else
        memcpy(&find, &found, sizeof find);
    fake_copy(libraries[count].path, sizeof libraries[count].path, path);
    libraries[count++].find = find;
    return find;
}

const rung_on_host_kernel *fake_kernel_code(const char *name)
{
    const char *at = getenv("RUNG_FAKE_CUDA_KERNELS");
    while (at != NULL && *at != '\0') {
        char path[sizeof libraries[0].path];
        const size_t len = strcspn(at, ":");
        if (len > 0 && len < sizeof path) {
            memcpy(path, at, len);
            path[len] = '\0';
            rung_on_host_find_fn *find = library_of(path);
            const rung_on_host_kernel *found = find == NULL ? NULL : find(name);
            if (found != NULL)
                return found;
        }
        at += len + (at[len] == ':');
    }
    return NULL;
}

/* The order of the nth launch. */
static uint64_t order_of(int nth)
{
    const char *seed = getenv("RUNG_FAKE_CUDA_SEED");
    if (seed == NULL || *seed == '\0')
        return nth % 3 == 2 ? (uint64_t)nth : (uint64_t)(nth % 3);
    if (strcmp(seed, "forward") == 0)
        return 0;
    if (strcmp(seed, "backward") == 0)
        return 1;
    return strtoull(seed, NULL, 0) + 2;
}

/* 0, or the violation of a pointer to memory that a device cannot reach. */
static int check_pointers(const function *f, const rung_on_host_launch *launch)
{
    if (f->code->pointer == NULL || fake_number("pageable", 0) != 0)
        return 0;
    for (uint32_t i = 0; i < f->code->parameters; i++) {
        const char *at;
        if (!f->code->pointer[i])
            continue;
        memcpy(&at, launch->parameters[i], sizeof at);
        if (at != NULL && fake_memory_at(at) == NULL && fake_memory_at(at - 1) == NULL)
            return fake_violation(ILLEGAL_ADDRESS, "kernel %s: parameter %u, %p, is memory that no device can reach",
                                  f->of->name, i, (const void *)at);
    }
    return 0;
}

int fake_kernel_run(const function *f, const rung_on_host_launch *launch)
{
    char key[160], message[256] = "";
    (void)snprintf(key, sizeof key, "kernel:%s", f->of->name);
    const int steered = (int)fake_number(key, 0);
    rung_on_host_launch now = *launch;
    now.order = order_of(ran++);
    if (steered != 0)
        return steered;
    const int code = check_pointers(f, launch);
    if (code != 0)
        return code;
    switch (f->code->run(f->code, &now, message, sizeof message)) {
    case RUNG_ON_HOST_DONE:
        return 0;
    case RUNG_ON_HOST_FAULT:
        return fake_violation(ILLEGAL_ADDRESS, "kernel %s: %s", f->of->name, message);
    default:
        return fake_violation(LAUNCH_FAILED, "kernel %s: %s", f->of->name, message);
    }
}
