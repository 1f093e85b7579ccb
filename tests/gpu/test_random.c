/* SPDX-License-Identifier: Apache-2.0
 *
 * Random programs against a model that knows, byte by byte, what every buffer holds and where: the values have to
 * agree, and the copies that were made have to be those that were needed. The same where functions of the driver fail
 * now and then: what a step that failed has left is what was there before, copies made for nothing aside.
 */
#include "scene.h"

enum { BUFFERS = 3, PARTS = 6, LONGEST = 96, QUEUES = 2, STEPS = 220, PROGRAMS = 150, HOST = 1u << ON_CPU };

/* Of a buffer, by byte. held: a bit for each op's device. */
typedef struct model {
    size_t size;
    unsigned char value[LONGEST];
    bool known[LONGEST]; /* its value is: it was computed from bytes that had been written */
    unsigned held[LONGEST];
    rung_transfers transfers;
} model;

/* A buffer or a part of one. */
typedef struct view {
    rung_buffer *buffer;
    model *of;
    size_t at, size;
} view;

typedef struct program {
    scene s;
    rung_platform *p;
    uint64_t random;
    model models[BUFFERS];
    rung_buffer *buffers[BUFFERS];
    view views[BUFFERS + PARTS];
    rung_queue *queues[QUEUES];
    unsigned char wrapped[LONGEST];
    bool failing;          /* functions of the drivers fail now and then */
    mock_function failure; /* of this step */
    int failed;            /* steps */
} program;

static uint32_t draw(program *r, uint32_t below)
{
    r->random = r->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(r->random >> 33) % below;
}

/* ---- what the model expects -------------------------------------------------------------------------------------- */

/* One pass over a range: every run of bytes that `enough` lacks goes in one copy from a place that has all of it. */
static void copy_runs(model *m, size_t at, size_t end, unsigned enough, unsigned sources, unsigned to)
{
    size_t i = at;
    while (i < end) {
        unsigned from = m->held[i] & sources;
        if (m->held[i] == 0 || (m->held[i] & enough)) {
            i++;
            continue;
        }
        size_t first = i;
        while (i < end && m->held[i] != 0 && !(m->held[i] & enough) && (m->held[i] & from)) {
            from &= m->held[i];
            m->held[i++] |= to;
        }
        if (to == HOST) {
            m->transfers.to_host++;
            m->transfers.to_host_bytes += i - first;
        } else {
            m->transfers.to_device++;
            m->transfers.to_device_bytes += i - first;
        }
    }
}

static void model_use(const view *v, size_t n, uint32_t op, int access)
{
    unsigned here = 1u << op;
    if (access & RUNG_ACCESS_READ) {
        bool all = true;
        for (size_t i = v->at; i < v->at + n; i++)
            all = all && (v->of->held[i] == 0 || (v->of->held[i] & here));
        if (!all) {
            copy_runs(v->of, v->at, v->at + n, HOST | here, ~(unsigned)HOST, HOST);
            if (here != HOST)
                copy_runs(v->of, v->at, v->at + n, here, HOST, here);
        }
    }
}

static void model_write(const view *v, size_t n, uint32_t op)
{
    for (size_t i = v->at; i < v->at + n; i++)
        v->of->held[i] = 1u << op;
}

static void model_kernel(const view *y, const view *x, size_t n, unsigned char k, bool fresh)
{
    for (size_t i = 0; i < n; i++) {
        size_t to = y->at + i;
        bool known = (fresh || y->of->known[to]) && (x == NULL || x->of->known[x->at + i]);
        const mock_arguments one = {&y->of->value[to], x == NULL ? NULL : &x->of->value[x->at + i], 1, k, fresh};
        mock_kernel(&one);
        y->of->known[to] = known;
    }
}

static void compare_bytes(const view *v, const unsigned char *bytes)
{
    for (size_t i = 0; i < v->size; i++)
        if (v->of->known[v->at + i])
            assert_int_equal(bytes[i], v->of->value[v->at + i]);
}

static void compare_transfers(const program *r)
{
    rung_transfers sum = {.to_device = 0};
    for (int i = 0; i < BUFFERS; i++) {
        const rung_transfers *t = &r->models[i].transfers;
        assert_transfers(r->buffers[i], t->to_device, t->to_device_bytes, t->to_host, t->to_host_bytes);
        sum.to_device += t->to_device;
        sum.to_host += t->to_host;
    }
    rung_transfers all = rung_platform_transfers(r->p);
    assert_int_equal(all.to_device, sum.to_device);
    assert_int_equal(all.to_host, sum.to_host);
}

/* Whether a step went well: it always does where nothing fails. */
static bool went_well(program *r, bool ok)
{
    mock_fail(r->failure, 0, false);
    assert_true(ok || r->failing);
    r->failed += !ok;
    return ok;
}

static void arm(program *r)
{
    static const mock_function functions[] = {MOCK_ALLOC,        MOCK_COPY_IN,      MOCK_COPY_OUT, MOCK_LAUNCH,
                                              MOCK_EVENT_RECORD, MOCK_STREAM_AFTER, MOCK_ENTER};
    if (!r->failing || draw(r, 2))
        return;
    r->failure = functions[draw(r, sizeof functions / sizeof *functions)];
    mock_fail(r->failure, 1 + (int)draw(r, 3), false);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static view *any_view(program *r)
{
    return &r->views[draw(r, BUFFERS + PARTS)];
}

static rung_queue *any_queue(program *r)
{
    uint32_t i = draw(r, QUEUES + 1);
    return i == QUEUES ? NULL : r->queues[i];
}

static void call(program *r)
{
    const view *y = any_view(r);
    const view *x = draw(r, 4) == 0 ? NULL : any_view(r);
    uint32_t op = draw(r, OPS);
    size_t most = x == NULL || y->size < x->size ? y->size : x->size;
    size_t n = draw(r, 3) == 0 ? draw(r, (uint32_t)most + 1) : most;
    bool fresh = draw(r, 2);
    unsigned char k = (unsigned char)draw(r, 256);
    arm(r);
    rung_status status =
        scene_call_on(r->p, any_queue(r), &r->s, op, y->buffer, x == NULL ? NULL : x->buffer, n, k, fresh);
    if (!went_well(r, status == RUNG_OK))
        return;
    model_use(y, n, op, fresh ? RUNG_ACCESS_WRITE : RUNG_ACCESS_READ_WRITE);
    if (x != NULL)
        model_use(x, n, op, RUNG_ACCESS_READ);
    model_write(y, n, op);
    model_kernel(y, x, n, k, fresh);
}

static void read_on_host(program *r)
{
    const view *v = any_view(r);
    arm(r);
    const unsigned char *bytes = rung_buffer_read(v->buffer);
    if (!went_well(r, bytes != NULL))
        return;
    model_use(v, v->size, ON_CPU, RUNG_ACCESS_READ);
    compare_bytes(v, bytes);
}

static void write_on_host(program *r)
{
    const view *v = any_view(r);
    arm(r);
    unsigned char *bytes = rung_buffer_host(v->buffer);
    if (!went_well(r, bytes != NULL))
        return;
    model_use(v, v->size, ON_CPU, RUNG_ACCESS_READ);
    model_write(v, v->size, ON_CPU);
    compare_bytes(v, bytes);
    for (size_t i = 0; i < v->size; i++) {
        bytes[i] = (unsigned char)draw(r, 256);
        v->of->value[v->at + i] = bytes[i];
        v->of->known[v->at + i] = true;
    }
}

/* A caller's own launch. */
static void write_on_device(program *r)
{
    const view *v = any_view(r);
    rung_queue *queue = any_queue(r);
    arm(r);
    unsigned char *device = rung_buffer_device(v->buffer, queue, NULL);
    if (!went_well(r, device != NULL))
        return;
    model_use(v, v->size, ON_CUDA, RUNG_ACCESS_READ);
    model_write(v, v->size, ON_CUDA);
    rung_ctx cx = rung_ctx_of(r->p);
    cx.memory = RUNG_MEMORY_DEVICE;
    cx.queue = queue;
    const mock_arguments a = {device, NULL, v->size, 1, false};
    assert_int_equal(scene_plain(&cx, &r->s, ON_CUDA, &a), RUNG_OK);
    model_kernel(v, NULL, v->size, 1, false);
}

static void cut_anew(program *r)
{
    view *v = &r->views[BUFFERS + draw(r, PARTS)];
    const view *from = &r->views[draw(r, BUFFERS)];
    size_t at = draw(r, (uint32_t)from->size + 1);
    size_t size = draw(r, (uint32_t)(from->size - at) + 1);
    rung_buffer *part = scene_part(from->buffer, at, size);
    rung_buffer_destroy(v->buffer);
    *v = (view){part, from->of, at, size};
}

static void change_queue(program *r)
{
    rung_queue **queue = &r->queues[draw(r, QUEUES)];
    if (draw(r, 2) == 0) {
        assert_int_equal(rung_queue_wait(*queue, NULL), RUNG_OK);
        return;
    }
    rung_queue_destroy(*queue);
    *queue = scene_queue(r->p);
}

static void step(program *r)
{
    uint32_t what = draw(r, 20);
    if (what < 12)
        call(r);
    else if (what < 14)
        read_on_host(r);
    else if (what < 16)
        write_on_host(r);
    else if (what < 17)
        write_on_device(r);
    else if (what < 19)
        cut_anew(r);
    else
        change_queue(r);
}

static void run(program *r, uint64_t seed, bool failing)
{
    r->random = seed;
    r->failing = failing;
    scene_begin(&r->s);
    r->p = scene_open(&r->s, "cuda,rocm,cpu");
    assert_int_equal(rung_warm(r->p, NULL, NULL), RUNG_OK); /* a first use that failed would stand for good */
    for (int i = 0; i < QUEUES; i++)
        r->queues[i] = scene_queue(r->p);
    for (int i = 0; i < BUFFERS; i++) {
        model *m = &r->models[i];
        *m = (model){.size = draw(r, LONGEST + 1)};
        if (i == 0) {
            assert_int_equal(rung_buffer_wrap(r->p, r->wrapped, m->size, &r->buffers[i], NULL), RUNG_OK);
            for (size_t j = 0; j < m->size; j++) {
                r->wrapped[j] = m->value[j] = (unsigned char)draw(r, 256);
                m->known[j] = true;
                m->held[j] = HOST;
            }
        } else {
            r->buffers[i] = scene_buffer(r->p, m->size);
        }
        r->views[i] = (view){r->buffers[i], m, 0, m->size};
    }
    for (int i = 0; i < PARTS; i++)
        r->views[BUFFERS + i] = (view){scene_part(r->buffers[0], 0, 0), &r->models[0], 0, 0};
    for (int i = 0; i < STEPS; i++) {
        step(r);
        if (!r->failing)
            compare_transfers(r);
    }
    for (int i = 0; i < BUFFERS; i++)
        compare_bytes(&r->views[i], rung_buffer_read(r->buffers[i]));
    for (int i = 0; i < QUEUES; i++)
        rung_queue_destroy(r->queues[i]);
    for (int i = 0; i < PARTS; i++)
        rung_buffer_destroy(r->views[BUFFERS + i].buffer);
    for (int i = 0; i < BUFFERS; i++)
        rung_buffer_destroy(r->buffers[i]);
    scene_end(r->p);
}

static void random_programs(void **state)
{
    (void)state;
    static program r;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++)
        run(&r, seed, false);
    assert_int_equal(r.failed, 0);
}

static void random_programs_with_failures(void **state)
{
    (void)state;
    static program r;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++)
        run(&r, seed, true);
    assert_true(r.failed > PROGRAMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs),
                                       cmocka_unit_test(random_programs_with_failures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
