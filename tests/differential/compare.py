# SPDX-License-Identifier: Apache-2.0
"""Library against oracle: where they differ, by kind of question."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Optional, Type

import subject
from cases import Case
from oracle import Answers, Oracle, Teller
from questions import Value
from registries import text_of


@dataclass(frozen=True)
class Difference:
    question: str
    found: Optional[str]
    wanted: Optional[str]

    @property
    def kind(self) -> str:
        """What is asked, without the names: "resolve", "warm resolve"."""
        words = self.question.split()
        return " ".join(words[:2] if words[0] == "warm" else words[:1])


# Of a case, by kind, the first difference of each.
Differences = dict[str, Difference]
Judge = Callable[[Case], Differences]


def differences(found: Answers, wanted: Answers) -> Differences:
    kinds: Differences = {}
    for question in {**wanted, **found}:
        if found.get(question) != wanted.get(question):
            one = Difference(question, found.get(question), wanted.get(question))
            kinds.setdefault(one.kind, one)
    # what a platform is decides all the rest
    root = next((kind for kind in ("open", "device") if kind in kinds), None)
    return {root: kinds[root]} if root else kinds


def judged(judge: Oracle, machine: Value, question: Value, found: Answers) -> tuple[Differences, int]:
    """And the number of answers compared."""
    teller = Teller(judge, machine, question)
    wanted = teller.answers()
    if found["open"] == wanted["open"] and teller.places:
        found = subject.comparable(judge, teller.places, found)
    return differences(found, wanted), len(wanted)


def library_judge(library: Path, rules: Type[Oracle] = Oracle) -> Judge:
    """A judge that compiles the registry of a case, when it is another than that of the last."""
    known: dict[str, subject.Harness] = {}

    def judge(case: Case) -> Differences:
        key = json.dumps([case["registry"], case["build"]])
        if key not in known:
            folder = Path(tempfile.mkdtemp(dir=library.parent))
            made = subject.Harness(folder, [subject.Sample(dict(case["registry"]), case["build"])], library)
            known.clear()
            known[key] = made
        found = known[key].ask([(0, case["machine"], case["question"])])[0]
        return judged(rules(case["registry"], case["build"]), case["machine"], case["question"], found)[0]

    return judge


def rules_judge(rules: Type[Oracle]) -> Judge:
    """Other rules in the place of the library."""

    def judge(case: Case) -> Differences:
        asked = case["machine"], case["question"]
        found = Teller(rules(case["registry"], case["build"]), *asked).answers()
        return differences(found, Teller(Oracle(case["registry"], case["build"]), *asked).answers())

    return judge


def told(case: Case, differs: Difference) -> str:
    """A case for people: the registry as a file, and all that it was asked with."""
    lines = [text_of(case["registry"])]
    lines += [f"{name}: {json.dumps(case[name])}" for name in ("build", "machine", "question")]
    lines += ["", f"asked:    {differs.question}", f"answered: {differs.found}", f"rules:    {differs.wanted}"]
    return "\n".join(lines)
