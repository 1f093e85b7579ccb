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
#include <dlfcn.h>
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
#include "gp/gp.h"
#include "rung/frameworks.h"
#include "rung/select.h"

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

static void detect(unsigned flags)
{
    rung_devices *devices;
    assert_int_equal(rung_devices_detect(NULL, flags, &devices, NULL), RUNG_OK);
    assert_non_null(rung_devices_find(devices, "cpu"));
    rung_devices_free(devices);
}

static void detect_elsewhere(void)
{
    detect(RUNG_DETECT_ISOLATED);
    detect(RUNG_DETECT_ISOLATED | RUNG_DETECT_FULL);
}

static void detect_here(void)
{
    detect(0);
    detect(RUNG_DETECT_FULL);
}

static void select_backends(void)
{
    static const unsigned flags[] = {RUNG_SELECT_FRESH, RUNG_SELECT_FRESH | RUNG_SELECT_FULL};
    static const rung_problem problem = {.voxels = 100000, .volumes = 300, .factors = 20};
    static rung_choice choice;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        const rung_backend_request request = {.registry = &gp_registry, .flags = flags[i]};
        assert_int_equal(rung_select_backend(&request, &problem, &choice, NULL), RUNG_OK);
        assert_int_equal(choice.cached, 0);
    }
}

/* Machines that this one is not: with nothing, and with a vendor's library that is opened here. */
typedef struct imitated {
    tree *tree;
    const char *device; /* that it has; NULL: none */
    bool initialised;   /* at full depth */
} imitated;

static imitated machines[4];

static void probe_everything(void)
{
    static rung_probe_fn *const probes[] = {rung_probe_amd, rung_probe_opencl, rung_probe_tpu, rung_probe_metal,
                                            rung_probe_nvidia};
    static const char *const names[] = {"rocm", "opencl", "tpu", "metal", "cuda"};
    static rung_device_report report;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        const imitated *m = &machines[i];
        rung_world world = tree_world(m->tree);
        for (size_t d = 0; d < sizeof probes / sizeof *probes; d++) {
            bool has = m->device != NULL && strcmp(m->device, names[d]) == 0;
            for (int depth = RUNG_DEPTH_LOOK; depth <= RUNG_DEPTH_FULL; depth++) {
                memset(&report, 0, sizeof report);
                rung_report_text(report.device, sizeof report.device, names[d]);
                rung_probe_ask(probes[d], &world, (rung_depth)depth, &report);
                assert_int_equal(report.present, has);
                if (!has || !m->initialised)
                    continue;
                assert_int_equal(report.state, RUNG_STATE_USABLE);
                assert_int_equal(report.initialised, depth == RUNG_DEPTH_FULL);
            }
        }
    }
}

static void look_for_what_is_not_there(void)
{
    rung_world world = tree_world(machines[1].tree);
    rung_device_state state = RUNG_STATE_USABLE;
    assert_null(rung_world_library(&world, "libbroken.so.1", &state, NULL));
    assert_int_equal(state, RUNG_STATE_LIBRARY_INVALID);
    void *library = rung_world_library(&world, "libOpenCL.so.1", &state, NULL);
    assert_non_null(library);
    assert_true(rung_world_library_loaded(&world, "libOpenCL.so.1"));
    assert_null(rung_world_function(library, "clNone"));
}

static void ask_for_what_is_not_loaded(void)
{
    rung_world world = tree_world(machines[1].tree);
    assert_false(rung_world_library_loaded(&world, "libnone.so.1"));
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
    (void)dlerror();
    errno = ERRNO;
    ask();
    int left = errno;
    const char *complaint = dlerror();
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
    if (complaint != NULL)
        fail_msg("left for dlerror: %s", complaint);
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

static void devices_in_another_process(void **state)
{
    (void)state;
    changes_nothing(detect_elsewhere);
}

/* What a vendor's library leaves behind is not ours: the devices that this machine has are skipped. All that it has not
 * are looked for. */
static void skip_devices_of_this_machine(void)
{
    char list[256] = "none";
    rung_devices *devices;
    assert_int_equal(rung_devices_detect(NULL, RUNG_DETECT_ISOLATED | RUNG_DETECT_NO_ENV, &devices, NULL), RUNG_OK);
    for (uint32_t i = 0; i < rung_devices_count(devices); i++) {
        const rung_device_report *report = rung_devices_at(devices, i);
        if (!report->present || strcmp(report->device, "cpu") == 0 || strcmp(report->device, "accel") == 0)
            continue;
        size_t len = strlen(list);
        (void)snprintf(list + len, sizeof list - len, ",%s", report->device);
    }
    rung_devices_free(devices);
    assert_int_equal(setenv("RUNG_SKIP", list, 1), 0);
}

static void devices_in_this_process(void **state)
{
    (void)state;
    skip_devices_of_this_machine();
    changes_nothing(detect_here);
    (void)unsetenv("RUNG_SKIP");
}

static void choosing_a_backend(void **state)
{
    (void)state;
    skip_devices_of_this_machine();
    changes_nothing(select_backends);
    (void)unsetenv("RUNG_SKIP");
}

/* What an imitated library reads is in this process's environment. */
static tree *nvidia(void)
{
    static const char gpu[] =
        "device=NVIDIA A100|8.0|42505273344|GPU-4f2a91c3-0000-1111-2222-333344445555|0000:3b:00.0|0";
    tree *t = tree_new();
    tree_file(t, "/proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06\n");
    tree_node(t, "/dev/nvidiactl", 0666);
    tree_node(t, "/dev/nvidia-uvm", 0666);
    tree_node(t, "/dev/nvidia0", 0666);
    tree_library(t, "libcuda.so.1", "libcuda.so.1");
    tree_library(t, "libnvidia-ml.so.1", "libnvidia-ml.so.1");
    assert_int_equal(setenv("RUNG_FAKE_CUDA", gpu, 1) | setenv("RUNG_FAKE_NVML", gpu, 1), 0);
    (void)unsetenv("CUDA_VISIBLE_DEVICES");
    (void)unsetenv("CUDA_DEVICE_ORDER");
    return t;
}

#define KFD_NODE "/sys/class/kfd/kfd/topology/nodes/1"

static tree *amd(void)
{
    tree *t = tree_new();
    tree_node(t, "/dev/kfd", 0666);
    tree_node(t, "/dev/dri/renderD128", 0666);
    tree_file(t, KFD_NODE "/gpu_id", "40001\n");
    tree_file(t, KFD_NODE "/properties",
              "cpu_cores_count 0\nsimd_count 304\nmem_banks_count 1\ngfx_target_version 90010\nvendor_id 4098\n"
              "location_id 17152\ndomain 0\ndrm_render_minor 128\nunique_id 8876541234567890081\n");
    tree_file(t, KFD_NODE "/mem_banks/0/properties", "heap_type 1\nsize_in_bytes 68719476736\nflags 0\n");
    tree_library(t, "libamdhip64.so.7", "libamdhip64.so.7");
    assert_int_equal(
        setenv("RUNG_FAKE_HIP",
               "version=70051831;current=0;"
               "device=AMD Instinct MI210|gfx90a:sramecc+:xnack-|68702699520|7b2f0000000000a1|0000:43:00.0",
               1),
        0);
    return t;
}

static void probes_in_this_process(void **state)
{
    (void)state;
    tree *opencl = tree_new();
    tree_file(opencl, "/etc/OpenCL/vendors/fake.icd", "libOpenCL.so.1\n");
    tree_library(opencl, "libOpenCL.so.1", "libOpenCL.so.1");
    tree_library_text(opencl, "libbroken.so.1", "no library");
    machines[0] = (imitated){tree_new(), NULL, false};
    machines[1] = (imitated){opencl, "opencl", false};
    machines[2] = (imitated){nvidia(), "cuda", true};
    machines[3] = (imitated){amd(), "rocm", true};
    changes_nothing(probe_everything);
    changes_nothing(look_for_what_is_not_there);
    changes_nothing(ask_for_what_is_not_loaded);
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        tree_free(machines[i].tree);
    (void)unsetenv("RUNG_FAKE_CUDA");
    (void)unsetenv("RUNG_FAKE_NVML");
    (void)unsetenv("RUNG_FAKE_HIP");
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
    (void)unsetenv("RUNG_PROBE");
    (void)unsetenv("RUNG_SKIP");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_changed_is_seen), cmocka_unit_test(opening_and_calling),
        cmocka_unit_test(looking_at_the_host),     cmocka_unit_test(devices_in_another_process),
        cmocka_unit_test(devices_in_this_process), cmocka_unit_test(choosing_a_backend),
        cmocka_unit_test(probes_in_this_process),  cmocka_unit_test(probes_in_another_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
