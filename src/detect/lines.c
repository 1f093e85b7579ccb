/* SPDX-License-Identifier: Apache-2.0
 *
 * lines.c: a file line by line, in a buffer of fixed size.
 */
#include "lines.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "numbers.h"

enum { READ_MAX = 16 << 20 };

typedef struct reader {
    char line[RUNG_LINE_MAX];
    size_t len;
    rung_line_fn *fn;
    void *user;
} reader;

static int end_of_line(reader *r)
{
    r->line[r->len] = '\0';
    r->len = 0;
    return r->fn(r->line, r->user);
}

/* Non-zero once the caller wants no more. */
static int take(reader *r, const char *block, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (block[i] == '\n') {
            int done = end_of_line(r);
            if (done != 0)
                return done;
        } else if (r->len < sizeof r->line - 1) {
            r->line[r->len++] = block[i];
        }
    }
    return 0;
}

int rung_world_lines(const rung_world *world, const char *path, rung_line_fn *fn, void *user)
{
    char block[RUNG_PATH_MAX]; /* the path first */
    if (!rung_world_path(world, path, block))
        return ENAMETOOLONG;
    int saved = errno;
    /* a path that turns out to be a FIFO must not make anybody wait */
    int fd = open(block, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        int failed = errno;
        errno = saved;
        return failed;
    }
    reader r = {.len = 0, .fn = fn, .user = user};
    int failed = 0;
    int done = 0;
    for (size_t total = 0; done == 0 && total < READ_MAX;) {
        ssize_t got = read(fd, block, sizeof block);
        if (got == 0)
            break;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            failed = errno;
            break;
        }
        done = take(&r, block, (size_t)got);
        total += (size_t)got;
    }
    if (done == 0 && failed == 0 && r.len > 0)
        (void)end_of_line(&r);
    (void)close(fd);
    errno = saved;
    return failed;
}

bool rung_scan_uint(const char **at, uint64_t *out)
{
    const char *digits = *at + strspn(*at, " \t");
    if (!rung_digits(&digits, NULL, 10, out))
        return false;
    *at = digits;
    return true;
}

const char *rung_scan_after(const char *line, const char *beginning)
{
    size_t len = strlen(beginning);
    return strncmp(line, beginning, len) == 0 ? line + len : NULL;
}

bool rung_world_uint(const rung_world *world, const char *path, uint64_t *out)
{
    char text[64];
    if (rung_world_read(world, path, text, sizeof text) <= 0)
        return false;
    const char *at = text;
    if (!rung_scan_uint(&at, out))
        return false;
    return at[strspn(at, " \t\r\n")] == '\0';
}
