# SPDX-License-Identifier: Apache-2.0
"""What kernels and builders require: CPU features, and the declared requirements with what becomes of them."""

from __future__ import annotations

from typing import Union

from codegen import cpu_features
from codegen.model import CPU, HOST_DEVICES, Cell, ComponentCell, Ref, Registry

Demanding = Union[Cell, ComponentCell]


def variant_of(cell: Demanding) -> str:
    return cell.variant if isinstance(cell, Cell) else cell.variant.name


def all_refs(registry: Registry, cell: Demanding) -> list[Ref]:
    """Everything that the cell's variant and the cell require."""
    return [*registry.variant_by_name[variant_of(cell)].requires, *cell.requires]


def names(registry: Registry, cell: Demanding) -> tuple[str, ...]:
    return tuple(sorted({ref.name for ref in all_refs(registry, cell)}))


def requirements(registry: Registry, cell: Demanding, *kinds: str) -> list[str]:
    """The declared requirements among them, of these kinds or of all, sorted."""
    wanted = names(registry, cell)
    if not wanted:
        return []
    return sorted({found.name for found in registry.requirements if not kinds or found.kind in kinds} & set(wanted))


def features(registry: Registry, cell: Demanding) -> list[str]:
    """The CPU features among them, sorted."""
    return [name for name in names(registry, cell) if name in cpu_features.families()]


def has_first_use(registry: Registry, cell: Demanding) -> bool:
    """Whether its first use has something to do that may fail (docs/resolution.md, R8): an image to load, a library to
    open, AMX tiles to ask for."""
    if isinstance(cell, Cell) and (cell.device not in HOST_DEVICES or (cell.device, cell.arch) == (CPU, "amx")):
        return True
    tiles = any(name.startswith("amx_") for name in features(registry, cell))
    return tiles or bool(requirements(registry, cell, "library"))
