# SPDX-License-Identifier: Apache-2.0
"""What coverage.json has to say, from the rules: every kernel that is neither planned nor experimental is built."""

from __future__ import annotations

from typing import Optional

from oracle import DEFAULT, Item, Items, Oracle, Place
from registries import AMD_TARGETS, GENERIC_TARGETS, LEVELS

EVERY = "every platform"
NO_KERNEL = "no kernel"
FACTORY = "the spec's factory"
_SIGNS = [f"{sramecc}{xnack}" for sramecc in ("", ":sramecc+", ":sramecc-") for xnack in ("", ":xnack+", ":xnack-")]


def machines(judge: Oracle, device: str) -> list[str]:
    """Names that a device may be detected as or held at, so many that every chain is among theirs."""
    models, listed = judge.models[device], judge.archs[device]
    if device == "cpu":
        names = [*(level for model in models for level in LEVELS.get(model, ())), *listed]
    elif "cuda" in models:
        names = [*(f"sm{capability}" for capability in range(10, 1000)), "ptx", "generic"]
    elif "ladder" in models:
        ranks = {judge.rank(device, name) for name in listed} | {1}
        names = [f"sm{rank + off}" for rank in sorted(ranks) for off in (0, 1) if 0 < rank + off < 65535]
        names += ["unheard-of", *listed]
    elif "amdgcn" in models:
        targets = {name.partition(":")[0] for name in listed if name.startswith("gfx") and "generic" not in name}
        names = [target + signs for target in sorted({*targets, *AMD_TARGETS}) for signs in _SIGNS]
        names += [*GENERIC_TARGETS, "generic"]
    else:
        names = listed
    return [name for name in dict.fromkeys(names) if judge.known(device, name)]


def listed_chain(judge: Oracle, device: str, arch: str) -> list[str]:
    """Without the arch itself where no list holds it: nothing stands on it."""
    return [name for name in judge.arch_chain(device, arch) if name in judge.archs[device]]


class Coverage:
    def __init__(self, judge: Oracle) -> None:
        self.judge = judge
        self._reach: dict[tuple[str, str, str], Optional[bool]] = {}
        # of every device an arch for each chain that it may have
        self._chains = {
            device: {tuple(listed_chain(judge, device, arch)): arch for arch in machines(judge, device)}
            for device in judge.devices
        }

    def op(self, op: str, platforms: list[str]) -> dict[str, dict[str, str]]:
        items = self.judge.ops[op]
        found: dict[str, dict[str, str]] = {}
        for variant, entry in self.judge.variants.items():
            if variant != DEFAULT and all(item.variant != variant for item in items.values()):
                found[variant] = {EVERY: NO_KERNEL if entry.get("strict") else "as default"}
            else:
                found[variant] = {label: self._kernel(op, items, variant, label) for label in platforms}
        return found

    def on(self, items: Items, variant: str, device: str, arch: str) -> list[Item]:
        """The declared candidates of one device, best first."""
        place = Place(device, 0, arch, "", "", "", False, listed_chain(self.judge, device, arch))
        rungs = self.judge.rungs(items, place, variant)
        return [items[(device, at, name)] for _, at, name in rungs if (device, at, name) in items]

    def _kernel(self, op: str, items: Items, variant: str, label: str) -> str:
        device, _, arch = label.partition("/")
        notes: list[str] = []
        parts: list[str] = []
        for item in self.on(items, variant, device, arch):
            where = f"{device}/{item.arch}" + ("" if item.variant == variant else f" {item.variant}")
            if _told(item, where, notes, parts):
                return _joined(notes, parts)
        for other in self.judge.device_chain(device)[1:]:
            reach = self.reach(op, items, variant, other)
            if reach is False:
                continue
            words = f"{other}" if reach else f"{other} where it has one"
            parts.append(words if any(parts) else f"falls to {words}")
            if reach:
                return _joined(notes, parts)
        return _joined(notes, [*parts, NO_KERNEL])

    def reach(self, op: str, items: Items, variant: str, device: str) -> Optional[bool]:
        """Whether the device has a kernel on every arch (True), on none (False), or on some (None)."""
        known = (op, variant, device)
        if known not in self._reach:
            found = {
                any(not (item.planned or item.experimental) for item in self.on(items, variant, device, arch))
                for arch in self._chains[device].values()
            }
            self._reach[known] = found.pop() if len(found) == 1 else None
        return self._reach[known]

    def component(self, kind: str) -> dict[str, dict[str, str]]:
        items = self.judge.kinds[kind]
        found: dict[str, dict[str, str]] = {}
        for variant, entry in self.judge.variants.items():
            if variant != DEFAULT and all(item.variant != variant for item in items.values()):
                found[variant] = {EVERY: FACTORY if entry.get("strict") else "as default"}
                continue
            found[variant] = {device: self._builder(items, variant, device) for device in self.judge.devices}
        return found

    def _builder(self, items: Items, variant: str, first: str) -> str:
        notes: list[str] = []
        parts: list[str] = []
        for device in self.judge.device_chain(first):
            for name in self.judge.wanted(variant):
                item = items.get((device, "", name))
                where = device + ("" if name == variant else f" {name}")
                if item and _told(item, where, notes, parts):
                    return _joined(notes, parts)
        return _joined(notes, [*parts, FACTORY])


def _told(item: Item, where: str, notes: list[str], parts: list[str]) -> bool:
    """Whether nothing behind this one can be called."""
    if item.planned or item.experimental:
        notes.append(f"{'planned' if item.planned else 'experimental'} {where}")
        return False
    parts.append(f"{where} (needs {', '.join(sorted(item.requires))})" if item.requires else where)
    return not item.requires


def _joined(notes: list[str], parts: list[str]) -> str:
    return "; ".join([*notes, ", else ".join(parts)])
