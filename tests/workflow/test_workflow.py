# SPDX-License-Identifier: Apache-2.0
"""What a kernel author does, in a copy of the tree: one registry entry, one file, rebuild. What happens to stale
tables. And how other projects use Rung."""
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Dict, List, Optional, Set, Tuple

import pytest

ROOT = Path(__file__).resolve().parents[2]

KERNEL = """\
/* SPDX-License-Identifier: Apache-2.0 */
#include "rk/kernels/gemm_nt.h"

rung_status rk_gemm_nt__accel_generic(const rung_ctx *cx, double *c, const double *a, const double *b, size_t m,
                                      size_t n, size_t k, double alpha, double beta)
{
    (void)cx;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0.0;
            for (size_t l = 0; l < k; l++)
                sum += a[i * k + l] * b[j * k + l];
            c[i * n + j] = alpha * sum + (beta != 0.0 ? beta * c[i * n + j] : 0.0);
        }
    return RUNG_OK;
}
"""
QUICKLY = "-DCMAKE_C_FLAGS_RELEASE=-O0"  # half the time of a build, which is all that these tests take
ENTRY = "      - {on: accel/generic}\n"
FILE = "kernels/accel/generic/gemm_nt.c"


def run(*command: object, cwd: Path, ok: bool = True, status: Optional[int] = None) -> str:
    """What the command says; it ends with the status given, or well or not."""
    environment = {k: v for k, v in os.environ.items() if k != "CI"}
    done = subprocess.run([str(c) for c in command], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, env=environment)
    good = (done.returncode == 0) == ok if status is None else done.returncode == status
    assert good, f"{command} ended with {done.returncode}:\n{done.stdout[-4000:]}"
    return done.stdout


class Tree:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.build = folder / "build"

    def configure(self, *options: str, ok: bool = True) -> str:
        return run("cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DRUNG_BUILD_TESTS=OFF",
                   "-DRUNG_BUILD_EXAMPLES=OFF", "-DRUNG_CODEGEN=auto", "-DRUNG_CUDA=OFF", QUICKLY, *options,
                   cwd=self.folder, ok=ok)

    def make(self, ok: bool = True) -> str:
        return run("cmake", "--build", "build", cwd=self.folder, ok=ok)

    def objects(self) -> Dict[str, Tuple[int, int]]:
        found = ((o, o.stat()) for o in self.build.rglob("*.o"))
        return {str(o.relative_to(self.build)): (status.st_mtime_ns, status.st_ino) for o, status in found}

    def edit(self, path: str, old: str, new: str) -> None:
        file = self.folder / path
        text = file.read_text()
        assert old in text, f"{path} does not hold {old!r}"
        file.write_text(text.replace(old, new, 1))

    def entry(self, add: bool) -> None:
        """Adds the kernel to, or takes it from, the entries of gemm_nt."""
        text = (self.folder / "registry.yaml").read_text()
        head, tail = text.split("  gemm_nt:\n", 1)
        at = tail.index("    kernels:\n") + len("    kernels:\n")
        tail = tail[:at] + ENTRY + tail[at:] if add else tail.replace(ENTRY, "", 1)
        (self.folder / "registry.yaml").write_text(head + "  gemm_nt:\n" + tail)

    def resolve(self, op: str, platform: str) -> str:
        return self.rung("resolve", op, "--platform", platform)

    def rung(self, *args: str, status: int = 0) -> str:
        return run("build/tool/rung", *args, cwd=self.folder, status=status)


def what_is_not_committed(folder: str, names: List[str]) -> Set[str]:
    left_out = {n for n in names if n == "__pycache__" or n.endswith("_cache")}
    if Path(folder) == ROOT:
        left_out |= {n for n in names if n in (".git", "out") or n.startswith("build")}
    return left_out


def copied(folder: Path) -> Tree:
    shutil.copytree(ROOT, folder, ignore=what_is_not_committed)
    return Tree(folder)


@pytest.fixture()
def tree(tmp_path: Path) -> Tree:
    return copied(tmp_path / "tree")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """A build of everything, which takes long: once, for a test that only reads it and one that leaves it as it was."""
    tree = copied(tmp_path_factory.mktemp("built") / "tree")
    configured = tree.configure()
    assert "codegen" not in configured and "Python" not in configured, "a clean build needs no Python"
    tree.make()
    return tree


def changed(before: Dict[str, Tuple[int, int]], after: Dict[str, Tuple[int, int]]) -> Set[str]:
    return {o for o in after if before.get(o) != after[o]}


def unrelated(objects: Set[str]) -> Set[str]:
    """Objects that are neither of the op gemm_nt nor the tables."""
    related = ("/gemm_nt.c.o", "/gemm_nt.openblas.c.o", "/registry.c.o", "/hashes.c.o")
    return {o for o in objects if not o.endswith(related)}


def its_test_and_its_times_came_along(tree: Tree) -> None:
    """Of the kernel of ENTRY, for which nobody has written them."""
    only = ("gemm_nt", "--only", "accel/generic")
    proof = ("selftest", *only, "--quick", "--require", "gemm_nt accel/generic/default")
    assert re.search(r"^gemm_nt +accel/generic +default .* passed, quick$", tree.rung(*proof), re.MULTILINE)
    times = tree.rung("bench", *only, "--turns", "1", "--no-roof")
    assert re.search(r"^gemm_nt .* accel/generic ", times, re.MULTILINE), times

    (tree.folder / FILE).write_text(KERNEL.replace("= alpha * sum", "= 1.001 * alpha * sum"))
    tree.make()
    said = tree.rung(*proof, status=1)
    assert re.search(r"^gemm_nt +accel/generic +default .* failed\b", said, re.MULTILINE), said


def test_a_kernel_comes_and_goes(built: Tree) -> None:
    tree = built
    clean = tree.objects()
    assert "gemm_nt/cpu/" in tree.resolve("gemm_nt", "accel/sm90")

    tree.entry(add=True)
    said = tree.make(ok=False)
    assert "registry.yaml:" in said and "error:" in said and FILE in said, "an entry without its file is refused"

    (tree.folder / FILE).parent.mkdir(parents=True, exist_ok=True)
    (tree.folder / FILE).write_text(KERNEL)
    tree.make()
    assert f"gemm_nt/accel/generic/default@{FILE}" in tree.resolve("gemm_nt", "accel/sm90")
    assert "gemm_nt/cpu/" in tree.resolve("gemm_nt", "cpu")
    added = tree.objects()
    assert any(o.endswith(FILE + ".o") for o in changed(clean, added))
    assert unrelated(changed(clean, added)) == set()
    its_test_and_its_times_came_along(tree)

    tree.entry(add=False)
    (tree.folder / FILE).unlink()
    tree.make()
    assert "gemm_nt/cpu/" in tree.resolve("gemm_nt", "accel/sm90")
    assert unrelated(changed(added, tree.objects())) == set()
    for file in sorted((ROOT / "generated").rglob("*")):
        if file.is_file():
            assert (tree.folder / file.relative_to(ROOT)).read_bytes() == file.read_bytes(), file


def test_an_output_edited_by_hand_is_refused(tree: Tree) -> None:
    tree.configure()
    with (tree.folder / "generated/dispatch/gemm_nt.c").open("a") as file:
        file.write("/* quick fix */\n")
    for said in (tree.make(ok=False), tree.configure(ok=False), tree.configure("-DRUNG_CODEGEN=check", ok=False)):
        assert "edited by hand" in said and "dispatch/gemm_nt.c" in said
        assert "python3 -m codegen" in said, "the command that mends it"


def test_check_mode_refuses_a_changed_registry(tree: Tree) -> None:
    tree.edit("registry.yaml", "for tall A and B", "for tall A and tall B")
    before = (tree.folder / "generated/coverage.md").read_bytes()
    said = tree.configure("-DRUNG_CODEGEN=check", ok=False)
    assert "stale" in said and "registry.yaml" in said and "python3 -m codegen" in said
    assert (tree.folder / "generated/coverage.md").read_bytes() == before
    assert "codegen: " in tree.configure()
    tree.configure("-DRUNG_CODEGEN=check")


def test_a_changed_generator_is_stale(tree: Tree) -> None:
    with (tree.folder / "codegen/__main__.py").open("a") as file:
        file.write("# changed\n")
    assert "codegen/__main__.py" in tree.configure("-DRUNG_CODEGEN=check", ok=False)
    (tree.folder / "codegen/new_module.py").write_text("")
    assert "codegen/new_module.py" in tree.configure("-DRUNG_CODEGEN=check", ok=False)


def test_a_file_that_codegen_did_not_write_is_refused(tree: Tree) -> None:
    stray = tree.folder / "generated/include/rk/extra.h"
    stray.write_text("")
    for mode in ("auto", "check"):
        said = tree.configure(f"-DRUNG_CODEGEN={mode}", ok=False)
        assert "edited by hand" in said and "include/rk/extra.h" in said
    stray.rename(stray.with_name(".gitattributes"))
    tree.configure("-DRUNG_CODEGEN=check")


def test_an_output_that_is_gone_is_refused(tree: Tree) -> None:
    tree.configure("-G", "Unix Makefiles")
    assert (tree.build / "Makefile").exists()
    (tree.folder / "generated/files.mk").unlink()
    said = tree.make(ok=False)
    assert "deleted" in said and "files.mk" in said


def test_a_manifest_that_forgets_the_registry_is_stale(tree: Tree) -> None:
    manifest = tree.folder / "generated/manifest.txt"
    lines = manifest.read_text().splitlines(keepends=True)
    manifest.write_text("".join(line for line in lines if not line.endswith("  registry.yaml\n")))
    assert "stale" in tree.configure("-DRUNG_CODEGEN=check", ok=False)


def test_a_mode_that_is_none(tree: Tree) -> None:
    assert "auto or check is expected" in tree.configure("-DRUNG_CODEGEN=Check", ok=False)


# ---- registries of other projects -----------------------------------------------------------------------------------

OTHER = """\
add_executable(program "${CMAKE_CURRENT_LIST_DIR}/program.c")
rung_add_registry(ex REGISTRY "${CMAKE_SOURCE_DIR}/a registry/registry.yaml" GENERATED "${CMAKE_SOURCE_DIR}/tables")
target_link_libraries(program PRIVATE rung::ex rung::rk)
add_executable(prover "${CMAKE_SOURCE_DIR}/prover.c")
target_link_libraries(prover PRIVATE rung::ex_proof)
"""


def other_project(folder: Path, text: str) -> Path:
    """A project with the registry of examples/axpy in a folder of its own, its tables not generated yet."""
    shutil.copytree(ROOT / "examples/axpy", folder / "a registry", ignore=shutil.ignore_patterns("generated", "main.c"))
    shutil.copy(ROOT / "examples/axpy/main.c", folder / "program.c")
    shutil.copy(ROOT / "examples/axpy/selftest.c", folder / "prover.c")
    (folder / "CMakeLists.txt").write_text(text)
    return folder


CU = """\
#include "rung/kernel.h"
RUNG_ENTRY void RUNG_KERNEL(ex_axpy)(float *y, const float *x, size_t n, float a)
{
    if (threadIdx.x < n)
        y[threadIdx.x] += a * x[threadIdx.x];
}
"""
LAUNCHER = """\
#include "ex/kernels/axpy.h"
#include "rung/launch.h"

rung_status RUNG_KERNEL(ex_axpy)(const rung_ctx *cx, float *y, const float *x, size_t n, float a)
{
    const rung_grid grid = {.blocks = {1}, .threads = {1024}};
    return rung_launch(cx, &RUNG_CELL(ex_axpy), 0, &grid, (void *[]){&y, &x, &n, &a});
}
"""


def add_cuda(folder: Path) -> None:
    """To the registry of the other project: a CUDA kernel."""
    registry = folder / "a registry/registry.yaml"
    text = registry.read_text().replace("devices:\n", "devices:\n  cuda: {model: cuda, archs: [sm80]}\n", 1)
    registry.write_text(text.replace("    kernels:\n", "    kernels:\n      - {on: cuda/sm80}\n", 1))
    kernels = folder / "a registry/kernels/cuda/sm80"
    kernels.mkdir(parents=True)
    (kernels / "axpy.cu").write_text(CU)
    (kernels / "axpy.c").write_text(LAUNCHER)


def run_other_project(folder: Path, *options: str) -> None:
    """Twice: the second time the tables are there and are found to be those of the registry."""
    for mode in ("auto", "check"):
        run("cmake", "-S", ".", "-B", "build", "-G", "Ninja", f"-DRUNG_CODEGEN={mode}", QUICKLY, *options, cwd=folder)
    run("cmake", "--build", "build", "--target", "program", "prover", cwd=folder)
    program, prover = (next(path for path in (folder / "build").rglob(name) if path.is_file())
                       for name in ("program", "prover"))
    assert run(program, cwd=folder).startswith("12 24 36\n")
    assert re.search(r"^axpy cpu/generic +passed, quick ", run(prover, "--quick", cwd=folder), re.MULTILINE)


def test_rung_in_a_folder_of_another_project(tree: Tree, tmp_path: Path) -> None:
    head = "cmake_minimum_required(VERSION 3.20)\nproject(other C)\nadd_subdirectory(\"${RUNG}\" rung)\n"
    folder = other_project(tmp_path / "an other", head + OTHER)
    run_other_project(folder, f"-DRUNG={tree.folder}", "-DRUNG_CUDA=OFF")


def test_an_installed_rung(built: Tree, tmp_path: Path) -> None:
    """Found from two directories of a project with old policies and an old C, whose CUDA kernel it builds."""
    nvcc = os.environ.get("NVCC", "")
    cuda = ["-DRUNG_CUDA=ON", f"-DRUNG_NVCC={nvcc}", "-DRUNG_CUDA_ARCHS=80"] if nvcc else ["-DRUNG_CUDA=OFF"]
    run("cmake", "--install", "build", "--prefix", tmp_path / "a prefix", cwd=built.folder)
    head = "cmake_minimum_required(VERSION 3.5)\nproject(other C)\nset(CMAKE_C_STANDARD 99)\n"
    folder = other_project(tmp_path / "other", head + "add_subdirectory(one)\nadd_subdirectory(two)\n")
    for name in ("one", "two"):
        (folder / name).mkdir()
        (folder / name / "CMakeLists.txt").write_text("find_package(rung REQUIRED)\n")
    with (folder / "two/CMakeLists.txt").open("a") as file:
        file.write(OTHER)
    shutil.move(folder / "program.c", folder / "two/program.c")
    add_cuda(folder)
    run_other_project(folder, f"-DCMAKE_PREFIX_PATH={tmp_path / 'a prefix'}", *cuda)
    symbols = run("nm", next((folder / "build").rglob("program")), cwd=folder)
    assert ("ex_image__cuda_sm80__kernels_cuda_sm80_axpy__bytes" in symbols) == bool(nvcc)
