/* SPDX-License-Identifier: Apache-2.0
 *
 * A failure of every entry point of the driver that the library uses, at the first calls of it that a program makes
 * which uses everything there is, at the last, and at some in between. Whatever fails: what the library says has worked
 * has the right result, everything is given back, no rule of the driver is broken, and the next platform works.
 */
#include "calls.h"

#include <stdbool.h>

/* The entry points of src/cuda/api.c. */
static const char *const entries[] = {
#define ENTRY(name) #name,
#include "entries.inc"
#undef ENTRY
};
enum { ENTRIES = sizeof entries / sizeof *entries };

/* ---- a program --------------------------------------------------------------------------------------------------- */

enum { N = 300, BIG = 40000 }; /* elements; BIG goes through pinned memory */

static char how[96];    /* what fails */
static unsigned failed; /* of what the program did */

static bool good(rung_status status, const rung_error *err)
{
    if (status == RUNG_OK)
        return true;
    bool lost = strstr(heard(), "cuda is lost: ") != NULL; /* perhaps at a first use, which goes on without it */
    bool is_one =
        status == RUNG_ERR_DEVICE || status == RUNG_ERR_MEMORY || status == RUNG_ERR_UNAVAILABLE ||
        ((failed > 0 || lost) && status == RUNG_ERR_ARGUMENT) || /* a queue or event of a device that was lost since */
        (failed > 0 && status == RUNG_ERR_WORKSPACE);            /* there was none to be had */
    if (!is_one || (err != NULL && (err->status != status || err->text[0] == '\0')))
        fail_msg("%s: %s: %s", how, rung_status_text(status), err == NULL ? "" : err->text);
    failed++;
    return false;
}

static void holds(rung_buffer *b, float from, float step, size_t n)
{
    const float *at = rung_buffer_read(b);
    if (at == NULL)
        failed++;
    for (size_t i = 0; at != NULL && i < n; i++)
        if (at[i] != from + step * (float)i)
            fail_msg("%s: element %zu is %g, and not %g", how, i, (double)at[i], (double)(from + step * (float)i));
}

static void time_of(rung_platform *p, rung_queue *q, rung_queue *after)
{
    rung_event *from = NULL;
    rung_event *to = NULL;
    rung_error err;
    double seconds;
    bool both = good(rung_event_create(p, &from, &err), &err) && good(rung_event_create(p, &to, &err), &err);
    if (both && good(rung_event_record(from, q, &err), &err) && good(rung_queue_after(after, from, &err), &err) &&
        good(rung_event_record(to, after, &err), &err) && good(rung_event_wait(to, &err), &err))
        (void)good(rung_event_seconds(from, to, &seconds, &err), &err);
    rung_event_destroy(from);
    rung_event_destroy(to);
}

/* One of the cells that an 8.0 runs, in whatever way it came to it. */
static void is_of_sm80(const float *y)
{
    static const float numbers[] = {80, 75, 1, 2};
    if (y == NULL)
        failed++;
    for (size_t i = 0; y != NULL && i < N; i++) {
        bool is_one = false;
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            is_one = is_one || y[i] == numbers[k];
        if (!is_one || y[i] != y[0])
            fail_msg("%s: element %zu is %g", how, i, (double)y[i]);
    }
}

/* A plain call with memory of the device. */
static void plain(rung_platform *p, rung_queue *q)
{
    rung_error err;
    rung_ctx cx = rung_ctx_of(p);
    cx.memory = RUNG_MEMORY_DEVICE;
    cx.queue = q;
    rung_buffer *y = buffer_of(p, 0, N);
    float *at = rung_buffer_device(y, q, &err);
    if (at == NULL) {
        (void)good(err.status, &err);
    } else {
        rung_status status = cu_which(&cx, at, N);
        if (status == RUNG_ERR_NO_KERNEL)
            failed++; /* all that reach the device's memory were given up at their first use */
        else if (status == RUNG_ERR_ARGUMENT && strstr(how, "cuPointerGetAttributes") != NULL)
            failed++; /* what the driver does not answer for is not its memory */
        else if (good(status, NULL))
            is_of_sm80(rung_buffer_read(y));
    }
    rung_buffer_destroy(y);
}

static void use(rung_platform *p)
{
    rung_error err;
    rung_ctx cx = rung_ctx_of(p);
    rung_queue *q = NULL;
    rung_queue *other = NULL;
    (void)good(rung_queue_create(p, &q, &err), &err);
    (void)good(rung_queue_create(p, &other, &err), &err);
    rung_buffer *x = buffer_of(p, 1, N);
    rung_buffer *y = buffer_of(p, 0, N);
    rung_buffer *s = buffer_of(p, 0, 1);
    rung_buffer *big = buffer_of(p, 5, BIG);

    enum { WORKSPACE = 1024 };
    rung_buffer *workspace = buffer_of(p, 0, WORKSPACE / sizeof(float));
    cx.workspace = rung_buffer_device(workspace, NULL, &err);
    cx.workspace_size = cx.workspace == NULL ? 0 : WORKSPACE;
    if (cx.workspace == NULL)
        (void)good(err.status, &err);

    cx.queue = q;
    bool known = good(cu_axpy_buf(&cx, y, x, NULL, NULL, N, 2), NULL); /* 2 + 3 i */
    cx.queue = other;
    known = good(cu_axpy_buf(&cx, y, x, x, NULL, N, 1), NULL) && known; /* 4 + 5 i */
    cx.queue = NULL;
    known = good(cu_turn_buf(&cx, y, N), NULL) && known; /* -3 - 5 i */
    rung_status status = cu_total_buf(&cx, s, x, N);
    if (status == RUNG_ERR_WORKSPACE && strstr(how, "cuPointerGetAttributes") != NULL)
        failed++; /* what the driver does not answer for is not its memory */
    else if (good(status, NULL))
        holds(s, (float)(N * (N + 1) / 2), 0, 1);
    if (q != NULL && other != NULL)
        time_of(p, q, other);
    plain(p, q);
    if (rung_buffer_device(big, other, &err) == NULL)
        (void)good(err.status, &err);
    holds(big, 5, 1, BIG);
    holds(x, 1, 1, N);
    if (known)
        holds(y, -3, -5, N);
    if (q != NULL)
        (void)good(rung_queue_wait(q, &err), &err);

    rung_buffer_destroy(x);
    rung_buffer_destroy(y);
    rung_buffer_destroy(s);
    rung_buffer_destroy(big);
    rung_buffer_destroy(workspace);
    rung_queue_destroy(q);
    rung_queue_destroy(other);
}

/* Whether it was opened. */
static bool run(void)
{
    rung_error err;
    rung_platform *p = NULL;
    failed = 0;
    heard_nothing();
    if (!good(try_open("cuda:1", 0, &p, &err), &err))
        return false;
    use(p);
    rung_platform_close(p);
    return true;
}

/* ---- what is left ------------------------------------------------------------------------------------------------ */

static const char *const kinds[] = {"contexts", "libraries", "streams", "events", "memory", "pinned", "work"};
enum { CONTEXTS, LIBRARIES, WORK = 6, KINDS };

static void count(int at[KINDS])
{
    for (int i = 0; i < KINDS; i++)
        at[i] = alive(kinds[i]);
}

/* What may stay because the entry that gives it back was made to fail, of which the imitation then does nothing; and
 * what is left to the end of the context where that could not be made current once: then the driver gives it back. */
static int may_stay(const char *entry, const char *kind)
{
    static const struct {
        const char *entry, *kind;
        int most;
    } stays[] = {
        {"cuMemFree", "memory", 1},          {"cuMemFreeHost", "pinned", 1},
        {"cuStreamDestroy", "streams", 1},   {"cuEventDestroy", "events", 1},
        {"cuLibraryUnload", "libraries", 1}, {"cuDevicePrimaryCtxRelease", "contexts", 1},
        {"cuCtxPushCurrent", "memory", 1},   {"cuCtxPushCurrent", "pinned", 1},
        {"cuCtxPushCurrent", "streams", 1},  {"cuCtxPushCurrent", "events", 2},
    };
    for (size_t i = 0; i < sizeof stays / sizeof *stays; i++)
        if (strcmp(entry, stays[i].entry) == 0 && strcmp(kind, stays[i].kind) == 0)
            return stays[i].most;
    return 0;
}

/* The thread's context is what it was: none, unless that could not be taken off. */
static void assert_none_current(const char *entry)
{
    int (*current)(void **);
    int (*pop)(void **);
    FIND("cuCtxGetCurrent", current);
    FIND("cuCtxPopCurrent_v2", pop);
    void *context = NULL;
    while (current(&context) == 0 && context != NULL) {
        if (strcmp(entry, "cuCtxPopCurrent") != 0)
            fail_msg("%s: a context is current", how);
        assert_int_equal(pop(&context), 0);
    }
}

/* ---- failures ---------------------------------------------------------------------------------------------------- */

/* A context that stays retained keeps its error. */
static void release_what_stayed(int stayed)
{
    int (*release)(int);
    FIND("cuDevicePrimaryCtxRelease_v2", release);
    for (; stayed > 0; stayed--)
        assert_int_equal(release(GPU_80), 0);
}

/* Runs the program while something fails. What it leaves of each kind is held to most[]; -1: that may be any number. */
static void try_with(const char *entry, const int most[KINDS])
{
    int before[KINDS];
    int after[KINDS];
    count(before);
    steer(how);
    (void)run();
    assert_no_violation();
    if (calls(entry) == 0)
        fail_msg("%s: there was no such call", how);
    steer("");
    assert_none_current(entry);
    count(after);
    for (int i = 0; i < KINDS; i++)
        if (most[i] >= 0 && after[i] > before[i] + most[i])
            fail_msg("%s: %d of %s are left", how, after[i] - before[i], kinds[i]);
    release_what_stayed(after[CONTEXTS] - before[CONTEXTS]);
    rung_platform *next = open_on("cuda:1");
    int found = NUMBER(next, which);
    if (found != 80)
        fail_msg("%s: what came after it gave %d; sm80: %s", how, found, why_not(next, "which", "sm80"));
    rung_platform_close(next);
    assert_no_violation();
}

/* One failure that is over at once, such as too little memory. */
static void try_once(const char *entry, int nth, int code)
{
    int most[KINDS];
    for (int i = 0; i < KINDS; i++)
        most[i] = may_stay(entry, kinds[i]);
    (void)snprintf(how, sizeof how, "%s#%d=%d;", entry, nth, code);
    try_with(entry, most);
}

/* One after which the driver answers nothing else. What is in the device's context goes with it. */
static void try_lost(const char *entry, int nth, int code)
{
    int most[KINDS];
    for (int i = 0; i < KINDS; i++)
        most[i] = -1;
    most[CONTEXTS] = may_stay(entry, kinds[CONTEXTS]);
    most[LIBRARIES] = may_stay(entry, kinds[LIBRARIES]);
    most[WORK] = 0;
    (void)snprintf(how, sizeof how, "%s#%d=%d;", entry, nth, code);
    try_with(entry, most);
}

/* An entry that never works. */
static void try_without(const char *entry, int code)
{
    int most[KINDS];
    for (int i = 0; i < KINDS; i++)
        most[i] = may_stay(entry, kinds[i]) > 0 ? -1 : 0;
    (void)snprintf(how, sizeof how, "%s=%d;", entry, code);
    try_with(entry, most);
}

static int usual[ENTRIES]; /* calls of each */

static void test_all_is_used(void **state)
{
    (void)state;
    steer("");
    assert_true(run());
    assert_int_equal(failed, 0);
    steer("");
    assert_true(run());
    for (int i = 0; i < ENTRIES; i++) {
        usual[i] = calls(entries[i]);
        if (usual[i] == 0 && strcmp(entries[i], "cuGetErrorName") != 0)
            fail_msg("the program does not use %s", entries[i]);
    }
    assert_all_given_back();
}

#ifdef CALLS_FEW
enum { EACH = 3, EACH_LOST = 2 };
#else
enum { EACH = 12, EACH_LOST = 4 };
#endif

/* The first calls, `most` of them, then as many again of those to the last. */
static int next(int nth, int all, int most)
{
    return nth < most || nth == all ? nth + 1 : nth + all / most + 1 < all ? nth + all / most + 1 : all;
}

static void test_each_once(void **state)
{
    (void)state;
    static const int codes[] = {1, 2, 802};
    for (int i = 0; i < ENTRIES; i++)
        for (int nth = 1; nth <= usual[i]; nth = next(nth, usual[i], EACH))
            try_once(entries[i], nth, codes[(i + nth) % 3]);
    steer("");
    assert_true(run());
    assert_int_equal(failed, 0);
}

static void test_each_lost(void **state)
{
    (void)state;
    static const int codes[] = {700, 719, 999};
    for (int i = 0; i < ENTRIES; i++)
        for (int nth = 1; nth <= usual[i]; nth = next(nth, usual[i], EACH_LOST))
            try_lost(entries[i], nth, codes[(i + nth) % 3]);
}

static void test_each_always(void **state)
{
    (void)state;
    for (int i = 0; i < ENTRIES; i++)
        if (usual[i] > 0)
            try_without(entries[i], i % 2 == 0 ? 1 : 2);
}

/* A failure that has no name, and one whose name cannot be had. */
static void test_names(void **state)
{
    (void)state;
    static const int none[KINDS] = {0};
    (void)snprintf(how, sizeof how, "cuMemAlloc#1=888;");
    try_with("cuGetErrorName", none);
    (void)snprintf(how, sizeof how, "cuMemAlloc#1=888;cuGetErrorName=999;");
    try_with("cuGetErrorName", none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_is_used), cmocka_unit_test(test_each_once), cmocka_unit_test(test_each_lost),
        cmocka_unit_test(test_each_always), cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, machine_begin, machine_end);
}
