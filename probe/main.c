/* SPDX-License-Identifier: Apache-2.0
 *
 * rung-probe: looks for one kind of device and prints its record (src/detect/wire.h). A program of its own, so that a
 * vendor's library that hangs, crashes or exits takes nobody else with it.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "detect/helper.h"
#include "detect/probes.h"
#include "detect/wire.h"

static const char usage[] =
    "usage: rung-probe --device NAME [--depth look|open|full] [OPTIONS]\n"
    "\n"
    "Looks for one kind of device, as `rung doctor` does and every program under "
    "RUNG_PROBE=isolated, and prints what it\n"
    "found, one \"key value\" a line. look: initialises nothing; open: initialises the driver "
    "where nothing else tells\n"
    "what the device is; full, the default: also tries it.\n"
    "\n"
    "  --seconds N      be ended by SIGALRM after N seconds\n"
    "  --end-group      ends its process group, where it leads one, and so itself, when all is said\n"
    "  --root DIR       stands before every absolute path that is looked at\n"
    "  --libraries DIR  the folder of all shared libraries that there are\n"
    "  --system NAME    linux, macos or other\n"
    "  --tell           says every step on the way, with its time\n"
    "  --help           this text\n";

typedef struct options {
    rung_world world;
    const char *device;
    rung_depth depth;
    unsigned seconds; /* 0: as long as it takes */
    bool end_group;
    bool tell;
} options;

/* ---- the command line -------------------------------------------------------------------------------------------- */

static int fail_usage(const char *what, const char *which)
{
    (void)fprintf(stderr, "rung-probe: %s%s\n%s", what, which, usage);
    return 2;
}

static bool read_depth(const char *text, rung_depth *out)
{
    static const rung_depth depths[] = {RUNG_DEPTH_LOOK, RUNG_DEPTH_OPEN, RUNG_DEPTH_FULL};
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        if (strcmp(text, rung_depth_name(depths[i])) == 0) {
            *out = depths[i];
            return true;
        }
    }
    return false;
}

static bool read_seconds(const char *text, unsigned *out)
{
    *out = 0;
    for (; *text >= '0' && *text <= '9' && *out < 1000000; text++)
        *out = *out * 10 + (unsigned)(*text - '0');
    return *text == '\0' && *out != 0;
}

/* 0, or the exit status. */
static int read_options(int argc, char **argv, options *o)
{
    *o = (options){.world = rung_this_world(), .depth = RUNG_DEPTH_FULL};
    o->world.ignore_env = true; /* it was asked for by name */
    for (int i = 1; i < argc; i += 2) {
        const char *name = argv[i];
        bool *flag = strcmp(name, "--tell") == 0 ? &o->tell : strcmp(name, "--end-group") == 0 ? &o->end_group : NULL;
        if (flag != NULL) {
            *flag = true;
            i--;
            continue;
        }
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        bool known = true;
        if (value == NULL)
            return fail_usage("no value for ", name);
        if (strcmp(name, "--device") == 0)
            o->device = value;
        else if (strcmp(name, "--root") == 0)
            o->world.root = value;
        else if (strcmp(name, "--libraries") == 0)
            o->world.libraries = value;
        else if (strcmp(name, "--system") == 0)
            o->world.system = value;
        else if (strcmp(name, "--depth") == 0)
            known = read_depth(value, &o->depth);
        else if (strcmp(name, "--seconds") == 0)
            known = read_seconds(value, &o->seconds);
        else
            return fail_usage("unknown option ", name);
        if (!known)
            return fail_usage("bad value for ", name);
    }
    if (o->device == NULL)
        return fail_usage("no device given", "");
    if (rung_probe_of(o->device) == NULL)
        return fail_usage("no such device: ", o->device);
    return 0;
}

/* ---- the process ------------------------------------------------------------------------------------------------- */

/* It leaves no core and does not outlive whoever waits for it. A limit of 0 keeps a core out of files alone, and
 * core(5) says so; one of 1 is too little for a file, and keeps it also from a program that cores are piped to
 * (fs/coredump.c of Linux). */
static void bound_life(unsigned seconds)
{
    const struct rlimit least = {1, 1};
    (void)setrlimit(RLIMIT_CORE, &least);
#if defined(__linux__)
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    (void)alarm(seconds);
}

/* Standard descriptors that are closed are filled: with /dev/null, or with what gives nothing where there is none. */
static void fill_standard(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
            continue;
        int ends[2];
        if (open("/dev/null", O_RDWR) < 0 && pipe(ends) != 0)
            return;
    }
}

/* What a host without close-on-exec has left open, before a vendor's library finds it. */
static void close_others(void)
{
    enum { MOST = 65536 };
#if defined(__linux__) && defined(SYS_close_range)
    if (syscall(SYS_close_range, STDERR_FILENO + 1u, ~0u, 0u) == 0)
        return;
#endif
    long most = sysconf(_SC_OPEN_MAX);
    for (int fd = STDERR_FILENO + 1; fd < MOST && fd < most; fd++)
        (void)close(fd);
}

/* A descriptor for the record that no library writes to by accident: from now on, stdout goes nowhere. */
static int take_stdout(void)
{
    enum { HIGH = 200 };
    int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, HIGH);
    if (out < 0)
        out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (out < 0)
        return -1;
    int ends[2];
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0 && pipe(ends) == 0) {
        (void)close(ends[0]);
        nowhere = ends[1];
        (void)signal(SIGPIPE, SIG_IGN); /* whoever prints has nobody who reads */
    }
    if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
        return -1;
    (void)close(nowhere);
    return out;
}

static bool write_all(int fd, const char *text, size_t len)
{
    while (len > 0) {
        ssize_t wrote = write(fd, text, len);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return false;
        text += wrote;
        len -= (size_t)wrote;
    }
    return true;
}

/* Where steps are told, and how many bytes of them: the record has to find its place behind them. */
typedef struct steps {
    int out;
    size_t left;
} steps;

/* At once: of a library that does not come back, the last step is the one that matters. */
static void tell_step(const char *line, void *user)
{
    steps *to = user;
    char text[512];
    char clean[512 - sizeof RUNG_WIRE_TOLD - 1];
    rung_wire_text(clean, sizeof clean, line);
    rung_text t = rung_text_in(text, sizeof text);
    rung_text_join(&t, (const char *const[]){RUNG_WIRE_TOLD, clean, "\n", NULL});
    if (t.len > to->left || !write_all(to->out, text, t.len))
        to->left = 0;
    else
        to->left -= t.len;
}

int main(int argc, char **argv)
{
    static rung_device_report report;
    static char text[RUNG_WIRE_MAX];
    if (argc == 2 && strcmp(argv[1], "--help") == 0)
        return fputs(usage, stdout) < 0 || fflush(stdout) != 0;
    options o;
    int status = read_options(argc, argv, &o);
    if (status != 0)
        return status;
    bound_life(o.seconds);
    fill_standard();
    close_others();
    int out = take_stdout();
    size_t begun = strlen(RUNG_WIRE_BEGIN);
    /* said at once: whatever happens from here on is the vendor's doing */
    if (out < 0 || !write_all(out, RUNG_WIRE_BEGIN, begun))
        return 1;
    steps told = {out, RUNG_WIRE_TOLD_MAX};
    if (o.tell) {
        o.world.tell = tell_step;
        o.world.tell_user = &told;
    }
    rung_report_text(report.device, sizeof report.device, o.device);
    rung_probe_of(o.device)(&o.world, o.depth, &report);
    size_t len = rung_wire_write(&report, text);
    status = write_all(out, text + begun, len - begun) ? 0 : 1;
    /* what libraries have started: a host whose children are reaped by others cannot end it safely. Never unasked: a
     * shell's pipeline is one group. */
    if (o.end_group && getpgrp() == getpid())
        (void)kill(0, SIGKILL);
    /* without the functions that libraries have registered with atexit, and their destructors */
    _exit(status);
}
