/* SPDX-License-Identifier: Apache-2.0 */
#include "mock.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GPUS = 32, BLOCKS = 4096, EVENTS = 256, ENTERED = 8 };

typedef struct block {
    rung_gpu *gpu;
    unsigned char *at;
    size_t bytes;
} block;

typedef struct stream stream;

typedef struct event {
    rung_gpu *gpu;
    stream *on;   /* NULL: not recorded */
    size_t after; /* so many tasks of that stream */
    bool timed;
} event;

typedef struct task {
    struct task *next;
    mock_arguments kernel; /* y NULL: no kernel */
    unsigned char *to;     /* NULL: no copy */
    unsigned char *bytes;
    size_t n;
    stream *other; /* NULL: no wait */
    size_t after;
} task;

/* Kept until its device is closed, so that events may name it. */
struct stream {
    stream *next;
    rung_gpu *gpu;
    task *first, *last;
    size_t put, done;
    bool capturing, alive, running;
};

struct rung_gpu {
    const rung_registry *registry;
    stream *streams; /* the last one is the default stream */
    const char *lost;
    bool open;
    bool excused; /* it could not be made current, perhaps to give things back */
    bool loaded[128];
};

static rung_gpu gpus[GPUS];
static block blocks[BLOCKS];
static event events[EVENTS];
static int calls[MOCK_FUNCTIONS], countdown[MOCK_FUNCTIONS];
static bool fatal_failure[MOCK_FUNCTIONS];
static int n_tasks;
static bool forbidden;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local rung_gpu *entered[ENTERED];
static _Thread_local int depth;

#define RULE(it)                                                                                                       \
    do {                                                                                                               \
        if (!(it)) {                                                                                                   \
            (void)fprintf(stderr, "%s:%d: a driver was called against its rules: %s\n", __FILE__, __LINE__, #it);      \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* ---- around every function --------------------------------------------------------------------------------------- */

static void lock(void)
{
    RULE(!forbidden);
    RULE(pthread_mutex_lock(&mutex) == 0);
}

static void unlock(void)
{
    RULE(pthread_mutex_unlock(&mutex) == 0);
}

static bool is_current(const rung_gpu *gpu)
{
    return depth > 0 && entered[depth - 1] == gpu;
}

static void begin(const rung_gpu *gpu)
{
    lock();
    RULE(gpu->open);
    RULE(is_current(gpu));
}

/* Whether this call fails. Locked. */
static bool fails(rung_gpu *gpu, mock_function function, rung_text *detail)
{
    calls[function]++;
    bool now = countdown[function] > 0 && --countdown[function] == 0;
    if (now && fatal_failure[function] && gpu != NULL)
        gpu->lost = "MOCK_ERROR_FATAL";
    if (now || (gpu != NULL && gpu->lost != NULL)) {
        rung_text_add(detail, now ? "MOCK_ERROR_INJECTED" : gpu->lost);
        return true;
    }
    return false;
}

static rung_status answer(rung_gpu *gpu, mock_function function, rung_text *detail)
{
    if (!fails(gpu, function, detail))
        return RUNG_OK;
    bool memory = function == MOCK_ALLOC && gpu->lost == NULL;
    return memory ? RUNG_ERR_MEMORY : RUNG_ERR_DEVICE;
}

static rung_status ended(rung_status status)
{
    unlock();
    return status;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static block *block_of(const rung_gpu *gpu, const void *address, size_t bytes)
{
    const unsigned char *at = address;
    for (int i = 0; i < BLOCKS; i++)
        if (blocks[i].gpu == gpu && at >= blocks[i].at && at < blocks[i].at + blocks[i].bytes)
            return bytes <= (size_t)(blocks[i].at + blocks[i].bytes - at) ? &blocks[i] : NULL;
    return NULL;
}

static rung_status mock_alloc(rung_gpu *gpu, size_t bytes, void **out, rung_text *detail)
{
    begin(gpu);
    RULE(bytes > 0);
    for (stream *s = gpu->streams; s != NULL; s = s->next)
        RULE(!s->capturing);
    rung_status status = answer(gpu, MOCK_ALLOC, detail);
    if (status != RUNG_OK)
        return ended(status);
    int i = 0;
    while (i < BLOCKS && blocks[i].gpu != NULL)
        i++;
    RULE(i < BLOCKS);
    size_t room = (bytes + 255) / 256 * 256;
    blocks[i] = (block){gpu, aligned_alloc(256, room), bytes};
    RULE(blocks[i].at != NULL);
    memset(blocks[i].at, 0xee, room);
    *out = blocks[i].at;
    return ended(RUNG_OK);
}

static bool is_in(const block *b, const unsigned char *at)
{
    return at != NULL && at >= b->at && at < b->at + b->bytes;
}

/* Of a lost device as well; and refused while a stream is being captured. */
static rung_status mock_free(rung_gpu *gpu, void *memory)
{
    begin(gpu);
    block *b = block_of(gpu, memory, 1);
    RULE(b != NULL && b->at == memory);
    calls[MOCK_FREE]++;
    bool refused = countdown[MOCK_FREE] > 0 && --countdown[MOCK_FREE] == 0;
    if (refused && fatal_failure[MOCK_FREE]) {
        gpu->lost = "MOCK_ERROR_FATAL";
        gpu->excused = true;
    }
    for (const stream *s = gpu->streams; s != NULL; s = s->next)
        refused = refused || s->capturing;
    if (refused)
        return ended(RUNG_ERR_DEVICE);
    for (stream *s = gpu->streams; s != NULL && gpu->lost == NULL; s = s->next)
        for (task *t = s->first; t != NULL; t = t->next)
            RULE(!is_in(b, t->kernel.y) && !is_in(b, t->kernel.x) && !is_in(b, t->to));
    free(b->at);
    *b = (block){NULL, NULL, 0};
    return ended(RUNG_OK);
}

static bool mock_is_own(rung_gpu *gpu, const void *address)
{
    begin(gpu);
    bool own = block_of(gpu, address, 1) != NULL;
    unlock();
    return own;
}

/* ---- work on streams (locked) ------------------------------------------------------------------------------------ */

static stream *default_stream(rung_gpu *gpu)
{
    stream *s = gpu->streams;
    while (s->next != NULL)
        s = s->next;
    return s;
}

static stream *stream_of(rung_gpu *gpu, void *given)
{
    stream *s = given == NULL ? default_stream(gpu) : given;
    RULE(s->gpu == gpu && s->alive);
    return s;
}

void mock_kernel(const mock_arguments *a)
{
    for (size_t i = 0; i < a->n; i++) {
        unsigned sum = (a->fresh ? 0u : 3u * a->y[i]) + (a->x == NULL ? 0u : a->x[i]) + a->k;
        a->y[i] = (unsigned char)sum;
    }
}

static void put(stream *s, task t)
{
    task *one = malloc(sizeof *one);
    RULE(one != NULL);
    *one = t;
    one->next = NULL;
    if (s->first == NULL)
        s->first = one;
    else
        s->last->next = one;
    s->last = one;
    s->put++;
    n_tasks++;
}

static void drop(stream *s)
{
    task *t = s->first;
    s->first = t->next;
    s->done++;
    n_tasks--;
    free(t->bytes);
    free(t);
}

static void run_until(stream *s, size_t count)
{
    RULE(!s->running || s->done >= count); /* streams that wait for each other */
    while (s->done < count && s->first != NULL) {
        task *t = s->first;
        s->running = true;
        if (t->other != NULL && t->other != s)
            run_until(t->other, t->after);
        if (t->to != NULL) {
            RULE(block_of(s->gpu, t->to, t->n) != NULL);
            memcpy(t->to, t->bytes, t->n);
        }
        if (t->kernel.y != NULL) {
            RULE(t->kernel.n == 0 || block_of(s->gpu, t->kernel.y, t->kernel.n) != NULL);
            RULE(t->kernel.n == 0 || t->kernel.x == NULL || block_of(s->gpu, t->kernel.x, t->kernel.n) != NULL);
            mock_kernel(&t->kernel);
        }
        s->running = false;
        drop(s);
    }
}

/* ---- the device -------------------------------------------------------------------------------------------------- */

static void add_stream(rung_gpu *gpu, void **out)
{
    stream *s = malloc(sizeof *s);
    RULE(s != NULL);
    *s = (stream){.next = gpu->streams, .gpu = gpu, .alive = true};
    gpu->streams = s;
    if (out != NULL)
        *out = s;
}

static rung_reason mock_open(const rung_world *world, uint32_t index, const rung_registry *registry, rung_gpu **out,
                             rung_text *detail)
{
    (void)world;
    (void)index;
    lock();
    if (fails(NULL, MOCK_OPEN, detail)) {
        unlock();
        return RUNG_REASON_DRIVER_BROKEN;
    }
    int i = 0;
    while (i < GPUS && gpus[i].open)
        i++;
    RULE(i < GPUS);
    gpus[i] = (rung_gpu){.registry = registry, .open = true};
    add_stream(&gpus[i], NULL);
    *out = &gpus[i];
    unlock();
    return RUNG_REASON_NONE;
}

static void mock_close(rung_gpu *gpu, bool forked)
{
    if (forked)
        return;
    lock();
    RULE(gpu->open);
    for (int i = 0; i < EVENTS; i++) {
        RULE(events[i].gpu != gpu || gpu->excused);
        if (events[i].gpu == gpu)
            events[i] = (event){.gpu = NULL};
    }
    for (int i = 0; i < BLOCKS; i++) {
        RULE(blocks[i].gpu != gpu || gpu->excused);
        if (blocks[i].gpu == gpu) {
            free(blocks[i].at);
            blocks[i] = (block){NULL, NULL, 0};
        }
    }
    for (stream *s = gpu->streams; s != NULL; s = s->next) {
        RULE(!s->alive || s->next == NULL || gpu->excused);
        if (gpu->lost == NULL && !gpu->excused)
            run_until(s, s->put);
        while (s->first != NULL)
            drop(s);
    }
    while (gpu->streams != NULL) {
        stream *s = gpu->streams;
        gpu->streams = s->next;
        free(s);
    }
    *gpu = (rung_gpu){.open = false};
    unlock();
}

static rung_status mock_enter(rung_gpu *gpu, rung_text *detail)
{
    lock();
    RULE(gpu->open);
    /* a device that was lost may still be made current, to give its memory back */
    calls[MOCK_ENTER]++;
    bool now = countdown[MOCK_ENTER] > 0 && --countdown[MOCK_ENTER] == 0;
    if (now) {
        rung_text_add(detail, "MOCK_ERROR_INJECTED");
        gpu->excused = true;
        if (fatal_failure[MOCK_ENTER])
            gpu->lost = "MOCK_ERROR_FATAL";
        return ended(RUNG_ERR_DEVICE);
    }
    RULE(depth < ENTERED);
    entered[depth++] = gpu;
    return ended(RUNG_OK);
}

static void mock_leave(rung_gpu *gpu)
{
    begin(gpu);
    depth--;
    unlock();
}

static const char *mock_lost(const rung_gpu *gpu)
{
    lock();
    RULE(gpu->open);
    const char *lost = gpu->lost;
    unlock();
    return lost;
}

static rung_reason mock_load(rung_gpu *gpu, uint32_t cell, rung_text *detail)
{
    begin(gpu);
    if (fails(gpu, MOCK_LOAD, detail)) {
        unlock();
        return RUNG_REASON_LOAD_FAILED;
    }
    const rung_cell_row *row = &gpu->registry->cells[cell];
    for (uint32_t i = 0; i < row->entries; i++)
        gpu->loaded[row->first_entry + i] = true;
    unlock();
    return RUNG_REASON_NONE;
}

static rung_status mock_launch(rung_gpu *gpu, uint32_t entry, const rung_grid *grid, void *given, void **arguments,
                               rung_text *detail)
{
    begin(gpu);
    RULE(grid != NULL && gpu->loaded[entry]);
    rung_status status = answer(gpu, MOCK_LAUNCH, detail);
    if (status == RUNG_OK)
        put(stream_of(gpu, given), (task){.kernel = *(const mock_arguments *)arguments[0]});
    return ended(status);
}

/* ---- streams and events ------------------------------------------------------------------------------------------ */

static rung_status mock_stream_create(rung_gpu *gpu, void **out, rung_text *detail)
{
    begin(gpu);
    rung_status status = answer(gpu, MOCK_STREAM_CREATE, detail);
    if (status == RUNG_OK)
        add_stream(gpu, out);
    return ended(status);
}

static void mock_stream_destroy(rung_gpu *gpu, void *given)
{
    begin(gpu);
    RULE(given != NULL);
    stream *s = stream_of(gpu, given);
    RULE(!s->capturing);
    s->alive = false;
    unlock();
}

static rung_status mock_stream_wait(rung_gpu *gpu, void *given, rung_text *detail)
{
    begin(gpu);
    stream *s = stream_of(gpu, given);
    RULE(!s->capturing);
    rung_status status = answer(gpu, MOCK_STREAM_WAIT, detail);
    if (status == RUNG_OK)
        run_until(s, s->put);
    return ended(status);
}

static bool mock_stream_capturing(rung_gpu *gpu, void *given)
{
    begin(gpu);
    bool capturing = stream_of(gpu, given)->capturing;
    unlock();
    return capturing;
}

static rung_status mock_event_create(rung_gpu *gpu, bool timed, void **out, rung_text *detail)
{
    begin(gpu);
    rung_status status = answer(gpu, MOCK_EVENT_CREATE, detail);
    if (status != RUNG_OK)
        return ended(status);
    int i = 0;
    while (i < EVENTS && events[i].gpu != NULL)
        i++;
    RULE(i < EVENTS);
    events[i] = (event){.gpu = gpu, .timed = timed};
    *out = &events[i];
    return ended(status);
}

static void mock_event_destroy(rung_gpu *gpu, void *given)
{
    begin(gpu);
    event *e = given;
    RULE(e->gpu == gpu);
    *e = (event){.gpu = NULL};
    unlock();
}

static rung_status mock_event_record(rung_gpu *gpu, void *given, void *on, rung_text *detail)
{
    begin(gpu);
    event *e = given;
    stream *s = stream_of(gpu, on);
    rung_status status = answer(gpu, MOCK_EVENT_RECORD, detail);
    if (status == RUNG_OK) {
        put(s, (task){.n = 0});
        e->on = s;
        e->after = s->put;
    }
    return ended(status);
}

static rung_status mock_event_wait(rung_gpu *gpu, void *given, rung_text *detail)
{
    begin(gpu);
    event *e = given;
    rung_status status = answer(gpu, MOCK_EVENT_WAIT, detail);
    if (status == RUNG_OK && e->on != NULL)
        run_until(e->on, e->after);
    return ended(status);
}

static rung_status mock_stream_after(rung_gpu *gpu, void *given, void *waited, rung_text *detail)
{
    begin(gpu);
    event *e = waited;
    stream *s = stream_of(gpu, given);
    rung_status status = answer(gpu, MOCK_STREAM_AFTER, detail);
    if (status == RUNG_OK && e->on != NULL)
        put(s, (task){.other = e->on, .after = e->after});
    return ended(status);
}

/* A task takes a millisecond. */
static rung_status mock_event_seconds(rung_gpu *gpu, void *from, void *to, double *seconds, rung_text *detail)
{
    begin(gpu);
    const event *a = from;
    const event *b = to;
    RULE(a->timed && b->timed && a->on != NULL && b->on != NULL);
    rung_status status = answer(gpu, MOCK_EVENT_SECONDS, detail);
    if (status == RUNG_OK && (a->on->done < a->after || b->on->done < b->after)) {
        rung_text_add(detail, "MOCK_ERROR_NOT_READY");
        status = RUNG_ERR_DEVICE;
    }
    *seconds = -1;
    if (status == RUNG_OK)
        *seconds = 1e-3 * ((double)b->after - (double)a->after);
    return ended(status);
}

static rung_status mock_copy_in(rung_gpu *gpu, void *device, const void *host, size_t bytes, void *given,
                                rung_text *detail)
{
    begin(gpu);
    RULE(bytes > 0 && block_of(gpu, device, bytes) != NULL && block_of(gpu, host, 1) == NULL);
    stream *s = stream_of(gpu, given);
    rung_status status = answer(gpu, MOCK_COPY_IN, detail);
    if (status == RUNG_OK) {
        unsigned char *copy = malloc(bytes);
        RULE(copy != NULL);
        memcpy(copy, host, bytes);
        put(s, (task){.to = device, .bytes = copy, .n = bytes});
    }
    return ended(status);
}

static rung_status mock_copy_out(rung_gpu *gpu, void *host, const void *device, size_t bytes, void *given,
                                 rung_text *detail)
{
    begin(gpu);
    RULE(bytes > 0 && block_of(gpu, device, bytes) != NULL && block_of(gpu, host, 1) == NULL);
    stream *s = stream_of(gpu, given);
    RULE(!s->capturing);
    rung_status status = answer(gpu, MOCK_COPY_OUT, detail);
    if (status == RUNG_OK) {
        run_until(s, s->put);
        memcpy(host, device, bytes);
    }
    return ended(status);
}

#define MOCK_DRIVER                                                                                                    \
    {                                                                                                                  \
        .open = mock_open, .close = mock_close, .enter = mock_enter, .leave = mock_leave, .lost = mock_lost,           \
        .load = mock_load, .launch = mock_launch, .stream_create = mock_stream_create,                                 \
        .stream_destroy = mock_stream_destroy, .stream_wait = mock_stream_wait,                                        \
        .stream_capturing = mock_stream_capturing, .event_create = mock_event_create,                                  \
        .event_destroy = mock_event_destroy, .event_record = mock_event_record, .event_wait = mock_event_wait,         \
        .stream_after = mock_stream_after, .event_seconds = mock_event_seconds, .alloc = mock_alloc,                   \
        .free = mock_free, .copy_in = mock_copy_in, .copy_out = mock_copy_out, .is_own = mock_is_own                   \
    }

const rung_gpu_driver mock_cuda = MOCK_DRIVER;
const rung_gpu_driver mock_rocm = MOCK_DRIVER;

/* ---- for tests --------------------------------------------------------------------------------------------------- */

mock_alive mock_count(void)
{
    lock();
    mock_alive alive = {.tasks = n_tasks};
    for (int i = 0; i < EVENTS; i++)
        alive.events += events[i].gpu != NULL;
    for (int i = 0; i < BLOCKS; i++)
        alive.blocks += blocks[i].gpu != NULL;
    for (int i = 0; i < GPUS; i++) {
        alive.devices += gpus[i].open;
        for (const stream *s = gpus[i].streams; s != NULL; s = s->next)
            alive.streams += s->alive && s->next != NULL;
    }
    unlock();
    return alive;
}

void mock_reset(void)
{
    mock_alive alive = mock_count();
    RULE(alive.devices == 0 && alive.streams == 0 && alive.events == 0 && alive.blocks == 0 && alive.tasks == 0);
    RULE(depth == 0);
    memset(calls, 0, sizeof calls);
    memset(countdown, 0, sizeof countdown);
}

void mock_fail(mock_function function, int nth, bool fatal)
{
    lock();
    countdown[function] = nth;
    fatal_failure[function] = fatal;
    unlock();
}

void mock_lose(rung_gpu *gpu)
{
    lock();
    gpu->lost = "MOCK_ERROR_FATAL";
    unlock();
}

int mock_calls(mock_function function)
{
    lock();
    int n = calls[function];
    unlock();
    return n;
}

void mock_forbid(void)
{
    forbidden = true;
}

void *mock_stream(rung_gpu *gpu)
{
    void *out = NULL;
    lock();
    add_stream(gpu, &out);
    unlock();
    return out;
}

void mock_stream_end(rung_gpu *gpu, void *given)
{
    lock();
    stream_of(gpu, given)->alive = false;
    unlock();
}

void mock_capture(void *given, bool on)
{
    lock();
    ((stream *)given)->capturing = on;
    unlock();
}

void mock_run(void *given)
{
    lock();
    run_until(given, ((stream *)given)->put);
    unlock();
}
