# SPDX-License-Identifier: Apache-2.0
"""The library on the generated tables of random registries, question by question, against the rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cases
import compare
import subject
from oracle import Answers, Oracle
from questions import FAILURES, STATES
from shrink import shrunk

BATCHES = 5
SHOWN = 3  # kinds of differences that are shrunk and told
MOST_STEPS = 400


def _expected(judge: Oracle) -> Answers:
    """What is known without a platform."""
    found: Answers = {}
    for op, items in judge.ops.items():
        found[f"keys {op}"] = str(len(items))
    for name, sections in (("listed", judge.ops), ("listed-builder", judge.kinds)):
        for items in sections.values():
            for item in items.values():
                built = not item.planned and judge.built(item)
                reason = "planned" if item.planned else "not built" if not built else "available"
                if built and item.experimental:
                    reason = "experimental"
                marks = [" built"] * built + [" planned"] * item.planned + [" experimental"] * item.experimental
                found[f"{name} {item.key}"] = f"{reason} {item.workspace}{''.join(marks)}"
    return found


@pytest.mark.parametrize("batch", range(BATCHES))
def test_answers(batch: int, library: Path, tmp_path: Path, counts: dict[str, int], reasons: set[str]) -> None:
    numbers = range(batch, cases.COUNT, BATCHES)
    samples = [subject.Sample(dict(cases.registry(at)), cases.build(at)) for at in numbers]
    harness = subject.Harness(tmp_path, samples, library)
    asked = [(at, machine, question) for at in range(len(samples)) for machine, question in cases.asked(numbers[at])]
    answers = harness.ask(asked)
    assert len(answers) == len(asked)
    judges = [Oracle(sample.registry, sample.build) for sample in samples]
    compared = 0
    kinds: dict[str, cases.Case] = {}
    for (at, machine, question), found in zip(asked, answers):
        differs, number = compare.judged(judges[at], machine, question, found)
        compared += number
        reasons.update(_reasons(found))
        for kind in differs:
            kinds.setdefault(kind, cases.case(numbers[at], machine, question))
    for judge, found in zip(judges, harness.listed()):
        wanted = _expected(judge)
        compared += len(wanted)
        assert compare.differences(found, wanted) == {}, f"seed {cases.SEED}"
    for what, number in (("registries", len(samples)), ("platforms", len(asked)), ("answers of the library", compared)):
        counts[what] = counts.get(what, 0) + number
    _tell(kinds, library)


def _reasons(answers: Answers) -> set[str]:
    found: set[str] = set()
    for question, answer in answers.items():
        if "explain" in question:
            found.update(step.partition("=")[2].rstrip("*") for step in answer.split("; ") if step)
    return {re.sub(r"^(CPU lacks|system does not enable) .*", r"\1", reason) for reason in found}


def _tell(kinds: dict[str, cases.Case], library: Path) -> None:
    judge = compare.library_judge(library)
    reports = []
    for kind, case in list(kinds.items())[:SHOWN]:
        small, differs, _ = shrunk(case, judge, kind, MOST_STEPS)
        reports.append(compare.told(small, differs))
    if kinds:
        intro = f"seed {cases.SEED}: the library and the rules differ on: {', '.join(kinds)}"
        pytest.fail("\n\n".join([intro, *reports]), pytrace=False)


_REASONS = {
    "available", "not declared", "planned", "not built", "experimental", "capped", "arch invalid", "PTX too new",
    "CPU lacks", "system does not enable", "requirement unmet", *STATES, *FAILURES,
}


def test_the_run_was_large_and_wide(counts: dict[str, int], reasons: set[str]) -> None:
    """Enough was asked, and every reason was met (but `memory`: explanations are those of buffers)."""
    if cases.COUNT < 200:
        pytest.skip(f"only {cases.COUNT} registries were asked for, in RUNG_DIFFERENTIAL_REGISTRIES")
    assert counts["registries"] >= 200 and counts["answers of the library"] >= 100_000, counts
    assert reasons == _REASONS
