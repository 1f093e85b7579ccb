/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies between the host and a device: directly and through pinned chunks.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/state.h"
#include "cuda_test.h"

static const rung_gpu_driver *const cuda = &rung_cuda_driver;

enum { SMALL = 64 * 1024, CHUNK = 4 * 1024 * 1024 };

/* A pattern that no chunk's size is a multiple of. */
enum { PATTERN = 65521 };

static unsigned char *bytes_of(size_t size, unsigned seed)
{
    unsigned char *at = malloc(size + 1);
    assert_non_null(at);
    for (size_t i = 0; i <= size && i < PATTERN; i++) {
        seed = seed * 1664525u + 1013904223u;
        at[i] = (unsigned char)(seed >> 24);
    }
    for (size_t i = PATTERN; i <= size; i += PATTERN)
        memcpy(at + i, at, size + 1 - i < PATTERN ? size + 1 - i : PATTERN);
    return at;
}

/* There and back; the byte behind the end stays as it is, and the source may be used again at once. */
static void there_and_back(rung_gpu *gpu, void *stream, size_t size, unsigned seed)
{
    unsigned char *was = bytes_of(size, seed);
    unsigned char *from = bytes_of(size, seed);
    unsigned char *to = bytes_of(size, seed + 1);
    unsigned char behind = to[size];
    void *memory = NULL;
    assert_int_equal(cuda->alloc(gpu, size + 1, &memory, fresh()), RUNG_OK);
    assert_int_equal(KEEPS(cuda->copy_in(gpu, memory, from, size, stream, fresh())), RUNG_OK);
    assert_kept();
    memset(from, 0, size);
    assert_int_equal(KEEPS(cuda->copy_out(gpu, to, memory, size, stream, fresh())), RUNG_OK);
    assert_kept();
    assert_string_equal(said(), "");
    assert_int_equal(memcmp(was, to, size), 0);
    assert_int_equal(to[size], behind);
    cuda->free(gpu, memory);
    free(was);
    free(from);
    free(to);
}

static const size_t sizes[] = {0,     1,         SMALL - 1,     SMALL,         SMALL + 1,    CHUNK - 1,
                               CHUNK, CHUNK + 1, 2 * CHUNK - 1, 2 * CHUNK + 1, 3 * CHUNK + 5};

static void all_sizes(void **state)
{
    (void)state;
    tree *t = machine(A100);
    rung_gpu *gpu = open_gpu(t, 0);
    void *stream;
    assert_int_equal(cuda->stream_create(gpu, &stream, NULL), RUNG_OK);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        there_and_back(gpu, i % 2 == 0 ? NULL : stream, sizes[i], (unsigned)i);
        assert_int_equal(alive(t, "pinned"), sizes[i] > SMALL); /* made for the first that wants it, and kept */
        assert_int_equal(alive(t, "events"), sizes[i] > SMALL ? 2 : 0);
    }
    cuda->stream_destroy(gpu, stream);
    close_gpu(t, gpu);
    tree_free(t);
}

/* Whatever fails when the chunks are made, and where they are somebody else's, there is another way. */
static void without_chunks(void **state)
{
    static const char *const hows[] = {"cuMemHostAlloc=2;", "cuEventCreate=2;", "cuMemHostAlloc=1;"};
    (void)state;
    tree *t = machine(A100);
    for (size_t i = 0; i < sizeof hows / sizeof *hows; i++) {
        rung_gpu *gpu = open_gpu(t, 0);
        steer(hows[i]);
        there_and_back(gpu, NULL, CHUNK + 1, 5);
        steer("");
        there_and_back(gpu, NULL, CHUNK + 1, 6);
        assert_int_equal(alive(t, "pinned"), 0); /* it is not tried again */
        assert_int_equal(alive(t, "events"), 0);
        assert_null(cuda->lost(gpu));
        close_gpu(t, gpu);
    }
    rung_gpu *gpu = open_gpu(t, 0);
    assert_true(rung_cuda_staging_take(gpu));
    assert_false(rung_cuda_staging_take(gpu));
    steer("cuEventRecord=exit;cuEventSynchronize=exit;");
    there_and_back(gpu, NULL, CHUNK + 1, 7);
    rung_cuda_staging_give(gpu);
    close_gpu(t, gpu);
    tree_free(t);
}

/* Pinned memory is copied directly, and the copy has been made when the call returns. */
static void pinned_memory(void **state)
{
    (void)state;
    tree *t = machine(A100);
    rung_gpu *gpu = open_gpu(t, 0);
    void *memory;
    assert_int_equal(cuda->alloc(gpu, 2 * CHUNK, &memory, NULL), RUNG_OK);
    assert_true(rung_cuda_staging_take(gpu));
    rung_cuda_staging_give(gpu);
    void *pinned = gpu->staging.memory;
    for (size_t size = 1; size <= 2 * CHUNK; size = size * 8) {
        unsigned char *back = bytes_of(size, 2);
        memset(pinned, 3, size);
        steer("cuEventRecord=exit;cuEventSynchronize=exit;");
        assert_int_equal(cuda->copy_in(gpu, memory, pinned, size, NULL, NULL), RUNG_OK);
        memset(pinned, 4, size);
        assert_int_equal(cuda->copy_out(gpu, pinned, memory, size, NULL, NULL), RUNG_OK);
        memset(back, 3, size);
        assert_int_equal(memcmp(pinned, back, size), 0);
        free(back);
        steer("cuStreamSynchronize=1;");
        assert_int_equal(cuda->copy_in(gpu, memory, pinned, size, NULL, fresh()), RUNG_ERR_DEVICE);
        assert_said("cuStreamSynchronize returned 1");
        steer("");
    }
    cuda->free(gpu, memory);
    close_gpu(t, gpu);
    tree_free(t);
}

/* A small copy from plain memory waits for nothing, unless the device reads such memory when it likes, or the driver
 * does not tell what memory it is. */
static void small_ones_do_not_wait(void **state)
{
    (void)state;
    tree *t = machine(A100);
    for (int i = 0; i < 3; i++) {
        steer(i == 1 ? "pageable=1;" : "");
        rung_gpu *gpu = open_gpu(t, 0);
        steer(i == 1 ? "pageable=1;" : i == 2 ? "cuPointerGetAttributes=1;" : "");
        unsigned char *from = bytes_of(SMALL, 1);
        void *memory;
        assert_int_equal(cuda->alloc(gpu, SMALL, &memory, NULL), RUNG_OK);
        int before = calls(t, "cuStreamSynchronize");
        assert_int_equal(cuda->copy_in(gpu, memory, from, SMALL, NULL, NULL), RUNG_OK);
        assert_int_equal(calls(t, "cuStreamSynchronize") - before, i > 0);
        assert_int_equal(alive(t, "work"), i == 0);
        assert_int_equal(alive(t, "pinned"), 0);
        there_and_back(gpu, NULL, SMALL, 8);
        there_and_back(gpu, NULL, 2 * CHUNK + 1, 9);
        cuda->free(gpu, memory);
        free(from);
        close_gpu(t, gpu);
    }
    tree_free(t);
}

static void failures_on_the_way(void **state)
{
    static const struct {
        const char *how, *says;
        bool in, out;
    } cases[] = {
        {"cuMemcpyHtoDAsync_v2=1;", "cuMemcpyHtoDAsync returned 1", true, false},
        {"cuMemcpyDtoHAsync_v2=1;", "cuMemcpyDtoHAsync returned 1", false, true},
        {"cuEventRecord=1;", "cuEventRecord returned 1", true, true},
        {"cuEventSynchronize=1;", "cuEventSynchronize returned 1", true, true},
        {"cuEventRecord=1;cuStreamSynchronize=1;", "cuEventRecord returned 1", true, true},
    };
    (void)state;
    tree *t = machine(A100);
    unsigned char *data = bytes_of(3 * CHUNK, 9);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rung_gpu *gpu = open_gpu(t, 0);
        void *memory;
        assert_int_equal(cuda->alloc(gpu, 3 * CHUNK, &memory, NULL), RUNG_OK);
        there_and_back(gpu, NULL, CHUNK + 1, 3);
        steer(cases[i].how);
        assert_int_equal(KEEPS(cuda->copy_in(gpu, memory, data, 3 * CHUNK, NULL, fresh())),
                         cases[i].in ? RUNG_ERR_DEVICE : RUNG_OK);
        assert_kept();
        if (cases[i].in)
            assert_said(cases[i].says);
        /* where the chunks can no longer be trusted, copies go without them */
        bool refused = gpu->staging.refused;
        assert_int_equal(refused, strstr(cases[i].how, "cuStreamSynchronize") != NULL);
        if (!refused) {
            assert_int_equal(KEEPS(cuda->copy_out(gpu, data, memory, 3 * CHUNK, NULL, fresh())),
                             cases[i].out ? RUNG_ERR_DEVICE : RUNG_OK);
            assert_kept();
            if (cases[i].out)
                assert_said(cases[i].says);
        }
        steer("");
        there_and_back(gpu, NULL, 2 * CHUNK + 1, 4);
        assert_null(cuda->lost(gpu));
        cuda->free(gpu, memory);
        close_gpu(t, gpu);
    }
    free(data);
    tree_free(t);
}

typedef int begin_fn(void *stream, int mode);
typedef int end_fn(void *stream, void **graph);
typedef int create_fn(void **stream, unsigned flags);
typedef int destroy_fn(void *object);

/* Nothing waits and nothing is allocated, so that the capture goes on. */
static void while_a_graph_is_captured(void **state)
{
    (void)state;
    tree *t = machine(A100);
    rung_gpu *gpu = open_gpu(t, 0);
    begin_fn *begin;
    end_fn *end;
    create_fn *create;
    destroy_fn *graph_destroy;
    FIND(t, "cuStreamBeginCapture_v2", begin);
    FIND(t, "cuStreamEndCapture", end);
    FIND(t, "cuStreamCreate", create);
    FIND(t, "cuGraphDestroy", graph_destroy);
    unsigned char *data = bytes_of(CHUNK, 1);
    void *memory, *stream, *blocking, *graph;
    assert_int_equal(cuda->alloc(gpu, CHUNK, &memory, NULL), RUNG_OK);
    assert_int_equal(cuda->stream_create(gpu, &stream, NULL), RUNG_OK);
    assert_int_equal(begin(stream, 0), 0);
    for (size_t size = 1; size <= CHUNK; size *= CHUNK) {
        assert_int_equal(KEEPS(cuda->copy_in(gpu, memory, data, size, stream, fresh())), RUNG_ERR_ARGUMENT);
        assert_kept();
        assert_said("the data has to be brought before");
        assert_int_equal(cuda->copy_out(gpu, data, memory, size, stream, NULL), RUNG_ERR_ARGUMENT);
    }
    assert_int_equal(cuda->copy_in(gpu, memory, data, 0, stream, NULL), RUNG_OK);
    assert_int_equal(end(stream, &graph), 0);
    assert_int_equal(graph_destroy(graph), 0);
    there_and_back(gpu, stream, 1000, 1);
    /* the default stream, while another is captured that waits for it */
    assert_int_equal(create(&blocking, 0), 0);
    assert_int_equal(begin(blocking, 0), 0);
    assert_true(cuda->stream_capturing(gpu, NULL));
    assert_int_equal(cuda->copy_in(gpu, memory, data, 1, NULL, NULL), RUNG_ERR_ARGUMENT);
    assert_int_equal(end(blocking, &graph), 0);
    assert_int_equal(graph_destroy(graph), 0);
    cuda->stream_destroy(gpu, blocking);
    cuda->stream_destroy(gpu, stream);
    cuda->free(gpu, memory);
    free(data);
    close_gpu(t, gpu);
    tree_free(t);
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 3 };

typedef struct mover {
    pthread_t thread;
    rung_gpu *gpu;
    unsigned seed;
    bool right;
} mover;

static void *move(void *user)
{
    mover *m = user;
    size_t size = CHUNK + 1000 * m->seed;
    unsigned char *from = bytes_of(size, m->seed);
    unsigned char *to = bytes_of(size, m->seed + 1);
    void *memory = NULL;
    m->right = cuda->enter(m->gpu, NULL) == RUNG_OK && cuda->alloc(m->gpu, size, &memory, NULL) == RUNG_OK;
    for (int i = 0; m->right && i < ROUNDS; i++) {
        memset(to, i, size);
        m->right = cuda->copy_in(m->gpu, memory, from, size, NULL, NULL) == RUNG_OK &&
                   cuda->copy_out(m->gpu, to, memory, size, NULL, NULL) == RUNG_OK && memcmp(from, to, size) == 0;
    }
    cuda->free(m->gpu, memory);
    cuda->leave(m->gpu);
    free(from);
    free(to);
    return NULL;
}

static void several_threads(void **state)
{
    (void)state;
    tree *t = machine(A100);
    rung_gpu *gpu = open_gpu(t, 0);
    mover movers[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        movers[i] = (mover){.gpu = gpu, .seed = i};
        assert_int_equal(pthread_create(&movers[i].thread, NULL, move, &movers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(movers[i].thread, NULL), 0);
        assert_true(movers[i].right);
    }
    close_gpu(t, gpu);
    tree_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_sizes),           cmocka_unit_test(without_chunks),
        cmocka_unit_test(pinned_memory),       cmocka_unit_test(small_ones_do_not_wait),
        cmocka_unit_test(failures_on_the_way), cmocka_unit_test(while_a_graph_is_captured),
        cmocka_unit_test(several_threads),
    };
    return cmocka_run_group_tests_name("cuda_copy", tests, NULL, NULL);
}
