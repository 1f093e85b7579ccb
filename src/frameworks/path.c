/* SPDX-License-Identifier: Apache-2.0 */
#include "path.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "scan.h"

bool rung_path_of(char out[RUNG_PLACE_MAX], const char *const *parts)
{
    size_t len = 0;
    for (; *parts != NULL; parts++) {
        size_t more = strlen(*parts);
        if (len + more >= RUNG_PLACE_MAX) {
            out[0] = '\0';
            return false;
        }
        memcpy(out + len, *parts, more);
        len += more;
    }
    out[len] = '\0';
    return true;
}

bool rung_path_up(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash == NULL || slash[1] == '\0')
        return false;
    slash[slash == path ? 1 : 0] = '\0';
    return true;
}

const char *rung_path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static bool where_we_are(const rung_world *world, char out[RUNG_PLACE_MAX])
{
    if (world->root[0] != '\0') {
        const char *pwd = rung_world_env(world, "PWD");
        return pwd != NULL && pwd[0] == '/' && rung_path_of(out, RUNG_PARTS(pwd));
    }
    int saved = errno;
    bool known = getcwd(out, RUNG_PLACE_MAX) != NULL && out[0] == '/';
    errno = saved;
    return known;
}

bool rung_path_absolute(const rung_world *world, const char *folder, const char *path, char out[RUNG_PLACE_MAX])
{
    char here[RUNG_PLACE_MAX] = "";
    if (path[0] != '/') {
        if (folder == NULL && !where_we_are(world, here)) {
            out[0] = '\0';
            return false;
        }
        while (path[0] == '.' && path[1] == '/')
            for (path += 2; *path == '/';)
                path++;
        if (strcmp(path, ".") == 0)
            path = "";
    }
    const char *from = path[0] == '/' ? "" : folder != NULL ? folder : here;
    if (!rung_path_of(out, RUNG_PARTS(from, path[0] == '/' ? "" : "/", path)))
        return false;
    size_t len = strlen(out);
    while (len > 1 && out[len - 1] == '/')
        out[--len] = '\0';
    return true;
}

bool rung_path_entry(const rung_world *world, const char **list, char out[RUNG_PLACE_MAX])
{
    char entry[RUNG_PLACE_MAX];
    if (*list == NULL)
        return false;
    size_t len = strcspn(*list, ":");
    if (!rung_span_copy((rung_span){*list, len}, entry, sizeof entry) ||
        !rung_path_absolute(world, NULL, len == 0 ? "." : entry, out))
        out[0] = '\0';
    *list = (*list)[len] == ':' ? *list + len + 1 : NULL; /* after the last colon stands one more, which may be empty */
    return true;
}

/* The length of the link's text; 0 for what is no link; negative for what is not there. */
static long read_link(const rung_world *world, const char *path, char text[RUNG_PLACE_MAX])
{
    char file[RUNG_PATH_MAX];
    if (!rung_world_path(world, path, file))
        return -ENAMETOOLONG;
    int saved = errno;
    ssize_t len = readlink(file, text, RUNG_PLACE_MAX - 1);
    long result = len >= 0 ? (long)len : errno == EINVAL ? 0 : -errno;
    errno = saved;
    text[result > 0 ? result : 0] = '\0';
    return result;
}

bool rung_path_real(const rung_world *world, const char *path, char out[RUNG_PLACE_MAX])
{
    enum { LINKS = 40 };
    char rest[RUNG_PLACE_MAX], text[RUNG_PLACE_MAX], copy[RUNG_PLACE_MAX];
    size_t len = 0;
    unsigned links = 0;
    out[0] = '\0';
    if (path[0] != '/' || !rung_path_of(rest, RUNG_PARTS(path)))
        return false;
    const char *at = rest;
    for (;;) {
        while (*at == '/')
            at++;
        size_t name = strcspn(at, "/");
        if (name == 0)
            break;
        const char *next = at + name;
        size_t parent = len;
        if (name == 2 && at[0] == '.' && at[1] == '.') {
            while (len > 0 && out[--len] != '/')
                continue;
            out[len] = '\0';
        } else if (name != 1 || at[0] != '.') {
            if (len + name + 1 >= RUNG_PLACE_MAX)
                return false;
            out[len] = '/';
            memcpy(out + len + 1, at, name);
            len += name + 1;
            out[len] = '\0';
            long link = read_link(world, out, text);
            if (link < 0)
                return false;
            if (link > 0) {
                if (++links > LINKS || !rung_path_of(copy, RUNG_PARTS(text, next)))
                    return false;
                memcpy(rest, copy, strlen(copy) + 1);
                next = rest;
                len = text[0] == '/' ? 0 : parent;
                out[len] = '\0';
            }
        }
        at = next;
    }
    if (len == 0)
        memcpy(out, "/", 2);
    return true;
}

bool rung_path_is_folder(const rung_world *world, const char *path)
{
    return rung_path_there(world, RUNG_PARTS(path, "/."));
}

bool rung_path_is_file(const rung_world *world, const char *path)
{
    return rung_world_exists(world, path) == 0 && !rung_path_is_folder(world, path);
}

bool rung_path_there(const rung_world *world, const char *const *parts)
{
    char path[RUNG_PLACE_MAX];
    return rung_path_of(path, parts) && rung_world_exists(world, path) == 0;
}
