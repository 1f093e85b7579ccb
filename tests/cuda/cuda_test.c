/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_test.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- images ------------------------------------------------------------------------------------------------------ */

/* Every one has all entries but `missing`. */
#define STAND_IN_NAMES "scale__sm90a\nscale__sm80\nscale__sm80__finish\nscale__ptx\nscale__generic\naxpy__sm80\n"
#include "stand_in.h"

#define IMAGE(name, parts, ...)                                                                                        \
    static const struct {                                                                                              \
        stand_in_header header;                                                                                        \
        stand_in_part part[parts];                                                                                     \
    } data_##name = {STAND_IN_HEADER(parts), {__VA_ARGS__}};                                                           \
    static const rung_image image_##name = {&data_##name, sizeof data_##name}

IMAGE(sm90a, 1, STAND_IN_PART(STAND_IN_SASS, 90, STAND_IN_A));
IMAGE(sm80, 2, STAND_IN_PART(STAND_IN_SASS, 80, STAND_IN_PLAIN), STAND_IN_PART(STAND_IN_PTX, 80, STAND_IN_PLAIN));
IMAGE(ptx, 1, STAND_IN_PART(STAND_IN_PTX, 75, STAND_IN_PLAIN));
IMAGE(generic, 4, STAND_IN_PART(STAND_IN_PTX, 75, STAND_IN_PLAIN), STAND_IN_PART(STAND_IN_SASS, 75, STAND_IN_PLAIN),
      STAND_IN_PART(STAND_IN_SASS, 80, STAND_IN_PLAIN), STAND_IN_PART(STAND_IN_SASS, 90, STAND_IN_PLAIN));

/* ---- the registry ------------------------------------------------------------------------------------------------ */

/* Names in a pool: the member's place is the offset. */
typedef struct pool {
    char empty[1], cuda[8], sm120[8], sm90a[8], sm80[8], ptx[8], generic[8], source[24];
    char entry[ENTRIES][24];
} pool;
static const pool names = {
    "",
    "cuda",
    "sm120",
    "sm90a",
    "sm80",
    "ptx",
    "generic",
    "kernels/scale.cu",
    {"scale__sm90a", "scale__sm80", "scale__sm80__finish", "scale__ptx", "scale__generic", "axpy__sm80", "missing"},
};
#define NAME(member) ((uint32_t)offsetof(pool, member))

static const rung_device_row devices[] = {{.name = NAME(cuda), .first_arch = 0, .archs = 5}};

enum { SM120, SM90A, SM80, PTX, GENERIC };
static const rung_arch_row archs[] = {
    [SM120] = {.name = NAME(sm120), .model = RUNG_MODEL_CUDA, .rank = 120},
    [SM90A] = {.name = NAME(sm90a), .model = RUNG_MODEL_CUDA, .rank = 90},
    [SM80] = {.name = NAME(sm80), .model = RUNG_MODEL_CUDA, .rank = 80},
    [PTX] = {.name = NAME(ptx), .model = RUNG_MODEL_CUDA, .portable = 1},
    [GENERIC] = {.name = NAME(generic), .model = RUNG_MODEL_CUDA, .portable = 1},
};

#define CELL(on, nth, count, of) CELL_OF(0, RUNG_CELL_BUILT, on, nth, count, of)
#define CELL_OF(of_op, with, on, nth, count, of)                                                                       \
    {                                                                                                                  \
        .op = (of_op), .source = NAME(source), .arch = (on), .flags = (with), .first_entry = (nth),                    \
        .entries = (count), .image = (of)                                                                              \
    }
enum { IMAGE_SM90A, IMAGE_SM80, IMAGE_PTX, IMAGE_GENERIC, IMAGE_NONE, IMAGES };
static const rung_cell_row cells[CELLS] = {
    [ON_SM90A] = CELL(SM90A, ENTRY_SM90A, 1, IMAGE_SM90A),
    [ON_SM80] = CELL(SM80, ENTRY_SM80, 2, IMAGE_SM80),
    [ON_PTX] = CELL(PTX, ENTRY_PTX, 1, IMAGE_PTX),
    [ON_GENERIC] = CELL(GENERIC, ENTRY_GENERIC, 1, IMAGE_GENERIC),
    [ON_SM80_TOO] = CELL_OF(1, RUNG_CELL_BUILT, SM80, ENTRY_TOO, 1, IMAGE_SM80),
    [NOT_LINKED] = CELL(SM80, ENTRY_SM80, 1, IMAGE_NONE),
    [NO_ENTRY] = CELL(SM80, ENTRY_MISSING, 1, IMAGE_SM80),
    [NOT_BUILT] = CELL_OF(1, 0, SM120, ENTRY_TOO, 1, IMAGE_NONE),
    [NO_IMAGE] = CELL(SM80, 0, 0, RUNG_NO_IMAGE),
};

#define ENTRY(nth) (uint32_t)(offsetof(pool, entry) + (nth) * sizeof names.entry[0])
static const uint32_t entries[ENTRIES] = {
    ENTRY(0), ENTRY(1), ENTRY(2), ENTRY(3), ENTRY(4), ENTRY(5), ENTRY(6),
};

static const rung_image *const images[IMAGES] = {&image_sm90a, &image_sm80, &image_ptx, &image_generic, NULL};

static const rung_toolkit toolkit = {RUNG_DRIVER_VERSION(13, 0), {75, 80, 90}};

const rung_registry small = {
    .abi = RUNG_TABLE_ABI,
    .size = sizeof small,
    .name_space = "small",
    .strings = (const char *)&names,
    .devices = devices,
    .arch_names = archs,
    .cells = cells,
    .entries = entries,
    .images = images,
    .toolkits = {&toolkit},
    .n_devices = 1,
    .n_archs = 5,
    .n_arch_names = 5,
    .n_cells = CELLS,
    .n_entries = ENTRIES,
    .n_images = IMAGES,
};

/* ---- the machine ------------------------------------------------------------------------------------------------- */

static char having[512];

void steer(const char *how)
{
    char all[1024];
    (void)snprintf(all, sizeof all, "%s%s", having, how);
    assert_int_equal(setenv("RUNG_FAKE_CUDA", all, 1), 0);
}

tree *machine(const char *devices_of)
{
    tree *t = tree_new();
    tree_node(t, "/dev/nvidiactl", 0666);
    tree_library(t, "libcuda.so.1", "libcuda.so.1");
    assert_int_equal(setenv("RUNG_FAKE_CUDA_KERNELS", CUDA_TEST_KERNELS, 1), 0);
    (void)snprintf(having, sizeof having, "%s", devices_of);
    steer("");
    return t;
}

void *driver_function(tree *t, const char *name)
{
    char path[TREE_PATH + 32];
    (void)snprintf(path, sizeof path, "%s/libcuda.so.1", t->libraries);
    void *library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    if (library == NULL)
        return NULL; /* nobody has loaded it */
    void *found = dlsym(library, name);
    assert_non_null(found);
    assert_int_equal(dlclose(library), 0);
    return found;
}

int alive(tree *t, const char *what)
{
    rung_fake_cuda_live_fn *count;
    FIND(t, "rung_fake_cuda_live", count);
    return count == NULL ? 0 : count(what);
}

int calls(tree *t, const char *entry)
{
    rung_fake_cuda_calls_fn *count;
    FIND(t, "rung_fake_cuda_calls", count);
    return count == NULL ? 0 : count(entry);
}

void assert_no_violation(tree *t)
{
    rung_fake_cuda_violations_fn *count;
    rung_fake_cuda_violation_fn *last;
    FIND(t, "rung_fake_cuda_violations", count);
    FIND(t, "rung_fake_cuda_violation", last);
    if (count != NULL && count() != 0)
        fail_msg("%d violations, the last one: %s", count(), last());
}

void assert_nothing_lives(tree *t)
{
    static const char *const kinds[] = {"contexts", "libraries", "streams", "events", "memory", "pinned", "work"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (alive(t, kinds[i]) != 0)
            fail_msg("%d %s are left", alive(t, kinds[i]), kinds[i]);
    assert_no_violation(t);
}

rung_gpu *open_gpu(tree *t, uint32_t index)
{
    const rung_world world = tree_world(t);
    rung_gpu *gpu = NULL;
    assert_int_equal(rung_cuda_driver.open(&world, index, &small, &gpu, fresh()), RUNG_REASON_NONE);
    assert_string_equal(said(), "");
    assert_non_null(gpu);
    assert_int_equal(rung_cuda_driver.enter(gpu, fresh()), RUNG_OK);
    return gpu;
}

void close_gpu(tree *t, rung_gpu *gpu)
{
    steer("");
    rung_cuda_driver.leave(gpu);
    rung_cuda_driver.close(gpu, false);
    assert_nothing_lives(t);
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

static char buffer[512];
static rung_text text;

rung_text *fresh(void)
{
    text = rung_text_in(buffer, sizeof buffer);
    return &text;
}

const char *said(void)
{
    return buffer;
}
