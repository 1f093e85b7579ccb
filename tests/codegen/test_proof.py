# SPDX-License-Identifier: Apache-2.0
"""What the registry says for the proof of kernels: what is refused, and what becomes of the rest."""

from __future__ import annotations

import json
import subprocess

import jsonschema
import pytest
from support import ROOT, check, outputs, plain

from codegen import expression, load
from codegen.diagnostics import Diagnostics

TEXT = """\
rung: 1
namespace: pr
devices:
  cpu: {model: [x86, aarch64], archs: [neon, generic]}
variants:
  rough: {}
ops:
  solve:
    summary: Solves a system.
    args:
      - w:    {type: "double *", shape: [k, t], access: write, alias: [rhs], scale: largest, refused_as_nan: true}
      - chol: {type: "double *", shape: [k, k], access: write, compare: lower, tolerance: {rel: 1.0e-9}}
      - gram: {type: "const double *", shape: [k, k], values: positive_definite, special: false}
      - rhs:  {type: "const double *", shape: [k, t], values: [-2, 3.5], negate: true}
      - at:   {type: "const float *", shape: [k, 2], values: [[0, 1], [2, 3]], unread_if_zero: by}
      - bits: {type: "const uint16_t *", shape: [t], values: bfloat16}
      - by:   {type: float, range: [0, .inf], try: [0, 1, .inf]}
      - k:    {type: size_t}
      - t:    {type: size_t}
    tolerance: {rel: 1.0e-10}
    tolerances: {rough: {rel: 1.0e-3}}
    rounding: {rel: 1.0e-8}
    permutes: [t]
    scalings: [{rhs: 1, w: 1}, {gram: 2, chol: 1, w: any}]
    expected: kernels/expected/solve.h
    sizes: [{k: 41, t: 3}]
    bench: [{k: 20, t: 300}, {t: 1, k: 2}]
    flops: "k * k * (k / 3 + 2 * t)"
    kernels:
      - {on: [cpu/generic, cpu/neon]}
      - {on: cpu/neon, variant: rough}
"""

# Each: what is changed, into what, and what is said of it.
REFUSED = [
    ("alias: [rhs]", "alias: [gram]",
     "11:72: error: alias of argument w of op solve: gram has other elements or another shape"),
    ("- k:    {type: size_t}", "- k:    {type: size_t, range: [1, 30]}",
     "sizes of op solve: k: 41 is out of its range"),
    ("- t:    {type: size_t}", "- t:    {type: size_t, range: [2, 1000]}",
     "bench of op solve: t: 1 is out of its range"),
    ("k * k * (k / 3 + 2 * t)", "k / 0", "flops of op solve: it divides by zero"),
    ('"const double *", shape: [k, t], values', '"double *", shape: [k, t], access: read_write, values',
     "alias of argument w of op solve: rhs is written, too: two results would be in one array"),
    ("alias: [rhs]", "alias: [chol]", "the op has no array that is read 'chol'"),
    ("scale: largest", "scale: bigest",
     "scale of argument w of op solve: 'bigest' is unknown; did you mean 'largest'?"),
    ("compare: lower", "compare: uper",
     "compare of argument chol of op solve: 'uper' is unknown"),
    ("shape: [k, k], access: write, compare", "shape: [k, t], access: write, compare",
     "lower is for a square, as [k, k]"),
    ('gram: {type: "const double *", shape: [k, k]', 'gram: {type: "const double *", shape: [k, t]',
     "values of argument gram of op solve: it is for a square of floating point, as [k, k]"),
    ("values: bfloat16", "values: positive_definite", "values of argument bits of op solve: it is for a square"),
    ("values: [-2, 3.5]", "values: bfloat16", "the bits of bfloat16 numbers are uint16_t, not double"),
    ("values: [-2, 3.5]", "values: [3, -2]", "two finite bounds are expected, the lower one first"),
    ("values: [-2, 3.5]", "values: [0, .inf]", "two finite bounds are expected, the lower one first"),
    ("values: [-2, 3.5]", "values: [1]", "two bounds are expected, as [-1, 1], or a list of such"),
    ("values: [[0, 1], [2, 3]]", "values: [[0, 1], [2, 3], [4, 5]]", "3 pairs, and the last axis has 2 elements"),
    ("values: [[0, 1], [2, 3]]", "values: [0, 1.0e+39]", "a bound is beyond float"),
    ("values: bfloat16", "values: [0, 70000]", "uint16_t wants whole numbers of its own range"),
    ("unread_if_zero: by", "unread_if_zero: byy", "the op has no scalar 'byy'; did you mean 'by'?"),
    ("negate: true", "compare: all", "compare of argument rhs of op solve: it is not written"),
    ("negate: true", "refused_as_nan: true", "refused_as_nan of argument rhs of op solve: it is not written"),
    ("negate: true", "try: [1]", "argument rhs of op solve: a pointer has no try"),
    ("try: [0, 1, .inf]", "try: [-1]", "try of argument by of op solve: -1 is no float within its range"),
    ("try: [0, 1, .inf]", "scale: largest", "argument by of op solve: only a pointer has scale"),
    ("permutes: [t]", "permutes: [u]", "permutes of op solve: the op has no size 'u'"),
    ("permutes: [t]", "permutes: [t, t]", "permutes of op solve: 't' stands twice"),
    ("{rhs: 1, w: 1}", "{rhs: 1, v: 1}", "scalings of op solve: the op has no argument 'v'"),
    ("{rhs: 1, w: 1}", "{rhs: 21, w: 1}", "21 is not between -20 and 20"),
    ("{rhs: 1, w: 1}", "{k: 1}", "scalings of op solve: k is not of floating point"),
    ("{rhs: 1, w: 1}", "{rhs: any}", "rhs: any: only a written array is compared or not"),
    ("{k: 41, t: 3}", "{k: 41}", "sizes of op solve: t is missing"),
    ("{k: 41, t: 3}", "{k: 41, t: 3, by: 1}", "sizes of op solve: the op has no size 'by'"),
    ("{k: 20, t: 300}", "{k: -1, t: 300}", "k in bench of op solve: -1 is not between 0 and 2147483647"),
    ('"k * k * (k / 3 + 2 * t)"', '"k ** 2"', "flops of op solve: only + - * / and parentheses are expected"),
    ('"k * k * (k / 3 + 2 * t)"', '"k * kk"',
     "flops of op solve: the op has no scalar argument 'kk'; did you mean 'k'?"),
    ('"k * k * (k / 3 + 2 * t)"', '"__import__(1)"', "is no sum or product of numbers and scalar arguments"),
    ('"k * k * (k / 3 + 2 * t)"', '"2 k"', "'2 k' is no sum or product of numbers and scalar arguments"),
    ("expected: kernels/expected/solve.h", "expected: ../solve.h", "'../solve.h' is no path of letters"),
    ("rounding: {rel: 1.0e-8}", "rounding: {rel: -1}",
     "rel of rounding of op solve: a tolerance is finite and not negative"),
    ("rounding: {rel: 1.0e-8}", "wide: maybe", "wide of op solve: true or false is expected"),
]


def test_it_is_a_registry() -> None:
    schema = json.loads((ROOT / "codegen" / "registry.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(plain(load.parse(TEXT.encode(), Diagnostics("x"))))
    assert check(TEXT)[1] == ""


@pytest.mark.parametrize("old, new, said", REFUSED)
def test_it_is_refused(old: str, new: str, said: str) -> None:
    assert TEXT.count(old) == 1
    assert said in check(TEXT.replace(old, new))[1]


def test_the_expected_values_are_a_file(tmp_path) -> None:
    for name in ("generic", "neon"):
        folder = tmp_path / "kernels/cpu" / name
        folder.mkdir(parents=True)
        (folder / "solve.c").touch()
        (folder / "solve.rough.c").touch()
    said = check(TEXT, tmp_path)[1]
    assert "kernels/expected/solve.h: no such file: it has the expected values of op solve" in said
    (tmp_path / "kernels/expected").mkdir()
    (tmp_path / "kernels/expected/solve.h").touch()
    assert "solve.h" not in check(TEXT, tmp_path)[1]


def test_an_op_that_is_called_proof_needs_a_name_of_every_registry() -> None:
    said = check(TEXT.replace("  solve:", "  proof:"))[1]
    assert "op 'proof' needs the header pr/proof.h, which every registry has" in said


def test_what_is_written() -> None:
    made = outputs(TEXT)
    text = made["proof/solve.c"]
    k = "(double)v[ARG_k].size"
    for line in (
        '#include "kernels/expected/solve.h"',
        "static const double rhs_interval[] = {-2.0, 3.5};",
        "static const double at_interval[] = {0.0, 1.0, 2.0, 3.0};",
        "static const double by_try[] = {0.0, 1.0, INFINITY};",
        "    {.exponents = {[ARG_w] = 1, [ARG_rhs] = 1}},",
        "    {.exponents = {[ARG_w] = RUNG_PROOF_NOT_SCALED, [ARG_chol] = 1, [ARG_gram] = 2}},",
        "    41, 3,",
        "    20, 300,",
        "    2, 1,",
        "    .permutes = 1u << 1,",
        "    .rounding = {.rel = 1e-08, .abs = 0.0},",
        '    {.name = "rough", .tolerance = {.rel = 0.001, .abs = 0.0}},',
        "    .examples = solve_examples,",
        f"    return {k} * {k} * ({k} / 3.0 + (2.0 * (double)v[ARG_t].size));",
        '    {"cpu", "neon", "rough", (rung_proof_function *)pr_solve__cpu_neon__rough},',
    ):
        assert line in text.split("\n"), line
    for words in (
        ".scale = RUNG_PROOF_LARGEST",
        ".refused_as_nan = true",
        ".aliases = 1u << ARG_rhs",
        ".compare = RUNG_PROOF_LOWER",
        ".values = RUNG_PROOF_POSITIVE_DEFINITE",
        ".no_special = true",
        ".unread_if_zero = ARG_by",
        ".tolerance = {.rel = 1e-09, .abs = 0.0}",
    ):
        assert text.count(words) == 1, words
    assert "may be the same array as rhs" in made["include/pr/solve.h"]
    wide = "rung_registry_wide(SYMBOL pr_solve__cpu_generic SOURCE kernels/cpu/generic/solve.c WIDE pr_solve__wide)"
    assert wide in made["files.cmake"]


WITHOUT_TERMINAL = TEXT.replace("    summary: Solves", "    terminal: none\n    summary: Solves").replace(
    "{on: [cpu/generic, cpu/neon]}", "{on: cpu/neon}"
)


@pytest.mark.parametrize("text", [TEXT.replace("rounding: {rel: 1.0e-8}", "wide: false"), WITHOUT_TERMINAL])
def test_nothing_is_widened_where_the_registry_says_so_or_nothing_can_be(text: str) -> None:
    assert check(text)[1] == ""
    made = outputs(text)
    assert "wide" not in made["files.cmake"] and "__wide" not in made["proof/solve.c"]


def test_an_op_without_sizes_is_timed_at_the_one_it_has() -> None:
    text = """\
rung: 1
namespace: pr
devices:
  cpu: {model: [x86, aarch64], archs: [generic]}
ops:
  zero:
    summary: Four zeros.
    args:
      - y: {type: "double *", shape: [4], access: write}
    tolerance: {abs: 0}
    bench: [{}]
    kernels:
      - {on: cpu/generic}
"""
    assert check(text)[1] == ""
    made = outputs(text)["proof/zero.c"]
    assert "static const size_t bench[] = {\n    0,\n};\n" in made
    assert "    .bench_count = 1,\n" in made


def test_a_build_may_have_none_of_the_cells() -> None:
    text = outputs(WITHOUT_TERMINAL)["proof/solve.c"]
    assert "    .cell_count = sizeof cells / sizeof cells[0] - 1,\n" in text


@pytest.mark.parametrize(
    "text, value",
    [
        ("2 * m * n", 42.0),
        ("m - (n - 1)", -3.0),
        ("m / (n / 14)", 6.0),
        ("(m + 1) * n", 28.0),
        ("m - n - 1", -5.0),
        ("0.5 * (m + n) * (m - n)", -20.0),
    ],
)
def test_expressions(tmp_path, text: str, value: float) -> None:
    assert expression.problem(text, ["m", "n"]) is None
    code = expression.c_text(text, {"m": "(double)m", "n": "(double)n"})
    (tmp_path / "main.c").write_text(
        f'#include <stdio.h>\nint main(void) {{ int m = 3, n = 7; printf("%g", {code}); return 0; }}\n'
    )
    subprocess.run(["cc", "main.c", "-o", "main"], cwd=tmp_path, check=True, timeout=60)
    result = subprocess.run(["./main"], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60)
    assert float(result.stdout) == value
