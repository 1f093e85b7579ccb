/* SPDX-License-Identifier: Apache-2.0
 *
 * numpy.c: numpy/version.py assigns the version; releases of some years have it in numpy/_version.py, as JSON.
 */
#include <string.h>

#include "part.h"
#include "scan.h"
#include "version.h"

static bool own_version(const rung_world *world, const char *folder, char version[RUNG_VERSION_MAX])
{
    char text[RUNG_MODULE_MAX];
    rung_version parts;
    if (rung_module_read(world, folder, "version.py", text) &&
        (rung_module_version(text, "full_version", version) || rung_module_version(text, "version", version)))
        return true;
    const char *at = rung_module_read(world, folder, "_version.py", text) ? strstr(text, "\"version\": \"") : NULL;
    if (at == NULL)
        return false;
    at += strlen("\"version\": \"");
    return rung_span_copy((rung_span){at, strcspn(at, "\"")}, version, RUNG_VERSION_MAX) &&
           rung_version_parse(version, &parts);
}

void rung_judge_numpy(const rung_install *install, rung_framework *out)
{
    static const char *const dists[] = {"numpy", NULL};
    static const rung_part part = {"numpy", "version.py", dists, own_version};
    char folder[RUNG_PLACE_MAX];
    (void)rung_part_judge(install, &part, out, folder);
    if (out->state == RUNG_FRAMEWORK_INSTALLED)
        out->built = RUNG_BUILT_CPU;
}
