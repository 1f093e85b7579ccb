# SPDX-License-Identifier: Apache-2.0
"""Takes a case apart for as long as the library and the rules still differ on the same kind of question."""

from __future__ import annotations

import copy
from typing import Any, Iterator, Optional

import registries
import subject
from cases import Case
from compare import Difference, Judge

# Keys without which a case is none.
_KEPT = {
    "registry", "build", "machine", "question",
    "rung", "namespace", "devices", "ops", "model", "archs", "summary", "args", "tolerance", "kernels", "on", "kind",
    "family", "features", "disabled", "amx", "found", "state", "arch", "count", "driver",
    "requirements", "without", "toolkit", "targets", "unlinked", "chain", "env", "flags", "failing", "library",
    "minimum",
}
_OPTIONAL_HERE = {("registry", "requirements")}
Path = tuple[Any, ...]
Edit = tuple[Path, list[Any]]  # where, and which keys or indexes go


def _containers(value: Any, path: Path = ()) -> Iterator[tuple[Path, list[Any]]]:
    """Every list and mapping, outermost first, with what may be taken out of it."""
    if isinstance(value, dict):
        free = [key for key in value if key not in _KEPT or (*path, key) in _OPTIONAL_HERE]
        yield path, free
        for key in value:
            yield from _containers(value[key], (*path, key))
    elif isinstance(value, list):
        yield path, [at for at, item in enumerate(value) if item != "inspect"]  # which _simpler puts in
        for at, item in enumerate(value):
            if path[-1:] != ("archs",):  # an arch goes whole; its flags go in _simpler
                yield from _containers(item, (*path, at))


def _edits(case: Case, share: int) -> list[Edit]:
    """The removal of every 1/share of every container, of single items for share 0."""
    found = []
    for path, keys in _containers(case):
        size = len(keys) // share if share else 1
        if keys and (size > 1 or not share):
            found += [(path, keys[at:at + size]) for at in range(0, len(keys), size)]
    return found


def _without(case: Case, edit: Edit) -> Case:
    made = copy.deepcopy(case)
    path, keys = edit
    value: Any = made
    for key in path:
        value = value[key]
    for key in reversed(keys):
        del value[key]
    made["registry"] = registries.tidied(made["registry"])
    return made


def _simpler(case: Case) -> Iterator[Case]:
    """What no removal does: a plainer platform string, also one that opens more with less; archs without flags."""
    if "inspect" not in case["question"]["flags"]:
        made = copy.deepcopy(case)
        made["question"]["flags"].append("inspect")
        yield made
    if case["question"]["chain"] is None:
        for device in case["registry"]["devices"]:
            made = copy.deepcopy(case)
            made["question"].update(chain=[device], env=None)
            yield made
    for name in ("chain", "env"):
        parts = case["question"][name]
        if parts and name == "env":
            made = copy.deepcopy(case)
            made["question"][name] = None
            yield made
        for at, part in enumerate(parts or ()):
            for shorter in {part.partition("/")[0], part.partition(":")[0]} - {part}:
                made = copy.deepcopy(case)
                made["question"][name][at] = shorter
                yield made
    for device, entry in case["registry"]["devices"].items():
        for at, arch in enumerate(entry["archs"]):
            if isinstance(arch, dict):
                made = copy.deepcopy(case)
                made["registry"]["devices"][device]["archs"][at] = registries.arch_name(arch)
                yield made


def shrunk(case: Case, judge: Judge, kind: str, most: int = 2000) -> tuple[Case, Difference, int]:
    """The smallest case found with a difference of this kind, the difference, and how many cases were judged."""
    differs = judge(case)[kind]
    judged = 1

    def still(candidate: Case) -> Optional[Difference]:
        nonlocal judged
        if judged >= most or candidate == case or not candidate["registry"]["ops"]:
            return None
        if not candidate["build"]["targets"]:
            return None
        if subject.read(candidate["registry"])[0] is None:
            return None
        judged += 1
        return judge(candidate).get(kind)

    changed = True
    while changed and judged < most:
        changed = False
        for share in (2, 4, 8, 16, 0):
            at = 0
            while at < len(edits := _edits(case, share)):
                candidate = _without(case, edits[at])
                found = still(candidate)
                if found:
                    case, differs, changed = candidate, found, True
                else:
                    at += 1
        for candidate in _simpler(case):
            found = still(candidate)
            if found:
                case, differs, changed = candidate, found, True
                break
    return case, differs, judged
