# SPDX-License-Identifier: Apache-2.0
"""Whatever is in the file, the answer is a registry or errors with a place, never an exception."""

import random
import re

import pytest
from support import BASE, check, outputs

_LINE = re.compile(r"registry\.yaml:[1-9]\d*:[1-9]\d*: (error|note): \S.*")
_TOKENS = [
    "{}", "[]", "null", "~", "1", "-1", "1.5", ".inf", ".nan", "true", "yes", "''", '"x"', "[a, b]", "{a: b}", "[[1]]",
    "{on: cpu}", "sm90", "generic", "cpu", "a/b/c", "/", "default", "on", "<<", "1e3", "0x10", "2001-01-01", "!!str 1",
    "!odd x", "é", "- - -", "? x", "|", ">-", "99999999999999999999999999", "x" * 2000,
]


def _mutant(choose: random.Random) -> str:
    words = re.split(r"([\s,:{}\[\]]+)", BASE)
    for _ in range(choose.randint(1, 4)):
        at = choose.randrange(len(words))
        action = choose.randrange(4)
        if action == 0:
            words[at] = choose.choice(_TOKENS)
        elif action == 1:
            words[at] = ""
        elif action == 2:
            words[at] = words[choose.randrange(len(words))]
        else:
            words[at] += words[at]
    return "".join(words)


@pytest.mark.parametrize("seed", range(8))
def test_mutants(seed: int) -> None:
    choose = random.Random(seed)
    for _ in range(100):
        text = _mutant(choose)
        registry, errors = check(text)
        if registry is None:
            assert errors and all(_LINE.fullmatch(line) for line in errors.rstrip("\n").split("\n")), text
        else:
            assert errors == ""
            outputs(text)
