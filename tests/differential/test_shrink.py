# SPDX-License-Identifier: Apache-2.0
"""The shrinker, on rules with a fault put in: it finds the fault, and what is left of the registry is small."""

from __future__ import annotations

from pathlib import Path
from typing import Optional, Type

import pytest

import cases
import registries
from cases import Case
from compare import Judge, library_judge, rules_judge, told
from oracle import DEFAULT, Item, Items, Oracle, Place, Rung
from shrink import shrunk


class StrictFalls(Oracle):
    def wanted(self, variant: str) -> list[str]:
        return super().wanted(variant) if variant == DEFAULT or variant not in self.variants else [variant, DEFAULT]


class VariantFirst(Oracle):
    """The asked variant on every arch before `default` on any: the order that R5 speaks against."""

    def rungs(self, items: Items, place: Place, variant: str) -> list[Rung]:
        order = {name: at for at, name in enumerate(self.wanted(variant))}
        return sorted(super().rungs(items, place, variant), key=lambda rung: order[rung[2]])


class NewerToo(Oracle):
    def ladder_chain(self, device: str, arch: Optional[str]) -> list[str]:
        others = [name for name in self.archs[device] if name != arch]
        return others if arch is None else [arch, *others]


class OneFamily(Oracle):
    def cuda_chain(self, device: str, arch: Optional[str]) -> list[str]:
        return [name for name in super().cuda_chain(device, arch) if not name.endswith("f")]


class NothingMoves(Oracle):
    def rungs(self, items: Items, place: Place, variant: str) -> list[Rung]:
        return [(place, arch, name) for arch in place.chain for name in self.wanted(variant)]


class HostReachesAll(Oracle):
    def reaches(self, place: Place, places: list[Place], memory: str) -> bool:
        return True


class NoCap(Oracle):
    def capped(self, place: Place, arch: str) -> bool:
        return False


class PlannedIsBuilt(Oracle):
    def built(self, item: Item) -> bool:
        return item.device in ("cpu", "accel") or super().built(item)


FAULTS = [StrictFalls, VariantFirst, NewerToo, OneFamily, NothingMoves, HostReachesAll, NoCap, PlannedIsBuilt]


def _first(judge: Judge) -> Case:
    for at in range(cases.COUNT):
        for machine, question in cases.asked(at):
            case = cases.case(at, machine, question)
            if judge(case):
                return case
    raise AssertionError(f"seed {cases.SEED}: no case of {cases.COUNT} registries shows the fault")


def _size(case: Case) -> dict[str, int]:
    registry = case["registry"]
    kernels = [kernel for op in registry["ops"].values() for kernel in op["kernels"]]
    return {
        "devices": len(registry["devices"]),
        "archs": sum(len(device["archs"]) for device in registry["devices"].values()),
        "ops": len(registry["ops"]),
        "places": sum(len(registries.as_list(kernel["on"])) for kernel in kernels),
        "variants": len(registry.get("variants", {})),
        "components": len(registry.get("components", {})),
        "found": len(case["machine"]["found"]),
        "parts": len(case["question"]["chain"] or ()),
    }


# A registry of up to 7 devices, 240 archs and 40 ops comes down to this; the least would be a little less.
MOST = {"devices": 3, "archs": 5, "ops": 2, "places": 4, "variants": 1, "components": 1, "found": 1, "parts": 2}


def _check(case: Case, judge: Judge) -> None:
    kind = next(iter(judge(case)))
    small, differs, judged = shrunk(case, judge, kind)
    report = f"{judged} cases were judged\n{told(small, differs)}"
    assert judge(small)[kind] == differs, report
    size = _size(small)
    assert all(size[name] <= MOST[name] for name in MOST), f"{size}\n{report}"


@pytest.mark.parametrize("rules", FAULTS)
def test_a_fault_is_found_and_shrunk(rules: Type[Oracle]) -> None:
    judge = rules_judge(rules)
    _check(_first(judge), judge)


def test_a_fault_is_shrunk_with_the_library(library: Path) -> None:
    _check(_first(rules_judge(StrictFalls)), library_judge(library, StrictFalls))
