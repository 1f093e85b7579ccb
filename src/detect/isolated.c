/* SPDX-License-Identifier: Apache-2.0 */
#include "isolated.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "helper.h"
#include "loader.h"
#include "wire.h"

enum {
    DEFAULT_TIMEOUT_MS = 10000,
    KILL_TIMEOUT_MS = 2000, /* for the system to end what was killed */
    SLICE_MS = 50           /* how often it is asked whether the helper lives while nothing comes from it */
};

/* ---- time -------------------------------------------------------------------------------------------------------- */

static int64_t now_ms(void)
{
    struct timespec at = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &at);
    return (int64_t)at.tv_sec * 1000 + at.tv_nsec / 1000000;
}

/* The milliseconds to wait next: the rest up to `end`, in slices. */
static int slice(int64_t end)
{
    int64_t rest = end - now_ms();
    return rest < 0 ? 0 : rest < SLICE_MS ? (int)rest : SLICE_MS;
}

/* ---- the life of the helper -------------------------------------------------------------------------------------- */

typedef enum life {
    LIVES,
    ENDED, /* and is still to be reaped */
    GONE   /* reaped by the host, or by a system whose SIGCHLD is ignored: how it ended is not known */
} life;

static life life_of(pid_t pid)
{
    siginfo_t info = {.si_pid = 0};
    int failed;
    while ((failed = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT)) != 0 && errno == EINTR) {
    }
    return failed != 0 ? GONE : info.si_pid == 0 ? LIVES : ENDED;
}

/* Those that could not be killed, so that they are reaped at last. */
static _Atomic long left_behind[16];

static void reap_left_behind(void)
{
    for (size_t i = 0; i < sizeof left_behind / sizeof *left_behind; i++) {
        long pid = atomic_exchange(&left_behind[i], 0);
        if (pid != 0 && waitpid((pid_t)pid, NULL, WNOHANG) == 0)
            atomic_store(&left_behind[i], pid);
    }
}

static void leave_behind(pid_t pid)
{
    for (size_t i = 0; i < sizeof left_behind / sizeof *left_behind; i++) {
        long none = 0;
        if (atomic_compare_exchange_strong(&left_behind[i], &none, (long)pid))
            return;
    }
}

/* Reaps one of those that waitpid knows by `who`, until `end`. Its id; 0: it has not ended; -1: there is none. */
static pid_t reap(pid_t who, int *status, int64_t end)
{
    for (;;) {
        pid_t reaped = waitpid(who, status, WNOHANG);
        if (reaped > 0 || (reaped < 0 && errno != EINTR))
            return reaped;
        if (now_ms() >= end)
            return 0;
        (void)poll(NULL, 0, 1);
    }
}

/* Kills what is left of the helper's group and reaps the helper, and those of the group that became children of this
 * process with its end: a subreaper's, or process 1's. False where its status is not to be had. Its id is its own until
 * it is reaped, so that nobody else is killed, and the group's as long as one of it is left, so that nobody else is
 * reaped. */
static bool end_helper(pid_t pid, int *status)
{
    if (life_of(pid) == GONE)
        return false;
    bool moved = getpgid(pid) != pid; /* by a library, to another group */
    (void)kill(-pid, SIGKILL);
    if (moved)
        (void)kill(pid, SIGKILL);
    int64_t end = now_ms() + KILL_TIMEOUT_MS;
    pid_t reaped = reap(pid, status, end);
    int other;
    while (reap(-pid, &other, end) > 0) {
    }
    if (reaped == 0)
        leave_behind(pid);
    return reaped > 0;
}

/* ---- its answer -------------------------------------------------------------------------------------------------- */

typedef struct answer {
    char *text; /* RUNG_WIRE_MAX bytes */
    size_t len;
    bool too_long, timed_out;
} answer;

/* Takes what is there; true at the end of the stream. */
static bool take(int fd, answer *a)
{
    for (;;) {
        if (a->len == RUNG_WIRE_MAX) {
            a->too_long = true;
            return false;
        }
        ssize_t got = read(fd, a->text + a->len, RUNG_WIRE_MAX - a->len);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno != EAGAIN && errno != EWOULDBLOCK;
        a->len += (size_t)got;
        if (got == 0)
            return true;
    }
}

/* Until the record is whole or can be none any more, the helper ends, or the time is over. The stream tells neither: a
 * process that the helper started may hold it open, and a helper that closed it may live on. */
static void listen_to(int fd, pid_t pid, int64_t end, answer *a)
{
    bool open = true;
    for (;;) {
        struct pollfd on = {.fd = open ? fd : -1, .events = POLLIN};
        bool ready = poll(&on, 1, open ? slice(end) : 1) > 0;
        bool ended = !ready && life_of(pid) != LIVES;
        if ((ready || ended) && open)
            open = !take(fd, a);
        if (ended || a->too_long || rung_wire_is_whole(a->text, a->len))
            return;
        if (now_ms() >= end) {
            a->timed_out = true;
            return;
        }
    }
}

/* ---- what became of it ------------------------------------------------------------------------------------------- */

static const char *signal_name(int number)
{
    static const struct {
        int number;
        const char *name;
    } names[] = {{SIGABRT, "SIGABRT"}, {SIGALRM, "SIGALRM"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
                 {SIGHUP, "SIGHUP"},   {SIGILL, "SIGILL"},   {SIGINT, "SIGINT"},   {SIGKILL, "SIGKILL"},
                 {SIGPIPE, "SIGPIPE"}, {SIGQUIT, "SIGQUIT"}, {SIGSEGV, "SIGSEGV"}, {SIGSYS, "SIGSYS"},
                 {SIGTERM, "SIGTERM"}, {SIGTRAP, "SIGTRAP"}, {SIGUSR1, "SIGUSR1"}, {SIGUSR2, "SIGUSR2"},
                 {SIGXCPU, "SIGXCPU"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == number)
            return names[i].name;
    return NULL;
}

/* Starts a detail: "SIGSEGV", "status 3", or why that is not known. */
static rung_device_state say_end(const answer *a, bool known, int status, uint32_t timeout_ms, rung_text *t)
{
    if (a->timed_out) {
        rung_text_add(t, "not back after ");
        rung_text_uint(t, timeout_ms);
        rung_text_add(t, " ms");
        return RUNG_STATE_TIMED_OUT;
    }
    if (!known) {
        rung_text_add(t, "this program, or its system, reaps all children: the status is lost");
        return RUNG_STATE_EXITED;
    }
    if (WIFSIGNALED(status)) {
        const char *name = signal_name(WTERMSIG(status));
        rung_text_add(t, name == NULL ? "signal " : name);
        if (name == NULL)
            rung_text_uint(t, (uint64_t)WTERMSIG(status));
        return RUNG_STATE_CRASHED;
    }
    rung_text_add(t, "status ");
    rung_text_uint(t, (uint64_t)WEXITSTATUS(status));
    return RUNG_STATE_EXITED;
}

static void conclude(const char *path, const char *device, const answer *a, bool known, int status, uint32_t timeout_ms,
                     rung_device_report *out)
{
    size_t begin = strlen(RUNG_WIRE_BEGIN);
    bool begun = a->len >= begin && memcmp(a->text, RUNG_WIRE_BEGIN, begin) == 0;
    bool whole = rung_wire_is_whole(a->text, a->len);
    if (begun && whole && rung_wire_read(a->text, a->len, out) && strcmp(out->device, device) == 0) {
        out->initialised = 0;
        return;
    }
    memset(out, 0, sizeof *out);
    rung_report_text(out->device, sizeof out->device, device);
    char end[96];
    rung_text t = rung_text_in(end, sizeof end);
    if (a->too_long || whole || (!begun && a->len >= begin)) {
        rung_report_state(out, RUNG_STATE_NO_HELPER, (const char *const[]){path, ": its answer is no record", NULL});
        return;
    }
    rung_device_state state = say_end(a, known, status, timeout_ms, &t);
    if (begun)
        rung_report_state(out, state, (const char *const[]){end, NULL});
    else
        rung_report_state(out, RUNG_STATE_NO_HELPER, (const char *const[]){path, ": did not begin: ", end, NULL});
    out->present = begun;
}

/* Tells the steps that the helper has told, as if they had been done here. */
static void tell_steps(const rung_world *world, const answer *a)
{
    size_t head = strlen(RUNG_WIRE_TOLD);
    for (size_t at = 0; world->tell != NULL && at < a->len;) {
        const char *end = memchr(a->text + at, '\n', a->len - at);
        size_t n = end == NULL ? a->len - at : (size_t)(end - (a->text + at));
        if (n > head && memcmp(a->text + at, RUNG_WIRE_TOLD, head) == 0) {
            char raw[512];
            char line[512];
            rung_text t = rung_text_in(raw, sizeof raw);
            rung_text_addn(&t, a->text + at + head, n - head);
            rung_report_text(line, sizeof line, raw);
            world->tell(line, world->tell_user);
        }
        at += n + 1;
    }
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

static void probe(const rung_world *world, const char *device, rung_depth depth, rung_device_report *out)
{
    uint32_t timeout_ms = world->timeout_ms == 0 ? DEFAULT_TIMEOUT_MS : world->timeout_ms;
    char path[RUNG_PATH_MAX];
    answer a = {.text = malloc(RUNG_WIRE_MAX)};
    if (a.text == NULL || !rung_helper_path(world, path)) {
        free(a.text);
        rung_report_state(out, RUNG_STATE_NO_HELPER,
                          (const char *const[]){a.text == NULL ? "out of memory" : "its path is too long", NULL});
        return;
    }
    rung_helper helper;
    int failed = rung_helper_start(world, path, device, depth, timeout_ms, &helper);
    if (failed != 0) {
        free(a.text);
        char number[24];
        rung_text t = rung_text_in(number, sizeof number);
        rung_text_uint(&t, (uint64_t)failed);
        rung_report_state(out, RUNG_STATE_NO_HELPER,
                          (const char *const[]){path, failed == ENOENT ? ": no such file" : ": error ",
                                                failed == ENOENT ? "" : number, NULL});
        return;
    }
    listen_to(helper.out, helper.pid, now_ms() + timeout_ms, &a);
    (void)close(helper.out);
    int status = 0;
    bool known = end_helper(helper.pid, &status);
    tell_steps(world, &a);
    conclude(path, device, &a, known, status, timeout_ms, out);
    free(a.text);
}

bool rung_probe_elsewhere(const rung_world *world, rung_depth depth, rung_device_report *out)
{
    if (!world->isolated)
        return false;
    char device[sizeof out->device];
    rung_report_text(device, sizeof device, out->device);
    rung_probe_isolated(world, device, depth, out);
    if (!rung_has_loader()) { /* rung-probe has one, and this program never will */
        char library[sizeof out->library];
        rung_report_text(library, sizeof library, out->library);
        rung_report_deny(out, RUNG_STATE_STATIC_PROGRAM, library);
    }
    return true;
}

void rung_probe_isolated(const rung_world *world, const char *device, rung_depth depth, rung_device_report *out)
{
    int saved = errno;
    int cancel = 0;
    /* a host that cancels this thread waits until nothing is left behind */
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    uint64_t start = rung_probe_start(world);
    reap_left_behind();
    memset(out, 0, sizeof *out);
    rung_report_text(out->device, sizeof out->device, device);
    probe(world, device, depth, out);
    rung_probe_told(world, start, device, "in a process of its own", rung_device_state_name(out->state));
    (void)pthread_setcancelstate(cancel, &cancel);
    errno = saved;
}
