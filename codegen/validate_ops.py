# SPDX-License-Identifier: Apache-2.0
"""Ops: their arguments and their kernels."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Optional

from codegen import cpu_features, names, resolve, validate_proof
from codegen.diagnostics import Diagnostics, Mark, nearest
from codegen.model import CPU, DEFAULT, GENERIC, HOST_DEVICES, IMAGE_DEVICES, IMAGE_SOURCE, Cell, Op, Ref, Registry
from codegen.schema_ops import LAUNCHER
from codegen.validate_devices import known_device
from codegen.validate_rest import driver_refs, meant, requirement_refs, source_exists, variant_ref

MAX_CELLS = 255
_ENTRY = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_ARG = re.compile(r"[a-z][a-z0-9_]*")


def check(registry: Registry, diagnostics: Diagnostics, sources: Optional[Path]) -> None:
    if not registry.ops and registry.all_read("ops"):
        diagnostics.error(registry.ops_mark, "ops: there is none")
    for op in registry.ops:
        _args(registry, op, diagnostics)
        if not registry.unsure("ops", op.name):
            validate_proof.check(op, diagnostics, sources)
        _cells(registry, op, diagnostics, sources)
        whole = not registry.unsure("ops", op.name)
        if whole:
            _terminal(op, diagnostics)
        used = {name for cell in op.cells for name in meant(cell.variant, registry.variant_by_name)}
        for ref, _ in op.tolerances:
            known = variant_ref(registry, ref, f"tolerances of op {op.name}", diagnostics)
            if known and whole and ref.name not in used:
                diagnostics.error(ref.mark, f"tolerances of op {op.name}: no kernel has the variant {ref.name}")


# ---- arguments ------------------------------------------------------------------------------------------------------


def _args(registry: Registry, op: Op, diagnostics: Diagnostics) -> None:
    seen: dict[str, Mark] = {}
    for arg in op.args:
        what = f"argument '{arg.name}' of op {op.name}"
        if not _ARG.fullmatch(arg.name):
            diagnostics.error(arg.mark, f"{what}: not a C name of small letters, digits and _")
        elif arg.name in names.RESERVED:
            diagnostics.error(arg.mark, f"{what}: C or C++ keeps this name for itself")
        elif arg.name == names.CONTEXT:
            diagnostics.error(arg.mark, f"{what}: the context of every call has this name")
        elif arg.name.startswith(("rung_", f"{registry.namespace}_")):
            diagnostics.error(arg.mark, f"{what}: generated code has names that begin so")
        if arg.name in seen:
            diagnostics.error(arg.mark, f"duplicate {what}", (seen[arg.name], "first given here"))
        seen.setdefault(arg.name, arg.mark)
    by_name = {arg.name: arg for arg in op.args}
    for arg in op.args:
        for ref in arg.shape:
            if ref.name.isdigit():
                continue
            other = by_name.get(ref.name)
            what = f"shape of argument {arg.name} of op {op.name}"
            if other is None and not registry.unsure("ops", op.name):
                sizes = [name for name, found in by_name.items() if found.type == "size_t"]
                diagnostics.error(ref.mark, f"{what}: unknown size '{ref.name}'{nearest(ref.name, sizes)}")
            elif other and other.type != "size_t":
                diagnostics.error(
                    ref.mark,
                    f"{what}: {ref.name} is no size: its type is {other.type}, not size_t",
                    (other.type_mark, "declared here"),
                )


# ---- kernels --------------------------------------------------------------------------------------------------------


def _cells(registry: Registry, op: Op, diagnostics: Diagnostics, sources: Optional[Path]) -> None:
    seen: dict[tuple[str, str, str], Mark] = {}
    known = []
    for cell in op.cells:
        what = _what(cell)
        if cell.key in seen:
            diagnostics.error(cell.mark, f"duplicate {what}", (seen[cell.key], "first declared here"))
            continue
        seen[cell.key] = cell.mark
        variant = variant_ref(registry, Ref(cell.variant, cell.variant_mark), f"kernel of op {op.name}", diagnostics)
        placed = _place(registry, cell, diagnostics)
        if placed and variant:
            known.append(cell)
            _requires(registry, cell, diagnostics)
            _after(registry, cell, diagnostics)
        files = sources if placed else None  # where an arch is misspelt, so are the files named after it
        if not cell.planned:
            source_exists(cell.source, cell.source_mark, what, files, diagnostics)
            _compiler(cell, what, diagnostics)
        _launcher(cell, what, diagnostics, files)
    if len(op.cells) > MAX_CELLS:
        diagnostics.error(op.mark, f"op {op.name}: {len(op.cells)} kernels, more than {MAX_CELLS}")
    elif any(cell.after for cell in known):
        _reachable(registry, op, known, diagnostics)


def _compiler(cell: Cell, what: str, diagnostics: Diagnostics) -> None:
    """Whether there is one for the source: devices that nothing is built for yet may name what they like."""
    known: dict[str, tuple[str, ...]] = {device: (LAUNCHER,) for device in HOST_DEVICES}
    known.update({device: (IMAGE_SOURCE, LAUNCHER) for device in IMAGE_DEVICES})
    endings = known.get(cell.device)
    if endings and not cell.source.endswith(endings):
        diagnostics.error(cell.source_mark, f"source of {what}: '{cell.source}' is no {' or '.join(endings)} file")


def _launcher(cell: Cell, what: str, diagnostics: Diagnostics, sources: Optional[Path]) -> None:
    if cell.launched:
        mark = cell.launcher_mark or cell.mark
        if not cell.launcher.endswith(LAUNCHER):
            diagnostics.error(mark, f"launcher of {what}: '{cell.launcher}' is no C file")
        elif sources is not None and not cell.planned and not (sources / cell.launcher).is_file():
            diagnostics.error(mark, f"{cell.launcher}: no such file: it launches the {what}")
    else:
        words = f"the {what} is not launched: that are kernels of {' and '.join(IMAGE_DEVICES)} in {IMAGE_SOURCE} files"
        if cell.launcher_mark:
            diagnostics.error(cell.launcher_mark, f"launcher: {words}")
        if cell.entries:
            diagnostics.error(cell.entries[0].mark, f"entries: {words}")
    seen: dict[str, Mark] = {}
    for ref in cell.entries:
        if not _ENTRY.fullmatch(ref.name):
            diagnostics.error(
                ref.mark, f"entry '{ref.name}': not a C name of small letters, digits and single _ between them"
            )
        if ref.name in seen:
            diagnostics.error(ref.mark, f"duplicate entry '{ref.name}'", (seen[ref.name], "first given here"))
        seen.setdefault(ref.name, ref.mark)


def _what(cell: Cell) -> str:
    return f"kernel of op {cell.op} on {cell.place}" + ("" if cell.variant == DEFAULT else f", variant {cell.variant}")


def _place(registry: Registry, cell: Cell, diagnostics: Diagnostics) -> bool:
    device = registry.device_by_name.get(cell.device)
    if device is None:
        return known_device(registry, Ref(cell.device, cell.mark), f"kernel of op {cell.op}", diagnostics)
    if device.arch(cell.arch) is None and registry.unsure("devices", device.name):
        return False
    if device.arch(cell.arch) is None:
        hint = nearest(cell.arch, [arch.name for arch in device.archs])
        diagnostics.error(
            cell.mark,
            f"kernel of op {cell.op}: no platform reaches it: device {device.name} lists no arch '{cell.arch}'{hint}",
            (device.mark, "the device is declared here"),
        )
        return False
    return True


def _requires(registry: Registry, cell: Cell, diagnostics: Diagnostics) -> None:
    what = _what(cell)
    requirement_refs(registry, cell.requires, f"requires of {what}", diagnostics)
    arch = registry.device_by_name[cell.device].arch(cell.arch)
    variant = registry.variant_by_name[cell.variant]
    features = cpu_features.families()
    driver_refs(registry, cell.device, cell.mark, (*cell.requires, *variant.requires), what, diagnostics)
    for ref in (*cell.requires, *variant.requires):
        family = features.get(ref.name)
        if family is None or arch is None or (cell.device == CPU and arch.model == family):
            continue
        place = ref.mark if ref in cell.requires else cell.mark
        notes = () if ref in cell.requires else ((ref.mark, f"the variant {variant.name} requires it"),)
        diagnostics.error(
            place,
            f"{what}: {ref.name} is a feature of {family} processors, {cell.place} is not one of their archs",
            *notes,
        )


def _after(registry: Registry, cell: Cell, diagnostics: Diagnostics) -> None:
    if cell.after is None:
        return
    device = registry.device_by_name[cell.device]
    ref = cell.after
    what = f"after of {_what(cell)}"
    if "/" in ref.name:
        diagnostics.error(ref.mark, f"{what}: '{ref.name}': an arch of the same device is expected, without the device")
    elif device.arch(ref.name) is None and registry.unsure("devices", device.name):
        return
    elif device.arch(ref.name) is None:
        hint = nearest(ref.name, [arch.name for arch in device.archs])
        diagnostics.error(ref.mark, f"{what}: device {device.name} lists no arch '{ref.name}'{hint}")
    elif not resolve.after_is_possible(device, cell.arch, ref.name):
        diagnostics.error(
            ref.mark,
            f"{what}: no chain of {device.name} has {ref.name} behind {cell.arch}: "
            "a kernel may be placed later than its arch, never earlier",
        )


def _reachable(registry: Registry, op: Op, cells: list[Cell], diagnostics: Diagnostics) -> None:
    """A cell that on every chain stands behind one that is always available is never called.

    Without `after` there is no such cell: every listed arch is first, or behind conditional cells only, on the chain of
    a machine that is just that."""
    ordered = resolve.sorted_cells(cells)
    reached: set[int] = set()
    blocker: dict[int, Cell] = {}
    for device in registry.devices:
        own = {(cell.arch, cell.variant): n for n, cell in enumerate(ordered) if cell.device == device.name}
        after = {n: cell.after.name for n, cell in enumerate(ordered) if cell.after and cell.device == device.name}
        for chain in resolve.all_chains(device) if own else ():
            for name in sorted({DEFAULT, *(cell.variant for cell in ordered)}):
                strict = registry.variant_by_name[name].strict
                stopped: Optional[Cell] = None
                for number in resolve.candidates(own, after, name, strict, chain):
                    if stopped is None:
                        reached.add(number)
                        stopped = ordered[number] if resolve.unconditional(ordered[number]) else None
                    else:
                        blocker.setdefault(number, stopped)
    for number, cell in enumerate(ordered):
        if number not in reached and number in blocker and cell.after:
            diagnostics.error(
                cell.after.mark,
                f"{_what(cell)}: no platform can ever reach it: behind {cell.after.name}, another always answers first",
                (blocker[number].mark, f"{_what(blocker[number])} is always available"),
            )


def _terminal(op: Op, diagnostics: Diagnostics) -> None:
    rung = next((cell for cell in op.cells if cell.key == (CPU, GENERIC, DEFAULT)), None)
    if not op.terminal:
        if rung:
            diagnostics.error(
                op.terminal_mark, f"op {op.name}: terminal: none, and yet it has one", (rung.mark, "declared here")
            )
        return
    if rung is None:
        diagnostics.error(
            op.mark, f"op {op.name} has no terminal rung: a kernel on cpu/generic, variant default, or terminal: none"
        )
    elif not resolve.unconditional(rung):
        diagnostics.error(
            rung.mark,
            f"op {op.name}: its terminal rung must always be available: "
            "neither planned nor experimental, and requiring nothing",
        )
