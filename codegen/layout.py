# SPDX-License-Identifier: Apache-2.0
"""Numbers everything: the tables of rung/table.h as plain values, before any text is made of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Optional

from codegen import names, resolve
from codegen.model import CPU, DEFAULT, Arch, Cell, Component, ComponentCell, Device, Op, Registry
from codegen.resolve import Chain


@dataclass(frozen=True)
class Row:
    name: str  # of its enumerator, without prefix: CUDA_SM120, CUDA__FROM_SM91, CPU__PORTABLE
    device: str
    chain: Chain


@dataclass(frozen=True)
class ArchRow:
    device: str
    name: str
    model: str
    rank: int
    portable: bool
    row: Optional[str]
    listed: Optional[Arch]


@dataclass(frozen=True)
class BreakRow:
    device: str
    model: str
    rank: int
    row: str


@dataclass(frozen=True)
class DeviceRow:
    device: Device
    fallback: tuple[str, ...]
    first_fallback: int
    breaks: int
    first_break: int
    portable_row: str


@dataclass(frozen=True)
class OpRow:
    op: Op
    cells: tuple[Cell, ...]
    variants: tuple[str, ...]
    candidates: tuple[tuple[tuple[int, ...], ...], ...]  # by local variant, by row: ordinals, best first


@dataclass(frozen=True)
class KindRow:
    component: Component
    builders: tuple[ComponentCell, ...]  # in key order, which numbers them


@dataclass
class Layout:
    registry: Registry
    devices: list[DeviceRow] = field(default_factory=list)
    archs: list[ArchRow] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    breaks: list[BreakRow] = field(default_factory=list)
    variants: list[str] = field(default_factory=list)
    ops: list[OpRow] = field(default_factory=list)
    kinds: list[KindRow] = field(default_factory=list)
    images: list[tuple[Cell, ...]] = field(default_factory=list)  # the cells of each, by the image's name
    row_index: dict[tuple[str, Chain], int] = field(default_factory=dict)

    def answers(self, op_row: OpRow, variant: str, device: str, chain: Chain) -> tuple[int, ...]:
        """The candidates on one chain of a variant that the op has cells for."""
        return op_row.candidates[op_row.variants.index(variant)][self.row_index[(device, chain)]]


def variant_order(registry: Registry) -> list[str]:
    """Variants by id: default is 0, the rest are sorted."""
    return [DEFAULT, *(variant.name for variant in registry.variants if variant.name != DEFAULT)]


def build(registry: Registry) -> Layout:
    layout = Layout(registry, variants=variant_order(registry))
    _devices(layout)
    _ops(layout)
    layout.kinds = [
        KindRow(component, tuple(sorted(component.cells, key=lambda cell: [part.encode() for part in cell.key])))
        for component in registry.components
    ]
    layout.images = _images(layout)
    return layout


def _images(layout: Layout) -> list[tuple[Cell, ...]]:
    found: dict[str, list[Cell]] = {}
    for row in layout.ops:
        for cell in row.cells:
            if cell.launched and not cell.planned:
                found.setdefault(names.image_name(layout.registry.namespace, cell), []).append(cell)
    return [tuple(found[name]) for name in sorted(found)]


def _devices(layout: Layout) -> None:
    extra: list[ArchRow] = []
    fallbacks = 0
    for device in layout.registry.devices:
        upper = names.mangle(device.name).upper()
        first_break = len(layout.breaks)
        named = resolve.named_archs(device)
        for arch in named:
            if arch.chain is None or device.arch(arch.name) is None:
                continue
            _row(layout, device, arch.chain, names.tag(device.name, arch.name).upper())
        for found in resolve.breaks(device):
            low = found.rank or 10 if found.model == "cuda" else found.rank
            name = f"{upper}__FROM_{'SM' if found.model in ('cuda', 'ladder') else found.model.upper() + '_'}{low}"
            layout.breaks.append(
                BreakRow(device.name, found.model, found.rank, _row(layout, device, found.chain, name))
            )
        portable = _row(layout, device, resolve.portable_chain(device), f"{upper}__PORTABLE")
        for arch in named:
            listed = device.arch(arch.name)
            row = None
            if arch.chain is not None:
                row = _row(layout, device, arch.chain, f"{upper}__LIKE_{names.tag(device.name, arch.name).upper()}")
            entry = ArchRow(device.name, arch.name, arch.model, arch.rank, arch.portable, row, listed)
            (layout.archs if listed else extra).append(entry)
        fallback = () if device.name == CPU else resolve.device_chain(layout.registry, device.name)[1:]
        layout.devices.append(
            DeviceRow(device, fallback, fallbacks, len(layout.breaks) - first_break, first_break, portable)
        )
        fallbacks += len(fallback)
    layout.archs += extra


def _row(layout: Layout, device: Device, chain: Chain, name: str) -> str:
    """The name of the device's row with this chain, made when there is none yet."""
    index = layout.row_index.get((device.name, chain))
    if index is None:
        index = len(layout.rows)
        layout.row_index[(device.name, chain)] = index
        layout.rows.append(Row(name, device.name, chain))
    return layout.rows[index].name


def _ops(layout: Layout) -> None:
    """Ops with the same pattern of cells share one set of candidates, which is worked out once."""
    order = {name: index for index, name in enumerate(layout.variants)}
    strict = {variant.name: variant.strict for variant in layout.registry.variants}
    known: dict[object, tuple[tuple[tuple[int, ...], ...], ...]] = {}
    for op in layout.registry.ops:
        cells = tuple(resolve.sorted_cells(op.cells))
        variants = tuple(resolve.op_variants(op, order))
        pattern = (tuple((cell.key, cell.after.name if cell.after else "") for cell in cells), variants)
        if pattern not in known:
            known[pattern] = tuple(_candidates(layout, cells, variant, strict[variant]) for variant in variants)
        layout.ops.append(OpRow(op, cells, variants, known[pattern]))


def _candidates(layout: Layout, cells: tuple[Cell, ...], variant: str, strict: bool) -> tuple[tuple[int, ...], ...]:
    by_device: dict[str, dict[tuple[str, str], int]] = {}
    for ordinal, cell in enumerate(cells):
        by_device.setdefault(cell.device, {})[(cell.arch, cell.variant)] = ordinal
    after = {ordinal: cell.after.name for ordinal, cell in enumerate(cells) if cell.after}
    return tuple(
        resolve.candidates(by_device.get(row.device, {}), after, variant, strict, row.chain) for row in layout.rows
    )
