# SPDX-License-Identifier: Apache-2.0
"""bench/peers at tiny sizes, through NumPy alone; what it says of results that do not agree, and of peers that are not
there."""
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

import pytest

np = pytest.importorskip("numpy", reason="unproven: bench/peers (no NumPy)")

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/peers"))

import bench_peers  # noqa: E402
import child  # noqa: E402
import peers_report as report  # noqa: E402
import ways  # noqa: E402
import work  # noqa: E402


def run(*arguments: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, ROOT / "bench/peers/bench_peers.py", "--turns", 3, "--turn-ms", 0.001, *arguments]
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}, check=False)


def test_numpy_does_all_of_it(tmp_path: Path) -> None:
    done = run("--tiny", "--peer", "NumPy", "--rounds", 1, "--json", "-o", tmp_path / "peers.json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found == json.loads((tmp_path / "peers.json").read_text())
    assert found["machine"]["processor"] and found["versions"] == {"NumPy": np.__version__}
    assert found["absent"] == {"Rung": "its library was not built (bench/peers/CMakeLists.txt)"}
    assert [task["task"].split()[0] for task in found["tasks"]] == list(work.TINY)
    for task in found["tasks"]:
        (line,) = task["peers"]
        assert line["way"] and line["why"] is None and line["differs"] is None, line
        assert 0 < line["seconds"]["low"] <= line["seconds"]["median"] <= line["seconds"]["high"]
        assert line["seconds"]["turns"] == 3 and line["ratio"] is None


def test_the_text() -> None:
    done = run("--tiny", "--peer", "NumPy", "--op", "gemm_tn", "--rounds", 2)
    assert done.returncode == 0
    assert "\ngemm_tn m=3 n=5 k=7\n  NumPy  " in done.stdout and done.stdout.endswith(
        "\nleft out: Rung: its library was not built (bench/peers/CMakeLists.txt)\n")


@pytest.mark.parametrize("arguments, text", [
    (["--op", "gemm_xy"], "--op gemm_xy: no peer has it; there are gemm_tn"),
    (["--peer", "MKL"], "invalid choice: 'MKL'"),
    (["--rounds", "4"], "a turn for each round"),
    (["--turn-ms", "nan"], "time for it"),
    (["-o", "."], "--output .: it is not the name of a file"),
    (["-o", "none/x.json"], "--output none/x.json: No such file"),
    (["--ready", "--op", "gemm_xy"], "--op gemm_xy: no peer has it"),
    (["--library", "none.so"], "none.so"),
    ([], "Rung: its library was not built"),
])
def test_wrong_usage(arguments: List[str], text: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2 and done.stdout == ""
    assert text in done.stderr.splitlines()[-1]


def test_before_anything_is_built() -> None:
    for words in (["--ready"], ["--op", "gemm_tn", "--torch", "--ready"]):
        done = run(*words)
        assert (done.returncode, done.stdout, done.stderr) == (bench_peers.AGAIN, "", "")
    done = run("--help", "--ready")
    assert done.returncode == 0 and "--torch" in done.stdout and "--ready" not in done.stdout


def test_a_file_that_is_no_plain_one(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="not the name of a file"):
        bench_peers.try_file(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(OSError):
        bench_peers.try_file(tmp_path / "link")
    (tmp_path / "nowhere").write_text("old")
    assert bench_peers.try_file(tmp_path / "link") == (tmp_path / "nowhere").resolve()
    assert sorted(os.listdir(tmp_path)) == ["link", "nowhere", "pipe"]


def test_what_cannot_be_written_in_the_end_is_one_line(tmp_path: Path, capsys: "pytest.CaptureFixture[str]") -> None:
    assert bench_peers.write(tmp_path / "x.json", "text") and (tmp_path / "x.json").read_text() == "text"
    (tmp_path / "folder").mkdir()
    assert not bench_peers.write(tmp_path / "folder", "text")
    assert capsys.readouterr().err == f"bench-peers: cannot write {tmp_path / 'folder'}: Is a directory\n"
    assert sorted(os.listdir(tmp_path)) == ["folder", "x.json"]


def test_nobody_reads(tmp_path: Path) -> None:
    """The file is there all the same."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([sys.executable, ROOT / "bench/peers/bench_peers.py", "--tiny", "--peer", "NumPy", "--op",
                           "gemm_tn", "--turns", "3", "--turn-ms", "0.001", "--rounds", "1", "-o", tmp_path / "x.json",
                           "--json"], stdout=writer, stderr=subprocess.PIPE, text=True, check=False,
                          env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, "")
    assert json.loads((tmp_path / "x.json").read_text())["tasks"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_interrupted(tmp_path: Path, number: "signal.Signals") -> None:
    """It ends the peer's process as well: that the pipe, which this one has also, ends tells so."""
    reader, writer = os.pipe()
    job = subprocess.Popen([sys.executable, ROOT / "bench/peers/bench_peers.py", "--tiny", "--peer", "NumPy", "--turns",
                            "1000", "--rounds", "1000", "-o", tmp_path / "x.json"], stdout=writer, cwd=tmp_path,
                           stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    os.close(writer)
    assert job.stderr is not None
    while job.stderr.readline() != "NumPy ...\n":
        pass
    job.send_signal(number)
    assert "Traceback" not in job.communicate(timeout=60)[1]
    assert job.returncode == 128 + number
    assert os.read(reader, 1) == b"" and os.listdir(tmp_path) == []
    os.close(reader)


# ---- what a peer finds ----------------------------------------------------------------------------------------------


class Wrong(ways.Peer):
    """Is right in its second way only."""

    def lacks(self, op: str) -> Any:
        return None if op != "flow_match_step" else "no equivalent"

    def ways(self, task: work.Task) -> List[ways.Way]:
        if task.op == "gemm_nt":
            raise ways.Absent("not for doubles")
        if task.op == "gemm_nt_bf16":
            raise TypeError("no such type\nand more")
        near = {name: array * (1 + 1e-9) for name, array in task.wanted.items()}
        right = ways.Way("right", lambda calls: 1e-3 * calls, lambda: task.wanted)
        return [ways.Way("near", lambda calls: 1e-6 * calls, lambda: near), *([right] if task.op == "gemm_tn" else [])]


def asked(op: str) -> Dict[str, Any]:
    return child.measure(Wrong(), op, work.TINY[op], 3, 1e-3)


def test_only_what_agrees_is_timed() -> None:
    right = asked("gemm_tn")
    assert right["way"] == "right" and right["samples"] == [pytest.approx(1e-3)] * 3
    assert right["differs"].startswith("near: c differs by up to ")
    wrong = asked("residual_energy")
    assert wrong["way"] is None and wrong["samples"] == [] and "1.0e-12 is allowed" in wrong["differs"]
    assert asked("gemm_nt_f32")["way"] == "near"  # within its tolerance
    assert asked("gemm_nt")["why"] == "not for doubles"
    assert asked("gemm_nt_bf16")["why"] == "TypeError: no such type"
    assert asked("flow_match_step")["why"] == "no equivalent"


def test_what_is_not_a_number_does_not_agree() -> None:
    for op, sizes in work.TINY.items():
        task = work.make(op, sizes)
        assert task.differs(task.wanted) is None
        assert task.differs({name: array * np.nan for name, array in task.wanted.items()})
        assert task.differs({name: array[:-1] for name, array in task.wanted.items()})


def test_every_op_of_the_registry_is_here_or_left_out_with_a_reason() -> None:
    ops = set(json.loads((ROOT / "generated/coverage.json").read_text())["ops"])
    assert set(work.TINY) | set(work.LEFT_OUT) == ops
    assert not set(work.TINY) & set(work.LEFT_OUT) and all(work.LEFT_OUT.values())


def test_a_result_has_its_own_tolerance() -> None:
    task = work.make("flow_sde_step", work.TINY["flow_sde_step"])
    near = {name: array * (1 + 1e-10) for name, array in task.wanted.items()}
    assert task.differs(near) == f"e differs by up to {1e-10:.1e} of its magnitude, 1.0e-14 is allowed"
    assert task.differs({**near, "e": task.wanted["e"]}) is None
    assert (task.differs({**task.wanted, "log_prob": task.wanted["log_prob"] + 1e-6}) or "").startswith("log_prob ")


def test_bfloat16_is_rounded_to_nearest_even() -> None:
    values = np.array([1.0, 1 + 2.0**-8, 1 + 3 * 2.0**-8, 1 + 2.0**-8 + 2.0**-20, -2.5], dtype=np.float32)
    assert work.from_bfloat16(work.to_bfloat16(values)).tolist() == [1.0, 1.0, 1 + 2.0**-6, 1 + 2.0**-7, -2.5]


# ---- what is made of it ---------------------------------------------------------------------------------------------


def column(peer: str, seconds: List[float], asked_for: Any = None, core: Any = None) -> Dict[str, Any]:
    record = {"samples": seconds, "way": "a way", "why": None, "differs": None}
    return {"peer": peer, "asked": asked_for, "core": core, "absent": None, "version": "1", "records": {"t": record}}


def test_the_best_core_type_stands_beside_the_own_choice() -> None:
    columns = {"Rung": column("Rung", [2.0] * 3), "OpenBLAS": column("OpenBLAS", [3.0] * 3, core="Zen"),
               "OpenBLAS as Haswell": column("OpenBLAS", [1.0] * 3, "Haswell", "Haswell"),
               "OpenBLAS as Zen": column("OpenBLAS", [3.0] * 3, "Zen", "Zen"),
               "OpenBLAS as Nehalem": {**column("OpenBLAS", [], "Nehalem"), "absent": "ended with -4"}}
    found = report.whole({"processor": "p", "system": "s"}, "cpu", ["t"], columns)
    assert [(line["peer"], line["core"], line["ratio"]) for line in found["tasks"][0]["peers"]] == [
        ("Rung", None, 1.0), ("OpenBLAS", "Zen", 1.5), ("OpenBLAS, best core type", "Haswell", 0.5)]
    assert found["absent"] == {"OpenBLAS as Nehalem": "ended with -4"}
    text = report.text(found)
    assert text.startswith("p, s, one thread, processor time\n")
    assert "\nleft out: OpenBLAS as Nehalem: ended with -4\n" in text


def test_core_types_that_were_never_the_fastest_are_not_asked_again() -> None:
    options = bench_peers.parse(["--turns", "3"])
    run_of = bench_peers.Run(options, [])
    run_of.columns = {"OpenBLAS": column("OpenBLAS", [0.5] * 3),
                      "OpenBLAS as Haswell": column("OpenBLAS", [1.0] * 3, "Haswell"),
                      "OpenBLAS as Zen": column("OpenBLAS", [3.0] * 3, "Zen")}
    assert run_of.best_cores() == ["Haswell"]
