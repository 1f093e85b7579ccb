/* SPDX-License-Identifier: Apache-2.0
 *
 * scene.h: the registry of tests/fixtures/gp as a build with the drivers of mock.h would have it, with one op for each
 * kind of device, and calls of them as generated code makes them.
 */
#ifndef SCENE_H
#define SCENE_H

#include "../runtime/runtime_test.h"

#include <string.h>

#include "gp/gp.h"
#include "gpu/gpu.h"
#include "mock.h"
#include "rung/dispatch.h"
#include "rung/launch.h"

/* Ops by the device that they are on, the processor beside it. */
enum { ON_CUDA, ON_ROCM, ON_CPU, OPS };
enum { SCENE_CELLS = 32 };

typedef struct scene {
    rung_registry registry;
    rung_op_row ops[OPS];
    rung_cell_row cells[OPS * SCENE_CELLS];
    uint32_t entries[OPS * SCENE_CELLS];
    rung_found found[2];
    rung_machine machine;
    uint64_t workspace; /* of all cells */
} scene;

static inline bool scene_has(const rung_arch_row *arch, uint32_t op)
{
    const char *device = gp_registry.strings + gp_registry.devices[arch->device].name;
    static const char *const names[OPS] = {"cuda", "rocm", "cpu"};
    const char *name = gp_registry.strings + arch->name;
    return strcmp(name, "generic") == 0 && (strcmp(device, names[op]) == 0 || strcmp(device, "cpu") == 0);
}

static inline void scene_begin(scene *s)
{
    *s = (scene){.registry = gp_registry};
    rung_registry *registry = &s->registry;
    uint32_t n = gp_registry.ops[0].cells;
    assert_true(gp_registry.n_ops == 1 && n <= SCENE_CELLS);
    for (uint32_t op = 0; op < OPS; op++) {
        s->ops[op] = gp_registry.ops[0];
        s->ops[op].first_cell = op * n;
        for (uint32_t i = 0; i < n; i++) {
            rung_cell_row *cell = &s->cells[op * n + i];
            *cell = gp_registry.cells[i];
            const rung_arch_row *arch = &gp_registry.arch_names[cell->arch];
            bool host = strcmp(gp_registry.strings + gp_registry.devices[arch->device].name, "cpu") == 0;
            cell->op = op;
            cell->flags = (uint8_t)((scene_has(arch, op) ? RUNG_CELL_BUILT : 0) | (host ? 0 : RUNG_CELL_FIRST_USE));
            cell->requirements = 0;
            cell->entries = host ? 0 : 1;
            cell->first_entry = op * n + i;
            cell->image = RUNG_NO_IMAGE;
            s->entries[op * n + i] = cell->symbol;
        }
    }
    registry->ops = s->ops;
    registry->n_ops = OPS;
    registry->cells = s->cells;
    registry->n_cells = OPS * n;
    registry->entries = s->entries;
    registry->n_entries = OPS * n;
    registry->images = NULL;
    registry->n_images = 0;
    for (uint32_t i = 0; i < RUNG_ON_COUNT; i++) {
        registry->toolkits[i] = NULL;
        registry->drivers[i] = NULL;
    }
    registry->drivers[rung_device_find(&gp_registry, "cuda")] = &mock_cuda;
    registry->drivers[rung_device_find(&gp_registry, "rocm")] = &mock_rocm;
    s->found[0] = (rung_found){"cuda", RUNG_REASON_NONE, "", "sm90", 1, RUNG_DRIVER_VERSION(13, 0), false};
    s->found[1] = (rung_found){"rocm", RUNG_REASON_NONE, "", "gfx942", 1, 0, false};
    s->machine = machine_with("other", 0);
    s->machine.found = s->found;
    s->machine.n_found = 2;
}

static inline rung_platform *scene_open(scene *s, const char *chain)
{
    return open_on(&s->registry, chain, 0, &s->machine);
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

/* The launcher. */
static inline rung_status scene_launch(const rung_ctx *cx, const scene *s, uint32_t op, unsigned ordinal,
                                       const mock_arguments *arguments)
{
    const rung_launched cell = {.registry = &s->registry, .op = op, .ordinal = ordinal};
    const rung_grid grid = {.blocks = {1}};
    mock_arguments copy = *arguments;
    return rung_launch(cx, &cell, 0, &grid, (void *[]){&copy});
}

/* The plain call: y[i] = 3 y[i] + x[i] + k. */
static inline rung_status scene_plain(const rung_ctx *cx, const scene *s, uint32_t op, const mock_arguments *a)
{
    const rung_registry *registry = &s->registry;
    unsigned ordinal = rung_pick(cx, registry, op);
    if (ordinal == RUNG_NO_CHOICE)
        ordinal = rung_first_use(cx, registry, op);
    if (ordinal == RUNG_NO_CHOICE)
        return rung_no_kernel(cx, registry);
    if (registry->cells[registry->ops[op].first_cell + ordinal].entries == 0) {
        mock_kernel(a);
        return RUNG_OK;
    }
    const void *const arrays[] = {a->y, a->x};
    const size_t bytes[] = {a->n, a->n};
    rung_device_call call;
    rung_status status = rung_device_begin(cx, registry, op, ordinal, arrays, bytes, 2, &call);
    if (status != RUNG_OK)
        return status;
    return rung_device_end(&call, scene_launch(&call.cx, s, op, ordinal, a));
}

/* The buffer call. fresh: y is write-only. x may be NULL. */
static inline rung_status scene_call_on(rung_platform *p, rung_queue *queue, const scene *s, uint32_t op,
                                        rung_buffer *y, rung_buffer *x, size_t n, unsigned char k, bool fresh)
{
    rung_ctx cx = rung_ctx_of(p);
    cx.queue = queue;
    rung_buffer_use uses[] = {{y, n, fresh ? RUNG_ACCESS_WRITE : RUNG_ACCESS_READ_WRITE, NULL},
                              {x, n, RUNG_ACCESS_READ, NULL}};
    rung_ctx plain;
    rung_status status = rung_buffer_call(&cx, &s->registry, op, uses, 2, &plain);
    if (status != RUNG_OK)
        return status;
    const mock_arguments a = {uses[0].data, uses[1].data, n, k, fresh};
    return rung_buffer_done(&plain, uses, 2, scene_plain(&plain, s, op, &a));
}

static inline rung_status scene_call(rung_platform *p, const scene *s, uint32_t op, rung_buffer *y, rung_buffer *x,
                                     size_t n, unsigned char k, bool fresh)
{
    return scene_call_on(p, NULL, s, op, y, x, n, k, fresh);
}

static inline rung_buffer *scene_buffer(rung_platform *p, size_t bytes)
{
    rung_buffer *buffer = NULL;
    assert_int_equal(rung_buffer_create(p, bytes, &buffer, NULL), RUNG_OK);
    return buffer;
}

static inline rung_buffer *scene_part(rung_buffer *of, size_t at, size_t bytes)
{
    rung_buffer *part = NULL;
    assert_int_equal(rung_buffer_slice(of, at, bytes, &part, NULL), RUNG_OK);
    return part;
}

static inline rung_queue *scene_queue(rung_platform *p)
{
    rung_queue *queue = NULL;
    assert_int_equal(rung_queue_create(p, &queue, NULL), RUNG_OK);
    return queue;
}

/* Ends a test: everything is given back. */
static inline void scene_end(rung_platform *p)
{
    rung_platform_close(p);
    mock_reset();
}

#define assert_transfers(buffer, in, in_bytes, out, out_bytes)                                                         \
    do {                                                                                                               \
        rung_transfers t_ = rung_buffer_transfers(buffer);                                                             \
        assert_int_equal(t_.to_device, in);                                                                            \
        assert_int_equal(t_.to_device_bytes, in_bytes);                                                                \
        assert_int_equal(t_.to_host, out);                                                                             \
        assert_int_equal(t_.to_host_bytes, out_bytes);                                                                 \
    } while (0)

#endif
