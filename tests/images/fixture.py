# SPDX-License-Identifier: Apache-2.0
"""A small registry with CUDA images, which the tests build alone: the run-time library they have."""
from pathlib import Path

from toolkit import ROOT

REGISTRY = """\
rung: 1
namespace: im
auto: [cuda, cpu]
devices:
  cuda:
    model: cuda
    fallback: [cpu]
    archs: [sm90a, sm80, {ptx: {target: compute_75}}, generic]
  cpu:
    model: [x86, aarch64]
    archs: [generic]
variants:
  default: {}
ops:
  scale:
    summary: y = a x
    args:
      - y: {type: "float *", shape: [n], access: write}
      - x: {type: "const float *", shape: [n]}
      - n: {type: size_t}
      - a: {type: float}
    tolerance: {rel: 0.0}
    kernels:
      - {on: cpu/generic, source: kernels/cpu.c}
      - {on: [cuda/sm90a, cuda/sm80, cuda/ptx, cuda/generic], source: kernels/scale.cu, launcher: kernels/launch.c}
  step:
    summary: y = a x in two steps
    args:
      - y: {type: "float *", shape: [n], access: write}
      - x: {type: "const float *", shape: [n]}
      - n: {type: size_t}
      - a: {type: float}
    tolerance: {rel: 0.0}
    kernels:
      - {on: cpu/generic, source: kernels/cpu_step.c}
      - {on: cuda/sm80, source: kernels/steps.cu, launcher: kernels/launch_step.c, entries: [first, second]}
  stride:
    summary: y = a x
    args:
      - y: {type: "float *", shape: [n], access: write}
      - x: {type: "const float *", shape: [n]}
      - n: {type: size_t}
      - a: {type: float}
    tolerance: {rel: 0.0}
    kernels:
      - {on: cpu/generic, source: kernels/cpu_stride.c}
      - {on: cuda/sm80, source: kernels/steps.cu, launcher: kernels/launch_stride.c}
      - {on: cuda/sm90a, source: kernels/called.c}
"""

PARAMETERS = "float *y, const float *x, size_t n, float a"

SCALE_CU = f"""\
#include "rung/kernel.h"
#include "kernels/scale.cuh"
// not inlined: its name in the image holds what nvcc takes for this file's
static __device__ __noinline__ float scaled(float x, float a) {{ return a * x * ONE; }}
RUNG_ENTRY void RUNG_KERNEL(im_scale)({PARAMETERS})
{{
    if (threadIdx.x < n)
        y[threadIdx.x] = scaled(x[threadIdx.x], a);
}}
"""

STEPS_CU = "#include \"rung/kernel.h\"\n" + "".join(f"""\
RUNG_ENTRY void {name}({PARAMETERS})
{{
    if (threadIdx.x < n)
        y[threadIdx.x] = a * x[threadIdx.x];
}}
""" for name in ("RUNG_KERNEL_OF(im_step, first)", "RUNG_KERNEL_OF(im_step, second)", "RUNG_KERNEL(im_stride)"))


def cpu_c(op: str) -> str:
    return f"""\
#include "im/kernels/{op}.h"

rung_status RUNG_KERNEL(im_{op})(const rung_ctx *cx, {PARAMETERS})
{{
    (void)cx;
    for (size_t i = 0; i < n; i++)
        y[i] = a * x[i];
    return RUNG_OK;
}}
"""


def launch_c(op: str) -> str:
    return f"""\
#include "im/kernels/{op}.h"
#include "rung/launch.h"

rung_status RUNG_KERNEL(im_{op})(const rung_ctx *cx, {PARAMETERS})
{{
    const rung_grid grid = {{.blocks = {{rung_blocks(n, 256)}}, .threads = {{256}}}};
    return rung_launch(cx, &RUNG_CELL(im_{op}), 0, &grid, (void *[]){{&y, &x, &n, &a}});
}}
"""


CMAKE = f"""\
cmake_minimum_required(VERSION 3.21)
project(images C)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(RUNG_WERROR ON)
set(RUNG_CODEGEN auto)
include("{ROOT}/cmake/RungCompile.cmake")
include("{ROOT}/cmake/RungRegistry.cmake")
add_library(rung INTERFACE)
target_include_directories(rung INTERFACE "{ROOT}/src/include")
rung_add_registry(im REGISTRY registry.yaml GENERATED generated)
"""

# What a program that calls one op prints where there is no device: the answer of the processor.
PROGRAM = """\
#include <stdio.h>

#include "im/im.h"

int main(void)
{
    rung_platform *platform;
    if (rung_platform_open(&im_registry, NULL, 0, &platform, NULL) != RUNG_OK)
        return 1;
    float x[3] = {1, 2, 3}, y[3] = {0, 0, 0};
    rung_ctx cx = rung_ctx_of(platform);
    rung_status status = im_scale(&cx, y, x, 3, 2.0F);
    printf("%g %g %g\\n", y[0], y[1], y[2]);
    rung_platform_close(platform);
    return status;
}
"""


def write(folder: Path) -> Path:
    files = {
        "registry.yaml": REGISTRY,
        "CMakeLists.txt": CMAKE,
        "program.c": PROGRAM,
        "kernels/scale.cu": SCALE_CU,
        "kernels/scale.cuh": "#define ONE 1.0f\n",
        "kernels/steps.cu": STEPS_CU,
        "kernels/cpu.c": cpu_c("scale"),
        "kernels/cpu_step.c": cpu_c("step"),
        "kernels/cpu_stride.c": cpu_c("stride"),
        "kernels/called.c": cpu_c("stride"),
        "kernels/launch.c": launch_c("scale"),
        "kernels/launch_step.c": launch_c("step"),
        "kernels/launch_stride.c": launch_c("stride"),
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder
