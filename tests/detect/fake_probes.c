/* SPDX-License-Identifier: Apache-2.0
 *
 * Probes for the real main of rung-probe whose vendors' libraries do what no library should: linked before librung.a,
 * they take the place of its own.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "detect/probes.h"

static void fill(rung_device_report *out)
{
    out->present = 1;
    out->initialised = 1;
    out->count = 1;
    (void)snprintf(out->unit[0].name, sizeof out->unit[0].name, "as it should be");
}

static void at_exit(void)
{
    for (int fd = 0; fd < 1024; fd++)
        (void)!write(fd, "bye\n", 4);
    _exit(9);
}

/* A process that keeps the pipe of the environment open; its id is written there. */
static void leave_child(void)
{
    const char *path = getenv("RUNG_TEST_FILE");
    int end = path == NULL ? -1 : open(path, O_WRONLY);
    pid_t child = fork();
    if (child == 0) {
        for (;;)
            (void)pause();
    }
    if (end < 0 || child < 0 || write(end, &child, sizeof child) != (ssize_t)sizeof child)
        exit(102);
}

static void probe(const rung_world *world, rung_depth depth, rung_device_report *out)
{
    const char *device = out->device;
    rung_probe_told(world, rung_probe_start(world), device, "ask it", "begun\nend\n\xff");
    if (strcmp(device, "prints") == 0) {
        (void)printf("a library says hello\n");
        (void)fflush(stdout);
        (void)printf("and has not said all");
        (void)!write(1, "end\n", 4);
        (void)fprintf(stderr, "complaint\n");
    } else if (strcmp(device, "at exit") == 0) {
        (void)atexit(at_exit);
    } else if (strcmp(device, "exits") == 0) {
        exit(3);
    } else if (strcmp(device, "crashes") == 0) {
        (void)signal(SIGSEGV, SIG_DFL); /* a sanitizer's may be there */
        (void)raise(SIGSEGV);
    } else if (strcmp(device, "hangs") == 0) {
        for (;;)
            (void)pause();
    } else if (strcmp(device, "limits") == 0) {
        struct rlimit core = {99, 99};
        (void)getrlimit(RLIMIT_CORE, &core);
        (void)snprintf(out->detail, sizeof out->detail, "core %llu %llu", (unsigned long long)core.rlim_cur,
                       (unsigned long long)core.rlim_max);
    } else if (strcmp(device, "leaves") == 0) {
        leave_child();
    } else if (strcmp(device, "told") == 0) {
        (void)snprintf(out->detail, sizeof out->detail, "%s|%s|%s|%d", world->root,
                       world->libraries == NULL ? "none" : world->libraries, world->system, (int)depth);
        /* nothing is open but the standard descriptors and the one for the record, which programs do not inherit */
        for (int fd = 3; fd < 1024; fd++) {
            int flags = fcntl(fd, F_GETFD);
            size_t len = strlen(out->driver);
            if (flags >= 0)
                (void)snprintf(out->driver + len, sizeof out->driver - len, "%s ", flags & FD_CLOEXEC ? "own" : "open");
        }
    }
    fill(out);
}

const char *const rung_probe_names[RUNG_PROBES] = {"prints", "at exit", "exits", "crashes", "told"};

rung_probe_fn *rung_probe_of(const char *device)
{
    return strcmp(device, "unknown") == 0 ? NULL : probe;
}
