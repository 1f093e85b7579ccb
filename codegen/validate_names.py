# SPDX-License-Identifier: Apache-2.0
"""Whether every name can be part of a C name, and whether no two things need the same one."""

from __future__ import annotations

import re

from codegen import names
from codegen.diagnostics import Diagnostics, Mark
from codegen.model import DEFAULT, HOST_DEVICES, IMAGE_DEVICES, Cell, Registry

_IDENTIFIER = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*([._+-][A-Za-z0-9]+)*")


def check(registry: Registry, diagnostics: Diagnostics) -> None:
    _lengths(registry, diagnostics)
    _spelling(registry, diagnostics)
    _collisions(registry, diagnostics)


MAX_NAME = 64  # op, variant and arch come together in the names of files, which have 255 bytes


def _lengths(registry: Registry, diagnostics: Diagnostics) -> None:
    named = [("namespace", registry.namespace, registry.namespace_mark)]
    named += [("op", op.name, op.mark) for op in registry.ops]
    named += [("argument", arg.name, arg.mark) for op in registry.ops for arg in op.args]
    named += [("arch", arch.name, arch.mark) for device in registry.devices for arch in device.archs]
    named += [("variant", variant.name, variant.mark) for variant in registry.variants]
    named += [("requirement", requirement.name, requirement.mark) for requirement in registry.requirements]
    named += [("entry", ref.name, ref.mark) for op in registry.ops for cell in op.cells for ref in cell.entries]
    named += [("component", component.kind, component.mark) for component in registry.components]
    for what, name, mark in named:
        if len(name) > MAX_NAME:
            diagnostics.error(mark, f"{what} '{name[:20]}...': a name of more than {MAX_NAME} characters")


def _spelling(registry: Registry, diagnostics: Diagnostics) -> None:
    space = registry.namespace
    if not _IDENTIFIER.fullmatch(space):
        if space:
            diagnostics.error(
                registry.namespace_mark,
                f"namespace '{space}': not a C name of small letters, digits and single _ between them",
            )
    elif space == "rung" or space.startswith("rung_"):
        diagnostics.error(registry.namespace_mark, f"namespace '{space}': the library's own names begin so")
    for op in registry.ops:
        if not _IDENTIFIER.fullmatch(op.name):
            diagnostics.error(
                op.mark, f"op '{op.name}': not a C name of small letters, digits and single _ between them"
            )
    for component in registry.components:
        if not _IDENTIFIER.fullmatch(component.kind):
            diagnostics.error(
                component.mark,
                f"component '{component.kind}': not a C name of small letters, digits and single _ between them",
            )
    for variant in registry.variants:
        if not _WORD.fullmatch(variant.name):
            diagnostics.error(
                variant.mark,
                f"variant '{variant.name}': a letter, then letters and digits with single ._+- between them",
            )
    for requirement in registry.requirements:
        if not _IDENTIFIER.fullmatch(requirement.name):
            diagnostics.error(
                requirement.mark,
                f"requirement '{requirement.name}': not a C name of small letters, digits and single _ between them",
            )


MAX_IMAGE_NAME = 200  # it names files, with endings


class _Table:
    """C names and who needs them."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self._diagnostics = diagnostics
        self._owners: dict[str, tuple[str, Mark]] = {}
        self._fixed: set[str] = set()
        self._reported: set[tuple[Mark, Mark]] = set()

    def fixed(self, *c_names: str) -> None:
        self._fixed.update(c_names)

    def refuse(self, mark: Mark, words: str) -> None:
        self._diagnostics.error(mark, words)

    def need(self, c_name: str, what: str, mark: Mark) -> None:
        if c_name in self._fixed:
            kind = "header" if c_name.endswith(".h") else "C name"
            self._diagnostics.error(mark, f"{what} needs the {kind} {c_name}, which every registry has")
            return
        owner, place = self._owners.setdefault(c_name, (what, mark))
        if place == mark:
            return
        if place > mark:
            self._owners[c_name] = (what, mark)
            owner, place, what, mark = what, mark, owner, place
        if (place, mark) in self._reported:
            return
        self._reported.add((place, mark))
        self._diagnostics.error(mark, f"{what} and {owner} need the same C name {c_name}", (place, f"{owner} is here"))


def _launched(table: _Table, space: str, cell: Cell, owner: str) -> None:
    table.need(f"{space}_{names.cell_name(cell)}__cell", owner, cell.mark)
    for ref, name in zip(cell.entries, names.entry_names(space, cell)):
        table.need(name, f"the entry {ref.name} of {owner}", cell.mark)


def _images(table: _Table, registry: Registry) -> None:
    """One of each source on each arch, however many cells it has."""
    first: dict[tuple[str, str], Cell] = {}
    for op in registry.ops:
        for cell in op.cells:
            if cell.launched:
                first.setdefault((cell.source, cell.place), cell)
    for cell in first.values():
        what = f"the image of {cell.source} on {cell.place}"
        name = names.image_name(registry.namespace, cell)
        if len(name) > MAX_IMAGE_NAME:
            words = f"{what}: its name, {name[:40]}..., has more than {MAX_IMAGE_NAME} characters"
            table.refuse(cell.source_mark, words)
        table.need(names.image_name(registry.namespace, cell), what, cell.mark)


def _collisions(registry: Registry, diagnostics: Diagnostics) -> None:
    table = _Table(diagnostics)
    space, upper = registry.namespace, registry.namespace.upper()
    table.fixed(f"{space}_registry", f"{upper}_HIDDEN", f"{space}/ids.h", f"{space}/build.h", f"{space}/{space}.h")
    table.fixed(f"{space}_proof", f"{space}/proof.h", f"{upper}_PROOF_H")
    for kind in ("op", "variant", "device", "arch", "cell", "row", "requirement", "kind", "builder"):
        table.fixed(f"{space}_{kind}_displace", f"{space}_{kind}_values", f"{upper}_{kind.upper()}_COUNT")
    table.fixed(f"{upper}_TABLES_HASHES_H", f"{space}/kinds.h", f"{space}_kind_find", f"{upper}_KINDS_H")
    whole = {one.device.name for component in registry.components for one in component.cells} - set(HOST_DEVICES)
    cells = [cell for op in registry.ops for cell in op.cells]
    whole |= {cell.device for cell in cells if cell.device in IMAGE_DEVICES and not cell.launched}
    table.fixed(*(f"{upper}_HAS_DEVICE_{device.upper()}" for device in sorted(whole)))
    for variant in registry.variants:
        what = f"variant '{variant.name}'"
        table.need(f"{upper}_VARIANT_{names.mangle(variant.name).upper()}", what, variant.mark)
    for requirement in registry.requirements:
        what, mangled = f"requirement '{requirement.name}'", names.mangle(requirement.name).upper()
        table.need(f"{upper}_REQUIREMENT_{mangled}", what, requirement.mark)
        table.need(f"{upper}_HAS_{mangled}", what, requirement.mark)
    for device in registry.devices:
        for arch in {arch.name: arch for arch in reversed(device.archs)}.values():
            what, mangled = f"arch '{device.name}/{arch.name}'", names.tag(device.name, arch.name).upper()
            table.need(f"{upper}_ARCH_{mangled}", what, arch.mark)
            table.need(f"{upper}_HAS_{mangled}", what, arch.mark)
    for op in registry.ops:
        what, name = f"op '{op.name}'", op.name.upper()
        table.need(f"{space}/{op.name}.h", what, op.mark)
        table.need(f"{space}_{op.name}", what, op.mark)
        table.need(f"{space}_{op.name}_buf", what, op.mark)
        table.need(f"{upper}_OP_{name}", what, op.mark)
        table.need(f"{upper}_KERNELS_{name}_H", what, op.mark)
        table.need(f"{upper}_{name}_H", what, op.mark)
        for cell in {cell.key: cell for cell in reversed(op.cells)}.values():
            place = cell.place if cell.variant == DEFAULT else f"{cell.place}, variant {cell.variant}"
            owner = f"the kernel of op {op.name} on {place}"
            table.need(f"{space}_{names.cell_name(cell)}", owner, cell.mark)
            if cell.launched:
                _launched(table, space, cell, owner)
    for component in registry.components:
        what, name = f"component '{component.kind}'", component.kind.upper()
        table.need(f"{space}/{component.kind}.h", what, component.mark)
        table.need(f"{space}_{component.kind}_kind", what, component.mark)
        table.need(f"{upper}_KIND_{name}", what, component.mark)
        table.need(f"{upper}_BUILDERS_{name}_H", what, component.mark)
        table.need(f"{upper}_{name}_H", what, component.mark)
        for one in {one.key: one for one in reversed(component.cells)}.values():
            on = f"the builder of component {component.kind} on {one.device.name}, variant {one.variant.name}"
            table.need(f"{space}_{names.builder_name(one)}", on, one.device.mark)
    _images(table, registry)
    sets: dict[tuple[str, ...], Mark] = {}
    declared = {requirement.name for requirement in registry.requirements}
    demands = [(cell.variant, cell.requires, cell.mark) for op in registry.ops for cell in op.cells]
    demands += [(one.variant.name, one.requires, one.device.mark) for kind in registry.components for one in kind.cells]
    for variant_name, requires, mark in demands:
        variant_found = registry.variant_by_name.get(variant_name)
        required = {ref.name for ref in (*requires, *(variant_found.requires if variant_found else ()))}
        if required & declared:
            sets.setdefault(tuple(sorted(required & declared)), mark)
    for members, mark in sets.items():
        joined = "_AND_".join(names.mangle(name).upper() for name in members)
        table.need(f"{upper}_REQUIRES_{joined}", f"the requirements {' and '.join(members)}", mark)
