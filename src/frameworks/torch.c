/* SPDX-License-Identifier: Apache-2.0
 *
 * torch.c: torch/version.py tells what PyTorch was built for. A version without a label tells nothing: indexes take
 * none. Where version.py does not tell, the libraries do, then the label, then conda's build string.
 */
#include <string.h>

#include "part.h"
#include "scan.h"

static bool own_version(const rung_world *world, const char *folder, char version[RUNG_VERSION_MAX])
{
    char text[RUNG_MODULE_MAX];
    return rung_module_read(world, folder, "version.py", text) && rung_module_version(text, "__version__", version);
}

/* Whether version.py tells anything of builds. */
static bool from_module(const char *text, rung_framework *out)
{
    char value[RUNG_VERSION_MAX];
    rung_assigned cuda = rung_python_assigned(text, "cuda", value, sizeof value);
    if (cuda == RUNG_ASSIGNED_TEXT) {
        out->built |= RUNG_BUILT_CUDA;
        rung_build_short(value, out->cuda);
    }
    rung_assigned hip = rung_python_assigned(text, "hip", value, sizeof value);
    if (hip == RUNG_ASSIGNED_TEXT) {
        out->built |= RUNG_BUILT_ROCM;
        rung_build_short(value, out->rocm);
    }
    /* the release of ROCm itself, where it is told */
    if (rung_python_assigned(text, "rocm", value, sizeof value) == RUNG_ASSIGNED_TEXT) {
        out->built |= RUNG_BUILT_ROCM;
        rung_build_short(value, out->rocm);
    }
    if (rung_python_assigned(text, "xpu", value, sizeof value) == RUNG_ASSIGNED_TEXT)
        out->built |= RUNG_BUILT_XPU;
    return cuda != RUNG_ASSIGNED_NOT || hip != RUNG_ASSIGNED_NOT;
}

static bool has_library(const rung_install *install, const char *folder, const char *name)
{
    return rung_path_there(install->world, RUNG_PARTS(folder, "/lib/", name));
}

static void from_libraries(const rung_install *install, const char *folder, rung_framework *out)
{
    if (has_library(install, folder, "libtorch_cuda.so") || has_library(install, folder, "libc10_cuda.so"))
        out->built |= RUNG_BUILT_CUDA;
    if (has_library(install, folder, "libtorch_hip.so") || has_library(install, folder, "libc10_hip.so"))
        out->built |= RUNG_BUILT_ROCM;
    if (has_library(install, folder, "libtorch_xpu.so"))
        out->built |= RUNG_BUILT_XPU;
}

/* "+cu130", "+rocm6.4", "+xpu", "+cpu". */
static void from_label(rung_framework *out)
{
    const char *label = strchr(out->version, '+');
    if (label == NULL)
        return;
    if (strncmp(label, "+cu", 3) == 0 && rung_build_cuda(label, "+cu", out->cuda))
        out->built |= RUNG_BUILT_CUDA;
    if (strncmp(label, "+rocm", 5) == 0) {
        out->built |= RUNG_BUILT_ROCM;
        rung_build_short(label + 5, out->rocm);
    }
    if (strncmp(label, "+xpu", 4) == 0)
        out->built |= RUNG_BUILT_XPU;
}

static void from_conda(const rung_install *install, rung_framework *out)
{
    char build[128];
    if (rung_conda_build(install, "pytorch", build, sizeof build) && rung_build_cuda(build, "cuda", out->cuda))
        out->built |= RUNG_BUILT_CUDA;
}

void rung_judge_torch(const rung_install *install, rung_framework *out)
{
    static const char *const dists[] = {"torch", NULL};
    static const rung_part part = {"torch", "version.py", dists, own_version};
    char folder[RUNG_PLACE_MAX], text[RUNG_MODULE_MAX] = "";
    (void)rung_part_judge(install, &part, out, folder);
    if (out->state != RUNG_FRAMEWORK_INSTALLED)
        return;
    out->built = RUNG_BUILT_CPU;
    if (folder[0] == '\0')
        return;
    (void)rung_module_read(install->world, folder, "version.py", text);
    if (!from_module(text, out)) {
        from_libraries(install, folder, out);
        from_label(out);
        if (out->built == RUNG_BUILT_CPU)
            from_conda(install, out);
    }
    /* builds for macOS have Metal from 1.12 on (its release notes) */
    if (has_library(install, folder, "libtorch_cpu.dylib") && rung_framework_within(out, "1.12", NULL))
        out->built |= RUNG_BUILT_METAL;
}
