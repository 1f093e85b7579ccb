# SPDX-License-Identifier: Apache-2.0
"""The coverage matrix, and what `codegen diff` says of a change."""

import json

import pytest
from support import BASE, codegen, good, laid_out, outputs, write

from codegen import coverage

FULL = """\
rung: 1
namespace: ex
auto: [rocm, cpu]
devices:
  rocm: {model: amdgcn, fallback: [accel], archs: [gfx942, gfx9-4-generic, generic]}
  accel: {model: ladder, archs: [sm90, sm80]}
  cpu: {model: [x86, aarch64], archs: [x86-64-v3, generic]}
requirements:
  mkl: {kind: build, summary: A library}
variants:
  fast: {}
  exact: {strict: true, requires: [mkl]}
ops:
  a:
    summary: One | two.
    source: none
    args: []
    tolerance: {abs: 0}
    terminal: none
    kernels:
      - {on: rocm/gfx942, experimental: true}
      - {on: rocm/gfx9-4-generic, requires: [mkl]}
      - {on: accel/sm80}
      - {on: cpu/x86-64-v3, variant: fast, requires: [gfni]}
  b:
    summary: Two.
    source: none
    args: []
    tolerance: {abs: 0}
    tolerances: {exact: {rel: 0.5}}
    kernels:
      - {on: cpu/generic}
      - {on: accel/sm90, variant: exact}
"""


def _section(markdown: str, name: str) -> list[str]:
    part = markdown.split(f"\n## {name}\n")[1].split("\n## ")[0]
    return [line for line in part.split("\n") if line.startswith("| ")][2:]


def test_matrix() -> None:
    text = outputs(FULL)["coverage.md"]
    assert text.split("## Holes\n\n")[1].split("\n\n")[0].split("\n") == [
        "- a, default on accel/sm1: no kernel",
        "- a, default on cpu/x86-64-v3: no kernel",
        "- a, default on cpu/generic: no kernel",
        "- a, fast on cpu/generic: no kernel",
        "- b, exact on accel/sm80: no kernel",
        "- b, exact on accel/sm1: no kernel",
        "- b, exact on cpu/x86-64-v3: no kernel",
        "- b, exact on cpu/generic: no kernel",
    ]
    assert _section(text, "a") == [
        "| default | accel/sm90 | accel/sm80 |",
        "| default | accel/sm80 | accel/sm80 |",
        "| default | accel/sm1 | no kernel |",
        "| default | cpu/x86-64-v3 | no kernel |",
        "| default | cpu/generic | no kernel |",
        "| default | rocm/gfx942 | experimental rocm/gfx942; rocm/gfx9-4-generic (needs mkl), "
        "else accel where it has one, else no kernel |",
        "| default | rocm/gfx9-4-generic | rocm/gfx9-4-generic (needs mkl), "
        "else accel where it has one, else no kernel |",
        "| default | rocm/generic | falls to accel where it has one, else no kernel |",
        "| exact | every platform | no kernel |",
        "| fast | accel/sm90 | accel/sm80 default |",
        "| fast | accel/sm80 | accel/sm80 default |",
        "| fast | accel/sm1 | falls to cpu where it has one, else no kernel |",
        "| fast | cpu/x86-64-v3 | cpu/x86-64-v3 (needs gfni), else no kernel |",
        "| fast | cpu/generic | no kernel |",
        "| fast | rocm/gfx942 | experimental rocm/gfx942 default; rocm/gfx9-4-generic default (needs mkl), "
        "else accel where it has one, else cpu where it has one, else no kernel |",
        "| fast | rocm/gfx9-4-generic | rocm/gfx9-4-generic default (needs mkl), else accel where it has one, "
        "else cpu where it has one, else no kernel |",
        "| fast | rocm/generic | falls to accel where it has one, else cpu where it has one, else no kernel |",
    ]


def test_matrix_for_programs() -> None:
    content = json.loads(outputs(FULL)["coverage.json"])
    assert content["format"] == 2
    assert content["devices"]["rocm"] == {
        "model": ["amdgcn"],
        "archs": {"gfx942": "", "gfx9-4-generic": "", "generic": ""},
        "fallback": ["accel", "cpu"],
        "platforms": ["gfx942", "gfx9-4-generic", "generic"],
    }
    assert content["variants"] == {
        "default": {"strict": False, "requires": []},
        "exact": {"strict": True, "requires": ["mkl"]},
        "fast": {"strict": False, "requires": []},
    }
    b = content["ops"]["b"]
    assert b["tolerance"] == {"default": {"rel": 0.0, "abs": 0.0}, "exact": {"rel": 0.5, "abs": 0.0}}
    assert b["kernels"][0] == {
        "device": "accel",
        "arch": "sm90",
        "variant": "exact",
        "status": "declared",
        "needs": ["mkl"],
        "after": None,
        "workspace": 0,
        "source": "kernels/accel/sm90/b.exact.c",
        "symbol": "ex_b__accel_sm90__exact",
    }
    assert b["resolution"]["fast"] == {"every platform": "as default"}
    assert b["resolution"]["exact"]["accel/sm90"] == "accel/sm90 (needs mkl), else no kernel"


def test_the_two_matrices_say_the_same() -> None:
    for text in (BASE, FULL):
        made = outputs(text)
        content = json.loads(made["coverage.json"])
        for name, op in content["ops"].items():
            lines = [
                f"| {variant} | {platform} | {answer} |"
                for variant, answers in op["resolution"].items()
                for platform, answer in answers.items()
            ]
            assert sorted(lines) == sorted(_section(made["coverage.md"], name))


def test_platforms_of_a_device() -> None:
    labels = [platform.label for platform in coverage.platforms(good(BASE).device_by_name["cuda"])]
    assert labels == [
        "cuda/sm91", "cuda/sm90", "cuda/sm80", "cuda/sm75", "cuda/sm10", "cuda/ptx", "cuda/generic"
    ]
    assert len({platform.label for platform in coverage.View(laid_out(FULL)).platforms}) == 8


# ---- diff -----------------------------------------------------------------------------------------------------------


def _diff(folder, old: str, new: str, *words: str) -> tuple[int, str]:
    folder.mkdir(exist_ok=True)
    before, after = folder / "old.yaml", folder / "new.yaml"
    before.write_text(old, encoding="utf-8")
    after.write_text(new, encoding="utf-8")
    result = codegen("diff", before, after, *words)
    assert result.stderr == ""
    return result.returncode, result.stdout


def test_nothing_changed(tmp_path) -> None:
    same = "# Resolution\n\nNothing resolves differently on any platform.\n"
    assert _diff(tmp_path, BASE, BASE) == (0, same)
    assert _diff(tmp_path, BASE, BASE + "# a remark\n", "--exit-code") == (0, same)


def test_a_new_kernel(tmp_path) -> None:
    new = BASE.replace("      - {on: cpu/generic, workspace: 64}", "      - {on: [cpu/generic, cpu/neon]}")
    new = new.replace("{on: cuda/sm80, status: planned}", "{on: cuda/sm80}")
    status, text = _diff(tmp_path, BASE, new, "--exit-code")
    assert status == 1
    assert text == (
        "# Resolution\n"
        "\n"
        "## Resolved differently\n"
        "\n"
        "| op | variant | platform | before | after |\n"
        "| - | - | - | - | - |\n"
        "| axpy | default | cuda/sm91 | planned cuda/sm80; falls to cpu | cuda/sm80 |\n"
        "| axpy | default | cuda/sm90 | planned cuda/sm80; falls to cpu | cuda/sm80 |\n"
        "| axpy | default | cuda/sm80 | planned cuda/sm80; falls to cpu | cuda/sm80 |\n"
        "| fill | default | cpu/neon | cpu/generic | cpu/neon |\n"
    )
    assert _diff(tmp_path, BASE, new)[0] == 0


def test_a_new_arch_is_compared_with_what_its_machines_got_before(tmp_path) -> None:
    new = BASE.replace("[sm90a, sm90, sm80,", "[sm100, sm90a, sm90, sm80,").replace(
        "{on: cuda/sm80, status: planned}", "{on: cuda/sm100}"
    )
    old = BASE.replace("{on: cuda/sm80, status: planned}", "{on: cuda/sm80}")
    assert [line for line in _diff(tmp_path, old, new)[1].split("\n") if "cuda" in line] == [
        "| axpy | default | cuda/sm100 | cuda/sm80 | cuda/sm100 |",
        "| axpy | default | cuda/sm91 | cuda/sm80 | falls to cpu |",
        "| axpy | default | cuda/sm90 | cuda/sm80 | falls to cpu |",
        "| axpy | default | cuda/sm80 | cuda/sm80 | falls to cpu |",
    ]


def test_a_new_variant_and_device(tmp_path) -> None:
    new = BASE.replace("  default: {}\n", "  default: {}\n  fast: {}\n")
    new = new.replace("{on: cpu/generic, workspace: 64}", "{on: cpu/generic}\n      - {on: tpu/v5, variant: fast}")
    new = new.replace("  accel:\n", "  tpu: {model: none, archs: [v5]}\n  accel:\n")
    lines = _diff(tmp_path, BASE, new)[1].split("\n")
    assert "| fill | fast | tpu/v5 | variant not declared | tpu/v5 |" in lines
    assert "| fill | default | tpu/v5 | device not declared | falls to cpu |" in lines
    assert not [line for line in lines if line.startswith("| axpy | fast")]


def test_ops_components_and_backends(tmp_path) -> None:
    new = BASE.replace("  fill:\n", "  full:\n").replace("{on: accel}", "{on: cpu}").replace("score: 30", "score: 40")
    text = _diff(tmp_path, BASE, new)[1]
    assert "## New ops\n\n- full\n" in text
    assert "## Removed ops\n\n- fill\n" in text
    assert "| dit | default | accel | accel | cpu |\n| dit | default | cpu | the spec's factory | cpu |" in text
    assert "| - | 30 | numpy | none | none | NumPy |\n| + | 40 | numpy | none | none | NumPy |" in text
    assert "## New components\n\n- dat\n" in _diff(tmp_path, BASE, BASE.replace("  dit: {", "  dat: {"))[1]


def test_backends_of_equal_scores_change_places(tmp_path) -> None:
    one, other = (f"  - {{framework: {name}, device: cpu, score: 50, reason: 'a|b'}}\n" for name in ("jax", "pytorch"))
    base = BASE[: BASE.index("backends:")] + "backends:\n"
    text = _diff(tmp_path, base + one + other, base + other + one)[1]
    assert "## Backends ranked differently" in text
    rows = [line for line in text.splitlines() if line[:4] in ("| - ", "| + ") and "cpu" in line]
    assert len(rows) == 2 and all("a\\|b" in row for row in rows) and {row[2] for row in rows} == {"-", "+"}


def test_a_matrix_can_stand_for_its_registry(tmp_path) -> None:
    path = write(tmp_path)
    assert codegen("--registry", path).returncode == 0
    result = codegen("diff", tmp_path / "generated/coverage.json", path, "--exit-code")
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("text", ["{}", "{", '{"format": 99}', "[1]", '{"format": 1, "devices": 3}'])
def test_what_is_no_matrix(tmp_path, text: str) -> None:
    (tmp_path / "coverage.json").write_text(text)
    path = write(tmp_path, sources=False)
    result = codegen("diff", tmp_path / "coverage.json", path)
    assert result.returncode == 1 and result.stdout == ""
    assert result.stderr.startswith(str(tmp_path / "coverage.json"))


def test_errors_of_both_sides_are_said(tmp_path) -> None:
    for name in ("old.yaml", "new.yaml"):
        (tmp_path / name).write_text(BASE.replace("score: 30", "score: 300"))
    result = codegen("diff", tmp_path / "old.yaml", tmp_path / "new.yaml")
    assert result.returncode == 1
    assert result.stderr.count("error: backend numpy: the score 300 is out of order") == 2


def test_a_side_that_is_not_there(tmp_path) -> None:
    result = codegen("diff", tmp_path / "old.yaml", tmp_path / "new.yaml")
    assert result.returncode == 2
    assert result.stderr == f"codegen: {tmp_path / 'old.yaml'}: No such file or directory\n"


def test_an_arch_without_a_line_is_answered_by_its_chain(tmp_path) -> None:
    """gfx942 leaves the list: its generic target answers for it now, not `generic`; nor an older chip's kernel."""
    def registry(archs: str, kernels: str) -> str:
        text = BASE.replace("  accel:\n", f"  rocm: {{model: amdgcn, fallback: [cpu], archs: [{archs}]}}\n  accel:\n")
        return text.replace("{on: cpu/generic, workspace: 64}", "{on: cpu/generic}\n" + kernels)

    generic = "      - {on: rocm/gfx9-4-generic}\n      - {on: rocm/generic}\n"
    old = registry("gfx942, gfx9-4-generic, generic", generic + "      - {on: rocm/gfx942}\n")
    new = registry("gfx9-4-generic, generic", generic)
    lines = _diff(tmp_path, old, new)[1].split("\n")
    assert "| fill | default | rocm/gfx942 | rocm/gfx942 | rocm/gfx9-4-generic |" in lines
    old = registry("gfx942, gfx90a", "      - {on: rocm/gfx942}\n      - {on: rocm/gfx90a}\n")
    new = registry("gfx90a", "      - {on: rocm/gfx90a}\n")
    lines = _diff(tmp_path, old, new)[1].split("\n")
    assert "| fill | default | rocm/gfx942 | rocm/gfx942 | falls to cpu |" in lines


@pytest.mark.parametrize("key", ["variants", "resolution", "platforms", "deep"])
def test_a_matrix_that_was_edited(tmp_path, key: str) -> None:
    path = write(tmp_path)
    assert codegen("--registry", path).returncode == 0
    matrix = tmp_path / "generated/coverage.json"
    content = json.loads(matrix.read_text())
    if key == "variants":
        content["variants"]["more"] = {}
    elif key == "resolution":
        del content["ops"]["fill"]["resolution"]["default"]["cpu/generic"]
    elif key == "platforms":
        content["devices"]["cuda"]["platforms"].append("sm999")
    text = '{"a":' + "[" * 100000 if key == "deep" else json.dumps(content)
    matrix.write_text(text)
    result = codegen("diff", matrix, path)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith(f"{matrix}: error: not a coverage.json of this generator: ")
