# SPDX-License-Identifier: Apache-2.0
"""The arch models of docs/resolution.md R2: which names a device's archs may have, and how they rank."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Optional, Sequence

GENERIC = "generic"
PTX = "ptx"

_LADDER = re.compile(r"sm([1-9][0-9]*)")
_CUDA = re.compile(r"sm([1-9][0-9]{1,2})([af]?)")
_OTHER_SPELLING = re.compile(r"(?:sm|compute)[_-]?([1-9][0-9]{1,2}[af]?)")
_AMD_NAME = re.compile(r"(gfx[1-9][0-9]*[0-9a-f]{2})(:sramecc[+-])?(:xnack[+-])?")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9._+-]*")

X86_LEVELS = {"x86-64-v2": 2, "x86-64-v3": 3, "x86-64-v4": 4, "amx": 5}
AARCH64_LEVELS = {"neon": 1, "sve": 2, "sve2": 3}

CUDA_CAPABILITIES = range(10, 1000)
# A Tegra chip does not run a desktop chip's machine code, nor the other way round.
TEGRA = frozenset((53, 62, 72, 87, 101, 110))

AMD_GENERIC_COVERS = {
    "gfx9-generic": ("900", "902", "904", "906", "909", "90c"),
    "gfx9-4-generic": ("942", "950"),
    "gfx10-1-generic": ("1010", "1011", "1012", "1013"),
    "gfx10-3-generic": ("1030", "1031", "1032", "1033", "1034", "1035", "1036"),
    "gfx11-generic": ("1100", "1101", "1102", "1103", "1150", "1151", "1152", "1153"),
    "gfx12-generic": ("1200", "1201"),
}
AMD_COVERED_BY = {f"gfx{target}": name for name, targets in AMD_GENERIC_COVERS.items() for target in targets}
_AMD_FEATURES = tuple(
    f"{sramecc}{xnack}" for sramecc in ("", ":sramecc+", ":sramecc-") for xnack in ("", ":xnack+", ":xnack-")
)

MODELS = ("aarch64", "amdgcn", "cuda", "ladder", "none", "x86")
MAX_RANK = 65534


@dataclass(frozen=True)
class ArchName:
    """An arch name as its model understands it. `order` sorts a device's list: higher first."""

    model: str
    rank: int
    portable: bool
    order: tuple[int, ...]
    suffix: str = ""


def understand(models: Sequence[str], name: str) -> Optional[ArchName]:
    """What `name` means on a device with these models; None when it is no arch of any of them."""
    for model in models:
        found = _UNDERSTAND[model](name)
        if found is not None:
            if found.portable and len(models) > 1:
                return ArchName("none", found.rank, True, found.order)
            return found
    return None


def _none(name: str) -> Optional[ArchName]:
    return ArchName("none", 0, True, (0,)) if _WORD.fullmatch(name) else None


def _ladder(name: str) -> Optional[ArchName]:
    ranked = _LADDER.fullmatch(name)
    if ranked:
        rank = int(ranked[1][: len(str(MAX_RANK)) + 1])
        return ArchName("ladder", rank, False, (1, rank)) if rank <= MAX_RANK else None
    return ArchName("ladder", 0, True, (0, 0)) if _WORD.fullmatch(name) else None


def _cuda(name: str) -> Optional[ArchName]:
    if name == PTX:
        return ArchName("cuda", 0, True, (0, 1))
    if name == GENERIC:
        return ArchName("cuda", 0, True, (0, 0))
    ranked = _CUDA.fullmatch(name)
    if not ranked:
        return None
    rank, suffix = int(ranked[1]), ranked[2]
    return ArchName("cuda", rank, False, (1, rank, "fa".find(suffix) + 1 if suffix else 0), suffix)


def _levels(model: str, levels: dict[str, int], name: str) -> Optional[ArchName]:
    if name in levels:
        return ArchName(model, levels[name], False, (1, levels[name]))
    return ArchName(model, 0, True, (0, 0)) if name == GENERIC else None


def _amdgcn(name: str) -> Optional[ArchName]:
    if name == GENERIC:
        return ArchName("amdgcn", 0, True, (0,))
    if name in AMD_GENERIC_COVERS:
        return ArchName("amdgcn", 0, True, (1,))
    return ArchName("amdgcn", 0, False, (2,)) if _AMD_NAME.fullmatch(name) else None


_UNDERSTAND = {
    "none": _none,
    "ladder": _ladder,
    "cuda": _cuda,
    "x86": lambda name: _levels("x86", X86_LEVELS, name),
    "aarch64": lambda name: _levels("aarch64", AARCH64_LEVELS, name),
    "amdgcn": _amdgcn,
}


def examples(models: Sequence[str]) -> str:
    """The names that the models know, for an error message."""
    return ", ".join(dict.fromkeys(name for model in models for name in _EXAMPLES[model].split(", ")))


_EXAMPLES = {
    "none": "any name of letters, digits and ._+-",
    "ladder": "sm90, or any other name of letters, digits and ._+-",
    "cuda": "smNN, smNNa and smNNf (as sm80, sm90a, sm100f), ptx and generic",
    "x86": "amx, x86-64-v4, x86-64-v3, x86-64-v2, generic",
    "aarch64": "sve2, sve, neon, generic",
    "amdgcn": "gfx90a, gfx942:xnack+, gfx9-4-generic, generic",
}


def respelt(models: Sequence[str], name: str) -> str:
    """The arch that another spelling of it means, such as sm_90 or compute_90; empty where no model knows it."""
    found = _OTHER_SPELLING.fullmatch(name.lower())
    meant = f"sm{found[1]}" if found else ""
    return meant if found and understand(models, meant) else ""


def known_names(models: Sequence[str]) -> list[str]:
    """Names with a fixed spelling, to be suggested for a misspelt one."""
    names = {
        "x86": [*X86_LEVELS, GENERIC],
        "aarch64": [*AARCH64_LEVELS, GENERIC],
        "cuda": [PTX, GENERIC],
        "amdgcn": [*AMD_GENERIC_COVERS, GENERIC],
        "ladder": [GENERIC],
        "none": [GENERIC],
    }
    return sorted({name for model in models for name in names[model]})


def cuda_family(capability: int) -> tuple[int, bool]:
    """Capabilities whose `f` images run on one another. {100, 103}, {110}, {120, 121}; a new one joins its major."""
    return (capability // 10, capability in TEGRA)


def amd_target(name: str) -> str:
    """`gfx90a` of `gfx90a:sramecc+:xnack-`."""
    return name.partition(":")[0]


def amd_features(name: str) -> frozenset[str]:
    return frozenset(name.split(":")[1:])


def amd_detectable(listed: Sequence[str]) -> list[str]:
    """Every name by which a device that concerns this list may be detected, beyond the listed names themselves."""
    names = set(AMD_COVERED_BY)
    for name in listed:
        if _AMD_NAME.fullmatch(name):
            target = amd_target(name)
            names.add(target)
            if any(amd_features(other) for other in listed if amd_target(other) == target):
                names.update(target + features for features in _AMD_FEATURES)
    return sorted(names - set(listed))
