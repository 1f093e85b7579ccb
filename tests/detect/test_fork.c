/* SPDX-License-Identifier: Apache-2.0
 *
 * Forks while a vendor's library is being asked. What is known of drivers is the process's: every scene is played in a
 * child of its own, and tells what was not so by its exit status, the number of a line.
 */
#include "detect_test.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fork.h"

/* Lines are told on stderr, for an exit status is too short. */
#define CHECK(it)                                                                                                      \
    do {                                                                                                               \
        if (!(it)) {                                                                                                   \
            (void)fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #it);                                             \
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (0)

typedef struct scene {
    rung_world world;
    const char *device;
    rung_probe_fn *probe;
    rung_depth depth;
    rung_device_report report;
} scene;

typedef int scene_fn(scene *s);

/* The exit status of a child that plays it. */
static int in_child(scene_fn *play, scene *s)
{
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(play(s));
    int status = -1;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

static const rung_device_report *ask(scene *s)
{
    memset(&s->report, 0, sizeof s->report);
    rung_report_text(s->report.device, sizeof s->report.device, s->device);
    rung_probe_ask(s->probe, &s->world, s->depth, &s->report);
    return &s->report;
}

static void *ask_aside(void *user)
{
    (void)ask(user);
    return user;
}

/* Every library ends the process that calls it. */
static int finds_it_forked(scene *s)
{
    CHECK(setenv("RUNG_FAKE_CUDA", "cuDriverGetVersion=exit;cuInit=exit", 1) == 0);
    CHECK(setenv("RUNG_FAKE_NVML", "nvmlInit=exit", 1) == 0);
    CHECK(setenv("RUNG_FAKE_OPENCL", "clGetPlatformIDs=exit", 1) == 0);
    char wanted[128];
    (void)snprintf(wanted, sizeof wanted, "its driver was initialised in process %ld, this is %ld", (long)getppid(),
                   (long)getpid());
    for (int depth = RUNG_DEPTH_LOOK; depth <= RUNG_DEPTH_FULL; depth++) {
        s->depth = (rung_depth)depth;
        CHECK(ask(s)->present == 1 && s->report.initialised == 0);
        CHECK(s->report.state == RUNG_STATE_FORKED && strcmp(s->report.detail, wanted) == 0);
    }
    CHECK(!rung_driver_is_forked(rung_driver_of("another")));
    return 0;
}

/* A thread is in the library and does not come back; that it is there is told by the library. */
static int fork_beside_it(scene *s)
{
    static scene child;
    int ends[2];
    char number[16];
    char byte;
    pthread_t thread;
    child = *s;
    CHECK(pipe(ends) == 0);
    (void)snprintf(number, sizeof number, "%d", ends[1]);
    CHECK(setenv("RUNG_FAKE_HANGS", number, 1) == 0);
    CHECK(pthread_create(&thread, NULL, ask_aside, s) == 0);
    CHECK(read(ends[0], &byte, 1) == 1);
    CHECK(in_child(finds_it_forked, &child) == 0);
    CHECK(!rung_driver_is_forked(rung_driver_of(s->device)));
    return 0;
}

static tree *gpu(void)
{
    tree *t = tree_new();
    tree_node(t, "/dev/nvidiactl", 0666);
    tree_node(t, "/dev/nvidia0", 0666);
    tree_node(t, "/dev/nvidia-uvm", 0666);
    tree_file(t, "/proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06\n");
    tree_library(t, "libcuda.so.1", "libcuda.so.1");
    tree_library(t, "libnvidia-ml.so.1", "libnvidia-ml.so.1");
    tree_file(t, "/etc/OpenCL/vendors/fake.icd", "libOpenCL.so.1\n");
    tree_library(t, "libOpenCL.so.1", "libOpenCL.so.1");
    return t;
}

#define A100 "driver=13000;device=NVIDIA A100|8.0|42505273344|GPU-4f2a91c3-0000-1111-2222-333344445555|0000:3b:00.0|0"

static void steer(const char *cuda, const char *nvml, const char *opencl)
{
    assert_int_equal(setenv("RUNG_FAKE_CUDA", cuda, 1), 0);
    assert_int_equal(setenv("RUNG_FAKE_NVML", nvml, 1), 0);
    assert_int_equal(setenv("RUNG_FAKE_OPENCL", opencl, 1), 0);
}

static void while_another_thread_is_in_the_library(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        rung_probe_fn *probe;
        rung_depth depth;
        const char *cuda, *nvml, *opencl;
    } rows[] = {
        {"cuda", rung_probe_nvidia, RUNG_DEPTH_OPEN, A100 ";cuInit=hang", "nvmlInit=999", ""},
        {"cuda", rung_probe_nvidia, RUNG_DEPTH_FULL, A100 ";cuInit=hang", A100, ""},
        {"cuda", rung_probe_nvidia, RUNG_DEPTH_LOOK, A100, "nvmlInit=hang", ""},
        {"opencl", rung_probe_opencl, RUNG_DEPTH_OPEN, "", "", "clGetPlatformIDs=hang"},
    };
    tree *t = gpu();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static scene s;
        s = (scene){.world = tree_world(t), .device = rows[i].device, .probe = rows[i].probe, .depth = rows[i].depth};
        steer(rows[i].cuda, rows[i].nvml, rows[i].opencl);
        assert_int_equal(in_child(fork_beside_it, &s), 0);
    }
    tree_free(t);
}

/* ---- when it is over --------------------------------------------------------------------------------------------- */

static int is_the_child_s(scene *s)
{
    s->depth = RUNG_DEPTH_FULL;
    CHECK(ask(s)->state == RUNG_STATE_USABLE && s->report.initialised == 1);
    return 0;
}

static int look_and_fork(scene *s)
{
    CHECK(ask(s)->state == RUNG_STATE_USABLE && s->report.initialised == 0);
    CHECK(in_child(is_the_child_s, s) == 0);
    CHECK(in_child(is_the_child_s, s) == 0);
    s->depth = RUNG_DEPTH_FULL;
    CHECK(ask(s)->state == RUNG_STATE_USABLE && s->report.initialised == 1);
    CHECK(in_child(finds_it_forked, s) == 0);
    return 0;
}

static void a_look_that_is_over_takes_nothing_away(void **state)
{
    (void)state;
    static scene s;
    tree *t = gpu();
    steer(A100, A100, "");
    s = (scene){.world = tree_world(t), .device = "cuda", .probe = rung_probe_nvidia, .depth = RUNG_DEPTH_LOOK};
    assert_int_equal(in_child(look_and_fork, &s), 0);
    tree_free(t);
}

/* ---- whoever listens --------------------------------------------------------------------------------------------- */

typedef struct listener {
    pid_t child;
} listener;

static void fork_once(const char *line, void *user)
{
    (void)line;
    listener *l = user;
    if (l->child < 0)
        l->child = fork();
}

static int listen_and_fork(scene *s)
{
    listener l = {.child = -1};
    s->world.tell = fork_once;
    s->world.tell_user = &l;
    rung_device_state state = ask(s)->state;
    if (l.child == 0)
        _exit(state == RUNG_STATE_FORKED && rung_driver_of(s->device)->asking == 0 ? 0 : 1);
    int status = -1;
    CHECK(waitpid(l.child, &status, 0) == l.child && status == 0);
    CHECK(state == RUNG_STATE_USABLE && rung_driver_of(s->device)->asking == 0);
    return 0;
}

static void whoever_listens_may_fork(void **state)
{
    (void)state;
    static scene s;
    tree *t = gpu();
    steer(A100, A100, "");
    s = (scene){.world = tree_world(t), .device = "cuda", .probe = rung_probe_nvidia, .depth = RUNG_DEPTH_LOOK};
    assert_int_equal(in_child(listen_and_fork, &s), 0);
    tree_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(while_another_thread_is_in_the_library),
        cmocka_unit_test(a_look_that_is_over_takes_nothing_away),
        cmocka_unit_test(whoever_listens_may_fork),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
