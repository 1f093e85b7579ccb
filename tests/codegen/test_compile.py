# SPDX-License-Identifier: Apache-2.0
"""The generated C compiles without a warning, is formatted, needs no relocation for a kernel, and checks arguments."""

import shutil
import subprocess

import pytest
from support import BASE, ROOT, codegen, outputs, registries_of_the_tree, write
from test_diff import FULL
from test_resolution import EXAMPLES
from test_text import TINY

FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Wmissing-prototypes", "-Wconversion", "-Werror", "-pedantic"]
INCLUDE = ["-I", str(ROOT / "src" / "include"), "-I", "include"]

ODD = """\
rung: 1
namespace: odd
devices:
  cuda: {model: cuda, archs: [sm120, sm103, sm100, sm90a, sm90, sm89, sm86, sm80, generic]}
  rocm: {model: amdgcn, archs: ['gfx942:xnack+', 'gfx942:xnack-', gfx9-4-generic]}
  cpu: {model: x86, archs: [generic]}
variants:
  no-fma: {}
ops:
  nothing:
    summary: "No arguments; ends a comment */ and opens one /*, and has a trigraph ??/ and a \\\\ too: é."
    source: none
    args: []
    tolerance: {abs: 0}
    kernels: [{on: cpu/generic}, {on: cpu/generic, variant: no-fma}]
  locals:
    summary: Names that generated code would like to have.
    source: none
    args:
      - check: {type: "double *", shape: [bytes], access: write}
      - check_data: {type: "const uint8_t *", shape: [3, bytes]}
      - bytes: {type: size_t, range: [0, 4294967296]}
      - plain: {type: int64_t, range: [-9223372036854775808, 0]}
      - status: {type: uint8_t, range: [1, 255]}
      - data: {type: double, range: [-.inf, .inf]}
      - low: {type: double, range: [-.inf, 1.0e+300]}
      - big: {type: uint64_t, range: [5000000000, 18446744073709551615]}
    tolerance: {abs: 0}
    kernels: [{on: cpu/generic, workspace: 5000000000}, {on: 'rocm/gfx942:xnack+'}, {on: 'rocm/gfx942:xnack-'}]
  unbuilt:
    summary: Nothing that every build has.
    source: none
    terminal: none
    args:
      - x: {type: "double *", shape: [n], access: write}
      - n: {type: size_t}
      - loose: {type: float}
    tolerance: {abs: 0}
    kernels: [{on: cuda/sm90}, {on: rocm/gfx9-4-generic, status: planned}]
  everywhere:
    summary: On so many archs that conditions take several lines.
    source: none
    args:
      - a_rather_long_name_of_an_array: {type: "double *", shape: [n, n, n, 4, n], access: write, optional: true}
      - n: {type: size_t}
    tolerance: {abs: 0}
    kernels:
      - on: [cuda/sm120, cuda/sm103, cuda/sm100, cuda/sm90a, cuda/sm90, cuda/sm89, cuda/sm86, cuda/sm80, cuda/generic]
      - {on: cpu/generic}
  planned:
    summary: Nothing yet.
    source: none
    terminal: none
    args:
      - loose: {type: float}
    tolerance: {abs: 0}
    kernels: [{on: cuda/generic, status: planned}]
"""

REGISTRIES = {"base": BASE, "examples": EXAMPLES, "full": FULL, "tiny": TINY, "odd": ODD}


def _compilers() -> list[str]:
    return [name for name in ("gcc", "clang") if shutil.which(name)]


def _written(folder, text: str) -> list[str]:
    for name, content in outputs(text).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return sorted(name for name in outputs(text) if name.endswith(".c"))


@pytest.mark.parametrize("name", REGISTRIES)
@pytest.mark.parametrize("compiler", _compilers())
@pytest.mark.parametrize("built", ["bare", "all"])
def test_no_warning(tmp_path, name: str, compiler: str, built: str) -> None:
    sources = _written(tmp_path, REGISTRIES[name])
    upper = {"base": "EX", "examples": "EX", "full": "EX", "tiny": "TY", "odd": "ODD"}[name]
    defines = [f"-D{upper}_WITH_{device}" for device in ("CUDA", "ROCM")]
    defines += [f"-D{upper}_CUDA_{what}" for what in ("TOOLKIT_MAJOR=13", "TOOLKIT_MINOR=0", "TARGETS=80,90")]
    defines += ["-DRUNG_WITH_BLAS", "-DRUNG_WITH_OPENBLAS", "-DRUNG_WITH_MKL"]
    chosen = defines if built == "all" else [f"-D{upper}_WITHOUT_CPU_X86_64_V3"]
    command = [compiler, *FLAGS, *INCLUDE, *chosen, "-fsyntax-only", *sources]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.skipif(not shutil.which("g++"), reason="unproven: g++ is missing (Debian: g++)")
@pytest.mark.parametrize("name, header", [("base", "ex/ex.h"), ("base", "ex/proof.h"), ("odd", "odd/odd.h")])
def test_headers_are_cxx_too(tmp_path, name: str, header: str) -> None:
    _written(tmp_path, REGISTRIES[name])
    (tmp_path / "all.cc").write_text(f'#include "{header}"\n')
    command = ["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-pedantic", *INCLUDE, "-fsyntax-only", "all.cc"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=60)


@pytest.mark.skipif(not shutil.which("clang-format"), reason="unproven: clang-format is missing (Debian: clang-format)")
@pytest.mark.parametrize("name", REGISTRIES)
def test_it_is_formatted(tmp_path, name: str) -> None:
    _written(tmp_path, REGISTRIES[name])
    (tmp_path / ".clang-format").write_bytes((ROOT / ".clang-format").read_bytes())
    files = [str(path) for path in tmp_path.rglob("*.[ch]")]
    command = ["clang-format", "--dry-run", "-Werror", *files]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.skipif(not shutil.which("readelf"), reason="unproven: readelf is missing (Debian: binutils)")
def test_the_tables_need_relocations_for_the_registry_alone(tmp_path) -> None:
    _written(tmp_path, BASE)
    command = ["gcc", *FLAGS, *INCLUDE, "-O2", "-fPIC", "-c", "registry.c", "-o", "registry.o"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=60)
    shown = subprocess.run(["readelf", "-Wr", "registry.o"], cwd=tmp_path, capture_output=True, text=True, check=True)
    pointers = [line for line in shown.stdout.split("\n") if "R_" in line]
    assert 0 < len(pointers) < 34
    undefined = subprocess.run(["nm", "-u", "registry.o"], cwd=tmp_path, capture_output=True, text=True, check=True)
    names = {line.split()[-1] for line in undefined.stdout.splitlines()}
    assert names and all(name.endswith(("_displace", "_values")) for name in names)


_CALLER = r"""
#include <math.h>
#include <stdio.h>
#include "ex/ex.h"
#include "ex/kernels/axpy.h"
#include "ex/kernels/fill.h"
#include "rung/dispatch.h"
rung_status ex_axpy__cpu_generic(const rung_ctx *cx, float *y, const float *x, size_t n, float a)
{
    (void)cx, (void)y, (void)x, (void)n, (void)a;
    return RUNG_OK;
}
rung_status ex_fill__cpu_generic(const rung_ctx *cx, double *x, size_t n)
{
    (void)cx, (void)x, (void)n;
    return RUNG_OK;
}
rung_status rung_no_kernel(const rung_ctx *cx, const rung_registry *registry)
{
    (void)registry;
    return cx == NULL ? RUNG_ERR_ARGUMENT : RUNG_ERR_NO_KERNEL;
}
static rung_status used;
static char room[4096];
rung_status rung_buffer_call(const rung_ctx *cx, const rung_registry *registry, uint32_t op, rung_buffer_use *uses,
                             size_t count, rung_ctx *plain)
{
    (void)registry, (void)op;
    *plain = *cx;
    for (size_t i = 0; i < count; i++) {
        printf("use %zu %d\n", uses[i].bytes, uses[i].access);
        uses[i].data = uses[i].buffer == NULL ? NULL : room;
    }
    return used;
}
rung_status rung_buffer_done(const rung_ctx *plain, const rung_buffer_use *uses, size_t count, rung_status status)
{
    printf("done %zu %d\n", count, plain != NULL && uses != NULL);
    return status;
}
int main(void)
{
    static _Alignas(64) char scratch[128];
    /* choice[memory * plane + op * variants + variant], variants: default, blas */
    static _Atomic uint8_t choice[] = {1, 255, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    rung_platform_head head = {&ex_registry, choice, EX_OP_COUNT * EX_VARIANT_COUNT, EX_VARIANT_COUNT};
    rung_ctx cx = {.platform = (rung_platform *)(void *)&head};
    float y[4] = {0}, x[4] = {0};
    double z[8];
    printf("ok %d\n", ex_axpy(&cx, y, x, 4, 1.0f));
    printf("empty %d\n", ex_axpy(&cx, NULL, NULL, 0, 1.0f));
    printf("null %d %d\n", ex_axpy(&cx, NULL, x, 4, 1.0f), ex_axpy(&cx, y, NULL, 4, 1.0f));
    printf("range %d %d %d\n", ex_axpy(&cx, y, x, 4, -1.0f), ex_axpy(&cx, y, x, 4, -1.5f), ex_axpy(&cx, y, x, 4, NAN));
    printf("open %d\n", ex_axpy(&cx, y, x, 4, INFINITY));
    printf("overflow %d %d\n", ex_axpy(&cx, y, x, SIZE_MAX / 4 + 2, 1.0f), ex_axpy(&cx, y, x, SIZE_MAX / 8 + 1, 1.0f));
    printf("optional %d\n", ex_fill(&cx, NULL, 4));
    cx.workspace = scratch;
    cx.workspace_size = 63;
    printf("workspace %d", ex_fill(&cx, z, 4));
    cx.workspace_size = 64;
    printf(" %d", ex_fill(&cx, z, 4));
    cx.workspace = scratch + 8;
    printf(" %d\n", ex_fill(&cx, z, 4));
    cx.variant = EX_VARIANT_BLAS;
    printf("no kernel %d\n", ex_axpy(&cx, y, x, 4, 1.0f));
    cx.variant = 77;
    printf("unknown variant %d\n", ex_axpy(&cx, y, x, 4, 1.0f));
    printf("no context %d\n", ex_axpy(NULL, y, x, 4, 1.0f));
    rung_buffer *buffer = (rung_buffer *)(void *)room;
    cx.variant = 0;
    printf("buffers %d\n", ex_axpy_buf(&cx, buffer, buffer, 4, 1.0f));
    printf("bad buffers %d\n", ex_axpy_buf(&cx, NULL, buffer, 4, 1.0f));
    printf("bad scalar %d\n", ex_axpy_buf(&cx, buffer, buffer, 4, NAN));
    used = RUNG_ERR_DEVICE;
    printf("broken %d\n", ex_axpy_buf(&cx, buffer, buffer, 4, 1.0f));
    return 0;
}
"""


def test_arguments_are_checked(tmp_path) -> None:
    sources = [name for name in _written(tmp_path, BASE) if not name.startswith("proof/")]
    # the builders of components are not there
    linked = [name for name in sources if not name.startswith(("components/", "kinds.c"))]
    (tmp_path / "caller.c").write_text(_CALLER)
    without = ["-DEX_WITHOUT_CPU_X86_64_V4", "-DEX_WITHOUT_CPU_X86_64_V3"]
    flags = [flag for flag in FLAGS if flag != "-Wconversion"]
    command = ["gcc", *flags, *INCLUDE, *without, "-fsanitize=undefined", "caller.c", *linked, "-o", "caller", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=60)
    shown = subprocess.run(["./caller"], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60).stdout
    assert shown.split("\n") == [
        "ok 0",
        "empty 0",
        "null 1 1",
        "range 0 1 1",
        "open 0",
        "overflow 1 1",
        "optional 7",
        "workspace 7 0 7",
        "no kernel 5",
        "unknown variant 0",
        "no context 1",
        "use 16 3",
        "use 16 1",
        "done 2 1",
        "buffers 0",
        "bad buffers 1",
        "bad scalar 1",
        "use 16 3",
        "use 16 1",
        "broken 9",
        "",
    ]


def test_large_tables_are_split(tmp_path) -> None:
    ops = "".join(
        f"  op_{number:03}:\n    summary: An op.\n    source: none\n    args: []\n    tolerance: {{abs: 0}}\n"
        "    kernels: [{on: cpu/generic}]\n"
        for number in range(300)
    )
    text = BASE.replace("components:\n", ops + "components:\n")
    files = outputs(text)
    assert {"tables/cells_000.inc", "tables/cells_001.inc", "tables/strings_001.inc"} <= set(files)
    assert max(content.count("\n") for name, content in files.items() if name.startswith("tables/")) < 4200
    _written(tmp_path, text)
    command = ["gcc", *FLAGS, *INCLUDE, "-fsyntax-only", "registry.c", "hashes.c"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=60)


def test_the_committed_output_is_that_of_its_registry() -> None:
    """In every folder of this tree that holds one."""
    for path in registries_of_the_tree():
        result = codegen("--registry", path, "--check")
        assert (result.returncode, result.stderr) == (0, ""), result.stdout[-500:]


def test_write_is_usable(tmp_path) -> None:
    assert codegen("--registry", write(tmp_path)).returncode == 0
