# SPDX-License-Identifier: Apache-2.0
"""`codegen tune`: proposals of `rung tune`, and what they do to the text of a registry."""

from pathlib import Path
from typing import Optional

import pytest
from support import BASE, check, codegen, good, outputs, write

from codegen import edit

HEAD = "rung: tune\nversion: 1\nnamespace: ex\nchanges:\n"
AXPY_LINE = "      - {on: [cpu/x86-64-v4, cpu/x86-64-v3]}\n"
AXPY_SPLIT = """\
      - {on: cpu/x86-64-v3, source: kernels/cpu/x86-64-v4/axpy.c}
      - {on: cpu/x86-64-v4, after: x86-64-v3}
"""


def _proposal(folder: Path, *changes: str, head: str = HEAD) -> Path:
    path = folder / "proposal.yaml"
    path.write_text(head + "".join(f"  - {change}\n" for change in changes), encoding="utf-8")
    return path


def _with_kernels(kernels: str) -> str:
    """The base registry with other kernels of axpy below those of the terminal rung."""
    assert AXPY_LINE in BASE
    return BASE.replace(AXPY_LINE, kernels)


def _tuned(kernels: str, place: str, after: Optional[str], variant: str = "default") -> str:
    """These kernels after the edit, which leaves the rest of the registry as it was."""
    text = _with_kernels(kernels)
    before, behind = text.split(kernels)
    made = edit.set_after(text, "axpy", place, variant, after)
    good(made)
    assert made.startswith(before) and made.endswith(behind)
    return made[len(before):len(made) - len(behind)]


# ---- edits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("before, after", [
    ("- {on: cpu/x86-64-v4} # é: slower\n- {on: cpu/x86-64-v3}",
     "- {on: cpu/x86-64-v4, after: x86-64-v3} # é: slower\n- {on: cpu/x86-64-v3}"),
    ("- {variant: default, on: [cpu/x86-64-v4]}\n- {on: cpu/x86-64-v3}",
     "- {variant: default, on: [cpu/x86-64-v4], after: x86-64-v3}\n- {on: cpu/x86-64-v3}"),
    ("- {after: generic, on: cpu/x86-64-v4, requires: [avx2]}\n- {on: cpu/x86-64-v3}",
     "- {after: x86-64-v3, on: cpu/x86-64-v4, requires: [avx2]}\n- {on: cpu/x86-64-v3}"),
    ("- on: cpu/x86-64-v4 # wide\n  # as measured\n  workspace: 64\n\n- {on: cpu/x86-64-v3}",
     "- on: cpu/x86-64-v4 # wide\n  after: x86-64-v3\n  # as measured\n  workspace: 64\n\n- {on: cpu/x86-64-v3}"),
    ("- {on: [cpu/x86-64-v3, cpu/x86-64-v4], workspace: 8} # both",
     "- {on: cpu/x86-64-v3, workspace: 8} # both\n"
     "- {on: cpu/x86-64-v4, after: x86-64-v3, source: kernels/cpu/x86-64-v3/axpy.c, workspace: 8}"),
    ("- {on: [cpu/neon, cpu/x86-64-v4, cpu/x86-64-v3], source: a.c}",
     "- {on: [cpu/neon, cpu/x86-64-v3], source: a.c}\n- {on: cpu/x86-64-v4, after: x86-64-v3, source: a.c}"),
    ("- on:\n    - cpu/x86-64-v4 # new\n    - cpu/x86-64-v3 # old\n  # both\n  source: a.c",
     "- on:\n    - cpu/x86-64-v3 # old\n  # both\n  source: a.c\n"
     "- on:\n    - cpu/x86-64-v4 # new\n  after: x86-64-v3\n  # both\n  source: a.c"),
], ids=["one", "list-of-one", "existing", "block", "split", "split-three", "split-block"])
def test_after_is_set(before: str, after: str) -> None:
    lines = [f"      {line}\n" if line else "\n" for line in before.split("\n")]
    want = "".join(f"      {line}\n" if line else "\n" for line in after.split("\n"))
    assert _tuned("".join(lines), "cpu/x86-64-v4", "x86-64-v3") == want


@pytest.mark.parametrize("before, after", [
    ("{on: cpu/x86-64-v4, after: x86-64-v3, workspace: 8}", "{on: cpu/x86-64-v4, workspace: 8}"),
    ("{on: cpu/x86-64-v4, after: x86-64-v3} # why", "{on: cpu/x86-64-v4} # why"),
    ("{after: x86-64-v3, on: cpu/x86-64-v4}", "{on: cpu/x86-64-v4}"),
    ("on: cpu/x86-64-v4\n        after: x86-64-v3\n        workspace: 8", "on: cpu/x86-64-v4\n        workspace: 8"),
    ("after: x86-64-v3\n        on: cpu/x86-64-v4", "on: cpu/x86-64-v4"),
    ("{on: [cpu/neon, cpu/x86-64-v4], source: a.c}", "{on: [cpu/neon, cpu/x86-64-v4], source: a.c}"),
])
def test_after_is_removed(before: str, after: str) -> None:
    third = "      - {on: cpu/x86-64-v3}\n"
    assert _tuned(f"      - {before}\n{third}", "cpu/x86-64-v4", None) == f"      - {after}\n{third}"


def test_the_rest_of_an_entry_keeps_its_after() -> None:
    text = BASE.replace("      - {on: cuda/sm80, status: planned}\n",
                        "      - {on: [cuda/sm90a, cuda/sm90], after: sm80, source: a.cu}\n"
                        "      - {on: cuda/sm80, status: planned}\n")
    made = edit.set_after(text, "axpy", "cuda/sm90", "default", None)
    good(made)
    assert "      - {on: cuda/sm90a, after: sm80, source: a.cu}\n" in made
    # the launcher of the first arch was that of all
    assert "      - {on: cuda/sm90, launcher: kernels/cuda/sm90a/axpy.c, source: a.cu}\n" in made


def test_lists_on_one_line() -> None:
    text = BASE.replace("\n      - {on: cpu/generic, workspace: 64}",
                        " [{on: cpu/generic}, {on: [cpu/x86-64-v4, cpu/x86-64-v3], source: a.c}]")
    made = edit.set_after(text, "fill", "cpu/x86-64-v4", "default", "x86-64-v3")
    good(made)
    assert ("kernels: [{on: cpu/generic}, {on: cpu/x86-64-v3, source: a.c}, "
            "{on: cpu/x86-64-v4, after: x86-64-v3, source: a.c}]\n") in made


def test_other_line_ends_and_a_missing_last_one() -> None:
    for ends in "\r\n", "\n":
        text = _with_kernels(AXPY_LINE).split("components:")[0].rstrip().replace("\n", ends)
        text = text.replace("{on: cpu/generic, workspace: 64}", "{on: cpu/generic}" + ends + AXPY_LINE.rstrip())
        made = edit.set_after(text, "fill", "cpu/x86-64-v4", "default", "x86-64-v3")
        good(made)
        assert made.endswith(f"source: kernels/cpu/x86-64-v4/fill.c}}{ends}      - {{on: cpu/x86-64-v4, after: "
                             "x86-64-v3}")
        assert made.count("\n") == text.count("\n") + 1 and made.count("\r") in (0, made.count("\n"))


def test_names_that_yaml_would_take_for_something_else_are_quoted() -> None:
    assert [edit.scalar(name) for name in ("sm80", "no", "90a", "x86-64-v3", "gfx90a:xnack+")] == [
        "sm80", '"no"', '"90a"', "x86-64-v3", '"gfx90a:xnack+"']


def test_what_cannot_be_edited_is_said() -> None:
    for kernels in ("      -\n        {on: [cpu/x86-64-v4, cpu/x86-64-v3]}\n",
                    "      - {on: [cpu/x86-64-v4, # wide\n             cpu/x86-64-v3]}\n"):
        with pytest.raises(edit.CannotEdit):
            edit.set_after(_with_kernels(kernels), "axpy", "cpu/x86-64-v4", "default", "x86-64-v3")


# ---- the command ----------------------------------------------------------------------------------------------------


def test_a_proposal_is_shown_and_written(tmp_path: Path) -> None:
    registry = write(tmp_path)
    registry.chmod(0o640)
    proposal = _proposal(tmp_path, "{op: axpy, kernel: cpu/x86-64-v4, after: x86-64-v3, was: null, ratio: 1.2}")
    shown = codegen("tune", proposal, "--registry", registry)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert registry.read_text() == BASE
    for line in (f"-{AXPY_LINE}+" + AXPY_SPLIT.replace("\n", "\n+")[:-1],
                 "| axpy | default | cpu/x86-64-v4 | cpu/x86-64-v4 | cpu/x86-64-v3 |\n"):
        assert line in shown.stdout
    written = codegen("tune", proposal, "--registry", registry, "--write")
    assert written.returncode == 0 and written.stdout.startswith(shown.stdout)
    assert written.stdout.endswith("registry.yaml is written. ./dev gen brings the generated files up to date.\n")
    assert registry.read_text() == BASE.replace(AXPY_LINE, AXPY_SPLIT)
    assert registry.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["components", "kernels", "proposal.yaml",
                                                                "registry.yaml"]
    again = codegen("tune", proposal, "--registry", registry, "--write")
    assert (again.returncode, again.stdout) == (0, f"{registry} says all of it already: nothing to change\n")


def test_splitting_changes_no_build() -> None:
    """All that is generated stays as it was, but for the tables of who resolves to what and the digests."""
    made = edit.set_after(BASE, "axpy", "cpu/x86-64-v4", "default", "x86-64-v3")
    old, new = outputs(BASE), outputs(made)
    differing = {path for path in old if old[path] != new.get(path)} | (set(new) - set(old))
    assert {path.split("/")[0] for path in differing} <= {"tables", "coverage.md", "coverage.json", "manifest.txt"}


@pytest.mark.parametrize("change, text", [
    ("{op: axpi, kernel: cpu/x86-64-v4, after: x86-64-v3}", "5:10: error: unknown op 'axpi'; did you mean 'axpy'?"),
    ("{op: axpy, kernel: cpu/x86-64-v5, after: x86-64-v3}",
     "5:24: error: axpy on cpu/x86-64-v5: the registry has no such kernel; did you mean 'cpu/x86-64-v4'?"),
    ("{op: axpy, kernel: cpu/x86-64-v4, variant: blas, after: x86-64-v3}",
     "5:24: error: axpy on cpu/x86-64-v4, variant blas: the registry has no such kernel"),
    ("{op: axpy, kernel: cpu/x86-64-v4, after: x86-64-v2}",
     "5:5: error: after of kernel of op axpy on cpu/x86-64-v4: device cpu lists no arch 'x86-64-v2'; "
     "did you mean 'x86-64-v4'?"),
    ("{op: axpy, kernel: cpu/x86-64-v3, after: x86-64-v4}",
     "5:5: error: after of kernel of op axpy on cpu/x86-64-v3: no chain of cpu has x86-64-v4 behind x86-64-v3: "
     "a kernel may be placed later than its arch, never earlier"),
    ("{op: axpy, kernel: cpu/x86-64-v3, after: generic}",
     "5:5: error: kernel of op axpy on cpu/x86-64-v3: no platform can ever reach it: behind generic, another always "
     "answers first"),
    ("{op: axpy, kernel: cpu/x86-64-v4}", "5:5: error: a change: the key 'after' is missing"),
    ("{op: axpy, kernel: cpu/x86-64-v4, after: 4}",
     "5:46: error: after of a change: a string is expected, not '4' (a number): write it in quotes"),
    ("{op: axpy, kernel: cpu/x86-64-v4, after: x86-64-v3}\n  - {op: axpy, kernel: cpu/x86-64-v4, after: null}",
     "6:5: error: axpy on cpu/x86-64-v4 is changed twice"),
    ("[]", "5:5: error: a change: a mapping is expected, not a list"),
])
def test_what_is_not_to_be_changed_is_refused(tmp_path: Path, change: str, text: str) -> None:
    """Also where another change is a good one."""
    registry = write(tmp_path)
    proposal = _proposal(tmp_path, change, "{op: axpy, kernel: cuda/sm80, after: generic}")
    done = codegen("tune", proposal, "--registry", registry, "--write")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.split("\n")[0] == f"{proposal}:{text}"
    assert registry.read_text() == BASE


@pytest.mark.parametrize("head, text", [
    (HEAD.replace("tune", "bench"), "1:7: error: rung: 'bench' is unknown; tune is expected"),
    (HEAD.replace("version: 1", "version: 2"), "2:10: error: version 2 is unknown; this is version 1"),
    (HEAD.replace("ex", "rk"), "3:12: error: it is for namespace 'rk', not 'ex'"),
    ("{", "1:4: error: YAML: "),
    ("", "1:3: error: the proposal: a mapping is expected, not a list"),
])
def test_what_is_no_proposal(tmp_path: Path, head: str, text: str) -> None:
    registry = write(tmp_path)
    proposal = _proposal(tmp_path, "{op: axpy, kernel: cpu/x86-64-v4, after: x86-64-v3}", head=head)
    done = codegen("tune", proposal, "--registry", registry, "--write")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"{proposal}:{text}")
    assert registry.read_text() == BASE


def test_a_bad_registry_is_not_touched(tmp_path: Path) -> None:
    bad = BASE.replace("cpu/generic, workspace", "cpu/generik, workspace")
    assert check(bad)[0] is None
    registry = tmp_path / "registry.yaml"
    registry.write_text(bad)
    proposal = _proposal(tmp_path, "{op: axpy, kernel: cpu/x86-64-v4, after: x86-64-v3}")
    done = codegen("tune", proposal, "--registry", registry, "--write")
    assert (done.returncode, done.stdout) == (1, "") and f"{registry}:" in done.stderr
    assert registry.read_text() == bad
    missing = codegen("tune", tmp_path / "none.yaml", "--registry", registry)
    assert missing.returncode == 2 and "none.yaml: No such file" in missing.stderr


def test_an_entry_to_be_edited_by_hand(tmp_path: Path) -> None:
    text = _with_kernels("      -\n        {on: [cpu/x86-64-v4, cpu/x86-64-v3]}\n")
    registry = write(tmp_path, text)
    proposal = _proposal(tmp_path, "{op: axpy, kernel: cpu/x86-64-v4, after: x86-64-v3}")
    done = codegen("tune", proposal, "--registry", registry, "--write")
    line = text[:text.index("{on: [cpu/x86-64-v4")].count("\n") + 1
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (f"{proposal}:5:5: error: axpy on cpu/x86-64-v4: registry.yaml:{line} has to be edited by "
                           "hand, to after: x86-64-v3: its dash stands on another line\n")
    assert registry.read_text() == text
