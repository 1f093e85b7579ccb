# SPDX-License-Identifier: Apache-2.0
"""rung selftest: proofs that are run here."""
import os
import re
import signal
import subprocess
import time

import pytest
from conftest import environment, strict_json, tree

QUICK = ["selftest", "gemm_tn", "rbf_factors", "--only", "cpu/generic", "--quick"]
NO_GPU = environment(RUNG_SKIP="all")
NUMBERS = ["cases", "checks", "failures", "examples"]


def cells(out):
    return {f"{c['op']} {c['device']}/{c['arch']}/{c['variant']}": c for c in out["cells"]}


@pytest.fixture(scope="module")
def results(binary, tmp_path_factory):
    done = subprocess.run([binary, *QUICK, "--json"], cwd=tmp_path_factory.mktemp("run"), env=environment(),
                          stdout=subprocess.PIPE, check=False)
    assert done.returncode == 0
    return strict_json(done.stdout)


def test_json(results):
    assert [results[k] for k in ("rung", "version", "namespace", "how")] == ["selftest", 1, "rk", "native"]
    assert set(results["machine"]) - {"devices"} == {"level", "processor", "system"}  # devices: where there is a GPU
    assert all(results["machine"].values())
    assert re.fullmatch("0x[0-9a-f]+", results["seed"])
    assert set(results) == {"rung", "version", "namespace", "machine", "how", "seed", "cells"}
    for cell in results["cells"]:
        assert set(cell) == {"op", "device", "arch", "variant", "state", "how", *NUMBERS, "worst", "worst_wide",
                             "registers", "quick", "why"}
        assert all(isinstance(cell[k], int) and cell[k] >= 0 for k in NUMBERS)
        assert cell["worst"] is None or 0 <= cell["worst"]
        assert cell["worst_wide"] is None or 0 <= cell["worst_wide"]
        assert isinstance(cell["registers"], bool) and cell["quick"] is True


def test_reference_kernels_pass(results):
    here = cells(results)
    for name in ("gemm_tn cpu/generic/default", "rbf_factors cpu/generic/default"):
        cell = here[name]
        assert (cell["state"], cell["failures"], cell["why"]) == ("passed", 0, "")
        assert cell["cases"] > 0 and cell["checks"] >= cell["cases"]
        assert cell["worst"] <= 1 and cell["worst_wide"] <= 1
    # OpenBLAS is not in every build: unproven then, and told why
    other = here["gemm_tn cpu/generic/openblas"]
    assert other["state"] == "passed" or (other["state"] == "unproven" and other["why"])
    assert len(here) == 3


def test_table(rung, results):
    done = rung(*QUICK)
    assert done.returncode == 0
    lines = done.stdout.decode().splitlines()
    assert lines[0].split() == ["op", "cell", "variant", "checks", "worst", "wide", "outside", "state"]
    row = next(line.split() for line in lines if line.startswith("gemm_tn") and "default" in line)
    cell = cells(results)["gemm_tn cpu/generic/default"]
    assert row[:4] == ["gemm_tn", "cpu/generic", "default", str(cell["checks"])] and row[-2:] == ["passed,", "quick"]
    assert lines[lines.index("") + 1].startswith("3 cells: ")
    assert lines[-1].startswith("run on ") and lines[-1].endswith(": native, seed " + results["seed"])


def test_a_seed_of_ones_own(rung):
    out = strict_json(rung("selftest", "gemm_tn", "--only", "* cpu/generic/default", "--quick", "--seed", "0x7B",
                           "--json").stdout)
    assert out["seed"] == "0x7b" and len(out["cells"]) == 1


def test_emulated(rung):
    args = ["selftest", "gemm_tn", "--only", "* cpu/generic/default", "--quick", "--emulated"]
    out = strict_json(rung(*args, "--json").stdout)
    assert out["how"] == "emulator" and [c["how"] for c in out["cells"]] == ["emulator"]
    assert b"1 cell: 1 passed under an emulator\npassed quickly: 1\n" in rung(*args).stdout


def test_what_cannot_run_here_is_unproven(rung, refused):
    """Devices that are not looked for, on any machine."""
    args = ["selftest", "--only", "cuda/*"]
    done = rung(*args, "--json", env=NO_GPU)
    assert done.returncode == 0
    out = strict_json(done.stdout)
    declared = strict_json(rung("matrix", "--build", "--json").stdout)["cells"]
    assert set(cells(out)) == {name for name in cells({"cells": declared}) if " cuda/" in name}
    for cell in out["cells"]:
        assert (cell["state"], cell["checks"], cell["worst"]) == ("unproven", 0, None)
        assert cell["why"] and "\n" not in cell["why"]
    text = rung(*args, env=NO_GPU).stdout.decode()
    assert f"{len(out['cells'])} cells: {len(out['cells'])} unproven\nunproven: cuda/generic (" in text
    refused(*args, "--require", "* cuda/sm80/default", code=1, text="cells did not pass, the first being", env=NO_GPU)


def test_required(rung, refused):
    args = ["selftest", "gemm_tn", "--only", "* cpu/generic/default", "--quick"]
    assert rung(*args, "--require", "cpu/generic", "--require", "gemm_tn").returncode == 0
    refused(*args, "--require", "cpu/neon", code=2, text="no cell fits 'cpu/neon'")


def test_no_progress_without_a_terminal(rung):
    assert rung(*QUICK).stderr == b""


def test_output(rung, tmp_path):
    (tmp_path / "sub").mkdir()
    done = rung(*QUICK, "-o", "sub/result.json")
    assert done.returncode == 0 and b"3 cells: " in done.stdout
    assert os.listdir(tmp_path / "sub") == ["result.json"]
    out = strict_json((tmp_path / "sub/result.json").read_bytes())
    assert len(out["cells"]) == 3
    assert rung("selftest", "--merge", "sub/result.json").returncode == 0


@pytest.mark.parametrize("path, text", [("", "not the name of a file"), ("sub/", "not the name of a file"),
                                        ("sub", "not the name of a file"), ("/dev/null", "not the name of a file"),
                                        ("nowhere/x.json", "No such file"), ("file/x.json", "")])
def test_output_that_cannot_be(refused, tmp_path, path, text):
    """It is known before anything is tested."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "file").write_text("mine")
    done = refused("selftest", "--output", path, code=1, text=text)
    assert done.stdout == b"" and b"testing" not in done.stderr


@pytest.mark.parametrize("what", ["link", "pipe", "nowhere", "stdout"])
def test_output_is_no_plain_file(rung, refused, tmp_path, what):
    """A link is followed and stays; what is no file is refused and stays."""
    (tmp_path / "sub").mkdir()
    path = tmp_path / "x.json"
    if what == "link":
        (tmp_path / "sub/result.json").write_text("old")
        path.symlink_to("sub/result.json")
        assert rung(*QUICK, "-o", "x.json").returncode == 0
        assert os.readlink(path) == "sub/result.json"
        assert len(strict_json((tmp_path / "sub/result.json").read_bytes())["cells"]) == 3
        assert tree(tmp_path).keys() == {"sub", "sub/result.json", "x.json"}
    elif what == "pipe":
        os.mkfifo(path)
        refused(*QUICK, "-o", "x.json", code=1, text="not the name of a file")
        assert path.is_fifo()
    elif what == "nowhere":
        path.symlink_to("none.json")
        refused(*QUICK, "-o", "x.json", code=1, text="a link that leads nowhere")
        assert os.readlink(path) == "none.json"
    else:
        link = tmp_path / "link"
        link.symlink_to("/proc/self/fd/1")
        with open(path, "wb") as out:
            refused(*QUICK, "-o", "link", code=1, text="where standard output goes", stdout=out)
        assert os.readlink(link) == "/proc/self/fd/1"


def test_full_disk(refused):
    """A limit on the size of files stands in for it."""
    import resource
    refused(*QUICK, "-o", "x.json", code=1, text="cannot write x.json",
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted(binary, tmp_path, number):
    """No file is left behind, and one line is said, whether the signal goes to the tool alone or, as Ctrl-C does, to
    its process for the cell, too. That the pipe ends tells that both have."""
    job = subprocess.Popen([binary, "selftest", "-o", "x.json"], cwd=tmp_path, env=environment(),
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    while job.poll() is None and not list(tmp_path.glob(".rung-*")):
        time.sleep(0.001)
    time.sleep(0.05)
    if number == signal.SIGINT:
        os.killpg(job.pid, number)
    else:
        job.send_signal(number)
    out, err = job.communicate(timeout=60)
    assert (job.returncode, out) == (-number, b"")
    assert err.decode().splitlines()[-1] == "rung: interrupted; nothing was written"
    assert err.count(b"interrupted") == 1
    assert tree(tmp_path) == {}


@pytest.mark.parametrize("args, text", [
    (["gemm_tm"], 'unknown op "gemm_tm"; nearest: gemm_tn, '),
    (["factor_model"], "is a component"),
    (["--only", "nonesuch"], "--only: no cell fits 'nonesuch'"),
    (["--only", "cpu/*", "--only", "x"], "no cell fits 'x'"),
    (["gemm_tn", "--only", "gemm_nt"], "no cell fits 'gemm_nt'"),
    (["--require", "nonesuch"], "--require: no cell fits 'nonesuch'"),
    (["--seed", "x"], "'x'"), (["--seed", "-1"], "'-1'"), (["--seed", "1.5"], "'1.5'"), (["--seed", ""], "''"),
    (["--seed", "0"], "range"), (["--seed", "0x10000000000000000"], "range"),
    (["--nonesuch"], "--nonesuch"), (["--only"], "--only"),
    (["--merge"], "needs the names of files"),
    (["--merge", "x.json", "--quick"], "do not go with it"), (["--merge", "x.json", "--only", "cpu/*"], "do not go"),
    (["--merge", "x.json", "--seed", "1"], "do not go"), (["--merge", "x.json", "--emulated"], "do not go"),
])
def test_usage(refused, args, text):
    assert refused("selftest", *args, code=2, text=text).stdout == b""


def test_a_registry_of_ones_own(rung, tmp_path):
    """Its own command writes what the tool merges."""
    if not os.environ.get("RUNG_AXPY"):
        pytest.skip("built without the examples")
    done = subprocess.run([os.environ["RUNG_AXPY"], "--quick", "--json", "axpy.json"], cwd=tmp_path, env=environment(),
                          stdout=subprocess.PIPE, check=False)
    assert done.returncode == 0
    out = strict_json((tmp_path / "axpy.json").read_bytes())
    assert (out["namespace"], cells(out)["axpy cpu/generic/default"]["state"]) == ("ex", "passed")
    merged = rung("selftest", "--merge", "axpy.json", "--require", "cpu/generic", "--json")
    assert merged.returncode == 0
    here = {name: {**cell, "run": 0} for name, cell in cells(out).items()}
    assert cells(strict_json(merged.stdout)) == here


def test_installed(tmp_path):
    """From a folder that it was installed to, with nothing but its static data."""
    done = subprocess.run([os.environ["RUNG_CMAKE"], "--install", os.environ["RUNG_BUILD"], "--prefix",
                           tmp_path / "a prefix"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    assert done.returncode == 0, done.stdout.decode()
    (tmp_path / "elsewhere").mkdir()
    env = {"PATH": "/usr/bin:/bin", "RUNG_SKIP": "all"}
    done = subprocess.run([tmp_path / "a prefix/bin/rung", *QUICK, "--require", "* cpu/generic/default", "--json"],
                          cwd=tmp_path / "elsewhere", env=env, stdout=subprocess.PIPE, check=False)
    assert done.returncode == 0
    assert [c["state"] for c in strict_json(done.stdout)["cells"] if c["variant"] == "default"] == ["passed"] * 2
    headers = tmp_path / "a prefix/include"
    assert (headers / "rung/proof.h").is_file() and (headers / "rk/proof.h").is_file()


@pytest.mark.parametrize("mark", [0x200e, 0x200f, 0x2028, 0x202a, 0x202e, 0x2066, 0x2069, 0x85])
def test_what_turns_a_line_around_is_not_repeated(refused, mark):
    refused("selftest", "--seed", f"1{chr(mark)}2", code=2, text="'1?2'")


@pytest.mark.parametrize("mark", [0x200d, 0x2010, 0x2027, 0x202f, 0x2065, 0x206a])
def test_other_marks_are(refused, mark):
    refused("selftest", "--seed", f"1{chr(mark)}2", code=2, text=f"'1{chr(mark)}2'")
