# SPDX-License-Identifier: Apache-2.0
"""The generator on random registries: its resolver and its coverage page against the rules, and what every chain is."""

from __future__ import annotations

import json
import random
import re
from typing import Iterator

import pytest

import cases
import registries
import subject
from codegen import resolve
from codegen.model import Registry as Model
from coverage_oracle import Coverage, listed_chain, machines
from oracle import Oracle, Place, cuda_family, processor_family, sm

GROUPS = 4
NAMES = 40  # archs of a device that are looked at, of the hundreds there may be


def _numbers(group: int) -> Iterator[tuple[str, Oracle, Model]]:
    for at in range(group, cases.COUNT, GROUPS):
        registry = cases.registry(at)
        model, errors = subject.read(registry)
        text = registries.text_of(registry)
        assert model is not None, f"seed {cases.SEED}: registry {at} is refused:\n{errors}\n{text}"
        yield f"seed {cases.SEED}, registry {at}", Oracle(registry, cases.build(at)), model


def _names(judge: Oracle, device: str) -> list[str]:
    names = machines(judge, device)
    if len(names) <= NAMES:
        return names
    return random.Random(device).sample(names, NAMES)


@pytest.mark.parametrize("group", range(GROUPS))
def test_resolver(group: int, counts: dict[str, int]) -> None:
    compared = 0
    for what, judge, model in _numbers(group):
        for device in model.devices:
            name = device.name
            assert list(resolve.device_chain(model, name)) == judge.device_chain(name), what
            unknown = [arch for arch in judge.arch_chain(name, None) if arch in judge.archs[name]]
            assert list(resolve.portable_chain(device)) == unknown, f"{what}: {name}"
            for arch in _names(judge, name):
                found = list(resolve.arch_chain(device, arch))
                assert found == listed_chain(judge, name, arch), f"{what}: {name}/{arch}"
                compared += 1
        compared += _candidates(what, judge, model)
    counts["answers of the resolver"] = counts.get("answers of the resolver", 0) + compared


def _candidates(what: str, judge: Oracle, model: Model) -> int:
    compared = 0
    for op in model.ops:
        items = judge.ops[op.name]
        for device in model.devices:
            cells = [cell for cell in op.cells if cell.device == device.name]
            keys = {(cell.arch, cell.variant): at for at, cell in enumerate(cells)}
            after = {at: cell.after.name for at, cell in enumerate(cells) if cell.after}
            for chain in random.Random(what).sample(chains := resolve.all_chains(device), min(6, len(chains))):
                place = Place(device.name, 0, None, "", "", "", False, list(chain))
                for variant in model.variants:
                    rungs = judge.rungs(items, place, variant.name)
                    wanted = [(at, name) for _, at, name in rungs if (device.name, at, name) in items]
                    numbers = resolve.candidates(keys, after, variant.name, variant.strict, chain)
                    found = [(cells[at].arch, cells[at].variant) for at in numbers]
                    assert found == wanted, f"{what}: {op.name}, {variant.name}, {device.name} {chain}"
                    compared += 1
    return compared


@pytest.mark.parametrize("group", range(GROUPS))
def test_coverage_page(group: int, counts: dict[str, int]) -> None:
    compared = 0
    for what, judge, model in _numbers(group):
        page = json.loads(subject.coverage_page(model), object_pairs_hook=_once)
        coverage = Coverage(judge)
        labels = [f"{name}/{arch}" for name, device in page["devices"].items() for arch in device["platforms"]]
        for name, device in page["devices"].items():
            assert list(device["archs"]) == judge.archs[name], what
            assert device["fallback"] == judge.device_chain(name)[1:], what
            _lines_hold(what, judge, name, device["platforms"])
        for op, entry in page["ops"].items():
            wanted = coverage.op(op, labels)
            assert entry["resolution"] == wanted, f"{what}: {op}\n{registries.text_of(judge.registry)}"
            compared += sum(map(len, wanted.values()))
        for kind, entry in page["components"].items():
            wanted = coverage.component(kind)
            assert entry["resolution"] == wanted, f"{what}: {kind}\n{registries.text_of(judge.registry)}"
            compared += sum(map(len, wanted.values()))
    counts["lines of coverage pages"] = counts.get("lines of coverage pages", 0) + compared


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    assert len(found) == len(pairs), f"a key stands twice: {[key for key, _ in pairs]}"
    return found


def _lines_hold(what: str, judge: Oracle, device: str, platforms: list[str]) -> None:
    """A line sm91 holds for sm91 and every rank up to the line above it; and every chain has a line, but for that of an
    unheard-of arch that no kernel is for."""
    assert len(set(platforms)) == len(platforms), f"{what}: a platform has two lines: {platforms}"
    chains = {arch: listed_chain(judge, device, arch) for arch in platforms}
    lines = sorted((judge.rank(device, arch), arch) for arch in platforms if re.fullmatch(r"sm[1-9]\d*", arch))
    for arch in _names(judge, device):
        chain = listed_chain(judge, device, arch)
        below = [line for rank, line in lines if rank <= judge.rank(device, arch)]
        if below:
            assert chains[below[-1]] == chain, f"{what}: {device}/{arch}"
        else:
            assert not chain or chain in chains.values(), f"{what}: {device}/{arch}"


# ---- what every chain is --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("group", range(GROUPS))
def test_chains(group: int, counts: dict[str, int]) -> None:
    """Never a newer arch, never another family, no arch twice; and the last rung is the terminal one."""
    compared = 0
    for what, judge, model in _numbers(group):
        for device in model.devices:
            every = [(arch, resolve.arch_chain(device, arch)) for arch in _names(judge, device.name)]
            for arch, chain in every:
                place = f"{what}: {device.name}/{arch}: {' '.join(chain)}"
                assert len(set(chain)) == len(chain), place
                for step in chain:
                    _check_step(judge, device.name, arch, step, place)
                compared += 1
            devices = resolve.device_chain(model, device.name)
            assert devices[-1] == "cpu" and len(set(devices)) == len(devices), what
        cpu = model.device_by_name["cpu"]
        for chain in resolve.all_chains(cpu):
            assert "generic" in chain, f"{what}: {chain}"
            assert cpu.models == ("none",) or chain[-1] == "generic", f"{what}: {chain}"
    counts["chains"] = counts.get("chains", 0) + compared


def _check_step(judge: Oracle, device: str, arch: str, step: str, place: str) -> None:
    assert judge.rank(device, step) <= judge.rank(device, arch), f"{place}: {step} is newer"
    image, chip = sm(step), sm(arch)
    if "cuda" in judge.models[device] and image and chip:
        assert image[1] != "a" or image[0] == chip[0], f"{place}: {step} is for that chip alone"
        assert image[1] != "f" or image[0] in cuda_family(chip[0]), f"{place}: {step} is of another family"
    if device == "cpu":
        assert processor_family(step) in ("", processor_family(arch)), f"{place}: {step} is of another family"
    if "amdgcn" in judge.models[device] and "generic" not in step:
        target, *features = step.split(":")
        assert target == arch.partition(":")[0] and set(features) <= set(arch.split(":")), f"{place}: {step}"
