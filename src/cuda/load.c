/* SPDX-License-Identifier: Apache-2.0
 *
 * load.c: images and their entries. The driver loads lazily: that an image has code for the device shows only when a
 * function of it is fetched. Nothing is launched for a test: what goes wrong then ends the use of the device.
 */
#include <time.h>

#include "cuda/state.h"
#include "gpu/native.h"
#include "names.h"

enum { INVALID_PTX = 218, NO_BINARY = 209, NO_COMPILER = 221, NEWER_PTX = 222, NO_COMPILING = 223, NOT_FOUND = 500 };

/* ---- words ------------------------------------------------------------------------------------------------------- */

static const char *meaning(int code)
{
    switch (code) {
    case NO_BINARY:
        return ": it has no code for this device";
    case NEWER_PTX:
        return ": its PTX is newer than the driver";
    case NO_COMPILING:
        return ": its PTX may not be compiled (CUDA_DISABLE_PTX_JIT or CUDA_DISABLE_JIT is set)";
    case NO_COMPILER:
        return ": libnvidia-ptxjitcompiler.so.1 of the driver is missing";
    case INVALID_PTX:
        return ": the driver cannot compile its PTX";
    case NOT_FOUND:
        return ": it has no such function";
    default:
        return "";
    }
}

static rung_reason refused(rung_gpu *gpu, const char *call, int code, rung_text *detail)
{
    (void)rung_cuda_note(gpu, call, code);
    rung_cuda_say(&gpu->api, call, code, detail);
    if (detail != NULL)
        rung_text_add(detail, meaning(code));
    return RUNG_REASON_LOAD_FAILED;
}

/* ---- loading ----------------------------------------------------------------------------------------------------- */

static bool is_loaded(const rung_gpu *gpu, const rung_cell_row *cell)
{
    for (uint32_t i = 0; i < cell->entries; i++)
        if (atomic_load_explicit(&gpu->functions[cell->first_entry + i], memory_order_acquire) == NULL)
            return false;
    return true;
}

/* The image's library, loaded by whoever comes first; *first: by this call. */
static rung_reason load_image(rung_gpu *gpu, uint32_t image, void **out, bool *first, rung_text *detail)
{
    const rung_image *data = gpu->registry->images[image];
    *out = atomic_load_explicit(&gpu->libraries[image], memory_order_acquire);
    *first = false;
    if (*out != NULL)
        return RUNG_REASON_NONE;
    if (data == NULL) {
        if (detail != NULL)
            rung_text_add(detail, "its image is not linked into this program");
        return RUNG_REASON_LOAD_FAILED;
    }
    void *mine = NULL;
    int code = gpu->api.library_load(&mine, data->data, NULL, NULL, 0, NULL, NULL, 0);
    if (code != 0)
        return refused(gpu, "cuLibraryLoadData", code, detail);
    *first = atomic_compare_exchange_strong(&gpu->libraries[image], out, mine);
    if (*first)
        *out = mine;
    else
        (void)rung_cuda_note(gpu, "cuLibraryUnload", gpu->api.library_unload(mine));
    return RUNG_REASON_NONE;
}

/* Every thread that fetches an entry gets the same function. */
static rung_reason fetch(rung_gpu *gpu, void *library, uint32_t entry, rung_text *detail)
{
    void *kernel = NULL;
    void *function = NULL;
    const char *call = "cuLibraryGetKernel";
    int code = gpu->api.library_kernel(&kernel, library, rung_pool(gpu->registry, gpu->registry->entries[entry]));
    if (code == 0) {
        call = "cuKernelGetFunction";
        code = gpu->api.kernel_function(&function, kernel);
    }
    if (code != 0)
        return refused(gpu, call, code, detail);
    atomic_store_explicit(&gpu->functions[entry], function, memory_order_release);
    return RUNG_REASON_NONE;
}

static uint64_t milliseconds(void)
{
    struct timespec at;
    if (clock_gettime(CLOCK_MONOTONIC, &at) != 0)
        return 0;
    return (uint64_t)at.tv_sec * 1000 + (uint64_t)at.tv_nsec / 1000000;
}

rung_reason rung_cuda_load(rung_gpu *gpu, uint32_t cell, rung_text *detail)
{
    const rung_cell_row *row = &gpu->registry->cells[cell];
    if (rung_cuda_is_lost(gpu, detail))
        return RUNG_REASON_DEVICE_UNUSABLE;
    if (is_loaded(gpu, row))
        return RUNG_REASON_NONE;
    int saved = errno;
    uint64_t start = milliseconds();
    void *library;
    bool first;
    rung_reason reason = load_image(gpu, row->image, &library, &first, detail);
    for (uint32_t i = 0; reason == RUNG_REASON_NONE && i < row->entries; i++)
        reason = fetch(gpu, library, row->first_entry + i, detail);
    if (reason == RUNG_REASON_NONE && first && !rung_image_is_native(gpu->registry, row->arch, gpu->capability))
        rung_cuda_tell_compiled(gpu, row, milliseconds() - start);
    errno = saved;
    return reason;
}

void rung_cuda_unload_all(rung_gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->registry->n_images; i++) {
        void *library = atomic_load_explicit(&gpu->libraries[i], memory_order_acquire);
        if (library != NULL)
            (void)gpu->api.library_unload(library);
    }
}

/* ---- launching --------------------------------------------------------------------------------------------------- */

static unsigned least_one(uint32_t count)
{
    return count == 0 ? 1 : count;
}

static void add_three(rung_text *t, const char *what, const uint32_t count[3])
{
    rung_text_add(t, what);
    for (int i = 0; i < 3; i++) {
        rung_text_add(t, i == 0 ? "" : "x");
        rung_text_uint(t, least_one(count[i]));
    }
}

static void add_launch(const rung_gpu *gpu, uint32_t entry, const rung_grid *grid, rung_text *t)
{
    rung_text_join(t, (const char *const[]){" for ", rung_pool(gpu->registry, gpu->registry->entries[entry]), NULL});
    add_three(t, ", blocks ", grid->blocks);
    add_three(t, " of ", grid->threads);
    rung_text_add(t, " threads, shared memory ");
    rung_text_uint(t, grid->shared);
}

rung_status rung_cuda_launch(rung_gpu *gpu, uint32_t entry, const rung_grid *grid, void *stream, void **arguments,
                             rung_text *detail)
{
    if (rung_cuda_is_lost(gpu, detail))
        return RUNG_ERR_DEVICE;
    void *function = atomic_load_explicit(&gpu->functions[entry], memory_order_acquire);
    if (function == NULL) {
        if (detail != NULL)
            rung_text_join(detail, (const char *const[]){rung_pool(gpu->registry, gpu->registry->entries[entry]),
                                                         " has not been loaded", NULL});
        return RUNG_ERR_ARGUMENT;
    }
    int saved = errno;
    int code = gpu->api.launch(function, least_one(grid->blocks[0]), least_one(grid->blocks[1]),
                               least_one(grid->blocks[2]), least_one(grid->threads[0]), least_one(grid->threads[1]),
                               least_one(grid->threads[2]), grid->shared, stream, arguments, NULL);
    rung_status status = rung_cuda_done(gpu, saved, "cuLaunchKernel", code, detail);
    if (status != RUNG_OK && detail != NULL)
        add_launch(gpu, entry, grid, detail);
    return status;
}
