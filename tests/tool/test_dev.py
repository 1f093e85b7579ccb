# SPDX-License-Identifier: Apache-2.0
"""./dev test and ./dev proofs: a stage that fails ends neither the stages after it nor the table, and what this machine
can prove must be proven on it. In a folder that has dev alone: compilers, cmake, ctest and python3 are stand-ins, rung
is not."""
import json
import os
import pathlib
import shutil
import signal
import subprocess

import pytest
import results
from conftest import environment

DEV = pathlib.Path(__file__).resolve().parents[2] / "dev"
CTEST = """\
echo "ctest $2" >>calls
mkdir -p "$2/Testing/Temporary" "$2/proof"
touch "$2/Testing/Temporary/LastTest.log"
[ "$2" != build-test ] || cp native.json "$2/proof/native.json"
"""
STANDS_IN = {
    "cmake": 'echo "cmake $*" >>calls',
    "ctest": CTEST,
    "nvcc": "echo release 13.0",
    "gcc": 'cp /bin/true "$4"',  # gcc ... main.c -o main
    "python3": "",  # codegen, mypy and flake8 find nothing
    **dict.fromkeys(("clang", "clang-format", "clang-tidy", "aarch64-linux-gnu-gcc", "qemu-aarch64"),
                    'echo "${0##*/}" >>calls'),
}


class Folder:
    def __init__(self, path, binary):
        self.path = path
        shutil.copy(DEV, path / "dev")
        for name in ("bin", "build-test/tool", "build-test/proof", "build-sysroot-aarch64/usr/include"):
            (path / name).mkdir(parents=True)
        (path / "build-sysroot-aarch64/usr/include/cmocka.h").touch()
        (path / "build-test/tool/rung").symlink_to(binary)
        (path / "build-test/CMakeCache.txt").write_text("CMAKE_CXX_COMPILER:FILEPATH=CMAKE_CXX_COMPILER-NOTFOUND\n")
        for name, text in STANDS_IN.items():
            self.stand_in(name, text)
        # no cell of an emulator is asked for
        self.stand_in("uname", 'case $1 in -m) echo other ;; *) echo Linux ;; esac')

    def stand_in(self, name, text):
        (self.path / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
        (self.path / "bin" / name).chmod(0o755)

    def dev(self, *args, **how):
        env = environment(PATH=f"{self.path / 'bin'}:{os.environ['PATH']}", RUNG_NO_INSTALL="1", RUNG_JOBS="1")
        return subprocess.run(["sh", "./dev", *args], cwd=self.path, env=env, stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.STDOUT, timeout=120, check=False, **how)

    def write(self, name, cells, **more):
        (self.path / name).write_text(json.dumps(results.selftest(*cells, **more)))

    def calls(self):
        return (self.path / "calls").read_text().split("\n")


@pytest.fixture
def folder(tmp_path, binary):
    return Folder(tmp_path, binary)


@pytest.fixture
def keys(rung):
    """The cells that this machine runs, as cells of a file of results that says so."""
    found = []
    for platform, device in (("cpu", "cpu"), ("accel", "accel")):
        cells = json.loads(rung("matrix", "--platform", platform, "--json").stdout)["cells"]
        found += ["/".join(c[k] for k in ("op", "device", "arch", "variant"))
                  for c in cells if c["available"] and c["device"] == device]
    assert any("/cpu/" in key for key in found) and any("/accel/" in key for key in found)
    return found


def passed(keys):
    return [results.cell(key) for key in keys]


NATIVE = "build-test/proof/native.json"


def test_all_is_proven(folder, keys):
    folder.write(NATIVE, passed(keys))
    done = folder.dev("proofs")
    assert done.returncode == 0, done.stdout
    assert all(f"\n{key.split('/')[0]} " in done.stdout for key in keys), "the table has a row for each"


def test_no_native_results(folder, keys):
    folder.write("build-test/proof/emulator_Haswell.json", passed(keys), how="emulator")
    done = folder.dev("proofs")
    assert done.returncode == 1 and f"{NATIVE} is missing" in done.stdout and "gemm_tn" in done.stdout


def test_no_results_at_all(folder):
    done = folder.dev("proofs")
    assert done.returncode == 1 and f"{NATIVE} is missing" in done.stdout


@pytest.mark.parametrize("device", ["cpu", "accel"])
def test_a_cell_that_an_emulator_alone_has_proven(folder, keys, device):
    key = next(k for k in keys if f"/{device}/" in k)
    op, cell = key.split("/", 1)
    rest = [k for k in keys if k != key]
    unproven = results.cell(key, "unproven", cases=0, checks=0, worst=None, examples=0, registers=False, why="left out")
    folder.write("build-test/proof/emulator_Haswell.json", [results.cell(k, how="emulator") for k in keys])
    for cells in ([*passed(rest), unproven], passed(rest)):
        folder.write(NATIVE, cells)
        done = folder.dev("proofs")
        assert done.returncode == 1 and f"{op} {cell}" in done.stdout, done.stdout
    assert "emulator" in done.stdout, "the table is of all files"


def test_a_pattern_that_is_not_proven(folder, keys):
    folder.write(NATIVE, passed(keys))
    done = folder.dev("proofs", "* cpu/neon/none")
    assert done.returncode == 1 and "cpu/neon/none" in done.stdout


# ---- ./dev test ------------------------------------------------------------------------------------------------------

STAGES = ["build-test", "build-asan", "build-tsan", "build-clang", "build-aarch64"]


def fails_in(stage):
    return f'case "$*" in *"{stage}"*) echo "it fails"; exit 8 ;; esac'


def test_every_stage_runs_after_those_that_fail(folder, keys):
    folder.write("native.json", passed(keys))
    failed = 'printf "3:kernels\\n17:workflow\\n" >"$2/Testing/Temporary/LastTestsFailed.log"'
    folder.stand_in("ctest", f'{CTEST}[ "$2" != build-test ] || {{ {failed}; exit 8; }}')
    folder.stand_in("cmake", f'{STANDS_IN["cmake"]}\n{fails_in("--build build-asan")}\n{fails_in("-B build-clang")}')
    folder.stand_in("clang-format", "echo clang-format >>calls; exit 1")
    done = folder.dev("test")
    assert done.returncode == 1, done.stdout
    calls = folder.calls()
    tested = [c for c in calls if c.startswith("ctest")]
    assert tested == ["ctest build-test", "ctest build-tsan", "ctest build-aarch64"]
    assert "clang-format" in calls
    table, end = done.stdout.split("== failed:\n")
    assert "== proofs of the kernels\n" in table and all(f"\n{key.split('/')[0]} " in table for key in keys)
    lines = [line.strip() for line in end.splitlines()]
    assert lines[0] == "build-test: tests: kernels workflow"
    assert lines[1:3] == ["build-asan: not built, its tests not run", "build-clang: not built, its tests not run"]
    assert lines[3] == "lint" and lines[4].startswith("proofs: "), "cpu/neon is not proven"


def test_tables_of_another_registry_are_noted(folder, keys):
    folder.write("native.json", passed(keys))
    folder.stand_in("python3", fails_in("-m codegen"))
    done = folder.dev("test")
    assert done.returncode == 1
    assert [f"ctest {stage}" for stage in STAGES] == [c for c in folder.calls() if c.startswith("ctest")]
    assert "gen --check" in done.stdout.split("== failed:\n")[1]


def test_an_interrupt_ends_it(folder):
    """Even where ctest ends with a status of its own."""
    folder.stand_in("ctest", "echo ctest >>calls\ntrap 'exit 8' INT\nkill -INT 0")
    done = folder.dev("test", start_new_session=True,
                      preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    assert done.returncode == 130, done.stdout
    assert [c for c in folder.calls() if c][-1] == "ctest" and folder.calls().count("ctest") == 1
