/* SPDX-License-Identifier: Apache-2.0
 *
 * What is copied, and what is not.
 */
#include "scene.h"

#include "gpu/buffer.h"

static const int accesses[] = {RUNG_ACCESS_READ, RUNG_ACCESS_WRITE, RUNG_ACCESS_READ_WRITE};

/* The first half of a buffer call of one buffer. */
static void *use(rung_platform *p, const scene *s, uint32_t op, rung_buffer *buffer, size_t bytes, int access)
{
    rung_ctx cx = rung_ctx_of(p);
    rung_ctx plain;
    rung_buffer_use one = {buffer, bytes, access, NULL};
    assert_int_equal(rung_buffer_call(&cx, &s->registry, op, &one, 1, &plain), RUNG_OK);
    assert_int_equal(plain.memory, op == ON_CPU ? RUNG_MEMORY_HOST : RUNG_MEMORY_ANY);
    assert_int_equal(plain.reserved[RUNG_CTX_POSITION], op == ON_CPU ? 0 : op + 1);
    assert_int_equal(rung_buffer_done(&plain, &one, 1, RUNG_OK), RUNG_OK);
    return one.data;
}

/* What one use has to copy, by who holds the bytes: a bit for each op's device. */
static void expect(unsigned *held, uint32_t op, int access, uint64_t *to_device, uint64_t *to_host)
{
    const unsigned host = 1u << ON_CPU;
    unsigned here = 1u << op;
    if ((access & RUNG_ACCESS_READ) && *held != 0 && !(*held & here)) {
        if (!(*held & host)) {
            ++*to_host;
            *held |= host;
        }
        if (here != host)
            ++*to_device;
        *held |= here;
    }
    if (access & RUNG_ACCESS_WRITE)
        *held = here;
}

/* Every pair of uses, of a buffer that nobody has written and of one that the host has. */
static void every_pair_of_uses(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,rocm,cpu");
    enum { BYTES = 100, USES = OPS * 3 };
    for (int i = 0; i < 2 * USES * USES; i++) {
        rung_buffer *buffer = scene_buffer(p, BYTES);
        unsigned held = 0;
        if (i % 2) {
            memset(rung_buffer_host(buffer), i, BYTES);
            held = 1u << ON_CPU;
        }
        uint64_t to_device = 0;
        uint64_t to_host = 0;
        const int uses[2] = {i / 2 % USES, i / 2 / USES};
        for (int j = 0; j < 2; j++) {
            uint32_t op = (uint32_t)uses[j] % OPS;
            int access = accesses[uses[j] / OPS];
            assert_non_null(use(p, &s, op, buffer, BYTES, access));
            expect(&held, op, access, &to_device, &to_host);
        }
        assert_transfers(buffer, to_device, to_device * BYTES, to_host, to_host * BYTES);
        rung_buffer_destroy(buffer);
    }
    scene_end(p);
}

static void a_loop_that_stays_on_the_device_copies_nothing(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,rocm,cpu");
    enum { BYTES = 64 };
    rung_buffer *y = scene_buffer(p, BYTES);
    rung_buffer *x = scene_buffer(p, BYTES);
    memset(rung_buffer_host(x), 5, BYTES);
    assert_int_equal(scene_call(p, &s, ON_CUDA, y, x, BYTES, 1, true), RUNG_OK);
    int allocated = mock_calls(MOCK_ALLOC);
    for (int i = 0; i < 20; i++)
        assert_int_equal(scene_call(p, &s, ON_CUDA, y, x, BYTES, (unsigned char)i, i % 3 == 0), RUNG_OK);
    assert_transfers(y, 0, 0, 0, 0);
    assert_transfers(x, 1, BYTES, 0, 0);
    assert_int_equal(mock_calls(MOCK_ALLOC), allocated);
    assert_int_equal(mock_calls(MOCK_COPY_IN), 1);
    rung_buffer_destroy(y);
    rung_buffer_destroy(x);
    scene_end(p);
}

/* The same program on the processor alone gives the same bytes. */
static void devices_that_take_turns(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    enum { BYTES = 1000, STEPS = 12 };
    unsigned char results[2][BYTES];
    static const char *const chains[] = {"cpu", "cuda,rocm,cpu"};
    for (int c = 0; c < 2; c++) {
        rung_platform *p = scene_open(&s, chains[c]);
        rung_buffer *y = scene_buffer(p, BYTES);
        unsigned char in[BYTES];
        for (int i = 0; i < BYTES; i++)
            in[i] = (unsigned char)(i * i);
        rung_buffer *x = NULL;
        assert_int_equal(rung_buffer_wrap(p, in, BYTES, &x, NULL), RUNG_OK);
        for (int i = 0; i < STEPS; i++)
            assert_int_equal(scene_call(p, &s, i % 2 ? ON_CPU : ON_CUDA, y, x, BYTES, (unsigned char)i, i == 0),
                             RUNG_OK);
        memcpy(results[c], rung_buffer_read(y), BYTES);
        /* each turn takes y along, and x goes once */
        enum { TURNS = STEPS - 1 };
        assert_transfers(y, c * (TURNS / 2), (uint64_t)c * (TURNS / 2) * BYTES, c * (TURNS - TURNS / 2),
                         (uint64_t)c * (TURNS - TURNS / 2) * BYTES);
        assert_transfers(x, c, c * BYTES, 0, 0);
        rung_transfers all = rung_platform_transfers(p);
        assert_int_equal(all.to_device, c * (1 + TURNS / 2));
        assert_int_equal(all.to_host_bytes, c * (TURNS - TURNS / 2) * BYTES);
        rung_buffer_destroy(x);
        rung_buffer_destroy(y);
        all = rung_platform_transfers(p);
        assert_int_equal(all.to_device_bytes, c * (1 + TURNS / 2) * BYTES);
        scene_end(p);
    }
    assert_memory_equal(results[0], results[1], BYTES);
}

static void parts_take_their_bytes_alone(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,rocm,cpu");
    rung_buffer *whole = scene_buffer(p, 100);
    memset(rung_buffer_host(whole), 9, 100);
    rung_buffer *left = scene_part(whole, 0, 30);
    rung_buffer *right = scene_part(whole, 60, 40);
    rung_buffer *across = scene_part(whole, 20, 50);
    rung_buffer *inner = scene_part(across, 15, 10); /* 35 to 44 */
    assert_int_equal(rung_buffer_size(inner), 10);
    assert_ptr_equal(rung_buffer_host(inner), (char *)rung_buffer_host(whole) + 35);

    use(p, &s, ON_CUDA, left, 30, RUNG_ACCESS_READ);
    assert_transfers(left, 1, 30, 0, 0);
    use(p, &s, ON_CUDA, left, 30, RUNG_ACCESS_READ);
    use(p, &s, ON_CUDA, left, 10, RUNG_ACCESS_READ);
    assert_transfers(whole, 1, 30, 0, 0);
    /* 30 to 69 */
    use(p, &s, ON_CUDA, across, 50, RUNG_ACCESS_READ);
    assert_transfers(whole, 2, 70, 0, 0);
    /* in one piece behind it, of what the call reaches */
    use(p, &s, ON_CUDA, right, 20, RUNG_ACCESS_READ);
    assert_transfers(whole, 3, 80, 0, 0);
    /* written there: 35 to 44 */
    use(p, &s, ON_CUDA, inner, 10, RUNG_ACCESS_WRITE);
    use(p, &s, ON_CPU, right, 40, RUNG_ACCESS_READ);
    assert_transfers(whole, 3, 80, 0, 0);
    use(p, &s, ON_CPU, whole, 100, RUNG_ACCESS_READ);
    assert_transfers(whole, 3, 80, 1, 10);
    rung_buffer *const parts[] = {left, right, across, inner};
    for (int i = 0; i < 4; i++)
        rung_buffer_destroy(parts[i]);
    rung_buffer_destroy(whole);
    scene_end(p);
}

static void many_parts(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,rocm,cpu");
    enum { PARTS = 300, BYTES = 4 };
    rung_buffer *whole = scene_buffer(p, (size_t)PARTS * BYTES);
    rung_buffer *part[PARTS];
    for (size_t i = 0; i < PARTS; i++) {
        part[i] = scene_part(whole, i * BYTES, BYTES);
        memset(rung_buffer_host(part[i]), (int)i, BYTES);
    }
    /* every other one, in an order of its own */
    for (size_t i = 0; i < PARTS; i++)
        if (i * 7 % PARTS % 2 == 1)
            assert_int_equal(scene_call(p, &s, ON_CUDA, part[i * 7 % PARTS], NULL, BYTES, 1, false), RUNG_OK);
    assert_transfers(whole, PARTS / 2, PARTS / 2 * BYTES, 0, 0);
    assert_int_equal(scene_call(p, &s, ON_CUDA, whole, NULL, (size_t)PARTS * BYTES, 0, false), RUNG_OK);
    assert_transfers(whole, PARTS, PARTS * BYTES, 0, 0);
    const unsigned char *bytes = rung_buffer_read(whole);
    assert_transfers(whole, PARTS, PARTS * BYTES, 1, PARTS * BYTES);
    for (size_t i = 0; i < (size_t)PARTS * BYTES; i++)
        assert_int_equal(bytes[i], (unsigned char)(i / BYTES % 2 ? 3 * (3 * (i / BYTES) + 1) : 3 * (i / BYTES)));
    for (size_t i = 0; i < PARTS; i++)
        rung_buffer_destroy(part[i]);
    rung_buffer_destroy(whole);
    scene_end(p);
}

/* Lengths that change from call to call leave no trace once a stretch is held by one place again. */
static void cuts_do_not_pile_up(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    enum { BYTES = 2000 };
    rung_buffer *b = scene_buffer(p, BYTES);
    size_t room = b->root->room;
    for (size_t n = 1; n < BYTES; n++) {
        use(p, &s, ON_CUDA, b, n, RUNG_ACCESS_WRITE);
        use(p, &s, ON_CUDA, b, BYTES - n, RUNG_ACCESS_WRITE);
    }
    assert_int_equal(b->root->room, room);
    rung_buffer_destroy(b);
    scene_end(p);
}

/* Whatever else holds them. */
static void neighbours_go_in_one_copy(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,rocm,cpu");
    rung_buffer *whole = scene_buffer(p, 60);
    rung_buffer *part[3];
    for (size_t i = 0; i < 3; i++)
        part[i] = scene_part(whole, 20 * i, 20);
    use(p, &s, ON_CUDA, part[0], 20, RUNG_ACCESS_WRITE);
    use(p, &s, ON_ROCM, part[1], 20, RUNG_ACCESS_WRITE);
    use(p, &s, ON_ROCM, part[2], 20, RUNG_ACCESS_WRITE);
    use(p, &s, ON_CPU, part[1], 20, RUNG_ACCESS_READ);
    assert_transfers(whole, 0, 0, 1, 20);
    /* the last 20 to the host, and with their neighbours from there */
    use(p, &s, ON_CUDA, whole, 60, RUNG_ACCESS_READ);
    assert_transfers(whole, 1, 40, 2, 40);
    use(p, &s, ON_CUDA, whole, 60, RUNG_ACCESS_WRITE);
    use(p, &s, ON_CPU, whole, 60, RUNG_ACCESS_READ);
    assert_transfers(whole, 1, 40, 3, 100);
    for (int i = 0; i < 3; i++)
        rung_buffer_destroy(part[i]);
    rung_buffer_destroy(whole);
    scene_end(p);
}

static void the_owner_s_own_use(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    rung_buffer *b = scene_buffer(p, 16);
    /* nobody has written it: nothing is copied, and from then on the device holds it */
    rung_error err;
    unsigned char *device = rung_buffer_device(b, NULL, &err);
    assert_non_null(device);
    assert_int_equal(err.status, RUNG_OK);
    assert_transfers(b, 0, 0, 0, 0);
    memset(device, 3, 16);
    const unsigned char *read = rung_buffer_read(b);
    assert_int_equal(read[15], 3);
    assert_transfers(b, 0, 0, 1, 16);
    /* read on the host: the device's copy stays */
    assert_ptr_equal(rung_buffer_device(b, NULL, NULL), device);
    assert_transfers(b, 0, 0, 1, 16);
    unsigned char *host = rung_buffer_host(b);
    assert_transfers(b, 0, 0, 2, 32);
    host[0] = 8;
    assert_ptr_equal(rung_buffer_device(b, NULL, NULL), device);
    assert_int_equal(device[0], 8);
    assert_transfers(b, 1, 16, 2, 32);
    assert_null(rung_buffer_device(NULL, NULL, &err));
    assert_int_equal(err.status, RUNG_ERR_ARGUMENT);
    rung_buffer_destroy(b);

    /* where no device has a driver it is the host's */
    rung_platform *other = scene_open(&s, "cpu");
    b = scene_buffer(other, 16);
    assert_ptr_equal(rung_buffer_device(b, NULL, &err), rung_buffer_host(b));
    rung_buffer_destroy(b);
    rung_platform_close(other);
    scene_end(p);
}

static void memory_that_is_wrapped(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    unsigned char mine[32];
    memset(mine, 1, sizeof mine);
    rung_buffer *b = NULL;
    assert_int_equal(rung_buffer_wrap(p, mine, sizeof mine, &b, NULL), RUNG_OK);
    assert_int_equal(scene_call(p, &s, ON_CUDA, b, NULL, sizeof mine, 4, false), RUNG_OK);
    assert_int_equal(mine[31], 1);
    assert_ptr_equal(rung_buffer_read(b), mine);
    assert_int_equal(mine[31], 7);
    assert_int_equal(scene_call(p, &s, ON_CUDA, b, NULL, sizeof mine, 0, false), RUNG_OK);
    rung_buffer_destroy(b); /* moves nothing */
    assert_int_equal(mine[31], 7);
    scene_end(p);
}

static void nothing_at_all(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,rocm,cpu");
    rung_buffer *none = scene_buffer(p, 0);
    for (uint32_t op = 0; op < OPS; op++)
        for (int i = 0; i < 3; i++)
            assert_non_null(use(p, &s, op, none, 0, accesses[i]));
    assert_non_null(rung_buffer_host(none));
    assert_non_null(rung_buffer_device(none, NULL, NULL));
    assert_int_equal(scene_call(p, &s, ON_CUDA, none, NULL, 0, 1, false), RUNG_OK);
    rung_buffer *part = scene_part(none, 0, 0);
    assert_non_null(use(p, &s, ON_ROCM, part, 0, RUNG_ACCESS_READ));
    assert_transfers(none, 0, 0, 0, 0);
    /* an optional argument that is not given */
    assert_null(use(p, &s, ON_CUDA, NULL, 100, RUNG_ACCESS_READ));
    rung_buffer_destroy(part);
    rung_buffer_destroy(none);
    scene_end(p);
}

static void one_buffer_for_two_arguments(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,rocm,cpu");
    rung_buffer *b = scene_buffer(p, 10);
    memset(rung_buffer_host(b), 2, 10);
    assert_int_equal(scene_call(p, &s, ON_CUDA, b, b, 10, 1, true), RUNG_OK);
    assert_transfers(b, 1, 10, 0, 0);
    assert_int_equal(scene_call(p, &s, ON_ROCM, b, b, 10, 1, false), RUNG_OK);
    assert_transfers(b, 2, 20, 1, 10);
    const unsigned char *host = rung_buffer_read(b);
    assert_int_equal(host[9], 4 * (2 + 1) + 1);
    rung_buffer_destroy(b);
    scene_end(p);
}

static void bad_uses(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    rung_platform *other = scene_open(&s, "cuda,cpu");
    rung_buffer *b = scene_buffer(p, 8);
    rung_buffer *theirs = scene_buffer(other, 8);
    rung_queue *queue = scene_queue(other);
    rung_ctx cx = rung_ctx_of(p);
    rung_ctx plain;
    const rung_buffer_use good = {b, 8, RUNG_ACCESS_READ, NULL};
    const rung_buffer_use bad[] = {{b, 9, RUNG_ACCESS_READ, NULL},
                                   {theirs, 8, RUNG_ACCESS_READ, NULL},
                                   {b, 8, 0, NULL},
                                   {b, 8, RUNG_ACCESS_READ_WRITE + 1, NULL}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rung_buffer_use uses[] = {good, bad[i]};
        assert_int_equal(rung_buffer_call(&cx, &s.registry, ON_CUDA, uses, 2, &plain), RUNG_ERR_ARGUMENT);
    }
    rung_buffer_use one = good;
    assert_int_equal(rung_buffer_call(NULL, &s.registry, ON_CUDA, &one, 1, &plain), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_buffer_call(&cx, NULL, ON_CUDA, &one, 1, &plain), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_buffer_call(&cx, &gp_registry, 0, &one, 1, &plain), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_buffer_call(&cx, &s.registry, OPS, &one, 1, &plain), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_buffer_call(&cx, &s.registry, ON_CUDA, NULL, 1, &plain), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_buffer_call(&cx, &s.registry, ON_CUDA, &one, 1, NULL), RUNG_ERR_ARGUMENT);
    cx.queue = queue;
    assert_int_equal(rung_buffer_call(&cx, &s.registry, ON_CUDA, &one, 1, &plain), RUNG_ERR_ARGUMENT);
    assert_null(rung_buffer_device(b, queue, NULL));
    rung_buffer *part = NULL;
    assert_int_equal(rung_buffer_slice(b, 4, 5, &part, NULL), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_buffer_slice(b, 9, 0, &part, NULL), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_buffer_slice(b, 1, SIZE_MAX, &part, NULL), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_buffer_slice(NULL, 0, 0, &part, NULL), RUNG_ERR_ARGUMENT);
    assert_int_equal(rung_buffer_slice(b, 0, 0, NULL, NULL), RUNG_ERR_ARGUMENT);
    assert_null(part);

    /* what the kernel would refuse is refused before anything is marked as written */
    memset(rung_buffer_host(b), 1, 8);
    for (uint32_t i = 0; i < s.ops[ON_CUDA].cells; i++)
        s.cells[s.ops[ON_CUDA].first_cell + i].workspace = 64;
    cx.queue = NULL;
    one.access = RUNG_ACCESS_WRITE;
    assert_int_equal(rung_buffer_call(&cx, &s.registry, ON_CUDA, &one, 1, &plain), RUNG_ERR_WORKSPACE);
    assert_int_equal(*(const unsigned char *)rung_buffer_read(b), 1);
    assert_transfers(b, 0, 0, 0, 0);

    /* a buffer that is too small for a workspace, lies askew, or is another platform's */
    rung_buffer *scratch = NULL;
    assert_int_equal(rung_buffer_create(p, 128, &scratch, NULL), RUNG_OK);
    static const struct {
        size_t offset, size;
        rung_status answer;
    } parts[] = {{0, 63, RUNG_ERR_WORKSPACE}, {32, 64, RUNG_ERR_WORKSPACE}, {64, 64, RUNG_OK}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert_int_equal(rung_buffer_slice(scratch, parts[i].offset, parts[i].size, &part, NULL), RUNG_OK);
        cx.workspace_buffer = part;
        assert_int_equal(rung_buffer_call(&cx, &s.registry, ON_CUDA, &one, 1, &plain), parts[i].answer);
        rung_buffer_destroy(part);
    }
    cx.workspace_buffer = theirs;
    assert_int_equal(rung_buffer_call(&cx, &s.registry, ON_CUDA, &one, 1, &plain), RUNG_ERR_WORKSPACE);
    rung_buffer_destroy(scratch);
    rung_queue_destroy(queue);
    rung_buffer_destroy(b);
    rung_buffer_destroy(theirs);
    rung_platform_close(other);
    scene_end(p);
}

/* A workspace in a buffer is where the kernel is, costs no copies, and holds nothing afterwards. */
static void a_workspace_follows_the_device(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    for (uint32_t i = 0; i < s.registry.n_cells; i++)
        s.cells[i].workspace = 64;
    rung_buffer *b = scene_buffer(p, 8);
    rung_buffer *scratch = scene_buffer(p, 128);
    rung_ctx cx = rung_ctx_of(p);
    rung_ctx plain;
    cx.workspace_buffer = scratch;
    memset(rung_buffer_host(scratch), 1, 128);
    rung_buffer_use one = {.buffer = b, .bytes = 8, .access = RUNG_ACCESS_WRITE};
    assert_int_equal(rung_buffer_call(&cx, &s.registry, ON_CUDA, &one, 1, &plain), RUNG_OK);
    assert_int_equal(plain.workspace_size, 128);
    void *on_device = plain.workspace;
    assert_non_null(on_device);
    assert_int_equal(rung_buffer_call(&cx, &s.registry, ON_CPU, &one, 1, &plain), RUNG_OK);
    assert_ptr_not_equal(plain.workspace, on_device);
    assert_int_equal((uintptr_t)plain.workspace % 64, 0);
    assert_int_equal(rung_buffer_call(&cx, &s.registry, ON_CUDA, &one, 1, &plain), RUNG_OK);
    assert_ptr_equal(plain.workspace, on_device);
    assert_transfers(scratch, 0, 0, 0, 0);
    rung_buffer_destroy(scratch);
    rung_buffer_destroy(b);
    scene_end(p);
}

/* A pool: all that a call is given, its workspace included, is cut out of one buffer that has been cut before. */
static void everything_in_one_buffer(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    for (uint32_t i = 0; i < s.registry.n_cells; i++)
        s.cells[i].workspace = 64;
    enum { OTHERS = 40, AT = 16 * OTHERS + 64 };
    for (size_t others = 0; others < OTHERS; others++) {
        rung_buffer *pool = scene_buffer(p, AT + 256);
        memset(rung_buffer_host(pool), 1, AT + 256);
        for (size_t i = 0; i < others; i++) {
            rung_buffer *part = scene_part(pool, 8 + 16 * i, 8);
            assert_non_null(rung_buffer_device(part, NULL, NULL));
            rung_buffer_destroy(part);
        }
        rung_buffer *y = scene_part(pool, AT + 8, 8);
        rung_buffer *x = scene_part(pool, AT + 24, 8);
        rung_buffer *scratch = scene_part(pool, AT + 64, 96);
        rung_ctx cx = rung_ctx_of(p);
        cx.workspace_buffer = scratch;
        rung_buffer_use uses[] = {{y, 8, RUNG_ACCESS_WRITE, NULL}, {x, 8, RUNG_ACCESS_READ, NULL}};
        rung_ctx plain;
        assert_int_equal(rung_buffer_call(&cx, &s.registry, ON_CUDA, uses, 2, &plain), RUNG_OK);
        assert_true(pool->root->n_segments <= pool->root->room);
        rung_buffer_destroy(y);
        rung_buffer_destroy(x);
        rung_buffer_destroy(scratch);
        rung_buffer_destroy(pool);
    }
    scene_end(p);
}

static char logged[4096];

static void take_line(rung_log_level level, const char *line, void *user)
{
    (void)user;
    rung_text t = {logged, sizeof logged, strlen(logged)};
    rung_text_join(&t, (const char *const[]){level == RUNG_LOG_DEBUG ? "debug " : "info ", line, "\n", NULL});
}

static void copies_are_told(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    rung_buffer *b = scene_buffer(p, 64);
    rung_buffer *part = scene_part(b, 8, 16);
    memset(rung_buffer_host(b), 0, 64);
    use(p, &s, ON_CUDA, part, 16, RUNG_ACCESS_READ_WRITE);
    rung_buffer_destroy(part);
    part = scene_part(b, 0, 12);
    logged[0] = '\0';
    rung_log_set(take_line, NULL, RUNG_LOG_DEBUG);
    (void)rung_buffer_read(part);
    use(p, &s, ON_CUDA, part, 12, RUNG_ACCESS_READ);
    rung_log_set(NULL, NULL, RUNG_LOG_INFO);
    assert_string_equal(logged, "debug gp: 4 bytes of a buffer of 64 are copied from cuda to the host for "
                                "rung_buffer_read\n"
                                "debug gp: 8 bytes of a buffer of 64 are copied from the host to cuda for "
                                "scale\n");
    rung_buffer_destroy(part);
    rung_buffer_destroy(b);
    scene_end(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_of_uses),
        cmocka_unit_test(a_loop_that_stays_on_the_device_copies_nothing),
        cmocka_unit_test(devices_that_take_turns),
        cmocka_unit_test(parts_take_their_bytes_alone),
        cmocka_unit_test(many_parts),
        cmocka_unit_test(cuts_do_not_pile_up),
        cmocka_unit_test(neighbours_go_in_one_copy),
        cmocka_unit_test(the_owner_s_own_use),
        cmocka_unit_test(memory_that_is_wrapped),
        cmocka_unit_test(nothing_at_all),
        cmocka_unit_test(one_buffer_for_two_arguments),
        cmocka_unit_test(bad_uses),
        cmocka_unit_test(a_workspace_follows_the_device),
        cmocka_unit_test(everything_in_one_buffer),
        cmocka_unit_test(copies_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
