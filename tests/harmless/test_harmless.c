/* SPDX-License-Identifier: Apache-2.0
 *
 * The host program before and after: whatever Rung is asked, nothing of the process has changed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tree.h"

#include "detect/isolated.h"
#include "fx/fx.h"
#include "rung/frameworks.h"

/* ---- a process, as far as it can be looked at -------------------------------------------------------------------- */

enum { DESCRIPTORS = 1024, SIGNALS = 65, LIMITS = 10, ERRNO = 4711 };

typedef struct descriptor {
    int flags, status; /* -1: closed */
    dev_t device;
    ino_t file;
} descriptor;

typedef struct snapshot {
    char environment[65536], locale[1024], folder[4096];
    char **environ;
    descriptor fd[DESCRIPTORS];
    void (*handler[SIGNALS])(int);
    int handler_flags[SIGNALS];
    int handler_mask[SIGNALS][SIGNALS];
    int blocked[SIGNALS];
    stack_t signal_stack;
    struct rlimit limit[LIMITS];
    struct itimerval timer;
    mode_t umask;
    pid_t group, session;
    int rounding, exceptions, threads, children;
    off_t written;
} snapshot;

static void add_to(char *out, size_t size, const char *text)
{
    size_t len = strlen(out);
    assert_true(len + strlen(text) + 2 < size);
    (void)snprintf(out + len, size - len, "%s\n", text);
}

static int count_threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL)
        return -1;
    int count = 0;
    while (readdir(tasks) != NULL)
        count++;
    (void)closedir(tasks);
    return count;
}

static void take(snapshot *s)
{
    memset(s, 0, sizeof *s);
    /* first what looking at the rest might change */
    s->rounding = fegetround();
    s->exceptions = fetestexcept(FE_ALL_EXCEPT);
    s->environ = environ;
    for (char **variable = environ; *variable != NULL; variable++)
        add_to(s->environment, sizeof s->environment, *variable);
    add_to(s->locale, sizeof s->locale, setlocale(LC_ALL, NULL));
    assert_non_null(getcwd(s->folder, sizeof s->folder));
    for (int fd = 0; fd < DESCRIPTORS; fd++) {
        struct stat about;
        s->fd[fd].flags = fcntl(fd, F_GETFD);
        s->fd[fd].status = fcntl(fd, F_GETFL);
        if (s->fd[fd].flags >= 0 && fstat(fd, &about) == 0) {
            s->fd[fd].device = about.st_dev;
            s->fd[fd].file = about.st_ino;
        }
    }
    sigset_t blocked;
    assert_int_equal(sigprocmask(SIG_SETMASK, NULL, &blocked), 0);
    for (int i = 1; i < SIGNALS; i++) {
        struct sigaction action;
        s->blocked[i] = sigismember(&blocked, i);
        if (sigaction(i, NULL, &action) != 0)
            continue;
        s->handler[i] = action.sa_handler;
        s->handler_flags[i] = action.sa_flags;
        for (int other = 1; other < SIGNALS; other++)
            s->handler_mask[i][other] = sigismember(&action.sa_mask, other);
    }
    assert_int_equal(sigaltstack(NULL, &s->signal_stack), 0);
    for (int i = 0; i < LIMITS; i++)
        assert_int_equal(getrlimit(i, &s->limit[i]), 0);
    assert_int_equal(getitimer(ITIMER_REAL, &s->timer), 0);
    s->umask = umask(0);
    (void)umask(s->umask);
    s->group = getpgrp();
    s->session = getsid(0);
    s->threads = count_threads();
    s->children = waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD ? 0 : 1;
    struct stat out;
    struct stat err;
    assert_int_equal(fstat(1, &out) | fstat(2, &err), 0);
    s->written = out.st_size + err.st_size;
}

/* The first difference, NULL for none. */
static const char *difference(const snapshot *a, const snapshot *b)
{
#define SAME(member, what)                                                                                             \
    if (memcmp(&a->member, &b->member, sizeof a->member) != 0)                                                         \
    return what
    SAME(environment, "the environment");
    SAME(environ, "where the environment is");
    SAME(locale, "the locale");
    SAME(folder, "the working directory");
    SAME(fd, "the open descriptors");
    SAME(handler, "the signal handlers");
    SAME(handler_flags, "the flags of signal handlers");
    SAME(handler_mask, "the masks of signal handlers");
    SAME(blocked, "the blocked signals");
    SAME(signal_stack, "the signal stack");
    SAME(limit, "the resource limits");
    SAME(timer, "the timers");
    SAME(umask, "the umask");
    SAME(group, "the process group");
    SAME(session, "the session");
    SAME(rounding, "the rounding mode");
    SAME(exceptions, "the floating-point exceptions");
    SAME(threads, "the number of threads");
    SAME(children, "the children");
    SAME(written, "what is written to stdout and stderr");
    return NULL;
}

/* ---- what is asked ----------------------------------------------------------------------------------------------- */

static void open_and_call(void)
{
    static const char *const chains[] = {NULL, "cpu", "accel/sm90,cpu", "no such device", "cuda"};
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        rung_platform *p = NULL;
        rung_error err;
        int32_t number = 0;
        rung_status status = rung_platform_open(&fx_registry, chains[i], RUNG_OPEN_NO_ENV, &p, &err);
        assert_int_equal(status == RUNG_OK, i < 3);
        if (status != RUNG_OK)
            continue;
        rung_ctx cx = rung_ctx_of(p);
        assert_int_equal(fx_which(&cx, &number), RUNG_OK);
        assert_int_equal(rung_warm(p, NULL, NULL), RUNG_OK);
        rung_platform_close(p);
    }
}

static void look_at_host(void)
{
    static rung_python python;
    rung_host host;
    rung_host_detect(&host);
    assert_true(host.cores > 0);
    rung_python_detect(NULL, &python);
}

/* Machines that this one is not: with nothing, and with a vendor's library that is opened here. */
static tree *nothing, *opencl;

static void probe_everything(void)
{
    static rung_probe_fn *const probes[] = {rung_probe_amd, rung_probe_opencl, rung_probe_tpu, rung_probe_metal,
                                            rung_probe_nvidia};
    static const char *const names[] = {"rocm", "opencl", "tpu", "metal", "cuda"};
    static rung_device_report report;
    tree *machines[] = {nothing, opencl};
    for (size_t i = 0; i < 2; i++) {
        rung_world world = tree_world(machines[i]);
        for (size_t d = 0; d < sizeof probes / sizeof *probes; d++) {
            for (int depth = RUNG_DEPTH_LOOK; depth <= RUNG_DEPTH_FULL; depth++) {
                memset(&report, 0, sizeof report);
                rung_report_text(report.device, sizeof report.device, names[d]);
                rung_probe_ask(probes[d], &world, (rung_depth)depth, &report);
                assert_int_equal(report.present, i == 1 && d == 1);
            }
        }
    }
}

static void probe_isolated(void)
{
    static const struct {
        const char *helper, *device;
        rung_device_state state;
    } rows[] = {
        {FAKE_HELPER, "good", RUNG_STATE_USABLE},      {FAKE_HELPER, "exit3", RUNG_STATE_EXITED},
        {FAKE_HELPER, "signal11", RUNG_STATE_CRASHED}, {FAKE_HELPER, "hang", RUNG_STATE_TIMED_OUT},
        {FAKE_HELPER, "flood", RUNG_STATE_NO_HELPER},  {FAKE_HELPER, "binary", RUNG_STATE_NO_HELPER},
        {TEST_PROBE, "prints", RUNG_STATE_USABLE},     {TEST_PROBE, "at exit", RUNG_STATE_USABLE},
        {TEST_PROBE, "crashes", RUNG_STATE_CRASHED},   {"/nonexistent", "cuda", RUNG_STATE_NO_HELPER},
        {"/dev/null", "cuda", RUNG_STATE_NO_HELPER},
    };
    static rung_device_report report;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rung_world world = rung_this_world();
        world.helper = rows[i].helper;
        world.timeout_ms = rows[i].state == RUNG_STATE_TIMED_OUT ? 100 : 0;
        rung_probe_isolated(&world, rows[i].device, RUNG_DEPTH_FULL, &report);
        assert_int_equal(report.state, rows[i].state);
    }
}

/* ---- before and after -------------------------------------------------------------------------------------------- */

static void on_signal(int number)
{
    (void)number;
}

static int redirect(int fd, FILE *to)
{
    int saved = fcntl(fd, F_DUPFD_CLOEXEC, 900);
    assert_true(saved >= 0);
    assert_int_equal(dup2(fileno(to), fd), fd);
    return saved;
}

static void restore(int fd, int saved)
{
    assert_int_equal(dup2(saved, fd), fd);
    (void)close(saved);
}

static void changes_nothing(void (*ask)(void))
{
    static snapshot before, after;
    FILE *out = tmpfile();
    FILE *err = tmpfile();
    assert_true(out != NULL && err != NULL);
    (void)fflush(NULL);
    int saved_out = redirect(1, out);
    int saved_err = redirect(2, err);
    /* a host that is not as every process starts */
    const struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t some;
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigemptyset(&some);
    (void)sigaddset(&some, SIGUSR2);
    assert_int_equal(sigaction(SIGCHLD, &action, NULL) | sigaction(SIGALRM, &action, NULL), 0);
    assert_int_equal(sigprocmask(SIG_SETMASK, &some, NULL), 0);
    (void)signal(SIGPIPE, SIG_IGN);
    mode_t mask = umask(0137);
    assert_int_equal(fesetround(FE_UPWARD) | feclearexcept(FE_ALL_EXCEPT) | feraiseexcept(FE_DIVBYZERO), 0);
    take(&before);
    errno = ERRNO;
    ask();
    int left = errno;
    take(&after);
    assert_int_equal(fesetround(FE_TONEAREST), 0);
    (void)umask(mask);
    (void)signal(SIGPIPE, SIG_DFL);
    assert_int_equal(sigprocmask(SIG_SETMASK, &none, NULL), 0);
    assert_int_equal(sigaction(SIGCHLD, &usual, NULL) | sigaction(SIGALRM, &usual, NULL), 0);
    restore(1, saved_out);
    restore(2, saved_err);
    assert_int_equal(fclose(out) | fclose(err), 0);
    const char *changed = difference(&before, &after);
    if (changed != NULL)
        fail_msg("changed: %s", changed);
    assert_int_equal(before.written, 0);
    assert_int_equal(left, ERRNO);
}

static void opening_and_calling(void **state)
{
    (void)state;
    changes_nothing(open_and_call);
}

static void looking_at_the_host(void **state)
{
    (void)state;
    changes_nothing(look_at_host);
}

static void probes_in_this_process(void **state)
{
    (void)state;
    nothing = tree_new();
    opencl = tree_new();
    tree_file(opencl, "/etc/OpenCL/vendors/fake.icd", "libOpenCL.so.1\n");
    tree_library(opencl, "libOpenCL.so.1", "libOpenCL.so.1");
    changes_nothing(probe_everything);
    tree_free(opencl);
    tree_free(nothing);
}

static void probes_in_another_process(void **state)
{
    (void)state;
    changes_nothing(probe_isolated);
}

/* The comparison sees what is done on purpose. */
static void print_a_word(void)
{
    (void)!write(1, "word", 4);
}
static void leave_open(void)
{
    (void)fcntl(0, F_DUPFD, 400);
}
static void handle(void)
{
    (void)signal(SIGUSR1, on_signal);
}
static void set_variable(void)
{
    (void)setenv("RUNG_TEST_HARMLESS", "1", 1);
}
static void divide(void)
{
    (void)feraiseexcept(FE_INVALID);
}

static void what_is_changed_is_seen(void **state)
{
    (void)state;
    static void (*const deeds[])(void) = {print_a_word, leave_open, handle, set_variable, divide};
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++) {
        static snapshot before, after;
        FILE *out = tmpfile();
        assert_non_null(out);
        int saved = redirect(1, out);
        take(&before);
        deeds[i]();
        take(&after);
        restore(1, saved);
        (void)fclose(out);
        assert_non_null(difference(&before, &after));
    }
    (void)close(400);
    (void)signal(SIGUSR1, SIG_DFL);
    (void)unsetenv("RUNG_TEST_HARMLESS");
    (void)feclearexcept(FE_ALL_EXCEPT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_changed_is_seen),   cmocka_unit_test(opening_and_calling),
        cmocka_unit_test(looking_at_the_host),       cmocka_unit_test(probes_in_this_process),
        cmocka_unit_test(probes_in_another_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
