# SPDX-License-Identifier: Apache-2.0
"""Versions against `packaging`, the reference: the vectors of pep440.txt, random ones, and what is none."""
from __future__ import annotations

import os
import random
import re
import subprocess
from pathlib import Path

import pytest

try:
    from packaging.version import InvalidVersion, Version
except ImportError:  # pip brings a copy of it
    try:
        from pip._vendor.packaging.version import InvalidVersion, Version
    except ImportError:
        pytest.skip("unproven: neither packaging nor pip is there (Debian: python3-packaging)", allow_module_level=True)

FOLDER = Path(__file__).resolve().parent
PAIRS = 30000


def compare(pairs: list[tuple[str, str]]) -> list[str]:
    """What the program `compare` answers for each: "-1", "0", "1", or "none" where one is no version."""
    text = "".join(f"{a}\n{b}\n" for a, b in pairs)
    done = subprocess.run([os.environ["RUNG_COMPARE"]], input=text, capture_output=True, text=True, check=True)
    return done.stdout.split()


def reference(a: str, b: str) -> str:
    try:
        of_a, of_b = Version(a), Version(b)
    except InvalidVersion:
        return "none"
    return str((of_a > of_b) - (of_a < of_b))


def vectors() -> list[list[str]]:
    lines = (FOLDER / "pep440.txt").read_text(encoding="utf-8").splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]


def test_the_vectors_are_in_the_order_of_the_reference() -> None:
    rows = vectors()
    assert len(rows) > 60
    for row in rows:
        assert {reference(row[0], other) for other in row} == {"0"}, row
    for before, after in zip(rows, rows[1:]):
        assert reference(before[0], after[0]) == "-1", (before, after)


def number(rng: random.Random) -> str:
    return rng.choice(["", "0", "1", "2", "3", "9", "10", "00", "01", str(rng.randrange(10 ** rng.randrange(1, 30)))])


def suffix(rng: random.Random, names: list[str]) -> str:
    separators = ["", ".", "-", "_"]
    return rng.choice(separators) + rng.choice(names) + rng.choice(separators) + number(rng)


def random_version(rng: random.Random) -> str:
    def maybe(share: float, text: str) -> str:
        return text if rng.random() < share else ""

    local = rng.choice(["cu13", "cu130", "1", "10", "01", "abc", "a.1", "1.a", "cpu-2", "g_1"])
    text = maybe(0.1, rng.choice("vV")) + maybe(0.2, rng.choice(["0!", "1!", "2!"]))
    text += ".".join(number(rng) or "0" for _ in range(rng.choice([1, 1, 2, 2, 3, 5])))
    text += maybe(0.4, suffix(rng, ["a", "b", "c", "rc", "alpha", "beta", "pre", "preview"]))
    text += maybe(0.3, rng.choice([suffix(rng, ["post", "rev", "r"]), "-" + (number(rng) or "0")]))
    text += maybe(0.3, suffix(rng, ["dev"])) + maybe(0.3, "+" + local)
    if rng.random() < 0.2:
        text = text.upper()
    if rng.random() < 0.1:
        text = " " + text + "\t"
    return text


def broken(rng: random.Random, text: str) -> str:
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice([".", "-", "_", "+", "!", "a", "post", "dev", "x", "1", " "]) \
            + text[at + rng.randrange(2):]
    return text


def test_random_versions_compare_as_in_the_reference() -> None:
    rng = random.Random(440)
    pairs = []
    for _ in range(PAIRS):
        a = random_version(rng)
        # half of them differ in little
        b = random_version(rng) if rng.random() < 0.5 else re.sub("[0-9]+", lambda m: number(rng) or m[0], a, count=1)
        pairs.append((a, b))
    answers = compare(pairs)
    assert len(answers) == len(pairs)
    wrong = [(a, b, answer) for (a, b), answer in zip(pairs, answers) if answer != reference(a, b)]
    assert wrong == []
    assert len(set(answers)) >= 3


def test_what_is_no_version_is_told_from_what_is_one() -> None:
    rng = random.Random(441)
    pairs = [(broken(rng, random_version(rng)), "1") for _ in range(PAIRS)]
    answers = compare(pairs)
    wrong = [(a, answer) for (a, b), answer in zip(pairs, answers) if answer != reference(a, b)]
    assert wrong == []
    assert answers.count("none") > PAIRS // 10 and answers.count("none") < PAIRS
