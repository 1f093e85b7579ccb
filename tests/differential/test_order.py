# SPDX-License-Identifier: Apache-2.0
"""The order of what has none in a registry changes not a byte of the output; archs, fallback and auto keep theirs."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

import cases
import registries
import subject
from registries import Registry

GROUPS = 4
EVERY = 2  # of the registries


def _mixed(rng: random.Random, mapping: Any) -> Any:
    keys = list(mapping)
    rng.shuffle(keys)
    return {key: mapping[key] for key in keys}


def _shuffled(registry: Registry, rng: random.Random) -> Registry:
    made = copy.deepcopy(registry)
    for device in made["devices"].values():
        if isinstance(device["model"], list):
            rng.shuffle(device["model"])
    entries = [*made["ops"].values(), *made.get("components", {}).values()]
    for entry in entries:
        rng.shuffle(entry["kernels"])
        entry["kernels"] = [_kernel(rng, kernel) for kernel in entry["kernels"]]
    for variant in made.get("variants", {}).values():
        if "requires" in variant:
            rng.shuffle(variant["requires"])
    for section in ("devices", "requirements", "variants", "ops", "components"):
        if section in made:
            made[section] = _mixed(rng, {name: _mixed(rng, entry) for name, entry in made[section].items()})
    shuffled: Registry = _mixed(rng, made)
    return shuffled


def _kernel(rng: random.Random, kernel: Any) -> Any:
    if isinstance(kernel["on"], list) and "source" in kernel:  # else the source follows from the first place
        rng.shuffle(kernel["on"])
    if "requires" in kernel:
        rng.shuffle(kernel["requires"])
    return _mixed(rng, kernel)


def _without_inputs(files: dict[str, bytes]) -> dict[str, bytes]:
    """The manifest has the digest of the registry's own bytes, which have changed."""
    return {path: data for path, data in files.items() if path != "manifest.txt"}


@pytest.mark.parametrize("group", range(GROUPS))
def test_order_without_meaning(group: int, counts: dict[str, int]) -> None:
    for at in range(group, cases.COUNT, GROUPS * EVERY):
        registry = cases.registry(at)
        shuffled = _shuffled(registry, random.Random(f"{cases.SEED}/{at}/order"))
        found, wanted = (_without_inputs(subject.generated(one)) for one in (shuffled, registry))
        changed = [path for path in sorted({*found, *wanted}) if found.get(path) != wanted.get(path)]
        text = registries.text_of(shuffled)
        assert not changed, f"seed {cases.SEED}, registry {at}: the order of its keys shows in {changed}\n{text}"
        counts["reordered registries"] = counts.get("reordered registries", 0) + 1


def test_order_with_meaning() -> None:
    """The shuffle is one: of the three lists whose order means something, each shows in the output."""
    devices = {
        "tpu": {"model": "none", "archs": ["v1", "v2"], "fallback": ["metal", "accel"]},
        "metal": {"model": "none", "archs": ["generic"]},
        "accel": {"model": "none", "archs": ["generic"]},
        "cpu": {"model": "x86", "archs": ["generic"]},
    }
    kernels = [{"on": place} for place in ("cpu/generic", "tpu/v1", "tpu/v2", "metal/generic")]
    op = {"summary": "An op.", "args": [], "tolerance": {"abs": 0}, "kernels": kernels}
    automatic = ["tpu", "metal", "cpu"]
    registry: Registry = {"rung": 1, "namespace": "rr", "auto": automatic, "devices": devices, "ops": {"op": op}}
    before = subject.generated(registry)
    other = copy.deepcopy(registry)
    for names in (other["devices"]["tpu"]["archs"], other["devices"]["tpu"]["fallback"], other["auto"]):
        names[:2] = names[1::-1]
        after = subject.generated(other)
        assert after["registry.c"] != before["registry.c"]
        before = after
