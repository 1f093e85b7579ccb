# SPDX-License-Identifier: Apache-2.0
"""rung selftest --merge: results of several machines as one table, and files that cannot be believed."""
import itertools
import json
import os

import pytest
from conftest import strict_json

MACHINES = {name: {"processor": name, "level": "generic", "system": "Linux 6.1 x86_64"} for name in ("one", "two")}


def cell(op="mul", device="cpu", arch="generic", variant="default", state="passed", how="native", checks=100, **more):
    ran = state in ("passed", "failed")
    return {"op": op, "device": device, "arch": arch, "variant": variant, "state": state, "how": how,
            "cases": 10 if ran else 0, "checks": checks if ran else 0, "failures": 2 if state == "failed" else 0,
            "worst": 0.25 if ran else None, "worst_wide": None, "examples": 1 if ran else 0, "registers": ran,
            "why": "" if state == "passed" else f"because it {state}", **more}


def document(*cells, machine="one", how="native", **more):
    return {"rung": "selftest", "version": 1, "namespace": "zz", "machine": MACHINES[machine], "how": how,
            "seed": "0x1", "cells": list(cells), **more}


@pytest.fixture
def put(tmp_path):
    def write(name, content):
        (tmp_path / name).write_text(content if isinstance(content, str) else json.dumps(content))
        return name
    return write


STATES = {"failed": ("failed", "native"), "missed": ("missed", "native"), "native": ("passed", "native"),
          "emulator": ("passed", "emulator"), "fake driver": ("passed", "fake driver"),
          "unproven": ("unproven", "native")}


@pytest.mark.parametrize("better, worse", itertools.combinations(STATES, 2))
def test_which_of_two_stands(rung, put, better, worse):
    """In whichever order they come."""
    for i, word in enumerate((better, worse)):
        state, how = STATES[word]
        put(f"{i}.json", document(cell(state=state, how=how, checks=1000 if i else 10), machine=("one", "two")[i]))
    for order in (["0.json", "1.json"], ["1.json", "0.json"]):
        done = rung("selftest", "--merge", *order, "--json")
        out = strict_json(done.stdout)
        assert [(c["state"], c["how"]) for c in out["cells"]] == [STATES[better]]
        assert out["runs"][out["cells"][0]["run"]]["machine"]["processor"] == "one"
        assert done.returncode == (1 if better in ("failed", "missed") else 0)


def test_of_two_alike_the_one_with_more_checks_stands(rung, put):
    put("a.json", document(cell(checks=10)))
    put("b.json", document(cell(checks=30), machine="two"))
    for order in (["a.json", "b.json"], ["b.json", "a.json"]):
        assert strict_json(rung("selftest", "--merge", *order, "--json").stdout)["cells"][0]["checks"] == 30


def test_of_two_alike_the_one_that_was_not_quick_stands(rung, put):
    """However many checks it has; an old file does not tell. --require asks for a proof of either kind."""
    put("a.json", document(cell(checks=10)))
    put("b.json", document(cell(checks=30, quick=True), machine="two"))
    put("c.json", document(cell(checks=20, quick=False)))
    for order in (["a.json", "b.json"], ["b.json", "a.json"]):
        merged = strict_json(rung("selftest", "--merge", *order, "--json").stdout)["cells"][0]
        assert (merged["checks"], merged["quick"]) == (10, False)
    merged = strict_json(rung("selftest", "--merge", "a.json", "b.json", "c.json", "--json").stdout)["cells"][0]
    assert (merged["checks"], merged["quick"]) == (20, False)
    done = rung("selftest", "--merge", "b.json", "--require", "mul")
    assert done.returncode == 0 and b"passed, quick\n\n1 cell: 1 passed\npassed quickly: 1\n" in done.stdout


def test_table(rung, put):
    put("a.json", document(cell(), cell(arch="zen", state="unproven"), cell(arch="avx", state="unproven"),
                           cell(op="add", arch="avx", state="unproven")))
    put("b.json", document(cell(arch="zen", how="emulator", variant="fast"), cell(arch="zen", how="emulator"),
                           cell(device="gpu", arch="s1", how="fake driver"),
                           cell(arch="old", variant="x", state="unproven"),
                           machine="two", how="emulator"))
    done = rung("selftest", "--merge", "a.json", "b.json")
    assert (done.returncode, done.stderr) == (0, b"")
    assert [line.split() for line in done.stdout.decode().splitlines()] == [
        "op cell variant checks worst wide outside state".split(),
        "add cpu/avx default - - - - unproven: because it unproven".split(),
        "mul cpu/avx default - - - - unproven: because it unproven".split(),
        "mul cpu/generic default 100 0.25 - 1 passed".split(),
        "mul cpu/old x - - - - unproven: because it unproven".split(),
        "mul cpu/zen default 100 0.25 - 1 passed under an emulator".split(),
        "mul cpu/zen fast 100 0.25 - 1 passed under an emulator".split(),
        "mul gpu/s1 default 100 0.25 - 1 passed on the fake driver".split(),
        [],
        "7 cells: 1 passed, 2 passed under an emulator, 1 passed on the fake driver, 3 unproven".split(),
        "unproven: cpu/avx (2), cpu/old x (1)".split(),
        "run on one (generic), Linux 6.1 x86_64: native, seed 0x1".split(),
        "run on two (generic), Linux 6.1 x86_64: emulator, seed 0x1".split()]


def test_devices_are_told_and_kept(rung, put):
    gpu = {"device": "cuda", "name": "A GPU", "arch": "sm90", "driver": ""}
    put("a.json", document(cell(), machine="one") | {"machine": {**MACHINES["one"], "devices": [gpu]}})
    put("b.json", document(cell(), machine="two"))
    assert b"run on one (generic), A GPU (cuda/sm90), Linux 6.1 x86_64: native, seed 0x1\n" in rung(
        "selftest", "--merge", "a.json", "b.json", "-o", "both.json").stdout
    runs = strict_json(rung("selftest", "--merge", "both.json", "--json").stdout)["runs"]
    assert [run["machine"].get("devices") for run in runs] == [[gpu], None]


def test_cells_that_nobody_told_of_are_unproven(rung, put):
    """Of the registry that the tool was built with."""
    put("a.json", document(cell("gemm_tn"), namespace="rk"))
    out = strict_json(rung("selftest", "--merge", "a.json", "--json").stdout)
    declared = strict_json(rung("matrix", "--build", "--json").stdout)["cells"]
    key = ("op", "device", "arch", "variant")
    assert [[c[k] for k in key] for c in out["cells"]] == [[c[k] for k in key] for c in declared]
    for c in out["cells"]:
        told = [c[k] for k in key] == ["gemm_tn", "cpu", "generic", "default"]
        assert c["state"] == ("passed" if told else "unproven") and (told or c["run"] is None)
        assert told or c["why"] in ("in none of the files", "planned")


def test_merged_ones_are_merged_again(rung, put, tmp_path):
    put("a.json", document(cell(), cell(arch="zen", state="unproven")))
    put("b.json", document(cell(arch="zen", how="emulator"), machine="two", how="emulator"))
    put("c.json", document(cell(device="gpu", how="fake driver"), how="fake driver"))
    assert rung("selftest", "--merge", "b.json", "a.json", "-o", "ab.json").returncode == 0
    twice = strict_json(rung("selftest", "--merge", "ab.json", "c.json", "a.json", "--json").stdout)
    once = strict_json(rung("selftest", "--merge", "b.json", "a.json", "c.json", "--json").stdout)
    assert twice == once and len(once["runs"]) == 3
    assert [once["runs"][c["run"]]["machine"]["processor"] for c in once["cells"]] == ["one", "two", "one"]
    assert sorted(os.listdir(tmp_path)) == ["a.json", "ab.json", "b.json", "c.json"]


def test_required(rung, refused, put):
    put("a.json", document(cell(), cell(arch="zen", state="unproven"), cell("add", arch="zen", how="emulator")))
    for pattern in ("cpu/generic", "add", "mul */generic/*", "add cpu/zen/default"):
        assert rung("selftest", "--merge", "a.json", "--require", pattern).returncode == 0
    args = ["selftest", "--merge", "a.json", "--require"]
    refused(*args, "cpu/zen", code=1,
            text="'cpu/zen': 1 of 2 cells did not pass, the first being mul cpu/zen/default: unproven: because")
    refused(*args, "*", code=1, text="1 of 3 cells")
    refused(*args, "cpu/avx", code=2, text="no cell fits 'cpu/avx'")


@pytest.mark.parametrize("state", ["failed", "missed"])
def test_exit_code(rung, put, state):
    done = rung("selftest", "--merge", put("a.json", document(cell(state=state))))
    assert done.returncode == 1 and f"1 cell: 1 {state}\n".encode() in done.stdout


BAD = {
    "no JSON": ("{", "a.json is not JSON: line 1"),
    "nothing": ("", "a.json is not JSON"),
    "a list": ([], "a.json is not a result of 'rung selftest'"),
    "a result of another command": (document(rung="bench"), "is not a result of 'rung selftest'"),
    "no version": (document(version=None), "version"),
    "a later version": (document(version=2), "version 2"),
    "no namespace": (document(namespace=""), "no namespace"),
    "no cells": (document(cells={}), "no cells"),
    "no machine": (document(machine="one") | {"machine": None}, "on which machine"),
    "devices that are none": (document() | {"machine": {**MACHINES["one"], "devices": 5}}, "the devices"),
    "no seed": (document(seed=5), "seed"),
    "run in another way": (document(how="by hand"), "how"),
    "a cell without a name": (document(cell(), cell(op=None)), "cell 2 has no op"),
    "a cell that is none": (document(5), "cell 1 has no op"),
    "an unknown state": (document(cell(state="fine")), "mul cpu/generic/default has no state that is known"),
    "a cell in another way": (document(cell(how="dreamt")), "mul cpu/generic/default was run in a way"),
    "a negative count": (document(cell(cases=-1)), "mul cpu/generic/default lacks a number, or has a wrong one"),
    "a count that is none": (document(cell(checks="many")), "lacks a number"),
    "an error that is none": (document(cell(worst="small")), "lacks a number"),
    "no registers": (document(cell(registers=None)), "lacks a number"),
    "quick in another way": (document(cell(quick="very")), "lacks a number"),
    "passed without a check": (document(cell(checks=0)), "cannot have passed"),
    "passed with failures": (document(cell(failures=1)), "cannot have passed"),
    "a cell twice": (document(cell(), cell(how="emulator")), "mul cpu/generic/default is there twice"),
    "of no run": (document(runs=[], cells=[cell(run=0)]), "is of a run that is not there"),
    "passed in no run": (document(runs=[], cells=[cell(run=None)]), "is of a run that is not there"),
    "a bad run": (document(runs=[{}]), "on which machine"),
}


@pytest.mark.parametrize("content, text", BAD.values(), ids=BAD)
def test_bad_files(refused, put, content, text):
    put("a.json", content)
    put("b.json", document(cell()))
    for order in (["a.json", "b.json"], ["b.json", "a.json"]):
        assert refused("selftest", "--merge", *order, "-o", "out.json", code=1, text=text).stdout == b""


def test_files_that_do_not_go_together(refused, put, tmp_path):
    put("a.json", document(cell()))
    put("b.json", document(cell(), namespace="yy"))
    refused("selftest", "--merge", "a.json", "b.json", code=1, text="b.json is of registry 'yy', and a.json of 'zz'")
    (tmp_path / "link.json").symlink_to("a.json")
    refused("selftest", "--merge", "a.json", "link.json", code=1, text="a.json and link.json are the same file")
    refused("selftest", "--merge", "a.json", "none.json", code=1, text="none.json: No such file")
    refused("selftest", "--merge", "a.json", "-o", "a.json", code=1, text="would replace a.json")


def test_text_from_a_file_is_made_safe(rung, put):
    put("a.json", document(cell(state="unproven", why="\x1b[31mred\nsecond line")))
    done = rung("selftest", "--merge", "a.json")
    assert done.returncode == 0 and b"\x1b" not in done.stdout
    assert b"unproven: ?[31mred?second line\n" in done.stdout
