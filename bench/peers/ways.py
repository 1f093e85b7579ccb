# SPDX-License-Identifier: Apache-2.0
"""A way to do the work of a task, and how long it takes."""
import math
import time
from dataclasses import dataclass
from typing import Callable, List, Optional

from work import Arrays, Task

TURN_S = 0.002  # a turn takes at least this long
BUDGET_S = 1.0  # all turns of a way take about this long at most
FEWEST = 3


class Absent(Exception):
    """The peer, or its op, is not here; the text says why."""


class Peer:
    version = ""

    def lacks(self, op: str) -> Optional[str]:
        """Why it does not do the work of an op; None where it does."""
        return None

    def ways(self, task: Task) -> "List[Way]":
        """Those in which it can be done."""
        raise NotImplementedError


@dataclass
class Way:
    name: str  # what is called
    run: Callable[[int], float]  # does the work so many times; seconds
    results: Callable[[], Arrays]  # of the last time; by argument


# What counts: the time that passes, or the processor time of the process, all threads of it.
CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}
_clock = CLOCKS["wall"]


def use_clock(name: str) -> None:
    global _clock
    _clock = CLOCKS[name]


def is_processor_time() -> bool:
    return _clock is CLOCKS["cpu"]


def looped(call: Callable[[], object]) -> Callable[[int], float]:
    def run(calls: int) -> float:
        begin = _clock()
        for _ in range(calls):
            call()
        return _clock() - begin
    return run


def sample(way: Way, turns: int, turn_s: float = TURN_S) -> List[float]:
    """Seconds a call, for every turn."""
    once = min(way.run(1), way.run(1))
    calls = max(1, math.ceil(turn_s / max(once, 1e-9)))
    turns = max(FEWEST, min(turns, int(BUDGET_S / max(calls * once, 1e-9))))
    return [way.run(calls) / calls for _ in range(turns)]
