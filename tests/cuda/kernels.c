/* SPDX-License-Identifier: Apache-2.0
 *
 * kernels.c: a library of kernels for the imitated driver (cuda_on_host/abi.h). Each tells how it was launched.
 */
#include <string.h>

#include "abi.h"

static rung_on_host_result run(const rung_on_host_kernel *kernel, const rung_on_host_launch *launch, char *message,
                               size_t size)
{
    uint32_t *out;
    (void)kernel;
    (void)message;
    (void)size;
    memcpy(&out, launch->parameters[0], sizeof out);
    memcpy(out, launch->grid, sizeof launch->grid);
    memcpy(out + 3, launch->block, sizeof launch->block);
    out[6] = launch->shared;
    memcpy(out + 7, launch->parameters[1], sizeof *out);
    return RUNG_ON_HOST_DONE;
}

static const uint16_t sizes[] = {sizeof(uint32_t *), sizeof(uint32_t)};

#define KERNEL(name_)                                                                                                  \
    {                                                                                                                  \
        .name = (name_), .parameters = 2, .sizes = sizes, .run = run                                                   \
    }
static const rung_on_host_kernel kernels[] = {
    KERNEL("scale__sm90a"), KERNEL("scale__sm80"),    KERNEL("scale__sm80__finish"),
    KERNEL("scale__ptx"),   KERNEL("scale__generic"), KERNEL("axpy__sm80"),
};

__attribute__((visibility("default"))) rung_on_host_find_fn rung_on_host_find;

const rung_on_host_kernel *rung_on_host_find(const char *name)
{
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (strcmp(kernels[i].name, name) == 0)
            return &kernels[i];
    return NULL;
}
