# SPDX-License-Identifier: Apache-2.0
"""platform, explain, resolve, matrix: what they print, and how they end."""
import json
import os
import re

import pytest
from conftest import environment, strict_json

COMMANDS = [["platform"], ["explain", "gemm_tn"], ["explain", "gemm_tn", "--variant", "openblas"], ["resolve"],
            ["resolve", "rbf_factors"], ["matrix"], ["matrix", "--build"], ["platform", "--platform", "cpu/generic"],
            ["explain", "rbf_factors", "--platform", "accel/sm90"], ["resolve", "--platform", "accel/sm90,cpu/generic"],
            ["resolve", "--memory", "any", "--platform", "accel"], ["matrix", "--platform", "cuda/sm90", "--inspect"],
            ["explain", "gemm_tn", "--platform", "cuda/sm90", "--inspect"], ["resolve", "--experimental"],
            ["doctor"], ["doctor", "--quick"], ["select"], ["select", "--full"], ["select", "native"],
            ["select", "--voxels", "1000", "--volumes", "100", "--factors", "4"],
            ["resolve", "factor_model"], ["explain", "factor_model", "--platform", "cuda/sm90", "--inspect"]]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_text_and_json(rung, command):
    text = rung(*command)
    assert (text.returncode, text.stderr) == (0, b"")
    assert text.stdout.decode("ascii").strip()
    both = rung(*command, "--json")
    assert (both.returncode, both.stderr) == (0, b"")
    assert strict_json(both.stdout)


def skip_without_tfa(done):
    if re.search(rb"has no h?tfa command", done.stderr):
        pytest.skip("built without nifti_clib or cairo")


@pytest.mark.parametrize("command", [[], ["doctor"], ["platform"], ["select"], ["explain"], ["resolve"], ["matrix"],
                                     ["selftest"], ["bench"], ["tune"], ["tfa"], ["htfa"]],
                         ids=" ".join)
@pytest.mark.parametrize("option", ["--help", "-?", "--usage"])
def test_help(rung, command, option):
    done = rung(*command, option)
    skip_without_tfa(done)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(" ".join(["Usage: rung", *command]).encode())


def test_help_lists_commands_and_exit_codes(rung):
    text = rung("--help").stdout.decode()
    for word in ("doctor", "platform", "select", "explain", "resolve", "matrix", "selftest", "bench", "tune", "tfa",
                 "htfa", "Exit codes", "130"):
        assert word in text


def test_version(rung):
    assert rung("--version").stdout.startswith(b"rung ")


@pytest.mark.parametrize("args, code, text", [
    ([], 2, "no command"),
    (["nonesuch"], 2, "nonesuch"),
    (["--nonesuch"], 2, "--nonesuch"),
    (["-x"], 2, "-x"),
    (["platform", "--nonesuch"], 2, "--nonesuch"),
    (["platform", "--platform"], 2, "--platform"),
    (["platform", "-xp"], 2, "-xp"),
    (["platform", "extra"], 2, "extra"),
    (["matrix", "extra"], 2, "extra"),
    (["matrix", "--build", "--platform", "cpu"], 2, "exclude"),
    (["explain"], 2, "OP"),
    (["explain", "nonesuch"], 2, "nonesuch"),
    (["explain", "gemm_tn", "gemm_nt"], 2, "gemm_nt"),
    (["resolve", "nonesuch"], 2, "nonesuch"),
    (["resolve", "--memory", "nowhere"], 2, "nowhere"),
    (["platform", "--platform", "nonesuch"], 2, "nonesuch"),
    (["platform", "--platform", "cpu//"], 2, ""),
    (["platform", "--platform", "cuda/sm90"], 3, "; --inspect shows it all the same"),
    (["resolve", "--platform", "cuda"], 3, "; --inspect shows it all the same"),
    (["explain", "bad\n\x1b[31m\xff"], 2, "bad??[31m"),
])
def test_errors(refused, args, code, text):
    assert refused(*args, code=code, text=text).stdout == b""


def test_an_undeclared_variant_is_the_default_one_and_said(rung):
    plain = json.loads(rung("resolve", "gemm_tn", "--json").stdout)["ops"]
    for command in ("resolve", "explain"):
        done = rung(command, "gemm_tn", "--variant", "nonesuch", "--json")
        assert done.returncode == 0 and b"'nonesuch' is not declared" in done.stderr
        said = json.loads(done.stdout)
        assert said["variant"] == "default"
        assert said["variant_not_declared"] is True
        if command == "resolve":
            assert said["ops"] == plain


def test_platform_json(rung):
    out = strict_json(rung("platform", "--json").stdout)
    assert out["platform"] and out["reason"] and out["version"]
    assert out["chain"][-1]["device"] == "cpu" and out["chain"][-1]["archs"][-1] == "generic"
    assert out["cpu"]["family"] in ("x86", "aarch64", "other") and out["cpu"]["level"]
    names = [c["platform"] for c in out["candidates"]]
    assert any(n.startswith("cuda") for n in names) and "accel" in names
    assert all(c["reason"] for c in out["candidates"])


def test_explain_has_one_winner_and_reasons(rung):
    out = strict_json(rung("explain", "gemm_tn", "--json").stdout)
    assert [r["chosen"] for r in out["rungs"]].count(True) == 1
    for cell in out["rungs"]:
        assert cell["available"] == (cell["reason"] is None)


def test_resolve_agrees_with_explain(rung):
    for one in strict_json(rung("resolve", "--json").stdout)["ops"]:
        rungs = strict_json(rung("explain", one["op"], "--json").stdout)["rungs"]
        winner = next(r for r in rungs if r["chosen"])
        assert {k: one[k] for k in ("device", "arch", "variant", "source")} == \
               {k: winner[k] for k in ("device", "arch", "variant", "source")}


def test_resolve_text(rung):
    line = rung("resolve", "gemm_tn", "--platform", "cpu/generic").stdout.decode().split()
    assert line == ["gemm_tn", "gemm_tn/cpu/generic/default@kernels/cpu/generic/gemm_tn.c"]


def test_environment(rung):
    out = strict_json(rung("platform", "--json", env=environment(RUNG_PLATFORM="cpu/generic")).stdout)
    assert out["platform"] == "cpu/generic" and "RUNG_PLATFORM" in out["reason"]


def test_components_are_resolved_like_ops(rung):
    line = rung("resolve", "factor_model").stdout.decode().split()
    assert line == ["factor_model", "factor_model/cpu/default@components/cpu/factor_model.c"]
    one = strict_json(rung("resolve", "factor_model", "--json").stdout)
    assert one["ops"] == []
    assert [(c["kind"], c["device"], c["chosen"]) for c in one["components"]] == [("factor_model", "cpu", True)]
    asked = rung("explain", "factor_model", "--platform", "cuda/sm90", "--inspect", "--json")
    rungs = strict_json(asked.stdout)["rungs"]
    assert [(c["device"], c["reason"]) for c in rungs] == [("cuda", "planned"), ("cpu", None)]
    cells = strict_json(rung("matrix", "--build", "--json").stdout)["components"]
    assert [(c["kind"], c["device"], c["variant"]) for c in cells] == [
        ("factor_model", "cpu", "default"), ("factor_model", "cuda", "default")]
    strict = rung("resolve", "factor_model", "--variant", "openblas")
    assert strict.returncode == 1 and b"no builder along cpu" in strict.stdout


def test_matrix_is_sorted_and_whole(rung):
    cells = strict_json(rung("matrix", "--build", "--json").stdout)["cells"]
    keys = [tuple(c[k] for k in ("op", "device", "arch", "variant")) for c in cells]
    assert keys == sorted(keys) and len(set(keys)) == len(keys)
    assert ("gemm_tn", "cuda", "sm80", "default") in keys


@pytest.mark.parametrize("command", [*COMMANDS, ["--help"], ["--version"], ["platform", "--json"], ["tfa", "--help"],
                                     ["htfa", "--help"], ["matrix", "--json"],
                                     ["selftest", "--help"]], ids=" ".join)
def test_output_that_cannot_be_written(rung, command):
    with open("/dev/full", "wb") as full:
        done = rung(*command, stdout=full)
    skip_without_tfa(done)
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1 and done.stderr.startswith(b"rung: ")

    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "wb") as pipe:
        done = rung(*command, stdout=pipe)
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1 and done.stderr.startswith(b"rung: ")
