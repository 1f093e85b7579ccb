/* SPDX-License-Identifier: Apache-2.0
 *
 * matrix_columns.c: devices and archs, and the platforms that they stand for.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "matrix_rows.h"
#include "rk/rk.h"
#include "rung/table.h"
#include "say.h"

/* The position of a platform opened to be looked at, or MATRIX_NO_PLATFORM when it cannot be named so. */
static size_t open_column(matrix_columns *columns, const char *device, const char *arch)
{
    char *name = arch != NULL ? say_format("%s/%s", device, arch) : say_format("%s", device);
    rung_platform *platform = NULL;
    rung_status status = rung_platform_open(&rk_registry, name, RUNG_OPEN_INSPECT | RUNG_OPEN_NO_ENV, &platform, NULL);
    free(name);
    if (status != RUNG_OK)
        return MATRIX_NO_PLATFORM;
    columns->platform[columns->platforms] = platform;
    return columns->platforms++;
}

/* How far down its own device's chain a platform has the arch; -1: it has not. */
static int depth(const rung_platform *platform, const char *device, const char *arch)
{
    const char *step;
    if (strcmp(rung_platform_device(platform, 0), device) != 0)
        return -1;
    for (int i = 0; (step = rung_platform_arch_step(platform, 0, (uint32_t)i)) != NULL; i++)
        if (strcmp(step, arch) == 0)
            return i;
    return -1;
}

/* Kernels may be made for an arch that no device is called by, such as sm90a: that of the platform whose chain has it
 * first. */
static size_t borrow(const matrix_columns *columns, const char *device, const char *arch)
{
    size_t best = MATRIX_NO_PLATFORM;
    int best_depth = -1;
    for (size_t i = 1; i < columns->platforms; i++) {
        int d = depth(columns->platform[i], device, arch);
        if (d >= 0 && (best_depth < 0 || d < best_depth)) {
            best = i;
            best_depth = d;
        }
    }
    return best;
}

static bool stands(const uint32_t *list, uint32_t count, uint32_t device)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == device)
            return true;
    return false;
}

/* All devices: first the chain that is shown, then those that may be chosen unasked, then the others. */
static uint32_t *order(const rung_platform *shown)
{
    uint32_t devices = rung_device_count(&rk_registry), done = 0;
    uint32_t *list = say_alloc(devices * sizeof *list);
    const char *name;
    for (uint32_t i = 0; shown != NULL && (name = rung_platform_device(shown, i)) != NULL; i++) {
        uint32_t device = rung_device_find(&rk_registry, name);
        if (!stands(list, done, device))
            list[done++] = device;
    }
    for (uint32_t i = 0; i < rk_registry.n_auto; i++)
        if (!stands(list, done, rk_registry.auto_devices[i]))
            list[done++] = rk_registry.auto_devices[i];
    for (uint32_t device = 0; device < devices; device++)
        if (!stands(list, done, device))
            list[done++] = device;
    return list;
}

void matrix_columns_open(matrix_columns *out, rung_platform *shown)
{
    size_t most = 0;
    for (uint32_t d = 0; d < rung_device_count(&rk_registry); d++)
        most += 1 + rk_registry.devices[d].archs;
    *out = (matrix_columns){.column = say_alloc(most * sizeof *out->column),
                            .platform = say_alloc((1 + most) * sizeof(rung_platform *))};
    if (shown != NULL)
        out->platform[out->platforms++] = shown;
    uint32_t *devices = order(shown);
    for (uint32_t d = 0; d < rung_device_count(&rk_registry); d++) {
        const rung_device_row *row = &rk_registry.devices[devices[d]];
        const char *device = rung_device_name(&rk_registry, devices[d]);
        for (uint32_t a = 0; a <= row->archs; a++) {
            const char *arch =
                a != 0 ? rk_registry.strings + rk_registry.arch_names[row->first_arch + a - 1].name : NULL;
            size_t platform = shown != NULL ? open_column(out, device, arch) : MATRIX_NO_PLATFORM;
            out->column[out->count++] = (matrix_column){device, arch, platform};
        }
    }
    free(devices);
    for (size_t i = 0; i < out->count; i++) {
        matrix_column *c = &out->column[i];
        if (c->platform == MATRIX_NO_PLATFORM && c->arch != NULL)
            c->platform = borrow(out, c->device, c->arch);
    }
}

void matrix_columns_close(matrix_columns *columns)
{
    for (size_t i = 1; i < columns->platforms; i++)
        rung_platform_close(columns->platform[i]);
    free(columns->platform);
    free(columns->column);
}
