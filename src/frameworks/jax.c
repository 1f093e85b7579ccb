/* SPDX-License-Identifier: Apache-2.0
 *
 * jax.c: jax alone is Python; jaxlib has the code, for the processor, and plug-ins bring devices.
 *
 *   - jaxlib must not be newer than jax, nor older than jax/version.py or the requirement of jax tells
 *     (jax/_src/lib/__init__.py: only the leading numbers are compared);
 *   - jax-cudaNN-plugin is used when its version is jaxlib's (not asked of ROCm's: jaxlib/plugin_support.py), and needs
 *     jax-cudaNN-pjrt of its own version (jax_plugins/cuda/plugin_setup.py);
 *   - that is the folder jax_plugins/xla_cudaNN: jax looks below jax_plugins (jax/_src/xla_bridge.py).
 */
#include <string.h>

#include "part.h"
#include "scan.h"
#include "version.h"

/* Distributions assign _release_version; before that there was __version__. */
static bool own_version(const rung_world *world, const char *folder, char version[RUNG_VERSION_MAX])
{
    char text[RUNG_MODULE_MAX];
    return rung_module_read(world, folder, "version.py", text) &&
           (rung_module_version(text, "_release_version", version) ||
            rung_module_version(text, "__version__", version) || rung_module_version(text, "_version", version));
}

/* ---- jaxlib ------------------------------------------------------------------------------------------------------ */

/* From "jaxlib<=0.7.2,>=0.7.2" or "jaxlib (>=0.3.7)". */
static bool minimum_of(const char *requirement, char version[RUNG_VERSION_MAX])
{
    size_t name = strlen("jaxlib");
    if (strncmp(requirement, "jaxlib", name) != 0 || strchr(requirement, ';') != NULL ||
        strchr(" (<>=!~", requirement[name]) == NULL)
        return false;
    const char *at = strstr(requirement, ">=");
    if (at == NULL)
        return false;
    at += 2 + strspn(at + 2, " ");
    return rung_span_copy((rung_span){at, strcspn(at, " ,;)")}, version, RUNG_VERSION_MAX) && version[0] != '\0';
}

/* The oldest jaxlib that jax takes; "" when it is not told. */
static void find_minimum(const rung_install *install, const rung_dist *dist, const char *folder,
                         char version[RUNG_VERSION_MAX])
{
    enum { REQUIREMENTS = 64 };
    char text[RUNG_MODULE_MAX], requirement[256];
    version[0] = '\0';
    if (rung_module_read(install->world, folder, "version.py", text) &&
        rung_module_version(text, "_minimum_jaxlib_version", version))
        return;
    if (dist == NULL || (rung_dist_read(install, dist, "METADATA", text, sizeof text) <= 0 &&
                         rung_dist_read(install, dist, "PKG-INFO", text, sizeof text) <= 0))
        return;
    for (unsigned i = 0; i < REQUIREMENTS; i++)
        if (!rung_header(text, "Requires-Dist", i, requirement, sizeof requirement) || minimum_of(requirement, version))
            return;
}

static bool mismatch(rung_framework *out, const char *const *parts)
{
    out->state = RUNG_FRAMEWORK_MISMATCH;
    rung_part_say(out, parts);
    return false;
}

/* Whether jax can work with the jaxlib that is there. */
static bool judge_jaxlib(const rung_install *install, const rung_dist *jax, const char *folder, rung_framework *lib,
                         rung_framework *out)
{
    static const char *const dists[] = {"jaxlib", NULL};
    static const rung_part part = {"jaxlib", "version.py", dists, own_version};
    char at[RUNG_PLACE_MAX], minimum[RUNG_VERSION_MAX];
    int order = 0;
    (void)rung_part_judge(install, &part, lib, at);
    if (lib->state != RUNG_FRAMEWORK_INSTALLED)
        return mismatch(out, RUNG_PARTS("jaxlib: ", rung_framework_state_text(lib->state)));
    if (rung_version_dotted_order(lib->version, out->version, &order) && order > 0)
        return mismatch(out, RUNG_PARTS("jaxlib ", lib->version, " is newer than jax"));
    find_minimum(install, jax, folder, minimum);
    if (minimum[0] != '\0' && rung_version_dotted_order(lib->version, minimum, &order) && order < 0)
        return mismatch(out, RUNG_PARTS("jaxlib ", lib->version, " is older than ", minimum));
    return true;
}

/* ---- plug-ins ---------------------------------------------------------------------------------------------------- */

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* The folder parent + name, "jax_plugins/" "xla_cuda12", in the first site that has one. */
static bool find_module(const rung_install *install, const char *parent, const char *name, char out[RUNG_PLACE_MAX])
{
    char module[sizeof install->dist->name];
    size_t len = strlen(name);
    for (size_t i = 0; i <= len; i++)
        module[i] = name[i] == '-' ? '_' : name[i];
    for (unsigned i = 0; i < install->sites->count; i++)
        if (rung_path_of(out, RUNG_PARTS(rung_site(install->sites, i), "/", parent, module)) &&
            rung_path_is_folder(install->world, out))
            return true;
    return false;
}

/* Whether a plug-in of CUDA or ROCm is used; else the detail says why not. */
static bool is_used(const rung_install *install, const rung_dist *plugin, const rung_framework *lib,
                    rung_framework *out, char version[RUNG_VERSION_MAX])
{
    char folder[RUNG_PLACE_MAX], pjrt_name[sizeof plugin->name], device[sizeof plugin->name];
    rung_text t = rung_text_in(device, sizeof device); /* "cuda12" */
    rung_text_addn(&t, plugin->name + strlen("jax-"), strlen(plugin->name) - strlen("jax-") - strlen("-plugin"));
    t = rung_text_in(pjrt_name, sizeof pjrt_name);
    rung_text_join(&t, RUNG_PARTS("jax-", device, "-pjrt"));
    int order = 0;
    if (!find_module(install, "", plugin->name, folder)) {
        rung_part_say(out, RUNG_PARTS(plugin->name, " lacks its files"));
        return false;
    }
    if (!own_version(install->world, folder, version))
        (void)rung_span_copy((rung_span){plugin->version, strlen(plugin->version)}, version, RUNG_VERSION_MAX);
    if (!begins(plugin->name, "jax-rocm") &&
        (!rung_version_dotted_order(version, lib->version, &order) || order != 0)) {
        rung_part_say(out, RUNG_PARTS(plugin->name, " ", version, " is not used with jaxlib ", lib->version));
        return false;
    }
    bool any = false;
    for (unsigned i = 0; i < install->count; i++) {
        const rung_dist *pjrt = &install->dist[i];
        if (pjrt->kind != RUNG_DIST_READ || strcmp(pjrt->name, pjrt_name) != 0)
            continue;
        any = true;
        if (!rung_version_compare(pjrt->version, version, &order) || order != 0)
            continue;
        if (begins(device, "oneapi") || find_module(install, "jax_plugins/xla_", device, folder))
            return true;
        rung_part_say(out, RUNG_PARTS(pjrt_name, " lacks its files"));
        return false;
    }
    rung_part_say(out, RUNG_PARTS(plugin->name, any ? " has a pjrt of another version" : " has no pjrt"));
    return false;
}

/* "12" of jax-cuda12-plugin takes the place of a smaller one: newer plug-ins are tried first. */
static void set_cuda(rung_framework *out, const char *name)
{
    char number[16];
    int order = 0;
    if (rung_build_cuda(name, "cuda", number) && number[0] != '\0' &&
        (out->cuda[0] == '\0' || (rung_version_compare(number, out->cuda, &order) && order > 0)))
        memcpy(out->cuda, number, sizeof number);
}

/* "60" of jax-rocm60-plugin is 6.0, "7" is 7. */
static void set_rocm(rung_framework *out, const char *name)
{
    const char *digits = name + strcspn(name, "0123456789");
    rung_text t = rung_text_in(out->rocm, sizeof out->rocm);
    size_t len = strspn(digits, "0123456789");
    rung_text_addn(&t, digits, len > 1 ? len - 1 : len);
    if (len > 1) {
        rung_text_add(&t, ".");
        rung_text_addn(&t, digits + len - 1, 1);
    }
}

static void judge_plugin(const rung_install *install, const rung_dist *dist, const rung_framework *lib,
                         rung_framework *out)
{
    char version[RUNG_VERSION_MAX], folder[RUNG_PLACE_MAX];
    if (strcmp(dist->name, "libtpu") == 0 || strcmp(dist->name, "libtpu-nightly") == 0) {
        if (!find_module(install, "", "libtpu", folder)) {
            rung_part_say(out, RUNG_PARTS(dist->name, " lacks its files"));
            return;
        }
        out->built |= RUNG_BUILT_TPU;
    } else if (strcmp(dist->name, "jax-metal") == 0) {
        out->built |= RUNG_BUILT_METAL;
    } else if (strstr(dist->name, "-plugin") != NULL) {
        if (!is_used(install, dist, lib, out, version))
            return;
        if (begins(dist->name, "jax-cuda")) {
            out->built |= RUNG_BUILT_CUDA;
            set_cuda(out, dist->name);
        } else if (begins(dist->name, "jax-rocm")) {
            out->built |= RUNG_BUILT_ROCM;
            set_rocm(out, dist->name);
        } else {
            out->built |= RUNG_BUILT_XPU;
        }
        rung_plugin_add(out, dist->name, version);
        return;
    } else {
        return;
    }
    rung_plugin_add(out, dist->name, dist->version);
}

/* jaxlib itself had CUDA once, with a label that told, and conda's builds of it may. */
static void judge_build(const rung_install *install, const rung_framework *lib, rung_framework *out)
{
    char build[128];
    const char *label = strchr(lib->version, '+');
    if ((label != NULL && rung_build_cuda(label, "+cuda", out->cuda)) ||
        (rung_conda_build(install, "jaxlib", build, sizeof build) && rung_build_cuda(build, "cuda", out->cuda)))
        out->built |= RUNG_BUILT_CUDA;
}

void rung_judge_jax(const rung_install *install, rung_framework *out)
{
    static const char *const dists[] = {"jax", NULL};
    static const rung_part part = {"jax", "version.py", dists, own_version};
    char folder[RUNG_PLACE_MAX];
    const rung_dist *jax = rung_part_judge(install, &part, out, folder);
    rung_framework lib = {.name = "jaxlib"};
    if (out->state != RUNG_FRAMEWORK_INSTALLED || !judge_jaxlib(install, jax, folder, &lib, out))
        return;
    out->built = RUNG_BUILT_CPU;
    judge_build(install, &lib, out);
    for (unsigned i = 0; i < install->count; i++)
        if (rung_dist_find(install, install->dist[i].name, RUNG_DIST_READ) == &install->dist[i])
            judge_plugin(install, &install->dist[i], &lib, out);
}
