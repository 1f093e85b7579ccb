# SPDX-License-Identifier: Apache-2.0
"""Kernels that are launched: their images, entries and launchers in every output, and what is wrong with them."""

import json

import pytest
from support import BASE, check, outputs, write

PLANNED = "      - {on: cuda/sm80, status: planned}\n"
LAUNCHED = BASE.replace(PLANNED, """\
      - {on: [cuda/sm80, cuda/sm90], source: kernels/both.cu}
      - {on: cuda/sm80, variant: blas, source: kernels/cuda/blas.c}
      - {on: cuda/ptx, source: kernels/both.cu, launcher: kernels/two.c, entries: [part, finish], workspace: 256}
""").replace("      - {on: cpu/generic, workspace: 64}\n", """\
      - {on: cpu/generic, workspace: 64}
      - {on: cuda/sm90, source: kernels/both.cu}
""")


def test_one_image_for_a_source_on_an_arch() -> None:
    made = json.loads(outputs(LAUNCHED)["files.json"])
    assert made["images"] == [
        {"image": "ex_image__cuda_ptx__kernels_both", "source": "kernels/both.cu", "device": "cuda", "arch": "ptx",
         "tag": "cuda_ptx", "target": "compute_75",
         "entries": ["ex_axpy__cuda_ptx__finish", "ex_axpy__cuda_ptx__part"]},
        {"image": "ex_image__cuda_sm80__kernels_both", "source": "kernels/both.cu", "device": "cuda", "arch": "sm80",
         "tag": "cuda_sm80", "target": "", "entries": ["ex_axpy__cuda_sm80"]},
        {"image": "ex_image__cuda_sm90__kernels_both", "source": "kernels/both.cu", "device": "cuda", "arch": "sm90",
         "tag": "cuda_sm90", "target": "", "entries": ["ex_axpy__cuda_sm90", "ex_fill__cuda_sm90"]},
    ]
    launchers = {one["symbol"]: (one["source"], one["image"]) for one in made["kernels"] if one["device"] == "cuda"}
    assert launchers == {
        "ex_axpy__cuda_ptx": ("kernels/two.c", "ex_image__cuda_ptx__kernels_both"),
        "ex_axpy__cuda_sm80": ("kernels/cuda/sm80/axpy.c", "ex_image__cuda_sm80__kernels_both"),
        "ex_axpy__cuda_sm90": ("kernels/cuda/sm80/axpy.c", "ex_image__cuda_sm90__kernels_both"),
        "ex_axpy__cuda_sm80__blas": ("kernels/cuda/blas.c", ""),
        "ex_fill__cuda_sm90": ("kernels/cuda/sm90/fill.c", "ex_image__cuda_sm90__kernels_both"),
    }


def test_the_build_is_told() -> None:
    made = outputs(LAUNCHED)
    assert (
        "rung_registry_image(IMAGE ex_image__cuda_ptx__kernels_both SOURCE kernels/both.cu DEVICE cuda ARCH ptx"
        " TAG cuda_ptx TARGET compute_75 ENTRIES ex_axpy__cuda_ptx__finish ex_axpy__cuda_ptx__part)\n"
    ) in made["files.cmake"]
    assert (
        "rung_registry_kernel(SYMBOL ex_axpy__cuda_sm90 SOURCE kernels/cuda/sm80/axpy.c DEVICE cuda ARCH sm90"
        " FAMILY any TAG cuda_sm90 IMAGE ex_image__cuda_sm90__kernels_both)\n"
    ) in made["files.cmake"]
    assert "ex_image__cuda_sm80__kernels_both.ENTRIES := ex_axpy__cuda_sm80\n" in made["files.mk"]
    assert "#if defined(EX_WITH_CUDA) && !defined(EX_WITHOUT_CUDA_SM80)\n" in made["include/ex/build.h"]


def test_tables() -> None:
    made = outputs(LAUNCHED)
    assert """\
static const uint32_t entries[] = {
#include "tables/entries_000.inc"
};
""" in made["registry.c"]
    assert made["tables/entries_000.inc"].endswith("""\
[EX_ENTRY_AXPY__CUDA_PTX__PART] = AT(entry_axpy__cuda_ptx__part),
[EX_ENTRY_AXPY__CUDA_PTX__FINISH] = AT(entry_axpy__cuda_ptx__finish),
[EX_ENTRY_AXPY__CUDA_SM80] = AT(symbol_axpy__cuda_sm80),
[EX_ENTRY_AXPY__CUDA_SM90] = AT(symbol_axpy__cuda_sm90),
[EX_ENTRY_FILL__CUDA_SM90] = AT(symbol_fill__cuda_sm90),
""")
    cells = {line.split("]")[0][1:]: line for line in made["tables/cells_000.inc"].splitlines() if line[:1] == "["}
    fields = ".first_entry = EX_ENTRY_AXPY__CUDA_PTX__PART, .entries = 2, .image = EX_IMAGE__CUDA_PTX__KERNELS_BOTH"
    assert fields in cells["EX_CELL_AXPY__CUDA_PTX"]
    assert "RUNG_CELL_FIRST_USE" in cells["EX_CELL_AXPY__CUDA_SM80__BLAS"]
    assert "entries" not in cells["EX_CELL_AXPY__CUDA_SM80__BLAS"]
    assert "extern const rung_image ex_image__cuda_sm80__kernels_both __attribute__((weak));\n" in made["registry.c"]
    assert "        [EX_DEVICE_CUDA] = &rung_cuda_driver,\n" in made["registry.c"]


def test_a_cell_without_an_image_is_built_with_whatever_there_is_for_its_device() -> None:
    made = outputs(LAUNCHED)
    cells = made["tables/cells_000.inc"]
    assert ".flags = RUNG_CELL_FIRST_USE | (EX_HAS_DEVICE_CUDA && EX_HAS_BLAS ? RUNG_CELL_BUILT : 0u)" in cells
    assert "#if EX_HAS_DEVICE_CUDA && EX_HAS_BLAS\n    case EX_AXPY__CUDA_SM80__BLAS:" in made["dispatch/axpy.c"]
    assert "#if defined(EX_WITH_CUDA)\n#define EX_HAS_DEVICE_CUDA 1\n" in made["include/ex/build.h"]
    without = LAUNCHED.replace("      - {on: cuda/sm80, variant: blas, source: kernels/cuda/blas.c}\n", "")
    without = without.replace("{on: cuda, status: planned}", "{on: cpu}")
    assert "DEVICE_CUDA" not in outputs(without)["include/ex/build.h"]
    named = "  device_cuda: {kind: build, summary: A BLAS library}"
    text = LAUNCHED.replace(", {on: cuda, status: planned}]", "]")
    text = text.replace("  blas: {kind: build, summary: A BLAS library}", named).replace("[blas]", "[device_cuda]")
    said = "requirement 'device_cuda' needs the C name EX_HAS_DEVICE_CUDA, which every registry has"
    assert said in check(text)[1]


LAUNCH = """\
#if EX_HAS_CUDA_SM90
/* The kernels on devices with drivers. */
static rung_status launch(const rung_ctx *cx, unsigned cell, const size_t bytes[1], double *x, size_t n)
{
    if ((uintptr_t)x % sizeof(double) != 0)
        return RUNG_ERR_ARGUMENT;
    const void *const arrays[] = {x};
    rung_device_call call;
    rung_status status = rung_device_begin(cx, &ex_registry, EX_OP_FILL, cell, arrays, bytes, 1, &call);
    if (status != RUNG_OK)
        return status;
    switch (cell) {
#if EX_HAS_CUDA_SM90
    case EX_FILL__CUDA_SM90: /* cuda/sm90 */
        status = ex_fill__cuda_sm90(&call.cx, x, n);
        break;
#endif
    default:
        status = rung_no_kernel(cx, &ex_registry);
    }
    return rung_device_end(&call, status);
}
#endif
"""

CALL = """\
    switch (cell) {
    case EX_FILL__CPU_GENERIC: /* cpu/generic */
        if (!rung_has_workspace(cx, 64))
            return RUNG_ERR_WORKSPACE;
        return ex_fill__cpu_generic(cx, x, n);
#if EX_HAS_CUDA_SM90
    case EX_FILL__CUDA_SM90: /* cuda/sm90 */
#endif
#if EX_HAS_CUDA_SM90
        return launch(cx, cell, bytes, x, n);
#endif
    default:
        return rung_no_kernel(cx, &ex_registry);
    }
"""

CONSTANT = """\
#if EX_HAS_CUDA_SM90
const rung_launched ex_fill__cuda_sm90__cell = {
    &ex_registry,
    &ex_image__cuda_sm90__kernels_both,
    EX_OP_FILL,
    EX_FILL__CUDA_SM90,
};
#endif
"""


def test_dispatch() -> None:
    made = outputs(LAUNCHED)
    for text in (LAUNCH, CALL, CONSTANT):
        assert text in made["dispatch/fill.c"]
    launched = """\
    case EX_AXPY__CUDA_PTX: /* cuda/ptx */
        status = ex_axpy__cuda_ptx(&call.cx, y, x, n, a);
        break;
"""
    assert launched in made["dispatch/axpy.c"]
    # rung_device_begin looks at the workspace of a kernel on a device
    assert "rung_has_workspace(cx, 256)" not in made["dispatch/axpy.c"]
    described = made["include/ex/axpy.h"].replace("\n * ", " ")
    meant = "cx.workspace (of the _buf call: cx.workspace_buffer) is less than rung_workspace says."
    assert f"RUNG_ERR_WORKSPACE: {meant}" in described
    header = made["include/ex/kernels/fill.h"]
    assert "/* cuda/sm90: kernels/both.cu, launched by kernels/cuda/sm90/fill.c */" in header
    assert "extern const rung_launched ex_fill__cuda_sm90__cell;" in header


def test_without_launched_kernels_nothing_is_said_of_images() -> None:
    made = outputs(BASE)
    assert "image" not in made["dispatch/axpy.c"] + made["tables/cells_000.inc"] + made["files.cmake"]
    assert "rung_cuda_driver" not in made["registry.c"]


BOTH = "{on: [cuda/sm80, cuda/sm90], source: kernels/both.cu}"
TWO = "launcher: kernels/two.c, entries: [part, finish]"
BAD = [
    (TWO, "launcher: kernels/two.cc", "launcher of kernel of op axpy on cuda/ptx: 'kernels/two.cc' is no C file"),
    (TWO, "launcher: /two.c",
     "launcher of a kernel of op axpy: '/two.c' is no path of letters, digits and ._+- below the registry's folder"),
    (TWO, "entries: [part, part]", "duplicate entry 'part'"),
    (TWO, "entries: [Part]", "entry 'Part': not a C name of small letters, digits and single _ between them"),
    (TWO, "entries: []", "entries of a kernel of op axpy: the list is empty"),
    ("kernels/cuda/blas.c}", "kernels/cuda/blas.cpp}",
     "source of kernel of op axpy on cuda/sm80, variant blas: 'kernels/cuda/blas.cpp' is no .cu or .c file"),
    ("- {on: cpu/generic, workspace: 64}", "- {on: cpu/generic, workspace: 64, source: fill.cu}",
     "source of kernel of op fill on cpu/generic: 'fill.cu' is no .c file"),
    ("{on: cuda/sm90, source: kernels/both.cu}", f"{{on: cuda/sm90, source: {'k' * 200}.cu}}",
     "has more than 200 characters"),
    (TWO, f"entries: [{'e' * 65}]", "a name of more than 64 characters"),
    ("kernels/cuda/blas.c}", "kernels/cuda/blas.c, launcher: x.c}",
     "launcher: the kernel of op axpy on cuda/sm80, variant blas is not launched: that are kernels of cuda in .cu"
     " files"),
    ("{on: cpu/generic, workspace: 64}", "{on: cpu/generic, entries: [x]}",
     "entries: the kernel of op fill on cpu/generic is not launched: that are kernels of cuda in .cu files"),
    ("kernels/both.cu, launcher", "kernels/both.cu, lancher",
     "unknown key 'lancher' in a kernel of op axpy; did you mean 'launcher'?"),
    ("archs: [sm90a,", "archs: [{sm90a: {flags: [--use_fast_math]}},",
     "arch sm90a: kernels of cuda are compiled by nvcc, which takes no flags from here"),
    (BOTH, "{on: cuda/sm80, source: kernels/both.cu, entries: [blas]}",
     "the kernel of op axpy on cuda/sm80, variant blas and the entry blas of the kernel of op axpy on cuda/sm80 need"
     " the same C name ex_axpy__cuda_sm80__blas"),
    ("- {on: cuda/sm90, source: kernels/both.cu}",
     "- {on: cuda/sm90, source: kernels/both.cu}\n      - {on: cuda/sm90a, source: kernels/a.b.cu}\n"
     "      - {on: cuda/sm90a, variant: blas, source: kernels/a-b.cu}",
     "need the same C name ex_image__cuda_sm90a__kernels_a_b"),
]


@pytest.mark.parametrize("old, new, error", BAD)
def test_faults(old: str, new: str, error: str) -> None:
    assert LAUNCHED.count(old) == 1
    registry, said = check(LAUNCHED.replace(old, new))
    assert registry is None
    assert error in said, said


def test_a_launcher_that_is_not_there(tmp_path) -> None:
    path = write(tmp_path, LAUNCHED)
    for name in ("both.cu", "cuda/blas.c", "cuda/sm80/axpy.c", "cuda/sm90/fill.c"):
        (tmp_path / "kernels" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "kernels" / name).touch()
    (tmp_path / "kernels/two.c").unlink(missing_ok=True)
    registry, said = check(path.read_text(encoding="utf-8"), tmp_path)
    assert registry is None
    assert "kernels/two.c: no such file: it launches the kernel of op axpy on cuda/ptx" in said


def test_only_a_build_that_has_what_requires_a_library_opens_libraries() -> None:
    text = LAUNCHED.replace("  blas: {kind: build, summary: A BLAS library}",
                            "  blas: {kind: library, summary: A BLAS library, library: libblas.so.3}")
    assert "\n    .open_library = rung_library_open,\n    .n_devices" in outputs(text)["registry.c"]
    text = text.replace("      - {on: cpu/generic, variant: blas}\n", "")
    assert """
#if EX_HAS_DEVICE_CUDA
    .open_library = rung_library_open,
#else
    .open_library = NULL,
#endif
""" in outputs(text)["registry.c"]
    assert "\n    .open_library = NULL,\n    .n_devices" in outputs(LAUNCHED)["registry.c"]
