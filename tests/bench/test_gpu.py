# SPDX-License-Identifier: Apache-2.0
"""bench/gpu on an imitated GPU, whose figures mean nothing: every cell is there, and what fails stays alone."""
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/gpu"))
import bench_gpu  # noqa: E402
import report  # noqa: E402

GPU = "device=A GPU of 9.0|9.0|17179869184|GPU-1|0000:3b:00.0"


def environment(**more: str) -> Dict[str, str]:
    built = {**os.environ, "LD_LIBRARY_PATH": os.environ["RUNG_FAKE_LIBRARIES"], "PYTHONDONTWRITEBYTECODE": "1",
             "RUNG_FAKE_CUDA": f"driver=13000;{GPU}", "RUNG_FAKE_NVML": f"version=580.65.06;{GPU}"}
    return {**built, **more}


def run(*arguments: object, **more: str) -> "subprocess.CompletedProcess[str]":
    if "RUNG_BENCH_GPU" not in os.environ:
        pytest.skip("unproven: bench/gpu, whose kernels are not built for the host here (no C++ compiler)")
    command = [sys.executable, ROOT / "bench/gpu/bench_gpu.py", "--programs", os.environ["RUNG_BENCH_GPU"],
               "--suffix", "_on_host", "--tiny", *arguments]
    return subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=environment(**more))


@pytest.fixture(scope="module")
def all_cells(tmp_path_factory: pytest.TempPathFactory) -> Dict[str, Any]:
    out = tmp_path_factory.mktemp("gpu") / "new" / "gpu.json"
    done = run("--no-parity", "-o", out)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "A GPU of 9.0" in done.stdout and "tiny sizes: the figures mean nothing" in done.stdout
    return json.loads(out.read_text())


def test_the_device_is_told(all_cells: Dict[str, Any]) -> None:
    told = all_cells["device"]
    assert (told["name"], told["capability"], told["driver"]) == ("A GPU of 9.0", "9.0", "580.65.06")
    assert told["memory_bytes"] == 17179869184
    assert {arch["arch"]: arch["runs"] for arch in all_cells["archs"]} == {
        "generic": True, "sm80": True, "sm90": True, "sm90a": True, "sm100": False, "sm120": False}
    assert all_cells["tiny"] is True


def test_every_cell_is_timed_on_every_case(all_cells: Dict[str, Any]) -> None:
    runs = {arch["arch"] for arch in all_cells["archs"] if arch["runs"]}
    wanted = {(cell["op"], cell["arch"], cell["variant"], case["case"])
              for cell in all_cells["cells_declared"] if cell["arch"] in runs
              for case in all_cells["cases"] if case["op"] == cell["op"]}
    timed = {(cell["op"], cell["arch"], cell["variant"], cell["case"]): cell for cell in all_cells["cells"]}
    assert set(timed) == wanted
    assert {cell["op"] for cell in all_cells["cells"]} == {cell["op"] for cell in all_cells["cells_declared"]}
    assert ("gemm_nt_f32", "sm90", "tf32", "square") in timed  # experimental
    assert ("gemm_nt", "generic", "cublas", "fmri") in timed
    for key, cell in timed.items():
        assert cell["state"] == "timed", cell
        assert cell["launches"] > 0 and (cell["gflops"] is not None or cell["bound"] != "product"), key


def test_every_op_with_a_cuda_kernel_has_a_case() -> None:
    """Read from the source: this needs no compiler of CUDA or C++."""
    ops = json.loads((ROOT / "generated/coverage.json").read_text())["ops"]
    there = {op for op, about in ops.items() if any(kernel["device"] == "cuda" for kernel in about["kernels"])}
    table = (ROOT / "bench/gpu/cases.c").read_text().split("bench_cases[] = {", 1)[1].split("\n};", 1)[0]
    assert there and set(re.findall(r'\{"(\w+)",\s*"[\w ]+",\s*BY_', table)) == there


def test_kernels_without_a_case_are_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """They were proven, and would not be timed."""
    bench = bench_gpu.Bench(Path("/none"), "", True, None, 60.0)
    about: Dict[str, List[Dict[str, Any]]] = {
        "card": [{"kind": "device"}, {"kind": "arch", "arch": "sm90", "runs": True}]}
    monkeypatch.setattr(bench, "single", lambda what, *items, **more: about.get(what, []))
    monkeypatch.setattr(bench, "all_of", lambda *arguments: [])
    monkeypatch.setattr(report, "judge", lambda whole: None)
    cells = [{"kind": "declared", "op": op, "arch": "sm90", "variant": "default", "built": True} for op in ("a", "b")]
    bench_gpu.measure(bench, [*cells, {"kind": "case", "op": "b", "case": "video"}], None, False)
    assert [(failure["what"], failure["item"]) for failure in bench.failed] == [("cells", "a")]


def test_all_else_is_measured(all_cells: Dict[str, Any]) -> None:
    assert {memory["what"] for memory in all_cells["memory"]} == {"copy", "write"}
    assert {"bare_ns", "plain_ns", "buffer_ns", "aim_met"} <= set(all_cells["launch"])
    assert len(all_cells["transfers"]) == 3 and all(t["state"] == "timed" for t in all_cells["transfers"])
    library = {record["math"]: record["state"] for record in all_cells["library"]}
    assert library == {"f64": "timed", "f32": "timed", "bf16": "timed", "tf32": "unavailable"}  # the imitation's
    first = {(call["op"], call["arch"]): call["compiled"]
             for call in all_cells["first_calls"] if "op" in call and not call["forced_ptx"]}
    assert first["flow_match_step", "sm80"] is True and first["flow_match_step", "sm90"] is False
    assert all_cells["left_out"] == [] and all_cells["failed"] == []


def test_parity_is_proven(tmp_path: Path) -> None:
    out = tmp_path / "gpu.json"
    done = run("--op", "gemm_nt_f32", "-o", out)
    assert done.returncode == 0, done.stdout + done.stderr
    found = {(record["op"], record["arch"], record["variant"], record["forced_ptx"]): record["state"]
             for record in json.loads(out.read_text())["parity"]}
    assert set(found.values()) == {"proven"}
    assert {("gemm_nt_f32", "sm90", "tf32", False), ("gemm_nt_f32", "sm80", "default", False),
            ("gemm_nt_f32", "generic", "cublas", False), ("gemm_nt_f32", "generic", "default", True)} <= set(found)
    assert "gemm_nt_f32 sm90 tf32: an experimental cell, proven on this device" in done.stdout


def test_a_failure_stays_alone(tmp_path: Path) -> None:
    """An illegal address loses the device to the process: the others are tested and timed in another one."""
    out = tmp_path / "gpu.json"
    done = run("--op", "factor_gradient", "--op", "flow_match_step", "-o", out,
               RUNG_FAKE_CUDA=f"driver=13000;{GPU};kernel:rk_flow_match_step__cuda_sm90=700")
    assert done.returncode == 1
    whole = json.loads(out.read_text())
    bad = [("flow_match_step", "sm90")]
    assert [(cell["op"], cell["arch"]) for cell in whole["cells"] if cell["state"] != "timed"] == bad
    assert "700" in next(cell["why"] for cell in whole["cells"] if cell["state"] == "failed")
    assert [(cell["op"], cell["arch"]) for cell in whole["parity"] if cell["state"] != "proven"] == bad
    assert len(whole["cells"]) == 6 and len(whole["parity"]) == 8
    assert [(failure["what"], failure["item"]) for failure in whole["failed"]][:2] == [
        ("parity", "flow_match_step sm90 default"), ("cells", "flow_match_step sm90 default video")]
    assert "  failed: cells flow_match_step sm90 default video: " in done.stdout


def test_sizes_shrink_where_memory_is_short(tmp_path: Path) -> None:
    """The second piece of memory in every process is refused: of the first cell, and of what is no cell and fails."""
    out = tmp_path / "gpu.json"
    done = run("--op", "flow_match_step", "--no-parity", "-o", out, RUNG_FAKE_CUDA=f"driver=13000;{GPU};cuMemAlloc#2=2")
    whole = json.loads(out.read_text())
    cells: List[Dict[str, Any]] = whole["cells"]
    assert done.returncode == 1 and "cells" not in {failure["what"] for failure in whole["failed"]}
    assert cells[0]["sizes"] == "n=500" and "memory" in cells[0]["note"]
    assert cells[1]["sizes"] == "n=1000" and cells[1]["note"] is None


def test_without_the_library_its_column_is_open(tmp_path: Path) -> None:
    (tmp_path / "libcublas.so.13").touch()  # found first, and no library
    (tmp_path / "libcublas.so.12").touch()
    out = tmp_path / "gpu.json"
    done = run("--op", "gemm_nt_bf16", "--no-parity", "-o", out,
               LD_LIBRARY_PATH=f"{tmp_path}:{os.environ['RUNG_FAKE_LIBRARIES']}")
    assert done.returncode == 0, done.stdout + done.stderr
    whole = json.loads(out.read_text())
    assert {record["state"] for record in whole["library"]} == {"unavailable"}
    assert "left open: library missing" in done.stdout
    cells = [cell for cell in whole["cells"] if cell["variant"] == "default"]
    assert {(cell["state"], cell["share_of_library"], cell["aim_met"]) for cell in cells} == {("timed", None, None)}


def test_no_device(tmp_path: Path) -> None:
    out = tmp_path / "gpu.json"
    done = run("-o", out, RUNG_FAKE_CUDA="driver=13000", RUNG_FAKE_NVML="version=580.65.06")
    assert done.returncode == 3 and done.stdout == ""
    assert len(done.stderr.splitlines()) == 1 and done.stderr.startswith("bench-gpu: no GPU was measured: cuda")
    assert not out.exists()


def test_what_there_is_no_time_for_is_said(tmp_path: Path) -> None:
    out = tmp_path / "gpu.json"
    done = run("--seconds", 10, "--spent", 11, "--op", "ridge_solve", "-o", out)
    whole = json.loads(out.read_text())
    assert done.returncode == 0 and whole["cells"] == [] and whole["launch"] is None
    assert {"what": "cells", "item": "ridge_solve sm90 default fmri"} in whole["left_out"]
    assert {"what": "parity", "item": "ridge_solve sm90 default"} in whole["left_out"]
    assert "left out: cells ridge_solve sm90 default fmri" in done.stdout


def test_list_opens_nothing() -> None:
    done = run("--list", RUNG_FAKE_CUDA="driver=13000;cuInit=999")
    assert done.returncode == 0
    assert "kernels/cuda/sm80/gemm_tensor.cu" in done.stdout and "n=1000" in done.stdout


def test_an_op_that_there_is_not(tmp_path: Path) -> None:
    done = run("--op", "gemm_xy", "-o", tmp_path / "gpu.json")
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("bench-gpu: --op gemm_xy: there is no such op; there are ")
    assert "gemm_tn" in done.stderr and not (tmp_path / "gpu.json").exists()


# ---- without the programs --------------------------------------------------------------------------------------------

def stand_in(folder: Path, script: str, seconds: float = 60.0) -> bench_gpu.Bench:
    program = folder / "bench_gpu"
    program.write_text(f"#!/bin/sh\nshift 3\n{script}\n")
    program.chmod(0o755)
    return bench_gpu.Bench(folder, "", False, None, seconds)


RECORD = 'printf \'{"kind": "cell", "op": "%s", "state": "timed"}\\n\''


def test_a_crash_costs_one_item(tmp_path: Path) -> None:
    bench = stand_in(tmp_path, f'for i; do [ "$i" != bad ] || kill -SEGV $$; {RECORD} "$i"; done')
    found = bench.all_of("cells", ["op"], ["a", "bad", "c", "d"], bench.end)
    assert [record["op"] for record in found] == ["a", "c", "d"]
    assert bench.failed == [{"what": "cells", "item": "bad", "why": "ended by signal 11"}]
    assert bench.left_out == []


def test_a_hang_costs_one_item(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_gpu, "ITEM_S", 0.1)
    bench = stand_in(tmp_path, "exec sleep 100")
    assert bench.all_of("cells", ["op"], ["a"], bench.end) == []
    assert [failure["item"] for failure in bench.failed] == ["a"]


def test_what_outlasts_the_time_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_gpu, "GRACE_S", 0.1)
    bench = stand_in(tmp_path, "exec sleep 100", seconds=0.1)
    assert bench.all_of("cells", ["op"], ["a", "b"], bench.end) == []
    assert bench.left_out == [{"what": "cells", "item": "a"}, {"what": "cells", "item": "b"}]
    assert bench.single("transfer", always=True) == []
    assert bench.left_out[2:] == [{"what": "transfer", "item": ""}] and bench.failed == []


def test_aims() -> None:
    def cell(op: str, variant: str, bound: str, gbps: float, gflops: Any) -> Dict[str, Any]:
        return {"op": op, "arch": "sm90", "variant": variant, "case": "c", "state": "timed", "bound": bound,
                "gbps": gbps, "gflops": gflops}
    whole: Dict[str, Any] = {
        "memory": [{"what": "copy", "median_gbps": 1000.0}],
        "library": [{"op": "gemm_nt_f32", "math": "f32", "case": "c", "gflops": 100.0},
                    {"op": "gemm_nt_f32", "math": "tf32", "case": "c", "gflops": 800.0}],
        "launch": {"state": "timed", "bare_ns": 2000.0, "plain_ns": 2999.0, "buffer_ns": 4000.0},
        "cells": [cell("flow_match_step", "default", "memory", 850.0, None),
                  cell("flow_match_step", "default", "memory", 849.0, None),
                  cell("gemm_nt_f32", "default", "product", 1.0, 70.0),
                  cell("gemm_nt_f32", "tf32", "product", 1.0, 70.0),
                  cell("gemm_nt_f32", "cublas", "product", 1.0, 99.0),
                  cell("gemm_nt", "default", "product", 1.0, 99.0)]}
    report.judge(whole)
    assert [cell["aim_met"] for cell in whole["cells"]] == [True, False, True, False, None, None]
    assert [cell["share_of_library"] for cell in whole["cells"]] == [None, None, 0.7, 0.0875, 0.99, None]
    assert whole["launch"]["aim_met"] is True and whole["launch"]["plain_over_bare_ns"] == 999.0


def test_what_is_said_before_anything_is_built(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    absent = [str(tmp_path / "a"), str(tmp_path / "b")]
    assert bench_gpu.ready(bench_gpu.parse(["--ready"]), absent) == 3
    said = capsys.readouterr()
    assert said.out == "" and said.err == ("bench-gpu: no GPU was measured: no driver is loaded, as none of "
                                           f"{absent[0]}, {absent[1]} is there\n")
    assert bench_gpu.ready(bench_gpu.parse(["--ready"]), [*absent, str(tmp_path)]) == bench_gpu.AGAIN
    for option in ["--list"], ["--programs", "x"]:
        assert bench_gpu.ready(bench_gpu.parse(["--ready", *option]), absent) == bench_gpu.AGAIN
    assert capsys.readouterr().err == ""


def test_the_front_door_answers_without_a_build(tmp_path: Path) -> None:
    """A copy of it alone, where nothing could be built."""
    (tmp_path / "bench/gpu").mkdir(parents=True)
    for name in "dev", "bench/gpu/bench_gpu.py", "bench/gpu/report.py":
        shutil.copy(ROOT / name, tmp_path / name)
    for arguments, status in (["--help"], 0), (["--nonsense"], 2), (["--op"], 2):
        done = subprocess.run([str(tmp_path / "dev"), "bench-gpu", *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, env={**os.environ, "RUNG_NO_INSTALL": "1"})
        assert done.returncode == status, done.stdout
        assert "usage: ./dev bench-gpu [-h] " in done.stdout and "--suffix" not in done.stdout
