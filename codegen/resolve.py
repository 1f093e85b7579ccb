# SPDX-License-Identifier: Apache-2.0
"""docs/resolution.md, R1 to R6 and R12: the one place on the Python side where its rules live. Pure functions.

A chain holds names of listed archs, best first. What only the running machine can tell (a driver's PTX version, whether
an image is native, whether a device is there) is not decided here: a chain holds every arch that may be valid.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Iterable, Mapping, Optional, Sequence

from codegen import arch_models
from codegen.model import CPU, DEFAULT, GENERIC, Arch, Cell, Device, Op, Registry

Chain = tuple[str, ...]


@dataclass(frozen=True)
class Break:
    """From this rank on, up to the next break of the device and model, an arch that is not listed has this chain."""

    model: str
    rank: int
    chain: Chain


@dataclass(frozen=True)
class Named:
    """An arch name and its chain; no chain for a name that no device is detected as (a suffixed cuda arch)."""

    name: str
    model: str
    rank: int
    portable: bool
    chain: Optional[Chain]


def device_chain(registry: Registry, device: str) -> Chain:
    """R1: the device, its declared fallback devices, and cpu."""
    fallback = [ref.name for ref in registry.device_by_name[device].fallback]
    return tuple(dict.fromkeys([device, *(name for name in fallback if name != CPU), CPU]))


def arch_chain(device: Device, detected: str) -> Chain:
    """R3 for any name of the device's models, listed or not. ValueError for a name that no device is detected as."""
    meaning = arch_models.understand(device.models, detected)
    if meaning is None or meaning.suffix:
        raise ValueError(f"{device.name}/{detected}: no device is detected as this")
    return _CHAIN[meaning.model](device, detected, meaning.rank)


def portable_chain(device: Device) -> Chain:
    """R4: the chain of a device whose arch is not known."""
    if device.models == ("amdgcn",):
        return tuple(arch.name for arch in device.archs if arch.name == GENERIC)
    if device.models == ("cuda",):
        return tuple(name for name in (arch_models.PTX, GENERIC) if device.arch(name))
    return tuple(arch.name for arch in device.archs if arch.portable)


def named_archs(device: Device) -> list[Named]:
    """Every name that an arch of the device may have, the listed ones first and in their order."""
    named = []
    for arch in device.archs:
        meaning = arch_models.understand(device.models, arch.name)
        suffixed = bool(meaning and meaning.suffix)
        chain = None if suffixed else arch_chain(device, arch.name)
        named.append(Named(arch.name, arch.model, arch.rank, arch.portable, chain))
    if "amdgcn" in device.models:
        for name in arch_models.amd_detectable([arch.name for arch in device.archs]):
            named.append(Named(name, "amdgcn", 0, False, arch_chain(device, name)))
    return named


def breaks(device: Device) -> list[Break]:
    """The ranks from which on an arch that no list holds has another chain, by model and rank."""
    found: list[Break] = []
    for model in device.models:
        ranks = _break_ranks(device, model)
        last: Optional[Chain] = None
        for rank in ranks:
            chain = _unlisted(device, model, rank)
            if chain != last:
                found.append(Break(model, rank, chain))
            last = chain
    return found


def _break_ranks(device: Device, model: str) -> Sequence[int]:
    if model in ("none", "amdgcn"):
        return ()
    if model == "cuda":
        return (0, *arch_models.CUDA_CAPABILITIES[1:])
    return (0, *sorted(arch.rank for arch in device.archs if arch.model == model and not arch.portable))


def _unlisted(device: Device, model: str, rank: int) -> Chain:
    if model == "cuda":
        return _cuda(device, "", rank or arch_models.CUDA_CAPABILITIES[0])
    ranked = [arch.name for arch in device.archs if arch.model == model and not arch.portable and arch.rank <= rank]
    return (*ranked, *portable_chain(device))


# ---- R3, by model ---------------------------------------------------------------------------------------------------


def _ladder(device: Device, detected: str, rank: int) -> Chain:
    itself = [detected] if device.arch(detected) else []
    others = [
        arch.name
        for arch in device.archs
        if arch.name != detected and (arch.portable or (rank and arch.rank < rank))
    ]
    return (*itself, *others)


def _none(device: Device, detected: str, rank: int) -> Chain:
    if len(device.models) > 1:
        return portable_chain(device)
    return _ladder(device, detected, rank)


def _levels(model: str) -> Callable[[Device, str, int], Chain]:
    def chain(device: Device, detected: str, rank: int) -> Chain:
        return _unlisted(device, model, rank)

    return chain


def _cuda(device: Device, detected: str, rank: int) -> Chain:
    portable = [name for name in (arch_models.PTX, GENERIC) if device.arch(name)]
    if not rank:
        return tuple(portable[portable.index(detected):]) if detected in portable else tuple(portable)
    exact: list[str] = []
    family: list[tuple[int, str]] = []
    plain: list[tuple[int, str]] = []
    for arch in device.archs:
        if arch.portable or arch.rank > rank:
            continue
        if arch.name.endswith("a"):
            if arch.rank == rank:
                exact.append(arch.name)
        elif arch.name.endswith("f"):
            if arch_models.cuda_family(arch.rank) == arch_models.cuda_family(rank):
                family.append((-arch.rank, arch.name))
        else:
            plain.append((-arch.rank, arch.name))
    rest = [name for name in portable if name != arch_models.PTX or rank >= ptx_target(device)]
    return (*exact, *(name for _, name in sorted(family)), *(name for _, name in sorted(plain)), *rest)


def ptx_target(device: Device) -> int:
    """The capability that the arch `ptx` is written for; 0 when the registry names none."""
    arch = device.arch(arch_models.PTX)
    return int(arch.target.rpartition("_")[2]) if arch and arch.target else 0


def _amdgcn(device: Device, detected: str, rank: int) -> Chain:
    chain: list[str] = []
    if detected in arch_models.AMD_GENERIC_COVERS:
        covering = detected
    elif detected == GENERIC:
        covering = ""
    else:
        target, features = arch_models.amd_target(detected), arch_models.amd_features(detected)
        exact = [
            arch
            for arch in device.archs
            if arch_models.amd_target(arch.name) == target and arch_models.amd_features(arch.name) <= features
        ]
        exact.sort(key=lambda arch: -len(arch_models.amd_features(arch.name)))
        chain += [arch.name for arch in exact]
        covering = arch_models.AMD_COVERED_BY.get(target, "")
    chain += [name for name in (covering, GENERIC) if name and device.arch(name)]
    return tuple(chain)


_CHAIN: dict[str, Callable[[Device, str, int], Chain]] = {
    "none": _none,
    "ladder": _ladder,
    "cuda": _cuda,
    "x86": _levels("x86"),
    "aarch64": _levels("aarch64"),
    "amdgcn": _amdgcn,
}


# ---- R5, R6, R12 ----------------------------------------------------------------------------------------------------


def candidates(
    cells: Mapping[tuple[str, str], int], after: Mapping[int, str], variant: str, strict: bool, chain: Chain
) -> tuple[int, ...]:
    """R5 on one device: which of its cells, given as (arch, variant) -> number, a request tries, best first.

    `after` holds, for the cells that R12 places later, the arch behind which they stand.
    """
    wanted = (variant,) if strict or variant == DEFAULT else (variant, DEFAULT)
    position = {arch: index for index, arch in enumerate(chain)}
    found: list[tuple[int, int, int]] = []
    for index, arch in enumerate(chain):
        for name in wanted:
            cell = cells.get((arch, name))
            if cell is None:
                continue
            later = position.get(after[cell], -1) if cell in after else -1
            found.append((max(index, later), 1 if later > index else 0, cell))
    if after:
        found.sort(key=lambda item: item[:2])
    return tuple(cell for _, _, cell in found)


def after_is_possible(device: Device, arch: str, behind: str) -> bool:
    """R12: whether R3 places `behind` later than `arch` on some chain, and nowhere before it."""
    later = False
    for chain in all_chains(device):
        if arch in chain and behind in chain:
            if chain.index(behind) <= chain.index(arch):
                return False
            later = True
    return later


def all_chains(device: Device) -> list[Chain]:
    """Every chain that the device can have on any machine, each once."""
    chains = [named.chain for named in named_archs(device) if named.chain is not None]
    chains += [found.chain for found in breaks(device)]
    chains.append(portable_chain(device))
    return list(dict.fromkeys(chains))


def unconditional(cell: Cell) -> bool:
    """Whether the cell is available on every machine and in every build: only the portable arch of the CPU is.

    accel is not taken to be: it stands in for devices whose kernels may be missing, or be demoted."""
    free = not (cell.planned or cell.experimental or cell.requires)
    return free and (cell.device, cell.arch) == (CPU, GENERIC)


def op_variants(op: Op, order: Mapping[str, int]) -> list[str]:
    """The variants that the op has cells for, default first and always, by their ids."""
    return sorted({DEFAULT, *(cell.variant for cell in op.cells)}, key=lambda name: order[name])


def sorted_cells(cells: Iterable[Cell]) -> list[Cell]:
    """The cells of an op in key order, which numbers them: a cell's place is its ordinal."""
    return sorted(cells, key=lambda cell: tuple(part.encode() for part in cell.key))


def rank_order(device: Device) -> list[tuple[Arch, Arch]]:
    """R2: the pairs of listed archs that stand in the wrong order, (the later one, the earlier one)."""
    wrong = []
    for index, arch in enumerate(device.archs):
        meaning = arch_models.understand(device.models, arch.name)
        for earlier in device.archs[:index]:
            before = arch_models.understand(device.models, earlier.name)
            if meaning is None or before is None or arch.name == earlier.name:
                continue
            comparable = meaning.model == before.model or meaning.portable or before.portable
            if comparable and before.order < meaning.order:
                wrong.append((arch, earlier))
                break
    return wrong


# ---- R7 -------------------------------------------------------------------------------------------------------------


def component_candidates(
    cells: Mapping[tuple[str, str], int], variant: str, strict: bool, devices: Chain
) -> tuple[int, ...]:
    """The builders that a request tries along a chain of devices; cells as (device, variant) -> number."""
    wanted = (variant,) if strict or variant == DEFAULT else (variant, DEFAULT)
    keys = [(device, name) for device in devices for name in wanted]
    return tuple(cells[key] for key in keys if key in cells)
