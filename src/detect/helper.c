/* SPDX-License-Identifier: Apache-2.0 */
#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/auxv.h>
#endif

#if defined(__APPLE__)
extern char **environ;
#endif

/* ---- where it is ------------------------------------------------------------------------------------------------- */

/* ../libexec/rung/rung-probe from the running program's folder. False where that is not known, or not to be trusted:
 * anybody may have a hard link to a program with more rights than its user in a folder of their own. */
static bool beside_program(char out[RUNG_PATH_MAX])
{
#if defined(__linux__)
    static const char tail[] = "/../libexec/rung/rung-probe";
    if (getauxval(AT_SECURE) != 0)
        return false;
    ssize_t len = readlink("/proc/self/exe", out, RUNG_PATH_MAX - sizeof tail);
    while (len > 0 && out[len - 1] != '/')
        len--;
    if (len <= 0)
        return false;
    memcpy(out + len - 1, tail, sizeof tail);
    return true;
#else
    (void)out;
    return false;
#endif
}

/* Whoever starts a program that has more rights than they have must not choose what that runs. */
static const char *from_environment(const rung_world *world)
{
#if defined(__linux__)
    if (world->environment == NULL)
        return secure_getenv("RUNG_PROBE_HELPER");
#endif
    return rung_world_env(world, "RUNG_PROBE_HELPER");
}

bool rung_helper_path(const rung_world *world, char out[RUNG_PATH_MAX])
{
    const char *path = world->helper != NULL ? world->helper : from_environment(world);
    if (path == NULL || path[0] == '\0') {
        /* of the program's own version; what is installed elsewhere may be an older one */
        if (beside_program(out) && access(out, X_OK) == 0)
            return true;
        path = RUNG_LIBEXECDIR "/rung/rung-probe";
    }
    rung_text t = rung_text_in(out, RUNG_PATH_MAX);
    rung_text_add(&t, path);
    return t.len == strlen(path);
}

const char *rung_depth_name(rung_depth depth)
{
    return depth == RUNG_DEPTH_LOOK ? "look" : depth == RUNG_DEPTH_OPEN ? "open" : "full";
}

/* ---- the pipe ---------------------------------------------------------------------------------------------------- */

/* Above the standard descriptors, which a host may have closed. -1 and the old one closed where that cannot be. */
static int lift(int fd)
{
    if (fd > STDERR_FILENO)
        return fd;
    int lifted = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int failed = errno;
    (void)close(fd);
    errno = failed;
    return lifted;
}

static int open_pipe(int ends[2])
{
#if defined(__linux__)
    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
#else
    if (pipe(ends) != 0)
        return errno;
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
#endif
    int failed = 0;
    for (int i = 0; i < 2; i++) {
        ends[i] = lift(ends[i]);
        failed = ends[i] < 0 ? errno : failed;
    }
    if (failed == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0)
        failed = errno;
    for (int i = 0; failed != 0 && i < 2; i++)
        if (ends[i] >= 0)
            (void)close(ends[i]);
    return failed;
}

/* ---- starting it ------------------------------------------------------------------------------------------------- */

/* A chroot may be without /dev/null. */
static int add_null(posix_spawn_file_actions_t *actions, int fd, int how)
{
    if (access("/dev/null", R_OK | W_OK) != 0)
        return posix_spawn_file_actions_addclose(actions, fd);
    return posix_spawn_file_actions_addopen(actions, fd, "/dev/null", how, 0);
}

#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 34)
#define HAS_CLOSEFROM
#endif
#endif

static int add_actions(posix_spawn_file_actions_t *actions, int out, bool close_others)
{
    int failed = posix_spawn_file_actions_adddup2(actions, out, STDOUT_FILENO);
    if (failed == 0)
        failed = add_null(actions, STDIN_FILENO, O_RDONLY);
    if (failed == 0)
        failed = add_null(actions, STDERR_FILENO, O_WRONLY);
#if defined(HAS_CLOSEFROM)
    if (failed == 0 && close_others)
        failed = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
#else
    (void)close_others;
#endif
    return failed;
}

static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none;
    sigset_t all;
    (void)sigemptyset(&none);
    (void)sigfillset(&all);
    (void)sigdelset(&all, SIGKILL);
    (void)sigdelset(&all, SIGSTOP);
    int failed = posix_spawnattr_setsigmask(attributes, &none);
    if (failed == 0)
        failed = posix_spawnattr_setsigdefault(attributes, &all);
    if (failed == 0)
        failed = posix_spawnattr_setpgroup(attributes, 0);
    if (failed == 0)
        failed = posix_spawnattr_setflags(attributes,
                                          POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    return failed;
}

static int spawn(const char *path, const char *const *arguments, const char *const *environment, int out,
                 bool close_others, pid_t *pid)
{
    /* posix_spawn does not write to either; its prototype is older than const */
    char *const *argv;
    char *const *envp = environ;
    memcpy(&argv, &arguments, sizeof argv);
    if (environment != NULL)
        memcpy(&envp, &environment, sizeof envp);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed != 0)
        return failed;
    failed = posix_spawnattr_init(&attributes);
    if (failed == 0) {
        failed = add_actions(&actions, out, close_others);
        if (failed == 0)
            failed = set_attributes(&attributes);
        if (failed == 0)
            failed = posix_spawn(pid, path, &actions, &attributes, argv, envp);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return failed;
}

int rung_helper_start(const rung_world *world, const char *path, const char *device, rung_depth depth,
                      uint32_t timeout_ms, rung_helper *out)
{
    enum { MOST_ARGUMENTS = 20 };
    char limit[24];
    rung_text t = rung_text_in(limit, sizeof limit);
    rung_text_uint(&t, timeout_ms / 1000 + 2);
    const char *argv[MOST_ARGUMENTS] = {path,       "--device",    device,      "--depth", rung_depth_name(depth),
                                        "--system", world->system, "--seconds", limit,     "--end-group"};
    size_t n = 10;
    if (world->root[0] != '\0') {
        argv[n++] = "--root";
        argv[n++] = world->root;
    }
    if (world->libraries != NULL) {
        argv[n++] = "--libraries";
        argv[n++] = world->libraries;
    }
    if (world->tell != NULL)
        argv[n++] = "--tell";
    int ends[2];
    int failed = open_pipe(ends);
    if (failed != 0)
        return failed;
    failed = spawn(path, argv, world->environment, ends[1], true, &out->pid);
    /* an old kernel without /proc cannot close what it does not know */
    if (failed != 0 && failed != ENOENT)
        failed = spawn(path, argv, world->environment, ends[1], false, &out->pid);
    (void)close(ends[1]);
    if (failed != 0)
        (void)close(ends[0]);
    out->out = ends[0];
    return failed;
}
