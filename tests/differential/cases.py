# SPDX-License-Identifier: Apache-2.0
"""What one run asks: the registries, builds, machines and platform strings of a seed.

RUNG_DIFFERENTIAL_SEED draws others (any text), RUNG_DIFFERENTIAL_REGISTRIES another number of them.
"""

from __future__ import annotations

import os
import random
from functools import lru_cache
from typing import Any

import questions
import registries
from questions import Value
from registries import Registry

SEED = os.environ.get("RUNG_DIFFERENTIAL_SEED", "1")
COUNT = int(os.environ.get("RUNG_DIFFERENTIAL_REGISTRIES", "220"))
MACHINES, QUESTIONS = 5, 3

# A case is {"registry": ..., "build": ..., "machine": ..., "question": ...}.
Case = dict[str, Any]


@lru_cache(maxsize=None)
def registry(at: int) -> Registry:
    return registries.draw(f"{SEED}/{at}")


@lru_cache(maxsize=None)
def build(at: int) -> Value:
    return questions.draw_build(random.Random(f"{SEED}/{at}/build"), registry(at))


def asked(at: int) -> list[tuple[Value, Value]]:
    """Machines, each with its questions."""
    rng = random.Random(f"{SEED}/{at}/machines")
    found = []
    for _ in range(MACHINES):
        machine = questions.draw_machine(rng, registry(at), build(at))
        found += [(machine, questions.draw_question(rng, registry(at), machine)) for _ in range(QUESTIONS)]
    return found


def case(at: int, machine: Value, question: Value) -> Case:
    return {"registry": registry(at), "build": build(at), "machine": machine, "question": question}
