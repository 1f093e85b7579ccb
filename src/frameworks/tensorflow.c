/* SPDX-License-Identifier: Apache-2.0
 *
 * tensorflow.c: tensorflow/python/platform/build_info.py, which tensorflow/tools/build_info/gen_build_info.py writes,
 * is a list of pairs that tells what TensorFlow was built for. Without it, the name that it is distributed by does.
 */
#include <string.h>

#include "part.h"
#include "scan.h"

/* The value of a pair ('name', value): a text without its quotes, or a word. */
static bool pair(const char *text, const char *name, char *out, size_t size)
{
    size_t len = strlen(name);
    for (const char *at = text; (at = strstr(at, name)) != NULL; at += len) {
        if (at == text || (at[-1] != '\'' && at[-1] != '"') || at[len] != at[-1])
            continue;
        const char *value = at + len + 1;
        value += strspn(value, " ");
        if (*value != ',' && *value != ':')
            continue;
        value += 1 + strspn(value + 1, " \n");
        bool quoted = *value == '\'' || *value == '"';
        rung_span found = {value + (quoted ? 1 : 0), 0};
        found.len = strcspn(found.at, quoted ? "'\"\n" : "),}\n");
        return rung_span_copy(rung_span_trim(found), out, size);
    }
    return false;
}

static bool is_true(const char *text, const char *name)
{
    char value[16];
    return pair(text, name, value, sizeof value) && strcmp(value, "True") == 0;
}

static bool from_module(const rung_install *install, const char *folder, rung_framework *out)
{
    char text[RUNG_MODULE_MAX], value[32];
    if (!rung_module_read(install->world, folder, "python/platform/build_info.py", text) ||
        !pair(text, "is_cuda_build", value, sizeof value))
        return false;
    if (is_true(text, "is_cuda_build")) {
        out->built |= RUNG_BUILT_CUDA;
        if (pair(text, "cuda_version", value, sizeof value))
            rung_build_short(value, out->cuda);
    }
    if (is_true(text, "is_rocm_build")) {
        out->built |= RUNG_BUILT_ROCM;
        if (pair(text, "rocm_version", value, sizeof value))
            rung_build_short(value, out->rocm);
    }
    return true;
}

static void from_name(const rung_install *install, const rung_dist *dist, rung_framework *out)
{
    char build[128];
    const char *name = dist == NULL ? "" : dist->name;
    if (strcmp(name, "tensorflow-gpu") == 0)
        out->built |= RUNG_BUILT_CUDA;
    else if (strcmp(name, "tensorflow-rocm") == 0)
        out->built |= RUNG_BUILT_ROCM;
    else if ((rung_conda_build(install, "tensorflow-base", build, sizeof build) ||
              rung_conda_build(install, "tensorflow", build, sizeof build)) &&
             strstr(build, "cuda") != NULL) {
        (void)rung_build_cuda(build, "cuda", out->cuda);
        out->built |= RUNG_BUILT_CUDA;
    } else if (strstr(name, "cpu") == NULL && strcmp(name, "tensorflow-macos") != 0 &&
               strcmp(name, "tensorflow-intel") != 0) {
        rung_part_say(out, RUNG_PARTS("its files do not tell what else it was built for"));
    }
}

void rung_judge_tensorflow(const rung_install *install, rung_framework *out)
{
    static const char *const dists[] = {"tensorflow",
                                        "tensorflow-cpu",
                                        "tensorflow-gpu",
                                        "tensorflow-rocm",
                                        "tensorflow-macos",
                                        "tensorflow-intel",
                                        "tensorflow-cpu-aws",
                                        "intel-tensorflow",
                                        "tf-nightly",
                                        "tf-nightly-cpu",
                                        NULL};
    static const rung_part part = {"tensorflow", "python/__init__.py", dists, NULL};
    char folder[RUNG_PLACE_MAX];
    const rung_dist *dist = rung_part_judge(install, &part, out, folder);
    if (out->state != RUNG_FRAMEWORK_INSTALLED)
        return;
    out->built = RUNG_BUILT_CPU;
    if (folder[0] == '\0' || !from_module(install, folder, out))
        from_name(install, dist, out);
    const rung_dist *metal = rung_dist_find(install, "tensorflow-metal", RUNG_DIST_READ);
    if (metal != NULL) {
        out->built |= RUNG_BUILT_METAL;
        rung_plugin_add(out, metal->name, metal->version);
    }
}
