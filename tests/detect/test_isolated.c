/* SPDX-License-Identifier: Apache-2.0
 *
 * Probes in a process of their own: whatever becomes of that process, the answer is a state, and the host is as it was.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "detect/helper.h"
#include "detect/isolated.h"

enum { SOON_MS = 300 }; /* for those who never come back; nothing is said of how long it takes */

static rung_device_report report;

static const rung_device_report *ask(const char *helper, const char *device, uint32_t timeout_ms)
{
    rung_world world = rung_this_world();
    world.helper = helper;
    world.timeout_ms = timeout_ms;
    memset(&report, 0x5a, sizeof report);
    rung_probe_isolated(&world, device, RUNG_DEPTH_FULL, &report);
    return &report;
}

/* A program that is linked statically, or has more rights than its user; its file, and files that are there. */
static bool is_static, is_secure;
static const char *program, *there[2]; /* NULL: as it is */

bool __real_rung_has_loader(void);
bool __wrap_rung_has_loader(void);
bool __wrap_rung_has_loader(void)
{
    return !is_static && __real_rung_has_loader();
}

unsigned long __real_getauxval(unsigned long type);
unsigned long __wrap_getauxval(unsigned long type);
unsigned long __wrap_getauxval(unsigned long type)
{
    return is_secure && type == AT_SECURE ? 1 : __real_getauxval(type);
}

ssize_t __real_readlink(const char *path, char *out, size_t size);
ssize_t __wrap_readlink(const char *path, char *out, size_t size);
ssize_t __wrap_readlink(const char *path, char *out, size_t size)
{
    if (program == NULL || strcmp(path, "/proc/self/exe") != 0)
        return __real_readlink(path, out, size);
    size_t len = strlen(program) < size ? strlen(program) : size;
    memcpy(out, program, len);
    return (ssize_t)len;
}

int __real_access(const char *path, int how);
int __wrap_access(const char *path, int how);
int __wrap_access(const char *path, int how)
{
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        if (there[i] != NULL && strcmp(path, there[i]) == 0)
            return 0;
    return __real_access(path, how);
}

static void nobody_is_left(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

/* A child of the test as host, in which anything may be done to the process: 0, or what it returned. */
typedef int host_fn(void *user);

static int in_host(host_fn *host, void *user)
{
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(host(user));
    int status = -1;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

/* ---- how it ends ------------------------------------------------------------------------------------------------- */

static void its_record_is_the_answer(void **state)
{
    (void)state;
    errno = 4711;
    const rung_device_report *r = ask(FAKE_HELPER, "good", 0);
    assert_int_equal(errno, 4711);
    assert_string_equal(r->device, "good");
    assert_int_equal(r->state, RUNG_STATE_USABLE);
    assert_int_equal(r->present, 1);
    assert_int_equal(r->initialised, 0); /* in this process */
    assert_int_equal(r->count, 1);
    assert_string_equal(r->unit[0].name, "X");
    nobody_is_left();
}

static void each_end_has_its_state(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        rung_device_state state;
        const char *detail; /* what it ends with */
    } rows[] = {
        {"exit0", RUNG_STATE_EXITED, "status 0"},
        {"exit3", RUNG_STATE_EXITED, "status 3"},
        {"exit255", RUNG_STATE_EXITED, "status 255"},
        {"half", RUNG_STATE_EXITED, "status 0"},
        {"close, exit 4", RUNG_STATE_EXITED, "status 4"},
        {"more", RUNG_STATE_EXITED, "status 0"},
        {"broken", RUNG_STATE_NO_HELPER, ": its answer is no record"},
        {"another", RUNG_STATE_NO_HELPER, ": its answer is no record"},
        {"long", RUNG_STATE_NO_HELPER, ": its answer is no record"},
        {"flood", RUNG_STATE_NO_HELPER, ": its answer is no record"},
        {"binary", RUNG_STATE_NO_HELPER, ": its answer is no record"},
        {"silent", RUNG_STATE_NO_HELPER, ": did not begin: status 127"},
        {"silent abort", RUNG_STATE_NO_HELPER, ": did not begin: SIGABRT"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const rung_device_report *r = ask(FAKE_HELPER, rows[i].device, 0);
        size_t len = strlen(r->detail);
        size_t end = strlen(rows[i].detail);
        if (r->state != rows[i].state || len < end || strcmp(r->detail + len - end, rows[i].detail) != 0)
            fail_msg("%s: %s (%s)", rows[i].device, rung_device_state_name(r->state), r->detail);
        assert_string_equal(r->device, rows[i].device);
        assert_int_equal(r->present, r->state != RUNG_STATE_NO_HELPER);
        assert_int_equal(r->count, 0);
        nobody_is_left();
    }
}

static void every_signal_is_a_crash(void **state)
{
    (void)state;
    static const struct {
        int number;
        const char *name;
    } rows[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGILL, "SIGILL"},  {SIGFPE, "SIGFPE"},
                {SIGABRT, "SIGABRT"}, {SIGTRAP, "SIGTRAP"}, {SIGSYS, "SIGSYS"},  {SIGTERM, "SIGTERM"},
                {SIGKILL, "SIGKILL"}, {SIGPIPE, "SIGPIPE"}, {SIGALRM, "SIGALRM"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char device[16];
        (void)snprintf(device, sizeof device, "signal%d", rows[i].number);
        const rung_device_report *r = ask(FAKE_HELPER, device, 0);
        assert_int_equal(r->state, RUNG_STATE_CRASHED);
        assert_string_equal(r->detail, rows[i].name);
        nobody_is_left();
    }
    char device[16];
    char detail[16];
    (void)snprintf(device, sizeof device, "signal%d", SIGRTMIN);
    (void)snprintf(detail, sizeof detail, "signal %d", SIGRTMIN);
    assert_int_equal(ask(FAKE_HELPER, device, 0)->state, RUNG_STATE_CRASHED);
    assert_string_equal(report.detail, detail);
}

static void those_who_hang_are_ended(void **state)
{
    (void)state;
    assert_int_equal(ask(FAKE_HELPER, "hang", SOON_MS)->state, RUNG_STATE_TIMED_OUT);
    assert_string_equal(report.detail, "not back after 300 ms");
    nobody_is_left();
    assert_int_equal(ask(FAKE_HELPER, "close and hang", SOON_MS)->state, RUNG_STATE_TIMED_OUT);
    nobody_is_left();
    assert_int_equal(ask(FAKE_HELPER, "silent hang", SOON_MS)->state, RUNG_STATE_NO_HELPER);
    assert_non_null(strstr(report.detail, ": did not begin: not back after 300 ms"));
    nobody_is_left();
    /* it stops itself: its parent's time is over some time */
    char device[16];
    (void)snprintf(device, sizeof device, "signal%d", SIGSTOP);
    assert_int_equal(ask(FAKE_HELPER, device, SOON_MS)->state, RUNG_STATE_TIMED_OUT);
    nobody_is_left();
}

static int leaves_a_child(void *user)
{
    const char *device = user;
    const char *folder = getenv("TMPDIR");
    char path[512];
    (void)snprintf(path, sizeof path, "%s/rung-test-XXXXXX", folder == NULL ? P_tmpdir : folder);
    int file = mkstemp(path);
    if (file < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0 || setenv("RUNG_TEST_FILE", path, 1) != 0)
        return 1;
    (void)ask(FAKE_HELPER, device, 0);
    char byte;
    bool told = pread(file, &byte, 1, 0) > 0;
    (void)close(file);
    (void)unlink(path);
    if (!told || report.state != (strcmp(device, "left child") == 0 ? RUNG_STATE_EXITED : RUNG_STATE_USABLE))
        return 2;
    /* orphaned, it became this process's: not to live, nor to reap */
    return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD ? 0 : 3;
}

static void whom_it_started_is_ended_too(void **state)
{
    (void)state;
    static char exits[] = "left child";
    static char answers[] = "good, left";
    static char moves[] = "moved, left";
    assert_int_equal(in_host(leaves_a_child, exits), 0);
    assert_int_equal(in_host(leaves_a_child, answers), 0);
    assert_int_equal(in_host(leaves_a_child, moves), 0);
}

/* ---- who is not there -------------------------------------------------------------------------------------------- */

static void no_helper_is_a_state(void **state)
{
    (void)state;
    assert_int_equal(ask("/nonexistent/rung-probe", "cuda", 0)->state, RUNG_STATE_NO_HELPER);
    assert_string_equal(report.detail, "/nonexistent/rung-probe: no such file");
    assert_string_equal(report.device, "cuda");
    assert_int_equal(report.present, 0);
    assert_int_equal(ask("/", "cuda", 0)->state, RUNG_STATE_NO_HELPER);
    char number[32];
    (void)snprintf(number, sizeof number, "/: error %d", EACCES);
    assert_string_equal(report.detail, number);
    nobody_is_left();
}

static void where_it_is_looked_for(void **state)
{
    (void)state;
    static const char *const told[] = {"A=b", "RUNG_PROBE_HELPER=/from/the/environment", NULL};
    static const char *const empty[] = {"RUNG_PROBE_HELPER=", NULL};
    rung_world world = rung_this_world();
    char path[RUNG_PATH_MAX];
    world.environment = told;
    assert_true(rung_helper_path(&world, path));
    assert_string_equal(path, "/from/the/environment");
    world.helper = "/from/the/world";
    assert_true(rung_helper_path(&world, path));
    assert_string_equal(path, "/from/the/world");
    world.helper = NULL;
    world.environment = empty;
    assert_true(rung_helper_path(&world, path));
    size_t len = strlen(path);
    static const char tail[] = "/rung/rung-probe";
    assert_true(len > strlen(tail) && strcmp(path + len - strlen(tail), tail) == 0);
    static char too_long[RUNG_PATH_MAX + 1];
    memset(too_long, 'a', RUNG_PATH_MAX);
    world.helper = too_long;
    assert_false(rung_helper_path(&world, path));
    memset(&report, 0x5a, sizeof report);
    rung_probe_isolated(&world, "cuda", RUNG_DEPTH_LOOK, &report);
    assert_int_equal(report.state, RUNG_STATE_NO_HELPER);
}

static bool is_found_at(const char *wanted)
{
    rung_world world = rung_this_world();
    char path[RUNG_PATH_MAX];
    return rung_helper_path(&world, path) && strcmp(path, wanted) == 0;
}

/* A program that stands in a folder of its own, with a rung-probe beside it or not. */
static void beside_the_program(void **state)
{
    (void)state;
    static const char beside[] = "/moved/bin/../libexec/rung/rung-probe";
    rung_world world = rung_this_world();
    char prefix[RUNG_PATH_MAX];
    assert_int_equal(unsetenv("RUNG_PROBE_HELPER"), 0);
    program = "/moved/bin/program";
    assert_true(rung_helper_path(&world, prefix)); /* where it is installed, for none is beside */
    assert_string_not_equal(prefix, beside);
    there[0] = beside;
    assert_true(is_found_at(beside));
    there[1] = prefix; /* an older one, perhaps */
    assert_true(is_found_at(beside));
    is_secure = true;
    assert_true(is_found_at(prefix));
    assert_int_equal(setenv("RUNG_PROBE_HELPER", "/from/the/environment", 1), 0);
    is_secure = false;
    assert_true(is_found_at("/from/the/environment"));
    assert_int_equal(unsetenv("RUNG_PROBE_HELPER"), 0);
    there[0] = there[1] = NULL;
    program = NULL;
}

static void only_isolated_worlds_are_asked_elsewhere(void **state)
{
    (void)state;
    rung_world world = rung_this_world();
    world.helper = FAKE_HELPER;
    memset(&report, 0, sizeof report);
    (void)snprintf(report.device, sizeof report.device, "good");
    assert_false(rung_probe_elsewhere(&world, RUNG_DEPTH_OPEN, &report));
    world.isolated = true;
    assert_true(rung_probe_elsewhere(&world, RUNG_DEPTH_OPEN, &report));
    assert_int_equal(report.state, RUNG_STATE_USABLE);
    assert_int_equal(report.count, 1);
}

/* What could be used by another program. What is wrong besides stays. */
static void static_programs_use_nothing(void **state)
{
    (void)state;
    rung_world world = rung_this_world();
    world.helper = FAKE_HELPER;
    world.isolated = true;
    is_static = true;
    rung_report_text(report.device, sizeof report.device, "units");
    assert_true(rung_probe_elsewhere(&world, RUNG_DEPTH_FULL, &report));
    assert_int_equal(report.state, RUNG_STATE_STATIC_PROGRAM);
    assert_string_equal(report.detail, "libx.so.1");
    assert_int_equal(report.count, 3);
    assert_int_equal(report.unit[0].state, RUNG_STATE_STATIC_PROGRAM);
    assert_string_equal(report.unit[0].detail, "libx.so.1");
    assert_int_equal(report.unit[1].state, RUNG_STATE_STATIC_PROGRAM);
    assert_int_equal(report.unit[2].state, RUNG_STATE_OUT_OF_MEMORY);
    assert_string_equal(report.unit[2].detail, "full");
    rung_report_text(report.device, sizeof report.device, "exit3");
    assert_true(rung_probe_elsewhere(&world, RUNG_DEPTH_FULL, &report));
    assert_int_equal(report.state, RUNG_STATE_EXITED);
    is_static = false;
    rung_report_text(report.device, sizeof report.device, "units");
    assert_true(rung_probe_elsewhere(&world, RUNG_DEPTH_FULL, &report));
    assert_int_equal(report.state, RUNG_STATE_USABLE);
    assert_int_equal(report.unit[0].state, RUNG_STATE_USABLE);
    assert_int_equal(report.unit[1].state, RUNG_STATE_NOT_ASKED);
}

/* ---- what it is given -------------------------------------------------------------------------------------------- */

static void what_it_is_given(void **state)
{
    (void)state;
    static const char *const environment[] = {"RUNG_TEST_VARIABLE=of the world", NULL};
    rung_world world = rung_this_world();
    world.helper = FAKE_HELPER;
    world.environment = environment;
    world.root = "/a root";
    world.libraries = "/some/libraries";
    world.system = "macos";
    rung_probe_isolated(&world, "given", RUNG_DEPTH_OPEN, &report);
    assert_int_equal(report.state, RUNG_STATE_USABLE);
    assert_string_equal(report.detail,
                        "--device,given,--depth,open,--system,macos,--seconds,12,--end-group,--root,/a root,"
                        "--libraries,/some/libraries");
    assert_string_equal(report.unit[0].uuid, "of the world");
    assert_string_equal(report.unit[0].bus, "own group");
    assert_string_equal(report.unit[0].name, "quiet");
    world = rung_this_world();
    world.helper = FAKE_HELPER;
    assert_int_equal(setenv("RUNG_TEST_VARIABLE", "of the process", 1), 0);
    rung_probe_isolated(&world, "given", RUNG_DEPTH_LOOK, &report);
    assert_int_equal(unsetenv("RUNG_TEST_VARIABLE"), 0);
    assert_string_equal(report.detail, "--device,given,--depth,look,--system,linux,--seconds,12,--end-group");
    assert_string_equal(report.unit[0].uuid, "of the process");
}

static void ignore_signal(int number)
{
    (void)number;
}

static bool is_given_nothing_of_the_host(void)
{
    (void)ask(FAKE_HELPER, "given", 0);
    return report.state == RUNG_STATE_USABLE && report.unit[0].arch[0] == '\0' &&
#if defined(__GLIBC__)
           strcmp(report.driver, "0,1,2") == 0 &&
#endif
           strcmp(report.unit[0].name, "quiet") == 0;
}

static int blocks_and_ignores(void *user)
{
    (void)user;
    sigset_t all;
    (void)sigfillset(&all);
    if (sigprocmask(SIG_BLOCK, &all, NULL) != 0)
        return 1;
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGTERM, SIG_IGN);
    (void)signal(SIGHUP, SIG_IGN);
    (void)signal(SIGUSR1, ignore_signal);
    int ends[2];
    if (pipe(ends) != 0 || fcntl(ends[0], F_DUPFD, 500) < 0)
        return 2;
    return is_given_nothing_of_the_host() ? 0 : 3;
}

static void nothing_of_the_host_reaches_it(void **state)
{
    (void)state;
    assert_int_equal(in_host(blocks_and_ignores, NULL), 0);
}

/* ---- odd hosts --------------------------------------------------------------------------------------------------- */

/* Which of the lowest descriptors are closed, as bits. */
static unsigned closed_descriptors(void)
{
    unsigned closed = 0;
    for (unsigned fd = 0; fd < 32; fd++)
        if (fcntl((int)fd, F_GETFD) < 0)
            closed |= 1u << fd;
    return closed;
}

/* user: which of 0, 1 and 2 are closed, as bits */
static int has_closed(void *user)
{
    int closed = *(int *)user;
    for (int fd = 0; fd < 3; fd++)
        if (closed >> fd & 1)
            (void)close(fd);
    unsigned before = closed_descriptors();
    if (!is_given_nothing_of_the_host())
        return 1;
    return closed_descriptors() == before ? 0 : 2;
}

static void standard_descriptors_may_be_closed(void **state)
{
    (void)state;
    for (int closed = 0; closed < 8; closed++)
        assert_int_equal(in_host(has_closed, &closed), 0);
}

static int ignores_children(void *user)
{
    (void)user;
    (void)signal(SIGCHLD, SIG_IGN);
    if (ask(FAKE_HELPER, "good", 0)->state != RUNG_STATE_USABLE)
        return 1;
    if (ask(FAKE_HELPER, "exit3", 0)->state != RUNG_STATE_EXITED)
        return 2;
    if (ask(FAKE_HELPER, "close, exit 4", 0)->state != RUNG_STATE_EXITED || strstr(report.detail, "lost") == NULL)
        return 3;
    if (ask(FAKE_HELPER, "hang", SOON_MS)->state != RUNG_STATE_TIMED_OUT)
        return 4;
    return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD ? 0 : 5;
}

static atomic_bool enough;

static void *reap_everybody(void *user)
{
    while (!atomic_load(&enough))
        if (waitpid(-1, NULL, WNOHANG) < 0)
            (void)usleep(100);
    return user;
}

static int reaps_everybody(void *user)
{
    (void)user;
    pthread_t thread;
    if (pthread_create(&thread, NULL, reap_everybody, NULL) != 0)
        return 1;
    int failed = 0;
    for (int i = 0; failed == 0 && i < 20; i++)
        failed = ask(FAKE_HELPER, "good", 0)->state != RUNG_STATE_USABLE ? 2 : 0;
    if (failed == 0 && ask(FAKE_HELPER, "exit3", 0)->state != RUNG_STATE_EXITED)
        failed = 3;
    if (failed == 0 && ask(FAKE_HELPER, "hang", SOON_MS)->state != RUNG_STATE_TIMED_OUT)
        failed = 4;
    atomic_store(&enough, true);
    return pthread_join(thread, NULL) != 0 ? 5 : failed;
}

/* The host's own children are its own, whatever it does with them. */
static int has_children(void *user)
{
    (void)user;
    pid_t ended = fork();
    if (ended == 0)
        _exit(7);
    pid_t lives = fork();
    if (lives == 0)
        for (;;)
            (void)pause();
    if (ask(FAKE_HELPER, "good", 0)->state != RUNG_STATE_USABLE ||
        ask(FAKE_HELPER, "hang", SOON_MS)->state != RUNG_STATE_TIMED_OUT)
        return 1;
    int status = 0;
    if (waitpid(lives, &status, WNOHANG) != 0)
        return 2;
    (void)kill(lives, SIGKILL);
    return waitpid(lives, NULL, 0) == lives && waitpid(ended, &status, 0) == ended && WEXITSTATUS(status) == 7 ? 0 : 3;
}

static void hosts_deal_with_children_as_they_like(void **state)
{
    (void)state;
    assert_int_equal(in_host(ignores_children, NULL), 0);
    assert_int_equal(in_host(reaps_everybody, NULL), 0);
    assert_int_equal(in_host(has_children, NULL), 0);
}

static int is_interrupted(void *user)
{
    (void)user;
    const struct sigaction action = {.sa_handler = ignore_signal}; /* without SA_RESTART */
    const struct itimerval often = {{0, 500}, {0, 500}};
    if (sigaction(SIGALRM, &action, NULL) != 0 || setitimer(ITIMER_REAL, &often, NULL) != 0)
        return 1;
    for (int i = 0; i < 20; i++)
        if (ask(FAKE_HELPER, "good", 0)->state != RUNG_STATE_USABLE)
            return 2;
    if (ask(FAKE_HELPER, "exit3", 0)->state != RUNG_STATE_EXITED)
        return 3;
    return ask(FAKE_HELPER, "hang", SOON_MS)->state == RUNG_STATE_TIMED_OUT ? 0 : 4;
}

static void signals_of_the_host_interrupt_nothing(void **state)
{
    (void)state;
    assert_int_equal(in_host(is_interrupted, NULL), 0);
}

static void *ask_five_times(void *user)
{
    rung_world world = rung_this_world();
    world.helper = FAKE_HELPER;
    rung_device_report *own = malloc(sizeof *own);
    int good = 0;
    for (int i = 0; own != NULL && i < 5; i++) {
        rung_probe_isolated(&world, i % 2 == 0 ? "good" : "exit3", RUNG_DEPTH_FULL, own);
        good += own->state == (i % 2 == 0 ? RUNG_STATE_USABLE : RUNG_STATE_EXITED);
    }
    free(own);
    return good == 5 ? NULL : user;
}

static void threads_ask_side_by_side(void **state)
{
    (void)state;
    pthread_t threads[8];
    for (int i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_five_times, &report), 0);
    for (int i = 0; i < 8; i++) {
        void *failed = &report;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    nobody_is_left();
}

/* ---- rung-probe itself ------------------------------------------------------------------------------------------- */

static void the_program_itself(void **state)
{
    (void)state;
    assert_int_equal(ask(TEST_PROBE, "prints", 0)->state, RUNG_STATE_USABLE);
    assert_string_equal(report.unit[0].name, "as it should be");
    assert_int_equal(ask(TEST_PROBE, "at exit", 0)->state, RUNG_STATE_USABLE);
    assert_int_equal(ask(TEST_PROBE, "exits", 0)->state, RUNG_STATE_EXITED);
    assert_string_equal(report.detail, "status 3");
    assert_int_equal(ask(TEST_PROBE, "crashes", 0)->state, RUNG_STATE_CRASHED);
    assert_int_equal(ask(TEST_PROBE, "hangs", SOON_MS)->state, RUNG_STATE_TIMED_OUT);
    assert_int_equal(ask(TEST_PROBE, "unknown", 0)->state, RUNG_STATE_NO_HELPER);
    assert_non_null(strstr(report.detail, ": did not begin: status 2"));
    nobody_is_left();
}

static void the_program_is_told(void **state)
{
    (void)state;
    rung_world world = rung_this_world();
    world.helper = TEST_PROBE;
    int open = fcntl(1, F_DUPFD, 300);
    assert_true(open >= 300);
    rung_probe_isolated(&world, "told", RUNG_DEPTH_LOOK, &report);
    assert_string_equal(report.detail, "|none|linux|0");
    assert_string_equal(report.driver, "own ");
    world.root = "/r";
    world.libraries = "l";
    world.system = "other";
    rung_probe_isolated(&world, "told", RUNG_DEPTH_OPEN, &report);
    assert_string_equal(report.detail, "/r|l|other|1");
    (void)close(open);
}

/* Runs it for a library that leaves a process which keeps a pipe open: *status its exit status. The pipe, for reading.
 */
static int leave_one(char *option, int *status)
{
    char *const argv[] = {(char[]){TEST_PROBE}, (char[]){"--device"}, (char[]){"leaves"}, option, NULL};
    char path[512];
    const char *folder = getenv("TMPDIR");
    (void)snprintf(path, sizeof path, "%s/rung-test-XXXXXX", folder == NULL ? P_tmpdir : folder);
    assert_non_null(mkdtemp(path));
    char fifo[600];
    (void)snprintf(fifo, sizeof fifo, "%s/pipe", path);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    int end = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    assert_true(end >= 0 && fcntl(end, F_SETFL, 0) == 0);
    assert_int_equal(setenv("RUNG_TEST_FILE", fifo, 1), 0);
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (setpgid(0, 0) == 0 && dup2(open("/dev/null", O_WRONLY), 1) == 1)
            (void)execv(argv[0], argv);
        _exit(99);
    }
    assert_int_equal(waitpid(child, status, 0), child);
    assert_int_equal(unsetenv("RUNG_TEST_FILE") | unlink(fifo) | rmdir(path), 0);
    return end;
}

/* It, and not whoever waits for it, ends what was left. */
static void its_group_is_ended_by_itself(void **state)
{
    (void)state;
    int status = 0;
    char byte;
    pid_t left = 0;
    char asked[] = "--end-group";
    int end = leave_one(asked, &status);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_int_equal(read(end, &left, sizeof left), sizeof left);
    assert_int_equal(read(end, &byte, 1), 0); /* nobody has it open any more; until then, this waits */
    (void)close(end);
    char unasked[] = "--tell";
    end = leave_one(unasked, &status);
    assert_int_equal(status, 0);
    assert_int_equal(read(end, &left, sizeof left), sizeof left);
    assert_int_equal(kill(left, SIGKILL), 0);
    assert_int_equal(read(end, &byte, 1), 0);
    (void)close(end);
}

static int forbids_cores(void *user)
{
    (void)user;
    const struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_CORE, &none) == 0 && ask(TEST_PROBE, "limits", 0)->state == RUNG_STATE_USABLE ? 0 : 1;
}

/* Of 1, the limit that also keeps a core from being piped; a host that may have none has it as it is. */
static void it_leaves_no_core(void **state)
{
    (void)state;
    struct rlimit core;
    assert_int_equal(getrlimit(RLIMIT_CORE, &core), 0);
    assert_int_equal(ask(TEST_PROBE, "limits", 0)->state, RUNG_STATE_USABLE);
    if (core.rlim_max > 0)
        assert_string_equal(report.detail, "core 1 1");
    else
        assert_memory_equal(report.detail, "core ", 5);
    assert_int_equal(in_host(forbids_cores, NULL), 0);
}

static void collect(const char *line, void *user)
{
    char *text = user;
    size_t len = strlen(text);
    (void)snprintf(text + len, 1024 - len, "%s\n", line);
}

/* What it does on the way is told here, up to where a library does not come back; whatever the words are, they are no
 * part of the record. */
static void its_steps_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        uint32_t timeout_ms;
        rung_device_state state;
    } rows[] = {{"prints", 0, RUNG_STATE_USABLE}, {"hangs", SOON_MS, RUNG_STATE_TIMED_OUT}};
    for (size_t i = 0; i < 2; i++) {
        char said[1024] = "";
        char step[64];
        rung_world world = rung_this_world();
        world.helper = TEST_PROBE;
        world.timeout_ms = rows[i].timeout_ms;
        world.tell = collect;
        world.tell_user = said;
        rung_probe_isolated(&world, rows[i].device, RUNG_DEPTH_FULL, &report);
        assert_int_equal(report.state, rows[i].state);
        (void)snprintf(step, sizeof step, "probe %s: ask it: begun?end?? (", rows[i].device);
        assert_memory_equal(said, step, strlen(step));
        (void)snprintf(step, sizeof step, "probe %s: in a process of its own: ", rows[i].device);
        assert_non_null(strstr(said, step));
    }
    nobody_is_left();
}

/* Its output as people see it: *status its exit status. */
static void run(const char *arguments, char *out, size_t size, int *status)
{
    char command[512];
    (void)snprintf(command, sizeof command, "%s %s 2>&1", TEST_PROBE, arguments);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t len = fread(out, 1, size - 1, pipe);
    out[len] = '\0';
    *status = pclose(pipe);
}

static void people_may_run_it(void **state)
{
    (void)state;
    char out[8192];
    int status = -1;
    run("--help", out, sizeof out, &status);
    assert_int_equal(status, 0);
    assert_true(strncmp(out, "usage: rung-probe ", 18) == 0);
    run("--device 'told'", out, sizeof out, &status);
    assert_int_equal(status, 0);
    assert_non_null(strstr(out, "rung-record 1\ndevice told\n"));
    assert_non_null(strstr(out, "detail |none|linux|2\n"));
    static const char *const bad[] = {"",
                                      "--device",
                                      "--depth full",
                                      "--device unknown",
                                      "--device told --depth deep",
                                      "--device told --seconds 0",
                                      "--device told --seconds 1x",
                                      "--device told --seconds -1",
                                      "--device told --seconds 99999999999",
                                      "--device told --colour blue"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        run(bad[i], out, sizeof out, &status);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 2);
        assert_non_null(strstr(out, "rung-probe: "));
        assert_non_null(strstr(out, "usage: "));
        assert_null(strstr(out, "rung-record"));
    }
    run("--device told <&- 2>&-", out, sizeof out, &status);
    assert_int_equal(status, 0);
    run("--device prints", out, sizeof out, &status);
    assert_null(strstr(out, "hello"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_record_is_the_answer),
        cmocka_unit_test(each_end_has_its_state),
        cmocka_unit_test(every_signal_is_a_crash),
        cmocka_unit_test(those_who_hang_are_ended),
        cmocka_unit_test(whom_it_started_is_ended_too),
        cmocka_unit_test(no_helper_is_a_state),
        cmocka_unit_test(where_it_is_looked_for),
        cmocka_unit_test(beside_the_program),
        cmocka_unit_test(only_isolated_worlds_are_asked_elsewhere),
        cmocka_unit_test(static_programs_use_nothing),
        cmocka_unit_test(what_it_is_given),
        cmocka_unit_test(nothing_of_the_host_reaches_it),
        cmocka_unit_test(standard_descriptors_may_be_closed),
        cmocka_unit_test(hosts_deal_with_children_as_they_like),
        cmocka_unit_test(signals_of_the_host_interrupt_nothing),
        cmocka_unit_test(threads_ask_side_by_side),
        cmocka_unit_test(the_program_itself),
        cmocka_unit_test(the_program_is_told),
        cmocka_unit_test(its_group_is_ended_by_itself),
        cmocka_unit_test(it_leaves_no_core),
        cmocka_unit_test(its_steps_are_told),
        cmocka_unit_test(people_may_run_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
