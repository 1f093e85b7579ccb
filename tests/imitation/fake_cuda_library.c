/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_cuda_library.c: libraries of images, their kernels, and functions: a kernel in one context. As on the real
 * driver, only fetching a function shows whether an image has code for a device, unless RUNG_FAKE_CUDA has eager=1.
 * Whether loading ends a capture that does not allow calls like it is documented nowhere: here it does.
 */
#include "fake_cuda_api.h"
#include "fake_cuda_state.h"

enum { STATIC_SHARED_MOST = 48 << 10, MOST_THREADS = 1024 };
static int compiled;

int fake_compiled(void)
{
    return compiled;
}

/* ---- libraries --------------------------------------------------------------------------------------------------- */

static int load_eagerly(const void *data)
{
    image_part part;
    int code = 0;
    for (unsigned i = 0; code == 0 && i < fake_seen_count; i++)
        if (fake_contexts[i].retained > 0)
            code = fake_image_choose(data, &fake_seen[i], &part);
    return code;
}

int cuLibraryLoadData(void **out, const void *code_of, int *jit, void **jit_values, unsigned n_jit, int *options,
                      void **values, unsigned n)
{
    int code = fake_enter("cuLibraryLoadData", NEEDS_INIT | ENDS_CAPTURE);
    if (code != 0)
        return code;
    if (n_jit != 0 || n != 0 || jit != NULL || jit_values != NULL || options != NULL || values != NULL)
        return fake_leave(fake_violation(NOT_SUPPORTED, "the imitation knows no options"));
    const size_t size = fake_image_size(code_of);
    if (size == 0)
        return fake_leave(INVALID_IMAGE);
    if (fake_number("eager", 0) != 0)
        code = load_eagerly(code_of);
    library *l = code == 0 ? fake_make(LIBRARY, sizeof *l, NULL) : NULL;
    if (code != 0 || l == NULL)
        return fake_leave(code != 0 ? code : OUT_OF_MEMORY);
    l->data = malloc(size);
    if (l->data == NULL) {
        fake_unmake(l);
        return fake_leave(OUT_OF_MEMORY);
    }
    memcpy(l->data, code_of, size);
    *out = l;
    return fake_leave(0);
}

int cuLibraryUnload(void *of)
{
    int code = fake_enter("cuLibraryUnload", NEEDS_INIT);
    if (code != 0)
        return code;
    code = fake_check(LIBRARY, of, false);
    if (code != 0)
        return fake_leave(code);
    library *l = of;
    if (fake_is_queued(l)) {
        code = fake_violation(INVALID_VALUE, "a kernel of the library has been launched and has not run");
        for (unsigned i = 0; i < fake_seen_count; i++)
            if (fake_contexts[i].retained > 0)
                (void)fake_run_all(&fake_contexts[i]);
    }
    for (handle *h = fake_first(FUNCTION), *next; h != NULL; h = next) {
        next = h->next;
        if (((function *)h)->of->from == l)
            fake_unmake(h);
    }
    for (handle *h = fake_first(KERNEL), *next; h != NULL; h = next) {
        next = h->next;
        if (((kernel *)h)->from == l)
            fake_unmake(h);
    }
    free(l->data);
    fake_unmake(l);
    return fake_leave(code);
}

int cuLibraryGetKernel(void **out, void *of, const char *name)
{
    int code = fake_enter("cuLibraryGetKernel", NEEDS_INIT);
    if (code != 0)
        return code;
    code = fake_check(LIBRARY, of, false);
    if (code != 0)
        return fake_leave(code);
    library *l = of;
    for (handle *h = fake_first(KERNEL); h != NULL; h = h->next)
        if (((kernel *)h)->from == l && strcmp(((kernel *)h)->name, name) == 0) {
            *out = h;
            return fake_leave(0);
        }
    if (!fake_image_has(l->data, name))
        return fake_leave(NOT_FOUND);
    kernel *k = fake_make(KERNEL, sizeof *k, NULL);
    char *copy = fake_keep(strlen(name) + 1);
    if (k == NULL || copy == NULL)
        return fake_leave(OUT_OF_MEMORY);
    k->from = l;
    k->name = strcpy(copy, name);
    *out = k;
    return fake_leave(0);
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

/* The function of a kernel in the current context, loaded unless it is. */
static int function_of(kernel *k, function **out)
{
    context *c = fake_current();
    image_part part;
    for (handle *h = fake_first(FUNCTION); h != NULL; h = h->next)
        if (h->of == c && h->generation == c->generation && ((function *)h)->of == k) {
            *out = (function *)h;
            return 0;
        }
    const int code = fake_image_choose(k->from->data, &fake_seen[c->device], &part);
    if (code != 0)
        return code;
    if (!fake_part_has(&part, k->name))
        return NOT_FOUND;
    function *f = fake_make(FUNCTION, sizeof *f, c);
    if (f == NULL)
        return OUT_OF_MEMORY;
    f->of = k;
    f->part = part;
    f->most_shared = STATIC_SHARED_MOST;
    f->code = fake_kernel_code(k->name);
    compiled += part.kind == PART_PTX;
    *out = f;
    return 0;
}

int cuKernelGetFunction(void **out, void *of)
{
    function *f = NULL;
    int code = fake_enter("cuKernelGetFunction", NEEDS_INIT | NEEDS_CONTEXT);
    if (code != 0)
        return code;
    code = fake_check(KERNEL, of, false);
    if (code == 0)
        code = function_of(of, &f);
    if (code == 0)
        *out = f;
    return fake_leave(code);
}

/* A function, or a kernel in its place. */
static int function_at(void *of, function **out)
{
    for (handle *h = fake_first(KERNEL); h != NULL; h = h->next)
        if (h == of)
            return function_of(of, out);
    *out = of;
    return fake_check(FUNCTION, of, true);
}

enum { F_THREADS, F_SHARED, F_CONST, F_LOCAL, F_REGISTERS, F_PTX, F_BINARY, F_CACHE, F_DYNAMIC };

int cuFuncGetAttribute(int *value, int attribute, void *of)
{
    function *f = NULL;
    int code = fake_enter("cuFuncGetAttribute", NEEDS_INIT | NEEDS_CONTEXT);
    if (code != 0)
        return code;
    code = function_at(of, &f);
    if (code != 0)
        return fake_leave(code);
    const fake_device *device = &fake_seen[f->h.of->device];
    const int capability = device->major * 10 + device->minor;
    const int values[] = {
        [F_THREADS] = MOST_THREADS,
        [F_SHARED] = 0,
        [F_CONST] = 0,
        [F_LOCAL] = 0,
        [F_REGISTERS] = 32,
        [F_PTX] = (int)f->part.sm,
        [F_CACHE] = 0,
        [F_DYNAMIC] = f->most_shared,
        [F_BINARY] = f->part.kind == PART_SASS ? (int)f->part.sm : capability,
    };
    if (attribute < 0 || attribute >= (int)(sizeof values / sizeof *values))
        return fake_leave(fake_violation(INVALID_VALUE, "attribute %d", attribute));
    *value = values[attribute];
    return fake_leave(0);
}

int cuFuncSetAttribute(void *of, int attribute, int value)
{
    function *f = NULL;
    int code = fake_enter("cuFuncSetAttribute", NEEDS_INIT | NEEDS_CONTEXT);
    if (code != 0)
        return code;
    code = function_at(of, &f);
    if (code == 0 && (attribute != F_DYNAMIC || value < 0 || value > fake_most_shared(&fake_seen[f->h.of->device])))
        code = fake_violation(INVALID_VALUE, "attribute %d to %d", attribute, value);
    if (code == 0)
        f->most_shared = value;
    return fake_leave(code);
}

/* ---- launches ---------------------------------------------------------------------------------------------------- */

static int check_launch(const function *f, const rung_on_host_launch *l, void *const *parameters, void **extra)
{
    const uint32_t *grid = l->grid, *block = l->block;
    const uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0 || grid[0] > INT32_MAX || grid[1] > 65535 || grid[2] > 65535)
        return fake_violation(INVALID_VALUE, "%s: a grid of %u x %u x %u blocks", f->of->name, grid[0], grid[1],
                              grid[2]);
    if (threads == 0 || threads > MOST_THREADS || block[0] > 1024 || block[1] > 1024 || block[2] > 64)
        return fake_violation(INVALID_VALUE, "%s: a block of %u x %u x %u threads", f->of->name, block[0], block[1],
                              block[2]);
    if (l->shared > (uint32_t)f->most_shared)
        return fake_violation(INVALID_VALUE, "%s: %u bytes of shared memory, %d are allowed", f->of->name, l->shared,
                              f->most_shared);
    if (extra != NULL)
        return fake_violation(NOT_SUPPORTED, "the imitation takes no parameters as a buffer");
    if (f->code == NULL)
        return fake_violation(NOT_FOUND, "%s: no library of RUNG_FAKE_CUDA_KERNELS has it", f->of->name);
    for (uint32_t i = 0; i < f->code->parameters; i++)
        if (parameters == NULL || parameters[i] == NULL)
            return fake_violation(INVALID_VALUE, "%s: parameter %u of %u is missing", f->of->name, i,
                                  f->code->parameters);
    return 0;
}

int cuLaunchKernel(void *of, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                   unsigned block_z, unsigned shared, void *on, void **parameters, void **extra)
{
    function *f = NULL;
    stream *s = NULL;
    int code = fake_enter("cuLaunchKernel", NEEDS_INIT | NEEDS_CONTEXT);
    if (code != 0)
        return code;
    const rung_on_host_launch l = {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, parameters, 0};
    code = fake_stream(on, &s);
    if (code == 0)
        code = function_at(of, &f);
    if (code == 0)
        code = check_launch(f, &l, parameters, extra);
    if (code != 0)
        return fake_leave(code);
    const op asked = {.kind = OP_LAUNCH, .launched = f, .launch = l};
    return fake_leave(fake_submit(s, fake_op_again(&asked)));
}
