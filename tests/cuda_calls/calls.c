/* SPDX-License-Identifier: Apache-2.0 */
#include "calls.h"

#include <dlfcn.h>
#include <pthread.h>

#include "machine.h"
#include "tree.h"

const unsigned capability_of[GPUS] = {75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121, 130};

/* ---- the machine ------------------------------------------------------------------------------------------------- */

static tree *files;
static char having[2048];

static void keep(rung_log_level level, const char *line, void *user);

/* Adds "device=..." of every GPU. */
static void add_gpus(char *to, size_t size)
{
    for (unsigned i = 0; i < GPUS; i++) {
        size_t used = strlen(to);
        (void)snprintf(to + used, size - used, "device=GPU %u|%u.%u|268435456|GPU-%u|0000:%02x:00.0;", i,
                       capability_of[i] / 10, capability_of[i] % 10, i, 16 + i);
    }
}

void steer(const char *how)
{
    char all[sizeof having + 512];
    (void)snprintf(all, sizeof all, "%s%s", how, having);
    assert_int_equal(setenv("RUNG_FAKE_CUDA", all, 1), 0);
    const char *driver = strstr(how, "driver=");
    const int version = driver == NULL ? 13000 : atoi(driver + strlen("driver="));
    (void)snprintf(all, sizeof all, "version=580.65.06;cuda=%d;%s", version, having);
    assert_int_equal(setenv("RUNG_FAKE_NVML", all, 1), 0);
    void *library = dlopen(RUNG_FAKE_LIBRARIES "/libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (library == NULL)
        return;
    (void)dlclose(library);
    rung_fake_cuda_forget_fn *forget;
    FIND("rung_fake_cuda_forget", forget);
    forget();
}

int machine_begin(void **state)
{
    (void)state;
    files = tree_new();
    tree_file(files, "/proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06\n");
    tree_node(files, "/dev/nvidiactl", 0666);
    tree_node(files, "/dev/nvidia-uvm", 0666);
    for (unsigned i = 0; i < GPUS; i++) {
        char path[32];
        (void)snprintf(path, sizeof path, "/dev/nvidia%u", i);
        tree_node(files, path, 0666);
    }
    add_gpus(having, sizeof having);
    tree_set(files, "CUDA_DEVICE_ORDER=PCI_BUS_ID");
    if (setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1) != 0 || setenv("RUNG_FAKE_CUDA_KERNELS", CALLS_KERNELS, 1) != 0)
        return -1;
    steer("");
    rung_log_set(keep, NULL, RUNG_LOG_INFO);
    return 0;
}

int machine_end(void **state)
{
    (void)state;
    tree_free(files);
    return 0;
}

rung_status try_open(const char *chain, unsigned flags, rung_platform **out, rung_error *err)
{
    rung_world here;
    rung_machine machine;
    rung_machine_detect(&here, &machine);
    rung_world world = tree_world(files);
    world.libraries = RUNG_FAKE_LIBRARIES;
    machine.world = &world;
    return rung_platform_open_on(&cu_registry, chain, flags, &machine, out, err);
}

rung_platform *open_on(const char *chain)
{
    rung_platform *p = NULL;
    rung_error err;
    rung_status status = try_open(chain, 0, &p, &err);
    if (status != RUNG_OK)
        print_error("%s: %s\n", chain, err.text);
    assert_int_equal(status, RUNG_OK);
    return p;
}

rung_platform *open_gpu(unsigned gpu)
{
    char chain[16];
    (void)snprintf(chain, sizeof chain, "cuda:%u", gpu);
    return open_on(chain);
}

/* ---- what the driver tells --------------------------------------------------------------------------------------- */

static void *look(const char *name)
{
    void *library = dlopen(RUNG_FAKE_LIBRARIES "/libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (library == NULL)
        return NULL;
    void *found = dlsym(library, name);
    (void)dlclose(library);
    return found;
}

void *driver_function(const char *name)
{
    void *found = look(name);
    if (found == NULL)
        print_error("the imitated driver was not opened, or has no %s\n", name);
    assert_non_null(found);
    return found;
}

int alive(const char *what)
{
    void *found = look("rung_fake_cuda_live");
    rung_fake_cuda_live_fn *count;
    memcpy(&count, &found, sizeof count);
    return found == NULL ? 0 : count(what);
}

int calls(const char *entry)
{
    void *found = look("rung_fake_cuda_calls");
    rung_fake_cuda_calls_fn *count;
    memcpy(&count, &found, sizeof count);
    if (found == NULL)
        return 0;
    char symbol[64];
    (void)snprintf(symbol, sizeof symbol, "%s_v2", entry);
    int made = count(entry) >= 0 ? count(entry) : count(symbol);
    if (made < 0)
        fail_msg("the imitated driver has no %s", entry);
    return made;
}

int copies(void)
{
    static const char *const entries[] = {"cuMemcpyHtoD_v2", "cuMemcpyDtoH_v2", "cuMemcpyHtoDAsync_v2",
                                          "cuMemcpyDtoHAsync_v2"};
    int all = 0;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        all += calls(entries[i]);
    return all;
}

void assert_no_violation(void)
{
    if (look("rung_fake_cuda_violations") == NULL)
        return;
    rung_fake_cuda_violations_fn *violations;
    rung_fake_cuda_violation_fn *last;
    FIND("rung_fake_cuda_violations", violations);
    FIND("rung_fake_cuda_violation", last);
    if (violations() != 0)
        print_error("%s\n", last());
    assert_int_equal(violations(), 0);
}

void assert_all_given_back(void)
{
    static const char *const kinds[] = {"contexts", "libraries", "streams", "events", "memory", "pinned", "work"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (alive(kinds[i]) != 0)
            print_error("%d of %s are left\n", alive(kinds[i]), kinds[i]);
        assert_int_equal(alive(kinds[i]), 0);
    }
    assert_no_violation();
}

void close_last(rung_platform *p)
{
    rung_platform_close(p);
    assert_all_given_back();
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

int number(rung_platform *p, number_fn *op, size_t n)
{
    rung_ctx cx = rung_ctx_of(p);
    rung_buffer *y = NULL;
    if (rung_buffer_create(p, n * sizeof(float), &y, NULL) != RUNG_OK)
        return -1;
    int found = -1;
    if (op(&cx, y, n) == RUNG_OK) {
        const float *at = rung_buffer_read(y);
        found = at == NULL ? -1 : (int)at[0];
        for (size_t i = 1; at != NULL && i < n; i++)
            found = (int)at[i] == found ? found : -2;
    }
    rung_buffer_destroy(y);
    return found;
}

rung_buffer *buffer_of(rung_platform *p, float from, size_t n)
{
    rung_buffer *b = NULL;
    rung_error err;
    if (rung_buffer_create(p, n * sizeof(float), &b, &err) != RUNG_OK)
        fail_msg("%s", err.text);
    float *at = rung_buffer_host(b);
    assert_non_null(at);
    for (size_t i = 0; i < n; i++)
        at[i] = from + (float)i;
    return b;
}

void assert_holds(rung_buffer *b, float from, float step, size_t n)
{
    const float *at = rung_buffer_read(b);
    assert_non_null(at);
    for (size_t i = 0; i < n; i++) {
        float expected = from + step * (float)i;
        if (at[i] != expected)
            fail_msg("element %zu is %g, and not %g", i, (double)at[i], (double)expected);
    }
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

static pthread_mutex_t keeping = PTHREAD_MUTEX_INITIALIZER;
static char lines[65536];

static void keep(rung_log_level level, const char *line, void *user)
{
    (void)level;
    (void)user;
    (void)pthread_mutex_lock(&keeping);
    size_t used = strlen(lines);
    (void)snprintf(lines + used, sizeof lines - used, "%s\n", line);
    (void)pthread_mutex_unlock(&keeping);
}

void heard_nothing(void)
{
    (void)pthread_mutex_lock(&keeping);
    lines[0] = '\0';
    (void)pthread_mutex_unlock(&keeping);
}

const char *heard(void)
{
    return lines;
}

int has_text(const char *text, const char *part)
{
    int has = strstr(text, part) != NULL;
    if (!has)
        print_error("no \"%s\" in:\n%s\n", part, text);
    return has;
}

typedef struct asked {
    const char *arch;
    char text[256];
} asked;

static int see(const rung_cell *cell, void *user)
{
    asked *a = user;
    if (strcmp(cell->device, "cuda") != 0 || strcmp(cell->arch, a->arch) != 0)
        return 0;
    (void)snprintf(a->text, sizeof a->text, "%s%s%s", rung_reason_text(cell->reason),
                   cell->detail[0] == '\0' ? "" : ": ", cell->detail);
    return 1;
}

const char *why_not(rung_platform *p, const char *op, const char *arch)
{
    static asked a;
    a = (asked){.arch = arch, .text = "no such rung"};
    assert_int_equal(rung_explain(p, rung_op_find(&cu_registry, op), 0, see, &a), RUNG_OK);
    return a.text;
}
