/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of rung_cuda_driver against an imitated driver: opening, images, launches, streams, and what every
 * entry point's failure comes to. Copies are in test_copy.c.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cuda/state.h"
#include "cuda_test.h"
#include "log.h"

static const rung_gpu_driver *const cuda = &rung_cuda_driver;

/* ---- host memory ------------------------------------------------------------------------------------------------- */

void *__wrap_calloc(size_t count, size_t size);
void *__real_calloc(size_t count, size_t size);

static int callocs_left = -1; /* until one fails; -1: none does */

void *__wrap_calloc(size_t count, size_t size)
{
    if (callocs_left == 0)
        return NULL;
    callocs_left -= callocs_left > 0;
    return __real_calloc(count, size);
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static void opens_and_closes(void **state)
{
    (void)state;
    tree *t = machine(A100 L40);
    const rung_world world = tree_world(t);
    rung_gpu *first = NULL;
    rung_gpu *second = NULL;
    assert_int_equal(KEEPS(cuda->open(&world, 0, &small, &first, fresh())), RUNG_REASON_NONE);
    assert_kept();
    assert_int_equal(cuda->open(&world, 1, &small, &second, NULL), RUNG_REASON_NONE);
    assert_int_equal(alive(t, "contexts"), 2);
    assert_null(cuda->lost(first));
    KEEPS(cuda->close(first, false));
    assert_kept();
    assert_int_equal(alive(t, "contexts"), 1);
    cuda->close(second, false);
    assert_nothing_lives(t);
    tree_free(t);
}

/* In a forked child the driver is not called: it counts that as a violation. */
static void closes_in_a_child(void **state)
{
    (void)state;
    tree *t = machine(A100);
    rung_gpu *gpu = open_gpu(t, 0);
    rung_fake_cuda_violations_fn *violations;
    FIND(t, "rung_fake_cuda_violations", violations);
    assert_int_equal(cuda->load(gpu, ON_SM80, fresh()), RUNG_REASON_NONE);
    pid_t child = fork();
    if (child == 0) {
        KEEPS(cuda->close(gpu, true));
        _exit(errno == ERRNO && violations() == 0 ? 0 : 1);
    }
    int status = -1;
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_int_equal(status, 0);
    close_gpu(t, gpu);
    tree_free(t);
}

static void does_not_open(void **state)
{
    static const struct {
        const char *how;
        rung_reason reason;
        const char *says;
    } cases[] = {
        {"stub=1;", RUNG_REASON_DRIVER_BROKEN, "cuDriverGetVersion returned 34 (CUDA_ERROR_STUB_LIBRARY)"},
        {"driver=11080;", RUNG_REASON_DRIVER_TOO_OLD, "the driver is for CUDA 11.8, and kernels are loaded with 12.0"},
        {"cuDriverGetVersion=999;", RUNG_REASON_DEVICE_UNUSABLE, "cuDriverGetVersion returned 999"},
        {"cuGetProcAddress_v2=1;", RUNG_REASON_DRIVER_BROKEN, "libcuda.so.1 has no cuInit"},
        {"cuGetProcAddress_v2#10=1;", RUNG_REASON_DRIVER_BROKEN, "libcuda.so.1 has no cuLibraryLoadData"},
        {"cuInit=100;", RUNG_REASON_DEVICE_ABSENT, "cuInit returned 100 (CUDA_ERROR_NO_DEVICE)"},
        {"cuInit=3;", RUNG_REASON_FORKED, "cuInit returned 3 (CUDA_ERROR_NOT_INITIALIZED)"},
        {"cuInit=800;", RUNG_REASON_PERMISSION_DENIED, "cuInit returned 800 (CUDA_ERROR_NOT_PERMITTED)"},
        {"cuInit=802;", RUNG_REASON_DEVICE_UNUSABLE, "cuInit returned 802 (CUDA_ERROR_SYSTEM_NOT_READY)"},
        {"cuInit=803;", RUNG_REASON_DRIVER_BROKEN, "cuInit returned 803 (CUDA_ERROR_SYSTEM_DRIVER_MISMATCH)"},
        {"cuInit=12345;", RUNG_REASON_DEVICE_UNUSABLE, "cuInit returned 12345"},
        {"cuDeviceGet=101;", RUNG_REASON_DEVICE_UNUSABLE, "cuDeviceGet returned 101 (CUDA_ERROR_INVALID_DEVICE)"},
        {"cuDeviceGetAttribute=1;", RUNG_REASON_DEVICE_UNUSABLE, "cuDeviceGetAttribute returned 1 ("},
        {"cuDevicePrimaryCtxRetain=2;", RUNG_REASON_DEVICE_UNUSABLE, "Retain returned 2 (CUDA_ERROR_OUT_OF_MEMORY)"},
        {"cuDevicePrimaryCtxRetain=46;", RUNG_REASON_DEVICE_UNUSABLE, "returned 46 (CUDA_ERROR_DEVICE_UNAVAILABLE)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tree *t = machine(A100);
        const rung_world world = tree_world(t);
        rung_gpu *gpu = (rung_gpu *)t;
        steer(cases[i].how);
        rung_reason reason = KEEPS(cuda->open(&world, 0, &small, &gpu, fresh()));
        assert_kept();
        if (reason != cases[i].reason)
            fail_msg("%s: %s, not %s", cases[i].how, rung_reason_text(reason), rung_reason_text(cases[i].reason));
        assert_said(cases[i].says);
        assert_null(gpu);
        if (strchr(cases[i].how, '#') == NULL)
            assert_int_equal(cuda->open(&world, 0, &small, &gpu, NULL), cases[i].reason);
        assert_nothing_lives(t);
        tree_free(t);
    }
}

static void other_libraries(void **state)
{
    (void)state;
    tree *t = machine(A100);
    rung_world world = tree_world(t);
    rung_gpu *gpu;
    tree_library_text(t, "libcuda.so.1", "no library");
    assert_int_equal(cuda->open(&world, 0, &small, &gpu, fresh()), RUNG_REASON_DRIVER_BROKEN);
    assert_null(gpu);
    tree_remove(t, "/dev/nvidiactl");
    tree_library(t, "libcuda.so.1", "libOpenCL.so.1");
    assert_int_equal(cuda->open(&world, 0, &small, &gpu, fresh()), RUNG_REASON_DRIVER_BROKEN);
    assert_string_equal(said(), "libcuda.so.1 has no cuDriverGetVersion");
    world.libraries = t->root;
    assert_int_equal(cuda->open(&world, 0, &small, &gpu, fresh()), RUNG_REASON_DRIVER_MISSING);
    assert_said("libcuda.so.1 is not there");
    tree_free(t);
}

static void without_host_memory(void **state)
{
    (void)state;
    tree *t = machine(A100);
    const rung_world world = tree_world(t);
    for (int i = 0; i < 3; i++) {
        rung_gpu *gpu = (rung_gpu *)t;
        callocs_left = i;
        rung_reason reason = KEEPS(cuda->open(&world, 0, &small, &gpu, fresh()));
        callocs_left = -1;
        assert_kept();
        assert_int_equal(reason, RUNG_REASON_LOAD_FAILED);
        assert_string_equal(said(), "out of memory");
        assert_null(gpu);
        assert_nothing_lives(t);
    }
    tree_free(t);
}

/* A context fails with a code that tells nothing where the mode forbids every use. */
static void compute_mode(void **state)
{
    (void)state;
    tree *t = machine("device=NVIDIA A100|8.0|42505273344|GPU-1|0000:3b:00.0|2;");
    const rung_world world = tree_world(t);
    rung_gpu *gpu;
    assert_int_equal(cuda->open(&world, 0, &small, &gpu, fresh()), rung_device_state_reason(RUNG_STATE_PROHIBITED));
    assert_said("cuDevicePrimaryCtxRetain returned 999 (CUDA_ERROR_UNKNOWN)");
    tree_free(t);
}

/* ---- images ------------------------------------------------------------------------------------------------------ */

typedef struct heard {
    unsigned lines;
    char last[512];
} heard;
static heard log_heard;

static void hear(rung_log_level level, const char *line, void *user)
{
    heard *h = user;
    if (level != RUNG_LOG_INFO)
        return;
    h->lines++;
    (void)snprintf(h->last, sizeof h->last, "%s", line);
}

static void listen(void)
{
    memset(&log_heard, 0, sizeof log_heard);
    rung_log_set(hear, &log_heard, RUNG_LOG_INFO);
}

static void loads_once(void **state)
{
    (void)state;
    tree *t = machine(A100);
    rung_gpu *gpu = open_gpu(t, 0);
    listen();
    for (int i = 0; i < 2; i++) {
        assert_int_equal(KEEPS(cuda->load(gpu, ON_SM80, fresh())), RUNG_REASON_NONE);
        assert_kept();
        assert_int_equal(cuda->load(gpu, ON_SM80_TOO, NULL), RUNG_REASON_NONE);
        assert_int_equal(cuda->load(gpu, NO_IMAGE, NULL), RUNG_REASON_NONE);
        assert_int_equal(alive(t, "libraries"), 1);
    }
    assert_int_equal(log_heard.lines, 0); /* its own machine code */
    rung_log_set(NULL, NULL, 0);
    close_gpu(t, gpu);
    tree_free(t);
}

static void what_does_not_load(void **state)
{
    static const struct {
        const char *how;
        uint32_t cell;
        const char *says;
    } cases[] = {
        {"", NOT_LINKED, "its image is not linked into this program"},
        {"", NO_ENTRY, "cuLibraryGetKernel returned 500 (CUDA_ERROR_NOT_FOUND): it has no such function"},
        {"cuLibraryLoadData=209;", ON_SM80,
         "cuLibraryLoadData returned 209 (CUDA_ERROR_NO_BINARY_FOR_GPU): it has no code for this device"},
        {"cuLibraryLoadData=222;", ON_PTX,
         "cuLibraryLoadData returned 222 (CUDA_ERROR_UNSUPPORTED_PTX_VERSION): its PTX is newer than the driver"},
        {"cuKernelGetFunction=223;", ON_PTX,
         "cuKernelGetFunction returned 223 (CUDA_ERROR_JIT_COMPILATION_DISABLED): its PTX may not be compiled "
         "(CUDA_DISABLE_PTX_JIT or CUDA_DISABLE_JIT is set)"},
        {"cuKernelGetFunction=221;", ON_PTX,
         "cuKernelGetFunction returned 221 (CUDA_ERROR_JIT_COMPILER_NOT_FOUND): libnvidia-ptxjitcompiler.so.1 of the "
         "driver is missing"},
        {"cuLibraryLoadData=218;", ON_PTX,
         "cuLibraryLoadData returned 218 (CUDA_ERROR_INVALID_PTX): the driver cannot compile its PTX"},
        {"cuLibraryLoadData=2;", ON_SM80, "cuLibraryLoadData returned 2 (CUDA_ERROR_OUT_OF_MEMORY)"},
        {"cuLibraryGetKernel=1;", ON_SM80, "cuLibraryGetKernel returned 1 (CUDA_ERROR_INVALID_VALUE)"},
    };
    (void)state;
    tree *t = machine(A100);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rung_gpu *gpu = open_gpu(t, 0);
        steer(cases[i].how);
        assert_int_equal(KEEPS(cuda->load(gpu, cases[i].cell, fresh())), RUNG_REASON_LOAD_FAILED);
        assert_kept();
        assert_string_equal(said(), cases[i].says);
        assert_in_range(strlen(said()), 1, 159); /* what a demotion keeps */
        assert_int_equal(cuda->load(gpu, cases[i].cell, NULL), RUNG_REASON_LOAD_FAILED);
        assert_null(cuda->lost(gpu));
        close_gpu(t, gpu);
    }
    tree_free(t);
}

/* What the driver has to compile is told once for each image, with what would avoid it. */
static void tells_of_compiling(void **state)
{
    (void)state;
    tree *t = machine(RTX50);
    rung_gpu *gpu = open_gpu(t, 0);
    listen();
    assert_int_equal(cuda->load(gpu, ON_SM80, NULL), RUNG_REASON_NONE);
    assert_int_equal(cuda->load(gpu, ON_SM80_TOO, NULL), RUNG_REASON_NONE);
    assert_int_equal(log_heard.lines, 1);
    char before[128], after[192];
    (void)snprintf(before, sizeof before, "%s",
                   "cuda:0 (sm120): the image of kernels/scale.cu for cuda/sm80 has no machine code for it; the driver "
                   "took 0.");
    (void)snprintf(after, sizeof after, "%s",
                   " s to compile its PTX, or to find it in its cache. To avoid that, list cuda/sm120 for it in the "
                   "registry, with an nvcc that can target sm_120");
    assert_int_equal(strncmp(log_heard.last, before, strlen(before)), 0);
    assert_non_null(strstr(log_heard.last, after));
    assert_int_equal(cuda->load(gpu, ON_PTX, NULL), RUNG_REASON_NONE);
    assert_int_equal(log_heard.lines, 2);
    assert_non_null(strstr(log_heard.last, "for cuda/ptx"));
    assert_int_equal(cuda->load(gpu, ON_GENERIC, NULL), RUNG_REASON_NONE);
    assert_int_equal(log_heard.lines, 3);
    assert_non_null(strstr(log_heard.last, "in its cache. To avoid that, build with RUNG_CUDA_ARCHS=\"75 80 90 120 "
                                           "90a\", with an nvcc that can target sm_120"));
    close_gpu(t, gpu);

    gpu = open_gpu(t, 0); /* another op, which is listed on sm120 */
    assert_int_equal(cuda->load(gpu, ON_SM80_TOO, NULL), RUNG_REASON_NONE);
    assert_int_equal(log_heard.lines, 4);
    assert_non_null(strstr(log_heard.last, "in its cache. To avoid that, build cuda/sm120 as well: "
                                           "RUNG_CUDA_ARCHS=\"75 80 90 120 90a\""));
    rung_log_set(NULL, NULL, 0);
    close_gpu(t, gpu);
    tree_free(t);
}

/* A capability with a second digit, on which sm80 is native. */
static void tells_which_device(void **state)
{
    (void)state;
    tree *t = machine(L40 RTX50); /* the fastest first */
    rung_gpu *gpu = open_gpu(t, 1);
    listen();
    assert_int_equal(cuda->load(gpu, ON_SM80, NULL), RUNG_REASON_NONE);
    assert_int_equal(cuda->load(gpu, ON_GENERIC, NULL), RUNG_REASON_NONE);
    assert_int_equal(log_heard.lines, 0);
    assert_int_equal(cuda->load(gpu, ON_PTX, NULL), RUNG_REASON_NONE);
    assert_int_equal(log_heard.lines, 1);
    assert_non_null(strstr(log_heard.last, "cuda:1 (sm89): "));
    assert_null(strstr(log_heard.last, "To avoid that")); /* there is machine code, for cuda/sm80 */
    rung_log_set(NULL, NULL, 0);
    close_gpu(t, gpu);
    tree_free(t);
}

/* Somebody else loads the image while this thread is in the driver. */
static rung_gpu *raced;
static int (*load_really)(void **, const void *, int *, void **, unsigned, int *, void **, unsigned);

static int load_second(void **library, const void *code, int *jit_options, void **jit_values, unsigned n_jit,
                       int *options, void **values, unsigned n_options)
{
    raced->api.library_load = load_really;
    assert_int_equal(cuda->load(raced, ON_SM80_TOO, NULL), RUNG_REASON_NONE);
    return load_really(library, code, jit_options, jit_values, n_jit, options, values, n_options);
}

static void comes_second(void **state)
{
    (void)state;
    tree *t = machine(A100);
    raced = open_gpu(t, 0);
    load_really = raced->api.library_load;
    raced->api.library_load = load_second;
    assert_int_equal(cuda->load(raced, ON_SM80, fresh()), RUNG_REASON_NONE);
    assert_int_equal(calls(t, "cuLibraryLoadData"), 2);
    assert_int_equal(alive(t, "libraries"), 1);
    assert_int_equal(cuda->load(raced, ON_SM80_TOO, NULL), RUNG_REASON_NONE);
    close_gpu(t, raced);
    tree_free(t);
}

enum { THREADS = 4 };
typedef struct racer {
    pthread_t thread;
    rung_gpu *gpu;
    pthread_barrier_t *start;
    rung_reason reason;
} racer;

static void *race(void *user)
{
    racer *r = user;
    (void)pthread_barrier_wait(r->start);
    if (cuda->enter(r->gpu, NULL) != RUNG_OK)
        return NULL;
    r->reason = cuda->load(r->gpu, ON_SM80, NULL);
    cuda->leave(r->gpu);
    return NULL;
}

static void loads_side_by_side(void **state)
{
    (void)state;
    tree *t = machine(A100);
    pthread_barrier_t start;
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (int round = 0; round < 20; round++) {
        rung_gpu *gpu = open_gpu(t, 0);
        racer racers[THREADS];
        for (int i = 0; i < THREADS; i++) {
            racers[i] = (racer){.gpu = gpu, .start = &start, .reason = RUNG_REASON_COUNT};
            assert_int_equal(pthread_create(&racers[i].thread, NULL, race, &racers[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) {
            assert_int_equal(pthread_join(racers[i].thread, NULL), 0);
            assert_int_equal(racers[i].reason, RUNG_REASON_NONE);
        }
        assert_int_equal(alive(t, "libraries"), 1);
        close_gpu(t, gpu);
    }
    assert_int_equal(pthread_barrier_destroy(&start), 0);
    tree_free(t);
}

/* ---- every entry point ------------------------------------------------------------------------------------------- */

enum { BYTES = 1000 };

/* One use of everything that gives a status; the first failure ends it, and everything is given back. */
static rung_status use(rung_gpu *gpu, rung_text *detail)
{
    static unsigned char data[BYTES];
    const rung_grid grid = {.blocks = {1}, .threads = {32}};
    void *stream = NULL, *from = NULL, *to = NULL, *memory = NULL;
    double seconds;
    uint32_t value = 5;
    rung_status s = cuda->enter(gpu, detail);
    if (s != RUNG_OK)
        return s;
    s = cuda->load(gpu, ON_SM80, detail) == RUNG_REASON_NONE ? RUNG_OK : RUNG_ERR_DEVICE;
    if (s == RUNG_OK)
        s = cuda->stream_create(gpu, &stream, detail);
    if (s == RUNG_OK)
        s = cuda->event_create(gpu, true, &from, detail);
    if (s == RUNG_OK)
        s = cuda->event_create(gpu, true, &to, detail);
    if (s == RUNG_OK)
        s = cuda->alloc(gpu, BYTES, &memory, detail);
    if (s == RUNG_OK)
        s = cuda->event_record(gpu, from, stream, detail);
    if (s == RUNG_OK)
        s = cuda->copy_in(gpu, memory, data, BYTES, stream, detail);
    if (s == RUNG_OK)
        s = cuda->launch(gpu, ENTRY_SM80, &grid, stream, (void *[]){&memory, &value}, detail);
    if (s == RUNG_OK)
        s = cuda->event_record(gpu, to, stream, detail);
    if (s == RUNG_OK)
        s = cuda->stream_after(gpu, stream, to, detail);
    if (s == RUNG_OK)
        s = cuda->event_wait(gpu, to, detail);
    if (s == RUNG_OK)
        s = cuda->event_seconds(gpu, from, to, &seconds, detail);
    if (s == RUNG_OK)
        s = cuda->copy_out(gpu, data, memory, BYTES, stream, detail);
    if (s == RUNG_OK)
        s = cuda->stream_wait(gpu, stream, detail);
    if (memory != NULL)
        cuda->free(gpu, memory);
    if (to != NULL)
        cuda->event_destroy(gpu, to);
    if (from != NULL)
        cuda->event_destroy(gpu, from);
    if (stream != NULL)
        cuda->stream_destroy(gpu, stream);
    cuda->leave(gpu);
    return s;
}

/* Entries as people are told them, and as they are steered. */
static const struct {
    const char *call, *steered;
} steered_calls[] = {
    {"cuCtxPushCurrent", "cuCtxPushCurrent_v2"},
    {"cuLibraryLoadData", "cuLibraryLoadData"},
    {"cuLibraryGetKernel", "cuLibraryGetKernel"},
    {"cuKernelGetFunction", "cuKernelGetFunction"},
    {"cuStreamCreate", "cuStreamCreate"},
    {"cuEventCreate", "cuEventCreate"},
    {"cuMemAlloc", "cuMemAlloc_v2"},
    {"cuEventRecord", "cuEventRecord"},
    {"cuMemcpyHtoDAsync", "cuMemcpyHtoDAsync_v2"},
    {"cuLaunchKernel", "cuLaunchKernel"},
    {"cuStreamWaitEvent", "cuStreamWaitEvent"},
    {"cuEventSynchronize", "cuEventSynchronize"},
    {"cuEventElapsedTime", "cuEventElapsedTime"},
    {"cuMemcpyDtoHAsync", "cuMemcpyDtoHAsync_v2"},
    {"cuStreamSynchronize", "cuStreamSynchronize"},
};

static void every_failure(void **state)
{
    static const struct {
        int code;
        const char *name;
        rung_status status;
        bool lost;
    } codes[] = {
        {1, "CUDA_ERROR_INVALID_VALUE", RUNG_ERR_DEVICE, false},
        {2, "CUDA_ERROR_OUT_OF_MEMORY", RUNG_ERR_MEMORY, false},
        {719, "CUDA_ERROR_LAUNCH_FAILED", RUNG_ERR_DEVICE, true},
    };
    (void)state;
    tree *t = machine(A100);
    for (size_t i = 0; i < sizeof steered_calls / sizeof *steered_calls * 3; i++) {
        char how[64], says[128];
        const char *call = steered_calls[i / 3].call;
        int code = codes[i % 3].code;
        rung_gpu *gpu = open_gpu(t, 0);
        assert_int_equal(use(gpu, fresh()), RUNG_OK);
        close_gpu(t, gpu);
        gpu = open_gpu(t, 0);
        (void)snprintf(how, sizeof how, "%s=%d;", steered_calls[i / 3].steered, code);
        (void)snprintf(says, sizeof says, "%s returned %d (%s)", call, code, codes[i % 3].name);
        steer(how);
        rung_status status = KEEPS(use(gpu, fresh()));
        assert_kept();
        if (status != codes[i % 3].status && strncmp(call, "cuLibrary", 9) != 0 && strncmp(call, "cuKernel", 8) != 0)
            fail_msg("%s gives %d", how, (int)status);
        assert_said(says);
        steer("");
        assert_int_equal(cuda->lost(gpu) != NULL, codes[i % 3].lost);
        if (codes[i % 3].lost) {
            assert_int_equal(use(gpu, fresh()), RUNG_ERR_DEVICE);
            assert_string_equal(said(), cuda->lost(gpu));
            assert_said(says);
        } else {
            assert_int_equal(use(gpu, fresh()), RUNG_OK);
        }
        close_gpu(t, gpu);
    }
    tree_free(t);
}

/* Those that give nothing back are heard as well. */
static void failures_that_nobody_is_told(void **state)
{
    static const char *const entries[] = {"cuCtxPopCurrent_v2",  "cuStreamDestroy_v2", "cuEventDestroy_v2",
                                          "cuStreamIsCapturing", "cuMemFree_v2",       "cuPointerGetAttributes"};
    (void)state;
    tree *t = machine(A100);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        char how[64];
        rung_gpu *gpu = open_gpu(t, 0);
        void *stream, *event, *memory;
        assert_int_equal(cuda->stream_create(gpu, &stream, NULL), RUNG_OK);
        assert_int_equal(cuda->event_create(gpu, false, &event, NULL), RUNG_OK);
        assert_int_equal(cuda->alloc(gpu, 1, &memory, NULL), RUNG_OK);
        assert_int_equal(cuda->enter(gpu, NULL), RUNG_OK);
        (void)snprintf(how, sizeof how, "%s=700;", entries[i]);
        for (int round = 0; round < 2; round++) {
            errno = ERRNO;
            assert_false(cuda->stream_capturing(gpu, stream));
            assert_int_equal(cuda->is_own(gpu, memory),
                             round == 0 || strcmp(entries[i], "cuPointerGetAttributes") != 0);
            cuda->leave(gpu);
            if (round == 0)
                assert_int_equal(cuda->enter(gpu, NULL), RUNG_OK);
            if (round == 1) {
                cuda->free(gpu, memory);
                cuda->event_destroy(gpu, event);
                cuda->stream_destroy(gpu, stream);
            }
            assert_kept();
            if (round == 0)
                assert_null(cuda->lost(gpu));
            steer(how);
        }
        assert_non_null(cuda->lost(gpu));
        assert_non_null(strstr(cuda->lost(gpu), "returned 700 (CUDA_ERROR_ILLEGAL_ADDRESS), which ends the use"));
        steer("");
        cuda->leave(gpu);
        cuda->close(gpu, false);
        assert_int_equal(alive(t, "contexts"), 0);
        tree_free(t);
        t = machine(A100);
    }
    tree_free(t);
}

static void codes_that_end_it(void **state)
{
    static const int fatal[] = {4, 214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 810, 911, 999};
    static const int others[] = {1, 2, 36, 200, 201, 209, 400, 500, 600, 701, 712, 720, 800, 801, 900, 906, 913};
    (void)state;
    tree *t = machine(A100);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal + sizeof others / sizeof *others; i++) {
        bool ends = i < sizeof fatal / sizeof *fatal;
        char how[64];
        rung_gpu *gpu = open_gpu(t, 0);
        int code = ends ? fatal[i] : others[i - sizeof fatal / sizeof *fatal];
        (void)snprintf(how, sizeof how, "cuStreamSynchronize=%d;", code);
        steer(how);
        assert_int_equal(cuda->stream_wait(gpu, NULL, fresh()), code == 2 ? RUNG_ERR_MEMORY : RUNG_ERR_DEVICE);
        assert_said("CUDA_ERROR_");
        if ((cuda->lost(gpu) != NULL) != ends)
            fail_msg("%s", how);
        close_gpu(t, gpu);
    }
    tree_free(t);
}

/* Nothing of a lost device is asked any more: an entry that ends the process is not called. */
static void lost_devices_are_left_alone(void **state)
{
    (void)state;
    tree *t = machine(A100);
    rung_gpu *gpu = open_gpu(t, 0);
    rung_gpu *too = open_gpu(t, 0);
    void *memory, *event, *stream;
    double seconds;
    char byte = 0;
    const rung_grid grid = {.blocks = {1}};
    assert_int_equal(cuda->load(gpu, ON_SM80, NULL), RUNG_REASON_NONE);
    assert_int_equal(cuda->alloc(gpu, 16, &memory, NULL), RUNG_OK);
    assert_int_equal(cuda->event_create(gpu, false, &event, NULL), RUNG_OK);
    steer("cuStreamSynchronize=700;");
    assert_int_equal(cuda->stream_wait(gpu, NULL, NULL), RUNG_ERR_DEVICE);
    steer("cuStreamSynchronize=exit;cuStreamCreate=exit;cuEventCreate=exit;cuEventRecord=exit;cuEventSynchronize=exit;"
          "cuStreamWaitEvent=exit;cuEventElapsedTime=exit;cuMemAlloc_v2=exit;cuMemcpyHtoDAsync_v2=exit;"
          "cuMemcpyDtoHAsync_v2=exit;cuLaunchKernel=exit;cuLibraryLoadData=exit;");
    assert_int_equal(cuda->enter(gpu, fresh()), RUNG_OK); /* to give back what there is */
    cuda->leave(gpu);
    assert_int_equal(cuda->load(gpu, ON_SM80, fresh()), RUNG_REASON_DEVICE_UNUSABLE);
    assert_string_equal(said(), cuda->lost(gpu));
    assert_int_equal(cuda->launch(gpu, ENTRY_SM80, &grid, NULL, NULL, fresh()), RUNG_ERR_DEVICE);
    assert_string_equal(said(), cuda->lost(gpu));
    assert_int_equal(cuda->stream_create(gpu, &stream, NULL), RUNG_ERR_DEVICE);
    assert_int_equal(cuda->stream_wait(gpu, NULL, NULL), RUNG_ERR_DEVICE);
    assert_int_equal(cuda->event_record(gpu, event, NULL, NULL), RUNG_ERR_DEVICE);
    assert_int_equal(cuda->event_wait(gpu, event, NULL), RUNG_ERR_DEVICE);
    assert_int_equal(cuda->stream_after(gpu, NULL, event, NULL), RUNG_ERR_DEVICE);
    assert_int_equal(cuda->event_seconds(gpu, event, event, &seconds, NULL), RUNG_ERR_DEVICE);
    assert_int_equal(cuda->copy_in(gpu, memory, &byte, 1, NULL, NULL), RUNG_ERR_DEVICE);
    assert_int_equal(cuda->copy_out(gpu, &byte, memory, 1, NULL, NULL), RUNG_ERR_DEVICE);
    void *none;
    assert_int_equal(cuda->alloc(gpu, 1, &none, NULL), RUNG_ERR_DEVICE);
    assert_null(none);
    assert_int_equal(cuda->event_create(gpu, true, &none, NULL), RUNG_ERR_DEVICE);
    assert_null(none);
    assert_null(cuda->lost(too)); /* what another platform has seen is its own */
    steer("");
    cuda->event_destroy(gpu, event);
    cuda->free(gpu, memory);
    cuda->leave(gpu);
    cuda->close(gpu, false);
    close_gpu(t, too);
    tree_free(t);
}

/* ---- launches ---------------------------------------------------------------------------------------------------- */

static void launches(void **state)
{
    static const struct {
        rung_grid grid;
        uint32_t is[7];
    } cases[] = {
        {{.blocks = {3}, .threads = {64}}, {3, 1, 1, 64, 1, 1, 0}},
        {{.blocks = {0}}, {1, 1, 1, 1, 1, 1, 0}},
        {{.blocks = {2, 3, 4}, .threads = {5, 6, 7}, .shared = 49152}, {2, 3, 4, 5, 6, 7, 49152}},
    };
    (void)state;
    tree *t = machine(A100);
    rung_gpu *gpu = open_gpu(t, 0);
    void *memory, *stream;
    assert_int_equal(cuda->load(gpu, ON_SM80, NULL), RUNG_REASON_NONE);
    assert_int_equal(cuda->alloc(gpu, 32, &memory, NULL), RUNG_OK);
    assert_int_equal(cuda->stream_create(gpu, &stream, NULL), RUNG_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t is[8];
        uint32_t value = 1000 + (uint32_t)i;
        int before = calls(t, "cuMemAlloc_v2") + calls(t, "cuStreamSynchronize");
        void *on = i == 0 ? NULL : stream;
        assert_int_equal(
            KEEPS(cuda->launch(gpu, ENTRY_SM80_FINISH, &cases[i].grid, on, (void *[]){&memory, &value}, fresh())),
            RUNG_OK);
        assert_kept();
        assert_int_equal(calls(t, "cuMemAlloc_v2") + calls(t, "cuStreamSynchronize"), before);
        assert_int_equal(alive(t, "work"), 1); /* nobody has waited */
        value = 0;                             /* parameters have been copied */
        assert_int_equal(cuda->copy_out(gpu, is, memory, sizeof is, on, NULL), RUNG_OK);
        assert_memory_equal(is, cases[i].is, sizeof cases[i].is);
        assert_int_equal(is[7], 1000 + i);
    }
    cuda->stream_destroy(gpu, stream);
    cuda->free(gpu, memory);
    close_gpu(t, gpu);
    tree_free(t);
}

/* Closing waits: an image is not taken away from a kernel that has not run. */
static void closes_behind_the_work(void **state)
{
    static uint32_t is[8];
    (void)state;
    tree *t = machine(A100);
    rung_gpu *gpu = open_gpu(t, 0);
    uint32_t *out = is;
    uint32_t value = 3;
    const rung_grid grid = {.blocks = {1}};
    assert_int_equal(cuda->load(gpu, ON_SM80, NULL), RUNG_REASON_NONE);
    assert_int_equal(cuda->launch(gpu, ENTRY_SM80, &grid, NULL, (void *[]){&out, &value}, NULL), RUNG_OK);
    assert_int_equal(is[7], 0);
    close_gpu(t, gpu);
    assert_int_equal(is[7], 3);
    tree_free(t);
}

/* Times are of the events, in seconds. */
static void times(void **state)
{
    (void)state;
    tree *t = machine(A100);
    rung_gpu *gpu = open_gpu(t, 0);
    struct timespec before, after;
    void *from, *to;
    double seconds = -1;
    assert_int_equal(cuda->event_create(gpu, true, &from, NULL), RUNG_OK);
    assert_int_equal(cuda->event_create(gpu, true, &to, NULL), RUNG_OK);
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &before), 0);
    assert_int_equal(cuda->event_record(gpu, from, NULL, NULL), RUNG_OK);
    assert_int_equal(cuda->event_wait(gpu, from, NULL), RUNG_OK);
    assert_int_equal(cuda->event_record(gpu, to, NULL, NULL), RUNG_OK);
    assert_int_equal(cuda->event_seconds(gpu, from, to, &seconds, fresh()), RUNG_ERR_DEVICE);
    assert_string_equal(said(), "cuEventElapsedTime returned 600 (CUDA_ERROR_NOT_READY)");
    assert_true(seconds == -1);
    assert_int_equal(cuda->event_wait(gpu, to, NULL), RUNG_OK);
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &after), 0);
    assert_int_equal(KEEPS(cuda->event_seconds(gpu, from, to, &seconds, NULL)), RUNG_OK);
    assert_kept();
    assert_true(seconds > 0);
    assert_true(seconds <= (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) * 1e-9);
    cuda->event_destroy(gpu, from);
    cuda->event_destroy(gpu, to);
    close_gpu(t, gpu);
    tree_free(t);
}

/* What goes wrong when a kernel runs is told by whoever waits. */
static void kernels_fail_later(void **state)
{
    (void)state;
    tree *t = machine(A100);
    rung_gpu *gpu = open_gpu(t, 0);
    void *memory;
    uint32_t value = 0;
    const rung_grid grid = {.blocks = {1}};
    assert_int_equal(cuda->load(gpu, ON_SM80, NULL), RUNG_REASON_NONE);
    assert_int_equal(cuda->alloc(gpu, 32, &memory, NULL), RUNG_OK);
    steer("kernel:scale__sm80=700;");
    assert_int_equal(cuda->launch(gpu, ENTRY_SM80, &grid, NULL, (void *[]){&memory, &value}, NULL), RUNG_OK);
    assert_null(cuda->lost(gpu));
    assert_int_equal(cuda->stream_wait(gpu, NULL, fresh()), RUNG_ERR_DEVICE);
    assert_string_equal(said(), "cuStreamSynchronize returned 700 (CUDA_ERROR_ILLEGAL_ADDRESS)");
    assert_non_null(cuda->lost(gpu));
    cuda->free(gpu, memory);
    close_gpu(t, gpu);
    /* another use of the device begins anew, where nobody else holds its context */
    gpu = open_gpu(t, 0);
    assert_null(cuda->lost(gpu));
    assert_int_equal(cuda->stream_wait(gpu, NULL, fresh()), RUNG_OK);
    close_gpu(t, gpu);
    tree_free(t);
}

typedef int begin_fn(void *stream, int mode);
typedef int end_fn(void *stream, void **graph);
typedef int instantiate_fn(void **exec, void *graph, unsigned long long flags);
typedef int graph_launch_fn(void *exec, void *stream);
typedef int destroy_fn(void *object);

static void launches_are_captured(void **state)
{
    (void)state;
    tree *t = machine(A100);
    rung_gpu *gpu = open_gpu(t, 0);
    begin_fn *begin;
    end_fn *end;
    instantiate_fn *instantiate;
    graph_launch_fn *graph_launch;
    destroy_fn *graph_destroy, *exec_destroy;
    FIND(t, "cuStreamBeginCapture_v2", begin);
    FIND(t, "cuStreamEndCapture", end);
    FIND(t, "cuGraphInstantiateWithFlags", instantiate);
    FIND(t, "cuGraphLaunch", graph_launch);
    FIND(t, "cuGraphDestroy", graph_destroy);
    FIND(t, "cuGraphExecDestroy", exec_destroy);
    void *stream, *memory, *graph, *exec;
    uint32_t is[8] = {0};
    uint32_t value = 9;
    const rung_grid grid = {.blocks = {3}};
    assert_int_equal(cuda->load(gpu, ON_SM80, NULL), RUNG_REASON_NONE);
    assert_int_equal(cuda->alloc(gpu, 32, &memory, NULL), RUNG_OK);
    assert_int_equal(cuda->stream_create(gpu, &stream, NULL), RUNG_OK);
    assert_int_equal(begin(stream, 0), 0);
    assert_true(KEEPS(cuda->stream_capturing(gpu, stream)));
    assert_kept();
    assert_int_equal(cuda->launch(gpu, ENTRY_SM80, &grid, stream, (void *[]){&memory, &value}, NULL), RUNG_OK);
    assert_false(cuda->stream_capturing(gpu, NULL)); /* the default one does not wait for it */
    assert_int_equal(end(stream, &graph), 0);
    assert_false(cuda->stream_capturing(gpu, stream));
    assert_int_equal(instantiate(&exec, graph, 0), 0);
    assert_int_equal(graph_launch(exec, stream), 0);
    assert_int_equal(cuda->copy_out(gpu, is, memory, sizeof is, stream, NULL), RUNG_OK);
    assert_int_equal(is[0], 3);
    assert_int_equal(is[7], 9);
    assert_int_equal(exec_destroy(exec), 0);
    assert_int_equal(graph_destroy(graph), 0);
    cuda->stream_destroy(gpu, stream);
    cuda->free(gpu, memory);
    close_gpu(t, gpu);
    tree_free(t);
}

static void launches_fail_with_their_figures(void **state)
{
    (void)state;
    tree *t = machine(A100);
    rung_gpu *gpu = open_gpu(t, 0);
    const rung_grid grid = {.blocks = {7}, .threads = {128, 2}, .shared = 64};
    assert_int_equal(KEEPS(cuda->launch(gpu, ENTRY_SM80, &grid, NULL, NULL, fresh())), RUNG_ERR_ARGUMENT);
    assert_kept();
    assert_string_equal(said(), "scale__sm80 has not been loaded");
    assert_int_equal(cuda->load(gpu, ON_SM80, NULL), RUNG_REASON_NONE);
    steer("cuLaunchKernel=701;");
    assert_int_equal(KEEPS(cuda->launch(gpu, ENTRY_SM80_FINISH, &grid, NULL, NULL, fresh())), RUNG_ERR_DEVICE);
    assert_kept();
    assert_string_equal(said(), "cuLaunchKernel returned 701 (CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES) for "
                                "scale__sm80__finish, blocks 7x1x1 of 128x2x1 threads, shared memory 64");
    assert_int_equal(cuda->launch(gpu, ENTRY_SM80, &grid, NULL, NULL, NULL), RUNG_ERR_DEVICE);
    close_gpu(t, gpu);
    tree_free(t);
}

/* ---- addresses --------------------------------------------------------------------------------------------------- */

typedef int managed_fn(void **memory, size_t bytes, unsigned flags);
typedef int register_fn(void *memory, size_t bytes, unsigned flags);
typedef int current_fn(void **context);

static void whose_memory_it_is(void **state)
{
    (void)state;
    tree *t = machine(A100 L40);
    rung_gpu *other = open_gpu(t, 1);
    rung_gpu *gpu = open_gpu(t, 0);
    void *own, *others, *managed, *now;
    char here[64] = "";
    managed_fn *alloc_managed;
    register_fn *host_register;
    destroy_fn *host_unregister;
    current_fn *current;
    FIND(t, "cuMemAllocManaged", alloc_managed);
    FIND(t, "cuMemHostRegister_v2", host_register);
    FIND(t, "cuMemHostUnregister", host_unregister);
    FIND(t, "cuCtxGetCurrent", current);
    assert_int_equal(cuda->alloc(gpu, 300, &own, NULL), RUNG_OK);
    assert_int_equal((uintptr_t)own % 256, 0);
    cuda->leave(gpu);
    assert_int_equal(cuda->alloc(other, 300, &others, NULL), RUNG_OK);
    assert_true(cuda->is_own(other, others));
    assert_false(cuda->is_own(other, own));
    assert_int_equal(cuda->enter(gpu, NULL), RUNG_OK);
    assert_true(KEEPS(cuda->is_own(gpu, own)));
    assert_kept();
    assert_true(cuda->is_own(gpu, (char *)own + 299));
    assert_false(cuda->is_own(gpu, others));
    assert_false(cuda->is_own(gpu, here));
    assert_false(cuda->is_own(gpu, NULL));
    assert_int_equal(host_register(here, sizeof here, 0), 0);
    assert_false(cuda->is_own(gpu, here));
    assert_int_equal(host_unregister(here), 0);
    assert_int_equal(alloc_managed(&managed, 100, 1), 0);
    assert_true(cuda->is_own(gpu, managed));
    assert_true(cuda->is_own(other, managed));
    cuda->free(gpu, managed);
    cuda->free(gpu, own);
    cuda->leave(gpu);
    cuda->free(other, others);
    cuda->close(gpu, false);
    close_gpu(t, other);
    assert_int_equal(current(&now), 0); /* as it was before any of it */
    assert_null(now);
    tree_free(t);
}

static void out_of_memory_is_told(void **state)
{
    (void)state;
    tree *t = machine(A100);
    rung_gpu *gpu = open_gpu(t, 0);
    void *memory = t;
    steer("cuMemAlloc_v2=2;");
    assert_int_equal(KEEPS(cuda->alloc(gpu, 12345, &memory, fresh())), RUNG_ERR_MEMORY);
    assert_kept();
    assert_null(memory);
    assert_string_equal(said(), "cuMemAlloc returned 2 (CUDA_ERROR_OUT_OF_MEMORY) for 12345 bytes");
    close_gpu(t, gpu);
    tree_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens_and_closes),
        cmocka_unit_test(closes_in_a_child),
        cmocka_unit_test(does_not_open),
        cmocka_unit_test(other_libraries),
        cmocka_unit_test(without_host_memory),
        cmocka_unit_test(compute_mode),
        cmocka_unit_test(loads_once),
        cmocka_unit_test(what_does_not_load),
        cmocka_unit_test(tells_of_compiling),
        cmocka_unit_test(tells_which_device),
        cmocka_unit_test(comes_second),
        cmocka_unit_test(loads_side_by_side),
        cmocka_unit_test(every_failure),
        cmocka_unit_test(failures_that_nobody_is_told),
        cmocka_unit_test(codes_that_end_it),
        cmocka_unit_test(lost_devices_are_left_alone),
        cmocka_unit_test(launches),
        cmocka_unit_test(closes_behind_the_work),
        cmocka_unit_test(times),
        cmocka_unit_test(kernels_fail_later),
        cmocka_unit_test(launches_are_captured),
        cmocka_unit_test(launches_fail_with_their_figures),
        cmocka_unit_test(whose_memory_it_is),
        cmocka_unit_test(out_of_memory_is_told),
    };
    return cmocka_run_group_tests_name("cuda_driver", tests, NULL, NULL);
}
