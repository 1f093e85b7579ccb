/* SPDX-License-Identifier: Apache-2.0
 *
 * world.c: files, the environment and the clock. Nothing here stays open, and errno is as before.
 */
#include "world.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

rung_world rung_this_world(void)
{
    rung_world world = {.root = ""};
#if defined(__linux__)
    world.system = "linux";
#elif defined(__APPLE__)
    world.system = "macos";
#else
    world.system = "other";
#endif
    return world;
}

void rung_world_settle(rung_world *world, unsigned flags)
{
    world->ignore_env = (flags & RUNG_DETECT_NO_ENV) != 0;
    const char *probe = world->ignore_env ? NULL : rung_world_env(world, "RUNG_PROBE");
    world->isolated = (flags & RUNG_DETECT_ISOLATED) || (probe != NULL && strcmp(probe, "isolated") == 0);
}

const char *rung_world_env(const rung_world *world, const char *name)
{
    if (world->environment == NULL)
        return getenv(name);
    size_t len = strlen(name);
    for (const char *const *at = world->environment; *at != NULL; at++)
        if (strncmp(*at, name, len) == 0 && (*at)[len] == '=')
            return *at + len + 1;
    return NULL;
}

bool rung_world_path(const rung_world *world, const char *path, char out[RUNG_PATH_MAX])
{
    size_t root = path[0] == '/' ? strlen(world->root) : 0;
    size_t len = strlen(path);
    out[0] = '\0';
    if (root + len >= RUNG_PATH_MAX)
        return false;
    memcpy(out, world->root, root);
    memcpy(out + root, path, len + 1);
    return true;
}

int rung_world_exists(const rung_world *world, const char *path)
{
    char real[RUNG_PATH_MAX];
    struct stat about;
    int saved = errno;
    int failed = !rung_world_path(world, path, real) ? ENAMETOOLONG : stat(real, &about) != 0 ? errno : 0;
    errno = saved;
    return failed;
}

/* A program with the rights of another user or group opens files with those; errno says why not. */
static bool is_let(const char *real, int rights)
{
    if (geteuid() == getuid() && getegid() == getgid())
        return access(real, rights) == 0;
    return faccessat(AT_FDCWD, real, rights, AT_EACCESS) == 0;
}

/* `rights` are access's, `bits` those of others. */
static int may(const rung_world *world, const char *path, int rights, mode_t bits)
{
    char real[RUNG_PATH_MAX];
    struct stat about;
    int saved = errno;
    int failed = 0;
    if (!rung_world_path(world, path, real))
        failed = ENAMETOOLONG;
    else if (world->root[0] == '\0')
        failed = is_let(real, rights) ? 0 : errno;
    else if (stat(real, &about) != 0)
        failed = errno;
    else if ((about.st_mode & bits) != bits)
        failed = EACCES;
    errno = saved;
    return failed;
}

int rung_world_may_open(const rung_world *world, const char *path)
{
    return may(world, path, R_OK | W_OK, S_IROTH | S_IWOTH);
}

int rung_world_may_run(const rung_world *world, const char *path)
{
    return may(world, path, X_OK, S_IXOTH);
}

long rung_world_read(const rung_world *world, const char *path, char *text, size_t size)
{
    char real[RUNG_PATH_MAX];
    text[0] = '\0';
    if (!rung_world_path(world, path, real))
        return -ENAMETOOLONG;
    int saved = errno;
    /* a path that turns out to be a FIFO must not make anybody wait */
    int fd = open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        long failed = -errno;
        errno = saved;
        return failed;
    }
    size_t len = 0;
    long failed = 0;
    while (len < size - 1) {
        ssize_t got = read(fd, text + len, size - 1 - len);
        if (got == 0)
            break;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            failed = -errno;
            break;
        }
        len += (size_t)got;
    }
    (void)close(fd);
    errno = saved;
    text[failed == 0 ? len : 0] = '\0';
    return failed == 0 ? (long)len : failed;
}

int rung_world_list(const rung_world *world, const char *path, rung_entry_fn *fn, void *user)
{
    char real[RUNG_PATH_MAX];
    if (!rung_world_path(world, path, real))
        return ENAMETOOLONG;
    int saved = errno;
    DIR *folder = opendir(real);
    if (folder == NULL) {
        int failed = errno;
        errno = saved;
        return failed;
    }
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) /* NOLINT(concurrency-mt-unsafe): this stream is nobody else's */
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && fn(entry->d_name, user) != 0)
            break;
    (void)closedir(folder);
    errno = saved;
    return 0;
}

/* ---- who listens ------------------------------------------------------------------------------------------------- */

static uint64_t now(void)
{
    struct timespec at;
    if (clock_gettime(CLOCK_MONOTONIC, &at) != 0)
        return 0;
    return (uint64_t)at.tv_sec * 1000000000u + (uint64_t)at.tv_nsec;
}

uint64_t rung_probe_start(const rung_world *world)
{
    return world->tell == NULL ? 0 : now();
}

void rung_probe_told(const rung_world *world, uint64_t start, const char *device, const char *what, const char *result)
{
    if (world->tell == NULL)
        return;
    char line[1024];
    rung_text t = rung_text_in(line, sizeof line);
    rung_text_join(&t, (const char *const[]){"probe ", device, ": ", what, ": ", result, " (", NULL});
    rung_text_uint(&t, (now() - start) / 1000);
    rung_text_add(&t, " us)");
    world->tell(line, world->tell_user);
}
