/* SPDX-License-Identifier: Apache-2.0 */
#include "node.h"

#include <errno.h>
#include <sys/stat.h>

bool rung_node_denied(const rung_world *world, const char *path, rung_text *detail)
{
    int failed = rung_world_may_open(world, path);
    if (failed != EACCES && failed != EPERM)
        return false;
    rung_text_add(detail, path);
    char real[RUNG_PATH_MAX];
    struct stat about;
    int saved = errno;
    if (rung_world_path(world, path, real) && stat(real, &about) == 0) {
        rung_text_add(detail, ": mode 0");
        for (int shift = 6; shift >= 0; shift -= 3)
            rung_text_uint(detail, (uint64_t)(about.st_mode >> shift & 7));
        rung_text_add(detail, ", group ");
        rung_text_uint(detail, about.st_gid);
    }
    errno = saved;
    return true;
}
