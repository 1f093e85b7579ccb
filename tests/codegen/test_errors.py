# SPDX-License-Identifier: Apache-2.0
"""Every kind of mistake in a registry, with the exact place and text of what is said about it."""

import json
import os
import subprocess
import sys

import pytest
from broken import BROKEN, Broken
from support import BASE, ROOT, check, codegen, good, write


@pytest.mark.parametrize("case", BROKEN, ids=[case.name for case in BROKEN])
def test_one_defect(case: Broken) -> None:
    assert BASE.count(case.old) == 1
    registry, errors = check(BASE.replace(case.old, case.new))
    assert registry is None
    assert errors == "".join(f"registry.yaml:{line}\n" for line in case.errors)


def test_the_base_is_good() -> None:
    assert check(BASE)[1] == ""


@pytest.mark.parametrize(
    "data, error",
    [
        (b"", "1:1: error: the registry is empty"),
        (b"\n# nothing\n", "1:1: error: the registry is empty"),
        (b"rung: 1\nname\xff: x\n", "2:5: error: not UTF-8: byte 0xff"),
        (b"rung: 1\nna\x00me: x\n", "2:3: error: the character U+0000 is not allowed in YAML"),
        (b"rung: 1\nna\xc2\x9fme: x\n", "2:3: error: the character U+009F is not allowed in YAML"),
        (b"just text\n", "1:1: error: the registry: a mapping is expected, not 'just text' (text)"),
        (b"- rung: 1\n", "1:1: error: the registry: a mapping is expected, not a list"),
        (b"[" * 100000, "1:101: error: nested too deeply"),
        (b"- " * 5000, "1:201: error: nested too deeply"),
        (b"a: 'open\n", "2:1: error: YAML: found unexpected end of stream while scanning a quoted scalar"),
    ],
)
def test_what_is_no_registry(data: bytes, error: str) -> None:
    assert check(data) == (None, f"registry.yaml:{error}\n")


def test_a_byte_order_mark_is_fine() -> None:
    assert check(b"\xef\xbb\xbf" + BASE.encode())[1] == ""


def test_everything_is_said_in_one_run() -> None:
    text = BASE.replace("auto: [cuda, cpu]", "auto: [cdua, cpu]")
    text = text.replace("shape: [n, 2]", "shape: [m, 2]").replace("score: 30", "score: 300")
    assert check(text)[1] == (
        "registry.yaml:3:8: error: auto: unknown device 'cdua'; did you mean 'cuda'?\n"
        "registry.yaml:44:39: error: shape of argument x of op fill: unknown size 'm'\n"
        "registry.yaml:53:31: error: backend numpy: the score 300 is out of order: highest first\n"
        "registry.yaml:52:42: note: jax has 100\n"
    )


def _many_kernels(count: int) -> str:
    archs = ", ".join(f"sm{rank}" for rank in range(count + 10, 10, -1))
    kernels = "".join(f"      - {{on: accel/sm{rank}}}\n" for rank in range(11, count + 10))
    text = BASE.replace("archs: [sm90, sm80, generic]", f"archs: [{archs}]")
    return text.replace("      - {on: cpu/generic, workspace: 64}\n", kernels + "      - {on: cpu/generic}\n")


def test_the_255th_kernel_is_the_last() -> None:
    assert len(next(op for op in good(_many_kernels(255)).ops if op.name == "fill").cells) == 255
    assert check(_many_kernels(256))[1] == "registry.yaml:40:3: error: op fill: 256 kernels, more than 255\n"


def test_too_many_variants() -> None:
    names = [f"v{number:03}" for number in range(254)]
    declared = "".join(f"  {name}: {{}}\n" for name in names)
    kernels = "".join(f"      - {{on: cpu/neon, variant: {name}}}\n" for name in names)
    text = BASE.replace("  default: {}\n", "  default: {}\n" + declared)
    text = text.replace("      - {on: cuda/sm80, status: planned}\n", kernels)
    assert check(text)[1] == (
        "registry.yaml:276:3: error: more than 255 variants\n"
        "registry.yaml:279:3: error: op axpy: 258 kernels, more than 255\n"
    )


def test_a_missing_source(tmp_path) -> None:
    path = write(tmp_path)
    (tmp_path / "kernels/cpu/x86-64-v4/axpy.c").unlink()
    (tmp_path / "components/accel/dit.c").unlink()
    result = codegen("--registry", path)
    assert result.returncode == 1
    assert result.stderr == (
        f"{path}:37:15: error: kernels/cpu/x86-64-v4/axpy.c: no such file: "
        "it is the source of kernel of op axpy on cpu/x86-64-v4\n"
        f"{path}:37:30: error: kernels/cpu/x86-64-v4/axpy.c: no such file: "
        "it is the source of kernel of op axpy on cpu/x86-64-v3\n"
        f"{path}:50:48: error: components/accel/dit.c: no such file: it is the source of component dit on accel\n"
    )
    assert not (tmp_path / "generated").exists()
    assert codegen("--registry", path, "--no-sources").returncode == 0


def test_no_files_are_missed_of_an_arch_that_is_not_listed(tmp_path) -> None:
    path = write(tmp_path)
    text = BASE.replace("{on: cuda/sm80, status: planned}", "{on: cuda/sm_80}")
    assert text != BASE
    path.write_text(text, encoding="utf-8")
    result = codegen("--registry", path)
    assert result.stderr == (
        f"{path}:39:14: error: kernel of op axpy: no platform reaches it: device cuda lists no arch 'sm_80'; "
        "did you mean 'sm80'?\n"
        f"{path}:5:3: note: the device is declared here\n"
    )


def test_a_number_of_many_digits() -> None:
    text = BASE.replace("workspace: 64", "workspace: " + "9" * 5000)
    assert check(text)[1] == (
        f"registry.yaml:48:38: error: workspace of a kernel of op fill: {'9' * 30} is not "
        "between 0 and 9223372036854775807\n"
    )


def test_errors_for_programs(tmp_path) -> None:
    path = write(tmp_path, BASE.replace("score: 30", "score: 300"), sources=False)
    result = codegen("--registry", path, "--no-sources", "--json")
    assert (result.returncode, result.stderr) == (1, "")
    assert json.loads(result.stdout) == [
        {
            "file": str(path),
            "line": 53,
            "column": 31,
            "error": "backend numpy: the score 300 is out of order: highest first",
            "notes": [{"line": 52, "column": 42, "note": "jax has 100"}],
        }
    ]


@pytest.mark.parametrize(
    "text, place",
    [
        ("# " + "]" * 100000 + "\n" + "[" * 100000, "2:101"),
        ("a: " + "[ # ]\n  " * 100000, "100:3"),
        ('"a": ' + '{"a":' * 50000, "1:501"),
    ],
    ids=["brackets_in_a_comment", "a_comment_on_each_line", "mappings"],
)
def test_depth_cannot_be_hidden(text: str, place: str) -> None:
    """In a process of its own: a composer that recurses would end it."""
    code = "import sys; from support import check; sys.stdout.write(check(sys.stdin.read())[1])"
    path = os.pathsep.join((str(ROOT), str(ROOT / "tests" / "codegen")))
    done = subprocess.run(
        [sys.executable, "-c", code], input=text, capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert (done.returncode, done.stdout) == (0, f"registry.yaml:{place}: error: nested too deeply\n"), done.stderr


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_whatever_ends_them(end: str) -> None:
    text = BASE.replace("  axpy:", "  ax\x01py:").replace("\n", end)
    assert check(text)[1] == "registry.yaml:25:5: error: the character U+0001 is not allowed in YAML\n"
    text = BASE.replace("  axpy:", "  aXpy:").replace("\n", end)
    assert check(text)[1].startswith("registry.yaml:25:3: error: op 'aXpy': ")
    assert check(BASE.replace("\n", end))[1] == ""


def test_two_kernels_of_one_symbol() -> None:
    text = BASE.replace("archs: [sm90, sm80, generic]", "archs: [x__blas, x, generic]")
    text = text.replace("{on: cuda/sm80, status: planned}", "{on: accel/x__blas}\n      - {on: accel/x, variant: blas}")
    assert check(text)[1] == (
        "registry.yaml:40:14: error: the kernel of op axpy on accel/x, variant blas and the kernel of op axpy on "
        "accel/x__blas need the same C name ex_axpy__accel_x__blas\n"
        "registry.yaml:39:14: note: the kernel of op axpy on accel/x__blas is here\n"
    )


def test_a_side_of_an_integer_s_range_may_be_open() -> None:
    text = BASE.replace("n: {type: size_t}", "n: {type: size_t, range: [1, .inf]}", 1)
    bounds = good(text).ops[0].args[2].bounds
    assert bounds is not None and (bounds.low, bounds.high) == (1, None)
    text = BASE.replace("n: {type: size_t}", "n: {type: size_t, range: [-.inf, 9]}", 1)
    bounds = good(text).ops[0].args[2].bounds
    assert bounds is not None and (bounds.low, bounds.high) == (None, 9)


def test_the_note_does_not_depend_on_the_hash_seed(tmp_path) -> None:
    """Two kernels that are always there stand before one placed later: the same is named on every run."""
    text = BASE.replace("  default: {}\n", "  default: {}\n  fast: {}\n").replace(
        "{on: cpu/generic, workspace: 64}",
        "{on: cpu/generic}\n      - {on: cpu/generic, variant: fast}\n      - {on: cpu/neon, after: generic}",
    )
    path = write(tmp_path, text, sources=False)
    said = {codegen("--registry", path, "--no-sources", PYTHONHASHSEED=str(seed)).stderr for seed in range(6)}
    assert len(said) == 1 and "no platform can ever reach it" in said.pop()
