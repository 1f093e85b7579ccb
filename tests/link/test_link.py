# SPDX-License-Identifier: Apache-2.0
"""Links examples/static in every way that people link, and looks into what came out with nm, readelf and objdump.

Every build is one of its own in a temporary folder, without OpenBLAS: a static link of that is its own affair. One has
images for all CUDA targets, with nothing in them: that is nothing to a link (tests/images).
"""
import os
import platform
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from typing import Dict, List

import pytest

ROOT = Path(__file__).resolve().parents[2]
for folder in (ROOT, ROOT / "tests/images", ROOT / "tests/instructions"):
    sys.path.insert(0, str(folder))

import check  # noqa: E402
import tools  # noqa: E402

X86 = platform.machine() == "x86_64"
WANTED = "26 30 38 44"


def run(*command: object, **more: object) -> str:
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **more)  # type: ignore
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout[-4000:]}"
    return done.stdout


def build(folder: Path, *options: str, cc: str = "") -> Path:
    environment = dict(os.environ)
    if cc:
        environment["CC"] = cc
    run("cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DRUNG_CODEGEN=check", "-DRUNG_OPENBLAS=OFF",
        "-DRUNG_BUILD_TOOL=OFF", "-DRUNG_BUILD_TESTS=OFF", *options, env=environment)
    run("cmake", "--build", folder, "--target", "static_example", "axpy_example", env=environment)
    return folder


# Knows every target, and makes what lies beside it.
NVCC = """\
#!/bin/sh
while [ $# -gt 1 ]; do
    case $1 in
    -MF) rules=$2 ;;
    -MT) made=$2 ;;
    -o) cp "${0%/*}/image" "$2" ;;
    esac
    shift
done
[ -z "$rules" ] || echo "$made: $1" >"$rules"
[ "$1" != --version ] || echo release 13.0
"""


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    nvcc = tmp_path_factory.mktemp("bin") / "nvcc"
    nvcc.write_text(NVCC)
    nvcc.chmod(0o755)
    (nvcc.parent / "image").write_bytes(struct.pack("<IHHQ", 0xBA55ED50, 1, 16, 0))  # a container without entries
    return build(tmp_path_factory.mktemp("plain"), f"-DRUNG_NVCC={nvcc}", "-DRUNG_CUDA=ON")


def archives(folder: Path) -> List[Path]:
    found = [folder / "src/librung.a", folder / "librk.a"]
    assert all(f.exists() for f in found), sorted(folder.rglob("*.a"))
    return found


def check_program(program: Path) -> None:
    assert WANTED in run(program)
    symbols = run("nm", program)
    assert not re.search(r"(?i)nv_?fatbin|cudaRegister", run("readelf", "-SsW", program)), "something registers itself"
    assert " rk_gemm_tn" in symbols
    for op in ("rbf_factors", "residual_energy", "factor_gradient", "ridge_solve", "gemm_nt"):
        assert f" rk_{op}" not in symbols, f"{op} is not called and was linked in"


LINKS: Dict[str, List[str]] = {
    "dynamic": [],
    "static": ["-static"],
    "static-pie": ["-static-pie", "-fPIE"],
    "gc-sections": ["-static", "-Wl,--gc-sections"],
}


def link(folder: Path, program: Path, *options: str) -> None:
    compiler = os.environ.get("CC", "gcc")
    said = run(compiler, "-std=c11", "-O2", *options, f"-I{ROOT}/src/include", f"-I{ROOT}/generated/include",
               ROOT / "examples/static/main.c", *archives(folder)[::-1], "-o", program)
    # images need the driver, which is opened as a library: README.md, Linking
    said = re.sub(r".*: in function .*\n.*: warning: Using 'dlopen' in statically linked .*\n", "", said)
    assert said == "", "a link says nothing: not that a static program has a dynamic loader"


@pytest.mark.parametrize("kind", LINKS)
def test_links(kind: str, plain: Path, tmp_path: Path) -> None:
    program = tmp_path / kind
    link(plain, program, *LINKS[kind])
    check_program(program)
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", program))
    libc = r"libc\.so\.6|ld-linux.*" if kind == "dynamic" else "nothing"
    assert [name for name in needed if not re.fullmatch(libc, name)] == []


@pytest.mark.parametrize("kind", [kind for kind in LINKS if kind != "dynamic"])
def test_kernels_of_the_processor_alone_bring_no_probe_and_no_loader(kind: str, plain: Path, tmp_path: Path) -> None:
    """Those of examples/axpy, whose registry has no other device."""
    example = ROOT / "examples/axpy"
    run(os.environ.get("CC", "gcc"), "-std=c11", "-O2", *LINKS[kind], f"-I{ROOT}/src/include",
        f"-I{example}/generated/include", example / "main.c", plain / "examples/libex.a", plain / "src/librung.a",
        "-o", tmp_path / kind)
    symbols = run("nm", tmp_path / kind)  # glibc itself brings a dlopen
    probes = r"rung_probe_(amd|metal|nvidia|opencl|tpu)"
    assert not re.search(rf" ({probes}|rung_library_open|rung_world_library|rung_cuda_driver)$", symbols, re.M)


def test_gc_sections_drops_buffer_calls(plain: Path, tmp_path: Path) -> None:
    program = tmp_path / "gc"
    link(plain, program, *LINKS["gc-sections"])
    assert " rk_gemm_tn_buf" not in run("nm", program)


@pytest.mark.skipif(shutil.which("musl-gcc") is None, reason="unproven: musl-gcc is missing (Debian: musl-tools)")
def test_musl(tmp_path: Path) -> None:
    options = ("-DCMAKE_EXE_LINKER_FLAGS=-static", "-DCMAKE_C_FLAGS_RELEASE=-O0", "-DRUNG_CUDA=OFF")
    folder = build(tmp_path, *options, cc="musl-gcc")
    check_program(folder / "examples/static_example")


def test_lto(tmp_path: Path) -> None:
    """With gcc whatever CC says: clang's needs LLVM's own archiver and linker."""
    options = ("-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON", "-DCMAKE_EXE_LINKER_FLAGS=-static", "-DRUNG_CUDA=OFF")
    folder = build(tmp_path, *options, cc="gcc")
    assert WANTED in run(folder / "examples/static_example")


def test_objects(plain: Path) -> None:
    """Instructions, initialisers, resolvers and names, as tests/instructions proves them of its build: here with
    images, whatever this machine has."""
    try:
        binutils = tools.find(os.environ.get("CC", "gcc"))
    except tools.Missing as missing:
        pytest.skip(f"unproven: {missing}")
    cells = check.cells_of(ROOT / "generated/files.json")
    libraries = [check.Library(file, (prefix,), cells) for file, prefix in zip(archives(plain), ("rung_", "rk_"))]
    assert "_image__" in run("nm", "-g", "--defined-only", libraries[1].file)
    assert check.check(libraries, binutils).faults == []


def test_tables_do_not_refer_to_kernels(plain: Path) -> None:
    """What makes a static link take only the ops that a program calls: one pointer per table, none per kernel, and weak
    ones to images."""
    table = [o for o in plain.rglob("*.o") if o.name in ("registry.c.o", "hashes.c.o") and "rung_rk.dir" in str(o)]
    assert len(table) == 2
    for file in table:
        undefined, weak = run("nm", "-u", file), r" *[wv] rk_image__\w+\n"
        assert not re.search(r"\b(rk_\w+__\w+|rk_gemm_tn)\b", re.sub(weak, "", undefined))
        relocations = re.findall(r"R_\w+", run("readelf", "-rW", file))
        assert len(relocations) - len(re.findall(weak, undefined)) < 64, "a relocation per table, not per cell"


def test_relocations(plain: Path) -> None:
    """In data, where a loader may have to apply them: one for each table and each image, none for a kernel of the host,
    and two for each kernel that is launched, in the object of its op (rung/launch.h)."""
    files = [o for o in plain.rglob("*.o") if "rung_rk.dir" in str(o)]
    images = set(re.findall(r" rk_image__\w+", run("nm", "-u", *(o for o in files if o.name == "registry.c.o"))))
    constants = re.findall(r" [DRdr] rk_(\w+__cuda_\w+)__cell\n", run("nm", *files))
    assert images and constants
    found = {}
    for section, count in re.findall(r"^Relocation section '\.rela?\.(\S+)' .* contains (\d+) entr",
                                     run("readelf", "-rW", *files), re.M):
        if section.startswith("data") or section.endswith("__cell"):
            found[section.split(".")[-1]] = int(count)
    assert found.pop("rk_registry") < 64, "one for each table, device and driver"
    assert found.pop("images", 0) == len(images)
    assert found == {f"rk_{constant}__cell": 2 for constant in constants}


EMULATED = {"Nehalem": "generic", "Haswell": "x86-64-v3", "max": "x86-64-v3"}


@pytest.mark.skipif(not X86 or shutil.which("qemu-x86_64") is None,
                    reason="unproven: qemu-x86_64 is missing (Debian: qemu-user)")
@pytest.mark.parametrize("cpu", EMULATED)
def test_selected_arch_on_emulated_cpus(cpu: str, plain: Path) -> None:
    said = run("qemu-x86_64", "-cpu", cpu, plain / "examples/static_example")
    assert f"gemm_tn/cpu/{EMULATED[cpu]}: {WANTED}" in said
