# SPDX-License-Identifier: Apache-2.0
"""rung_proof_main, the command of a registry of one's own: $PF_PROOF, which proves the fixture's kernels."""
import json
import os
import platform
import re
import subprocess

import pytest


@pytest.fixture
def prove(tmp_path):
    binary = os.path.abspath(os.environ["PF_PROOF"])

    def run(*arguments, status=0):
        done = subprocess.run([binary, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=100,
                              check=False, env={**os.environ, "LC_ALL": "C"})
        assert done.returncode == status, done.stdout + done.stderr
        return done

    return run


def test_a_cell_that_holds(prove):
    done = prove("--only", "step cpu/generic/right")
    row, counts = done.stdout.splitlines()
    assert re.match(r"step cpu/generic/right +passed +\d+ cases, 0 of the tolerance, .*2 from outside, registers$", row)
    assert counts.startswith("1 cell: 1 passed natively, ")
    assert done.stderr == ""


def test_a_fault_is_told_and_can_be_repeated(prove):
    done = prove("--only", "sum cpu/generic/near", "--seed", "77", status=1)
    assert "1 failed" in done.stdout.splitlines()[-1]
    lines = done.stderr.splitlines()
    assert 1 <= len(lines) <= 8 and all("sum cpu/generic/near" in line and "seed 0x4d" in line for line in lines)
    assert prove("--only", "sum cpu/generic/near", "--seed", "0x4d", status=1).stderr == done.stderr
    assert prove("--only", "sum cpu/generic/near", "--seed", "78", status=1).stderr != done.stderr


def test_what_is_required_and_unproven_is_a_failure(prove):
    elsewhere = "cpu/x86-64-v2" if platform.machine() == "aarch64" else "cpu/neon"
    prove("--only", elsewhere)
    done = prove("--only", elsewhere, "--require", elsewhere, status=1)
    assert f"required, and unproven: step {elsewhere}" in done.stderr
    prove("--only", "blend cpu/generic/right", "--require", "blend")
    assert "fits" in prove("--only", "blend cpu/generic/right", "--require", elsewhere, status=1).stderr


def test_results_as_json(prove, tmp_path):
    prove("--only", "blend", "--only", "step cpu/generic/remote", "--json", "out.json", status=1)
    assert os.listdir(tmp_path) == ["out.json"]
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert (found["rung"], found["version"], found["namespace"], found["how"]) == ("selftest", 1, "pf", "native")
    assert set(found["machine"]) == {"processor", "level", "system"}
    assert re.fullmatch(r"0x[0-9a-f]+", found["seed"])
    cells = {cell["variant"]: cell for cell in found["cells"]}
    assert list(cells) == ["default", "finite", "reads", "right", "remote"]
    assert {name: cell["state"] for name, cell in cells.items()} == {
        "default": "passed", "finite": "failed", "reads": "failed", "right": "passed", "remote": "unproven"}
    right = cells["right"]
    assert (right["op"], right["device"], right["arch"]) == ("blend", "cpu", "generic")
    assert right["why"] == "" and right["failures"] == 0 and right["worst"] == 0 and right["worst_wide"] <= 1
    assert right["cases"] > 100 and right["checks"] > right["cases"] and right["examples"] == 2
    assert right["registers"] is True and right["quick"] is False and right["how"] == "native"
    assert cells["reads"]["failures"] > 0 and "beta=0" in cells["reads"]["why"]
    assert cells["remote"]["worst_wide"] is None and "nowhere" in cells["remote"]["why"]


def test_a_quick_proof_says_so(prove, tmp_path):
    done = prove("--only", "blend cpu/generic/right", "--quick", "--require", "blend", "--json", "out.json")
    assert re.search(r"^blend cpu/generic/right +passed, quick ", done.stdout, re.MULTILINE)
    cells = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["cells"]
    assert [cell["quick"] for cell in cells] == [True]
    assert "quick" not in prove("--only", "blend cpu/generic/right").stdout


def test_a_file_that_cannot_be_written(prove, tmp_path):
    done = prove("--only", "blend cpu/generic/right", "--json", "no/out.json", status=1)
    assert "no/out.json" in done.stderr and os.listdir(tmp_path) == []


def test_a_file_has_the_rights_that_the_umask_leaves(prove, tmp_path):
    before = os.umask(0o027)
    try:
        prove("--only", "blend cpu/generic/right", "--json", "out.json")
    finally:
        os.umask(before)
    assert (tmp_path / "out.json").stat().st_mode & 0o777 == 0o640


def test_what_is_no_file_stays(prove, tmp_path):
    """It is refused before anything is proven; a link is followed."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "to_pipe").symlink_to("pipe")
    (tmp_path / "nowhere").symlink_to("none.json")
    for name in ("pipe", "folder", "to_pipe", "nowhere", "folder/none/x.json"):
        done = prove("--only", "blend cpu/generic/right", "--json", name, status=1)
        assert done.stdout == "" and len(done.stderr.splitlines()) == 1 and name in done.stderr
    assert sorted(os.listdir(tmp_path)) == ["folder", "nowhere", "pipe", "to_pipe"]
    assert (tmp_path / "pipe").is_fifo() and os.readlink(tmp_path / "to_pipe") == "pipe"
    (tmp_path / "folder/out.json").write_text("old")
    (tmp_path / "link").symlink_to("folder/out.json")
    prove("--only", "blend cpu/generic/right", "--json", "link")
    assert os.readlink(tmp_path / "link") == "folder/out.json"
    assert json.loads((tmp_path / "folder/out.json").read_text())["rung"] == "selftest"


def test_a_file_that_standard_output_goes_to(tmp_path):
    (tmp_path / "link").symlink_to("/proc/self/fd/1")
    with open(tmp_path / "out", "wb") as out:
        done = subprocess.run([os.path.abspath(os.environ["PF_PROOF"]), "--only", "blend cpu/generic/right", "--json",
                               "link"], cwd=tmp_path, stdout=out, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1 and done.stderr.endswith("link: it is where standard output goes\n")
    assert os.readlink(tmp_path / "link") == "/proc/self/fd/1" and (tmp_path / "out").read_text() == ""


def test_the_list_is_of_all_cells_and_runs_none(prove):
    cells = prove("--list").stdout.splitlines()
    assert len(cells) > 50 and "step cpu/generic/illegal" in cells
    assert len(set(cells)) == len(cells)
    assert prove("--list", "--only", "halve").stdout.splitlines() == [c for c in cells if c.startswith("halve ")]


@pytest.mark.parametrize("arguments", [
    ["--only", "nonesuch"], ["--only"], ["--seed", "0"], ["--seed", "-1"], ["--seed", "1x"], ["--how", "guess"],
    ["--nonesuch"], ["blend"]])
def test_wrong_usage_is_one_line(prove, arguments):
    done = prove(*arguments, status=2)
    assert done.stdout == "" and len(done.stderr.splitlines()) == 1


def test_help(prove):
    done = prove("--help")
    assert done.stderr == "" and all(option in done.stdout for option in ("--only", "--seed", "--json", "--require"))
