# SPDX-License-Identifier: Apache-2.0
"""`rung tune` on results that are made here: what it proposes, what it leaves, and what it refuses."""
import json
import pathlib
import re
import subprocess
import sys

import pytest
from conftest import strict_json

ROOT = pathlib.Path(__file__).resolve().parents[2]
MACHINE = {"processor": "A processor", "level": "x86-64-v4", "system": "Linux 6.1.0 x86_64"}
SIZES = [{"m": 20, "n": 300, "k": 256}, {"m": 80, "n": 80, "k": 1024}]
CHAIN = ["x86-64-v4", "x86-64-v3", "generic"]


def gpu(name, arch, driver="13.0", device="cuda"):
    return {"device": device, "name": name, "arch": arch, "driver": driver}


H100, A100 = gpu("NVIDIA H100 80GB HBM3", "sm90"), gpu("NVIDIA A100-SXM4-80GB", "sm80")


def result(op, place, variant, sizes, seconds, spread):
    device, arch = place.split("/")
    return {"op": op, "device": device, "arch": arch, "variant": variant, "sizes": sizes,
            "seconds": {"median": seconds, "low": seconds * (1 - spread), "high": seconds * (1 + spread)},
            "turns": 31, "calls": 9, "flops": 1e6, "bytes": 1e6, "gflops": 1.0, "gb_per_second": 1.0,
            "bound": None, "roof_fraction": None}


class Files:
    """The two files of a machine. `times` of a kernel are seconds, one for each of the sizes."""

    def __init__(self, folder):
        self.folder = folder
        self.results = []
        self.cells = {}
        self.machine, self.proof_machine = dict(MACHINE), dict(MACHINE)
        self.namespace = "rk"

    def on(self, device):
        self.machine["devices"] = self.proof_machine["devices"] = [device]

    def add(self, op, place, times, variant="default", spread=0.01, **verdict):
        for sizes, seconds in zip(SIZES, times):
            self.results.append(result(op, place, variant, sizes, seconds, spread))
        device, arch = place.split("/")
        self.cells[op, place, variant] = {
            "op": op, "device": device, "arch": arch, "variant": variant, "state": "passed", "how": "native",
            "cases": 9, "checks": 99, "failures": 0, "worst": 0.1, "worst_wide": None, "examples": 0, "registers": True,
            "why": "", **verdict}

    def ladder(self, op, *times, **how):
        for arch, of_arch in zip(CHAIN, times):
            self.add(op, f"cpu/{arch}", of_arch, **how)

    def write(self):
        bench = {"rung": "bench", "version": 1, "namespace": self.namespace, "machine": self.machine, "roof": None,
                 "results": self.results}
        proof = {"rung": "selftest", "version": 1, "namespace": self.namespace, "machine": self.proof_machine,
                 "how": "native", "seed": "0x2a", "cells": list(self.cells.values())}
        (self.folder / "bench.json").write_text(json.dumps(bench))
        (self.folder / "proof.json").write_text(json.dumps(proof))
        return ["tune", "--bench", "bench.json", "--selftest", "proof.json"]


@pytest.fixture
def files(tmp_path):
    return Files(tmp_path)


def rows_of(rung, files, *options):
    """What was decided of each kernel, by op and arch."""
    done = rung(*files.write(), "--json", *options)
    assert (done.returncode, done.stderr) == (0, b"")
    return {(row["op"], row["arch"]): row for row in strict_json(done.stdout)["rows"]}


def decision(row):
    return row["proposed"] if row["change"] else row["why"]


# ---- what is proposed ------------------------------------------------------------------------------------------------


def test_a_faster_older_kernel_is_proposed(rung, files):
    files.ladder("gemm_tn", [2e-5, 3e-5], [1e-5, 2e-5], [8e-5, 9e-5])
    rows = rows_of(rung, files)
    row = rows["gemm_tn", "x86-64-v4"]
    assert (row["now"], row["proposed"], row["change"], row["against"]) == (None, "x86-64-v3", True, "x86-64-v3")
    assert row["ratio"] == pytest.approx(3 ** 0.5)
    assert [size["ratio"] for size in row["measured"]] == [pytest.approx(2), pytest.approx(1.5)]
    assert not rows["gemm_tn", "x86-64-v3"]["change"]


def times(factor):
    """Of the newest kernel, of others that are slower by the factor, and of a slow one of the last rung."""
    return [1e-5, 1e-5], [1e-5 * factor] * 2, [9e-5, 9e-5]


@pytest.mark.parametrize("ladder, options, want", [
    (times(2), (), "faster than x86-64-v3 at every size"),
    (times(0.96), (), "x86-64-v3 is faster at every size, by less than the margin"),
    (times(0.96), ("--margin", "4"), "x86-64-v3"),
    (times(0.9), ("--margin", "15"), "x86-64-v3 is faster at every size, by less than the margin"),
    (times(0.99), ("--margin", "0"), "within the noise of x86-64-v3 at some size"),
    (([2e-5, 1e-5], [1e-5, 2e-5], [9e-5, 9e-5]), (), "mixed: each is faster at some size than the other, x86-64-v3"),
    (([2e-5, 1e-5], [1e-5, 1e-5], [9e-5, 9e-5]), (), "within the noise of x86-64-v3 at some size"),
    (([2e-5, 2e-5], [4e-5, 4e-5], [1e-5, 1e-5]), (),
     "generic is faster at every size; behind it this one would never be called"),
], ids=["newer", "below-margin", "smaller-margin", "larger-margin", "noise", "mixed", "noise-at-one-size", "generic"])
def test_decisions(rung, files, ladder, options, want):
    files.ladder("gemm_tn", *ladder)
    assert decision(rows_of(rung, files, *options)["gemm_tn", "x86-64-v4"]) == want


def test_quartiles_that_overlap_are_noise(rung, files):
    """Whatever the medians are."""
    files.ladder("gemm_tn", *times(0.5), spread=0.4)
    assert "within the noise" in rows_of(rung, files)["gemm_tn", "x86-64-v4"]["why"]


def test_behind_the_oldest_that_is_faster(rung, files):
    """As on a machine with several older kernels; one that is no faster itself may not come to be called."""
    files.on(H100)
    for op, of_90a, of_90, of_80 in (("gemm_tn", 4, 2, 1), ("gemm_nt", 4, 1, 2), ("residual_energy", 9, 2, 9)):
        for arch, time in (("sm90a", of_90a), ("sm90", of_90), ("sm80", of_80)):
            if (op, arch) != ("residual_energy", "sm90a"):
                files.add(op, f"cuda/{arch}", [time * 1e-5] * 2)
    rows = rows_of(rung, files)
    assert {key: row["proposed"] for key, row in rows.items() if row["change"]} == {
        ("gemm_tn", "sm90a"): "sm80", ("gemm_tn", "sm90"): "sm80", ("gemm_nt", "sm90a"): "sm80"}
    assert rows["gemm_nt", "sm90"]["why"] == "faster than sm80 at every size"


def test_one_between_that_was_not_measured_stops_it(rung, files):
    files.on(H100)
    files.add("gemm_tn", "cuda/sm90a", [2e-5] * 2)
    files.add("gemm_tn", "cuda/sm80", [1e-5] * 2)
    rows = rows_of(rung, files)
    assert decision(rows["gemm_tn", "sm90a"]) == "sm80 is faster at every size, but a kernel between them is not"


def test_other_variants_and_devices_are_no_rivals(rung, files):
    files.add("gemm_tn", "cpu/x86-64-v4", [2e-5] * 2)
    files.add("gemm_tn", "cpu/generic", [1e-5] * 2, variant="openblas")
    files.add("gemm_tn", "cuda/sm80", [1e-6] * 2)
    assert rows_of(rung, files) == {}
    text = rung(*files.write())
    assert text.returncode == 0 and text.stdout.decode().splitlines()[-1] == "nothing to propose"


def test_sizes_that_only_one_was_measured_at(rung, files):
    files.ladder("gemm_tn", [2e-5], [1e-5, 2e-5])
    assert rows_of(rung, files) == {}


# ---- proofs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arch", CHAIN[:2])
@pytest.mark.parametrize("verdict, text", [
    ({"state": "failed", "failures": 1, "why": "c[3] is 1, not 2"}, "failed: c[3] is 1, not 2"),
    ({"state": "unproven", "why": "CPU lacks avx512f"}, "unproven: CPU lacks avx512f"),
    ({"state": "missed", "why": "not tested"}, "missed: not tested"),
    ({"how": "emulator"}, "passed under an emulator"),
    ({"how": "fake driver"}, "passed on the fake driver"),
])
def test_only_what_passed_here_is_moved_or_stood_behind(rung, files, arch, verdict, text):
    files.ladder("gemm_tn", [2e-5] * 2, [1e-5] * 2, [9e-5] * 2)
    files.cells["gemm_tn", f"cpu/{arch}", "default"].update(verdict)
    row = rows_of(rung, files)["gemm_tn", "x86-64-v4"]
    assert not row["change"] and row["why"] == f"{arch} is not proven: {text}"


def test_a_proof_of_another_machine_is_none(rung, files):
    files.ladder("gemm_tn", [2e-5] * 2, [1e-5] * 2)
    files.proof_machine["processor"] = "Another"
    row = rows_of(rung, files)["gemm_tn", "x86-64-v4"]
    assert not row["change"] and row["why"] == "x86-64-v4 is not proven: the selftest is of another machine"
    files.proof_machine.update(processor=MACHINE["processor"], system="Linux 6.2.0 x86_64")
    assert rows_of(rung, files)["gemm_tn", "x86-64-v4"]["change"]
    del files.cells["gemm_tn", "cpu/x86-64-v3", "default"]
    row = rows_of(rung, files)["gemm_tn", "x86-64-v4"]
    assert not row["change"] and row["why"] == "x86-64-v3 is not proven: the selftest has no such kernel"


@pytest.mark.parametrize("timed, proven, same", [
    ([H100], [H100], True),
    ([H100], [{**H100, "driver": "12.8"}], True),
    ([H100], [gpu("Another", "gfx90a", device="rocm"), H100], True),
    ([H100], [A100], False),
    ([H100], [{**H100, "name": "NVIDIA H200"}], False),
    ([H100], [{**H100, "arch": "sm90a"}], False),
    ([H100], [H100, A100], False),
    ([H100, A100], [H100], False),
    ([H100], [{**H100, "device": "rocm"}], False),
    ([H100], [], False),
    ([H100], None, False),
    (None, [H100], False),
    (None, None, False),
    ([], [], False),
    ([gpu("", "sm90")], [gpu("", "sm90")], False),
], ids=["same", "driver", "others-beside", "A100", "name", "arch", "more", "fewer", "kind", "empty", "untold-proof",
        "untold-times", "untold", "none", "nameless"])
def test_a_proof_on_another_gpu_is_none(rung, files, timed, proven, same):
    """The processors are the same: the nodes of a cluster differ in their GPUs."""
    for arch, seconds in (("sm90", 2e-5), ("sm80", 1e-5)):
        files.add("gemm_tn", f"cuda/{arch}", [seconds] * 2)
    files.ladder("gemm_tn", [2e-5] * 2, [1e-5] * 2)
    for machine, devices in ((files.machine, timed), (files.proof_machine, proven)):
        if devices is not None:
            machine["devices"] = devices
    rows = rows_of(rung, files)
    assert rows["gemm_tn", "x86-64-v4"]["change"], "of the processor it is a proof in any case"
    want = "sm80" if same else "sm90 is not proven: the selftest is of another machine"
    assert decision(rows["gemm_tn", "sm90"]) == want


def test_gpus_are_told(rung, files, tmp_path):
    files.machine["devices"], files.proof_machine["devices"] = [H100], [{**H100, "more": 1}]
    files.ladder("gemm_tn", [2e-5] * 2, [1e-5] * 2)
    done = rung(*files.write(), "-o", "proposal.yaml")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines()[-2] == (
        "measured on A processor (x86-64-v4), NVIDIA H100 80GB HBM3 (cuda/sm90, driver 13.0), Linux 6.1.0 x86_64; "
        "proposed from 5 % on")
    devices = ('"devices": [{"device": "cuda", "name": "NVIDIA H100 80GB HBM3", "arch": "sm90", "driver": "13.0"}]')
    text = (tmp_path / "proposal.yaml").read_text()
    assert text.count(devices) == 2  # of the times and of the proof


# ---- output ----------------------------------------------------------------------------------------------------------


def test_the_table(rung, files):
    files.ladder("gemm_tn", [2e-5, 3e-5], [1e-5, 2e-5], [8e-5, 9e-5])
    lines = rung(*files.write()).stdout.decode().splitlines()
    assert re.split("  +", lines[0]) == ["op", "kernel", "now after", "proposed", "against", "margin", "each size"]
    assert re.split("  +", lines[1]) == ["gemm_tn", "cpu/x86-64-v4", "-", "x86-64-v3", "x86-64-v3", "+73 %",
                                         "2.00 1.50", "x86-64-v3 is faster at every size"]
    assert re.split("  +", lines[2]) == ["gemm_tn", "cpu/x86-64-v3", "-", "generic", "-83 %", "0.12 0.22",
                                         "faster than generic at every size"]
    assert lines[-1] == "measured on A processor (x86-64-v4), Linux 6.1.0 x86_64; proposed from 5 % on"


def test_the_proposal(rung, files, tmp_path):
    """Every line of it."""
    files.machine["processor"] = files.proof_machine["processor"] = 'Odd "µ" # name'
    files.ladder("gemm_tn", [2e-5, 3e-5], [1e-5, 2e-5])
    done = rung(*files.write(), "-o", "proposal.yaml")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines()[-1] == "'python3 -m codegen tune proposal.yaml' shows what it changes"
    text = re.sub(r'(date|tool): "[0-9.-]+"', r'\1: "*"', (tmp_path / "proposal.yaml").read_text())
    machine = r'{"processor": "Odd \"\u00B5\" # name", "level": "x86-64-v4", "system": "Linux 6.1.0 x86_64"}'
    assert text == f"""\
# A proposal of `rung tune`: `python3 -m codegen tune FILE` shows what it changes. docs/tuning.md
rung: tune
version: 1
namespace: "rk"
date: "*"
tool: "*"
machine: {machine}
proof: [{{"machine": {machine}, "how": "native", "seed": "0x2a"}}]
margin: 0.0500
changes:
  # x86-64-v3 is faster at every size
  - op: "gemm_tn"
    kernel: "cpu/x86-64-v4"
    after: "x86-64-v3"
    was: null
    ratio: 1.732 # of the times of both, the geometric mean
    measured: # seconds a call: medians and quartiles
      - sizes: {{"m": 20, "n": 300, "k": 256}}
        seconds: [{{kernel: "x86-64-v4", median: 2.0000e-05, low: 1.9800e-05, high: 2.0200e-05}},
                  {{kernel: "x86-64-v3", median: 1.0000e-05, low: 9.9000e-06, high: 1.0100e-05}}]
      - sizes: {{"m": 80, "n": 80, "k": 1024}}
        seconds: [{{kernel: "x86-64-v4", median: 3.0000e-05, low: 2.9700e-05, high: 3.0300e-05}},
                  {{kernel: "x86-64-v3", median: 2.0000e-05, low: 1.9800e-05, high: 2.0200e-05}}]
"""


def test_the_proposal_is_what_codegen_reads(rung, files, tmp_path):
    files.ladder("gemm_tn", [2e-5, 3e-5], [1e-5, 2e-5])
    assert rung(*files.write(), "-o", "proposal.yaml").returncode == 0
    done = subprocess.run([sys.executable, "-m", "codegen", "tune", tmp_path / "proposal.yaml"], cwd=ROOT, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "| gemm_tn | default | cpu/x86-64-v4 | cpu/x86-64-v4 | cpu/x86-64-v3 |\n" in done.stdout


def test_nothing_to_propose_is_no_file(rung, files, tmp_path):
    files.ladder("gemm_tn", [1e-5] * 2, [2e-5] * 2)
    command = [*files.write(), "--output", "proposal.yaml"]
    done = rung(*command)
    assert done.returncode == 0 and done.stdout.decode().splitlines()[-1] == "nothing to propose"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bench.json", "proof.json"]
    assert rung(*command, "--empty").returncode == 0
    assert (tmp_path / "proposal.yaml").read_text().endswith("\nchanges: []\n")


# ---- what is measured here: that it is, not how fast anything is -----------------------------------------------------


def test_proven_and_timed_on_this_machine(rung):
    done = rung("tune", "residual_energy", "--platform", "cpu", "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    said = strict_json(done.stdout)
    assert said["machine"]["level"] == strict_json(rung("platform", "--json").stdout)["cpu"]["level"]
    assert all(row["op"] == "residual_energy" and row["measured"] for row in said["rows"])
    assert not any("not proven" in row["why"] for row in said["rows"])


def test_the_proposal_tells_of_the_proof_that_was_made_here(rung, tmp_path):
    """With no seed of one's own it is that of `rung selftest`."""
    done = rung("tune", "residual_energy", "--platform", "cpu", "-o", "proposal.yaml", "--empty")
    assert (done.returncode, done.stderr) == (0, b"")
    proof = re.search(r"^proof: .*$", (tmp_path / "proposal.yaml").read_text(), re.M)[0]
    here = strict_json(rung("selftest", "residual_energy", "--only", "cpu/*", "--quick", "--json").stdout)
    run, = json.loads(proof[len("proof: "):])
    assert (run["seed"], run["how"]) == (here["seed"], here["how"]) and run["seed"] != "0x0"


def test_a_kernel_without_a_rival_is_not_measured(rung):
    done = rung("tune", "ridge_solve", "--platform", "cpu")
    assert done.returncode == 0 and done.stdout.decode().splitlines()[-1] == "nothing to propose"


# ---- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options, text", [
    (["--empty"], "--empty is for --output"),
    (["--margin", "-1"], "--margin: -1 is out of range"),
    (["--margin", "some"], "--margin: 'some' is not a number"),
    (["gemm_tx"], 'unknown op "gemm_tx"; nearest: gemm_tn, '),
    (["factor_model"], "factor_model is a component"),
    (["gemm_tn", "--bench", "bench.json"], "--bench and OP exclude each other"),
    (["--bench", "bench.json", "-p", "cpu"], "--bench and --platform exclude each other"),
])
def test_usage(refused, options, text):
    refused("tune", *options, code=2, text=text)


def test_results_of_something_else(refused, files, tmp_path):
    files.ladder("gemm_tn", [2e-5] * 2, [1e-5] * 2)
    files.namespace = "ex"
    refused(*files.write(), code=1, text="bench.json is of the registry 'ex', not of 'rk'")
    files.namespace = "rk"
    command = files.write()
    refused(*command, "-o", "bench.json", code=1, text="bench.json")
    refused(*command, "-o", "none/proposal.yaml", code=1, text="none/proposal.yaml")
    refused("tune", "--bench", "proof.json", "--selftest", "proof.json", code=1, text="proof.json is not a result of")
    refused("tune", "--bench", "bench.json", "--selftest", "bench.json", code=1, text="bench.json is not a result of")
    refused("tune", "--bench", "bench.json", "--selftest", "none.json", code=1, text="none.json")


def test_results_of_kernels_that_there_are_not(refused, files):
    files.ladder("gemm_tn", [2e-5] * 2, [1e-5] * 2)
    files.add("gemm_tn", "cpu/x86-64-v9", [1e-5] * 2)
    refused(*files.write(), code=1, text="x86-64-v9")


def test_a_kernel_of_another_name_is_told_before_anything_is_run(refused, files):
    """The proofs would fail, too: the file is not there."""
    files.ladder("gemm_tm", [2e-5] * 2, [1e-5] * 2)
    files.write()
    refused("tune", "--bench", "bench.json", "--selftest", "none.json", code=1,
            text='bench.json: unknown op "gemm_tm"; nearest: gemm_tn, ')


def test_results_of_no_one_machine(refused, files):
    files.ladder("gemm_tn", [2e-5] * 2, [1e-5] * 2)
    files.add("gemm_tn", "cpu/neon", [1e-5] * 2)
    refused(*files.write(), code=1, text="the results of gemm_tn on cpu are of no one machine")
