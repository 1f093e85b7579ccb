/* SPDX-License-Identifier: Apache-2.0 */
#include "on_host_test.h"

#include <dlfcn.h>
#include <string.h>

char on_host_said[256];
uint64_t on_host_order;

const rung_on_host_kernel *on_host_kernel(const char *name)
{
    static rung_on_host_find_fn *find;
    if (find == NULL) {
        void *library = dlopen(ON_HOST_MODULE, RTLD_NOW | RTLD_LOCAL);
        if (library == NULL)
            fail_msg("%s", dlerror());
        void *found = dlsym(library, RUNG_ON_HOST_FIND);
        assert_non_null(found);
        memcpy(&find, &found, sizeof find);
    }
    return find(name);
}

rung_on_host_result on_host_run(const char *name, const on_host_shape *shape, void **parameters)
{
    const rung_on_host_kernel *kernel = on_host_kernel(name);
    if (kernel == NULL)
        fail_msg("there is no kernel %s", name);
    rung_on_host_launch launch = {.shared = shape->shared, .parameters = parameters, .order = on_host_order};
    memcpy(launch.grid, shape->grid, sizeof launch.grid);
    memcpy(launch.block, shape->block, sizeof launch.block);
    on_host_said[0] = '\0';
    return kernel->run(kernel, &launch, on_host_said, sizeof on_host_said);
}
