# SPDX-License-Identifier: Apache-2.0
"""What the proof and the timing of kernels know of each op (src/include/rung/proof.h): a file for each, and one that
lists them. They are a library of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence

from codegen import expression, names, render
from codegen.emit_headers import build_macros, place
from codegen.layout import Layout, OpRow
from codegen.model import CPU, DEFAULT, GENERIC, HOST_DEVICES, Arg, Cell, Op, Scaling, Size, Tolerance
from codegen.schema_ops import FLOATS

# RUNG_PROOF_ARGS_MAX and RUNG_PROOF_DIMS_MAX of proof.h: an op beyond them has no proof, and its cells are reported.
MAX_ARGS = 32
MAX_SIZES = 8

_FIELDS = {"float": "f", "double": "d", "size_t": "size", "ptrdiff_t": "ptrdiff"}
_TYPES = {"size_t": "SIZE", "ptrdiff_t": "PTRDIFF"}
_VALUES = {"bfloat16": "RUNG_PROOF_BFLOAT16", "positive_definite": "RUNG_PROOF_POSITIVE_DEFINITE"}
_ACCESS = {"read": "RUNG_PROOF_READ", "write": "RUNG_PROOF_WRITE", "read_write": "RUNG_PROOF_READ | RUNG_PROOF_WRITE"}


@dataclass(frozen=True)
class Wide:
    """The reference kernel of an op, to be compiled again with wider numbers; what files.json says of it."""

    symbol: str
    source: str
    wide: str


def emit(layout: Layout) -> dict[str, str]:
    space = layout.registry.namespace
    rows = [row for row in layout.ops if provable(row.op)]
    common: dict[str, object] = {"file": layout.registry.file, "ns": space, "NS": space.upper()}
    ops = [row.op.name for row in rows]
    files = {
        f"include/{space}/proof.h": render.template("proof.h.j2").render(common, ops=ops),
        "proof/proof.c": render.template("proofs.c.j2").render(common, ops=ops),
    }
    template = render.template("proof.c.j2")
    for row in rows:
        files[f"proof/{row.op.name}.c"] = template.render(common, **_context(layout, row))
    return files


def provable(op: Op) -> bool:
    longest = max((len(arg.shape) for arg in op.args), default=0)
    return len(op.args) <= MAX_ARGS and len(op.sizes) <= MAX_SIZES and longest <= MAX_SIZES


def wides(layout: Layout) -> list[Wide]:
    found = []
    for row in layout.ops:
        cell = wide_cell(row.op)
        if cell:
            space = layout.registry.namespace
            found.append(Wide(f"{space}_{names.cell_name(cell)}", cell.source, f"{space}_{row.op.name}__wide"))
    return found


def wide_cell(op: Op) -> Optional[Cell]:
    """The reference kernel, where it is to be compiled with wider numbers: where there are any to widen."""
    if not op.proof.wide or not provable(op) or not any(arg.element in FLOATS for arg in op.args):
        return None
    return next((cell for cell in op.cells if cell.key == (CPU, GENERIC, DEFAULT)), None)


def _context(layout: Layout, row: OpRow) -> dict[str, object]:
    op, space = row.op, layout.registry.namespace
    proof = op.proof
    cells = [cell for cell in row.cells if cell.device in HOST_DEVICES and not cell.planned]
    always = any(not build_macros(layout, cell) for cell in cells)
    tolerance = op.tolerance or Tolerance(0.0, 0.0)
    wide = wide_cell(op)
    scalars = {arg.name: f"(double)v[ARG_{arg.name}].{_field(arg.type)}" for arg in op.args if not arg.pointer}
    return {
        "op": op.name,
        "expected": proof.expected.name if proof.expected else "",
        "args": [f"ARG_{arg.name}" for arg in op.args],
        "enumeration": _enumeration([f"ARG_{arg.name}" for arg in op.args]),
        "headers": sorted(f"{space}/{name}.h" for name in ("build", op.name, f"kernels/{op.name}")),
        "intervals": [
            (arg.name, ", ".join(f"{_number(low)}, {_number(high)}" for low, high in arg.proof.intervals))
            for arg in op.args
            if arg.proof.intervals
        ],
        "tries": [
            (arg.name, ", ".join(_number(value) for value in arg.proof.tries)) for arg in op.args if arg.proof.tries
        ],
        "arg_rows": [_arg(op, arg) for arg in op.args],
        "sizes": [f"ARG_{name}" for name in op.sizes],
        "scalings": [_scaling(op, scaling) for scaling in proof.scalings],
        "tried_sizes": [_row(op, size) for size in proof.sizes],
        "bench": [_row(op, size) for size in proof.bench],
        "variants": [
            f'{{.name = {render.c_string(ref.name)}, .tolerance = {_tolerance(value)}}}'
            for ref, value in op.tolerances
        ],
        "flops": expression.c_text(proof.flops.name, scalars) if proof.flops else "",
        "cells": [
            {
                "place": place(cell),
                "condition": " && ".join(build_macros(layout, cell)),
                "entry": _cell(space, cell),
            }
            for cell in cells
        ],
        "ended": not always,  # a build may have none of the cells, and an array is not empty
        "wide_prototype": _wide_prototype(space, op) if wide else "",
        "call": _call(f"{space}_{op.name}", op, "array", False),
        "call_buffers": _call(f"{space}_{op.name}_buf", op, "buffer", False),
        "call_wide": _call(f"{space}_{op.name}__wide", op, "array", True) if wide else "",
        "unused": not op.args,
        "infinite": any(abs(value) == float("inf") for arg in op.args for value in arg.proof.tries),
        "fields": _fields(op, tolerance),
    }


def _enumeration(enumerators: Sequence[str]) -> str:
    """`enum { A, B };`, as clang-format has it."""
    line = f"enum {{ {', '.join(enumerators)} }};"
    if not enumerators or len(line) <= render.WIDTH:
        return line if enumerators else ""
    return "enum {\n" + ",\n".join(f"    {name}" for name in enumerators) + "\n};"


def _fields(op: Op, tolerance: Tolerance) -> list[str]:
    permutes = [op.sizes.index(ref.name) for ref in op.proof.permutes]
    fields = [
        f".name = {render.c_string(op.name)},",
        f".tolerance = {_tolerance(tolerance)},",
        f".rounding = {_tolerance(op.proof.rounding or tolerance)},",
    ]
    if permutes:
        fields.append(f".permutes = {' | '.join(f'1u << {index}' for index in permutes)},")
    return fields


def _call(function: str, op: Op, member: str, wide: bool) -> str:
    arguments = ["cx"]
    for arg in op.args:
        field = member if arg.pointer else "wide" if wide and arg.type in FLOATS else _field(arg.type)
        arguments.append(f"v[ARG_{arg.name}].{field}")
    return render.call(f"return {function}", arguments, ";", 4)


def _wide_prototype(space: str, op: Op) -> str:
    parameters = ["const rung_ctx *cx"]
    for arg in op.args:
        type_name = arg.type.replace(arg.element, "rung_wide") if arg.element in FLOATS else arg.type
        parameters.append(render.declaration(type_name, arg.name))
    return render.call(f"rung_status {space}_{op.name}__wide", parameters, ";")


def _cell(space: str, cell: Cell) -> str:
    words = ", ".join(render.c_string(name) for name in cell.key)
    return f"{{{words}, (rung_proof_function *){space}_{names.cell_name(cell)}}},"


def _field(type_name: str) -> str:
    return _FIELDS.get(type_name) or type_name.replace("uint", "u").replace("int", "i").replace("_t", "")


def _type(type_name: str) -> str:
    return "RUNG_PROOF_" + (_TYPES.get(type_name) or type_name.replace("_t", "").upper())


def _arg(op: Op, arg: Arg) -> list[str]:
    """The designated initialisers of an argument's row, without those that are zero."""
    fields = [f".name = {render.c_string(arg.name)}", f".type = {_type(arg.element)}"]
    proof = arg.proof
    if arg.pointer:
        shape = ", ".join(
            f"{{RUNG_PROOF_NO_ARG, {ref.name}}}" if ref.name.isdigit() else f"{{ARG_{ref.name}, 0}}"
            for ref in arg.shape
        )
        fields += [".pointer = true", f".access = {_ACCESS[arg.access]}", f".axes = {len(arg.shape)}"]
        fields += [f".shape = {{{shape}}}"]
        unread = f"ARG_{proof.unread_if_zero.name}" if proof.unread_if_zero else "RUNG_PROOF_NO_ARG"
        fields += [f".unread_if_zero = {unread}"]
    if arg.optional:
        fields.append(".optional = true")
    if proof.values:
        fields.append(f".values = {_VALUES[proof.values.name]}")
    if proof.intervals:
        fields += [f".intervals = {len(proof.intervals)}", f".interval = {arg.name}_interval"]
    if not proof.special:
        fields.append(".no_special = true")
    if proof.alias:
        fields.append(f".aliases = {' | '.join(f'1u << ARG_{ref.name}' for ref in proof.alias)}")
    if proof.compare and proof.compare.name != "all":
        fields.append(f".compare = RUNG_PROOF_{proof.compare.name.upper()}")
    if proof.scale and proof.scale.name != "element":
        fields.append(f".scale = RUNG_PROOF_{proof.scale.name.upper()}")
    if proof.negate:
        fields.append(".negate = true")
    if proof.tolerance or proof.rounding:
        tolerance = proof.tolerance or op.tolerance or Tolerance(0.0, 0.0)
        rounding = proof.rounding or (tolerance if proof.tolerance else op.proof.rounding or tolerance)
        fields += [".has_tolerance = true", f".tolerance = {_tolerance(tolerance)}"]
        fields += [f".rounding = {_tolerance(rounding)}"]
    if proof.refused_as_nan:
        fields.append(".refused_as_nan = true")
    if arg.bounds:
        fields.append(".not_nan = true")
        if arg.bounds.low is not None:
            fields += [".has_low = true", f".low = {_number(arg.bounds.low)}"]
        if arg.bounds.high is not None:
            fields += [".has_high = true", f".high = {_number(arg.bounds.high)}"]
    if proof.tries:
        fields += [f".tries = {len(proof.tries)}", f".try_values = {arg.name}_try"]
    return _lines(fields)


def _lines(fields: Sequence[str], indent: int = 8) -> list[str]:
    """As many fields on a line as fit."""
    lines: list[str] = []
    for index, field in enumerate(fields):
        piece = field + ("," if index + 1 < len(fields) else "")
        if lines and indent + len(lines[-1]) + 1 + len(piece) <= render.WIDTH - 2:
            lines[-1] += " " + piece
        else:
            lines.append(piece)
    return lines


def _scaling(op: Op, scaling: Scaling) -> str:
    exponents = {ref.name: exponent for ref, exponent in scaling.exponents}
    given = [
        f"[ARG_{arg.name}] = {'RUNG_PROOF_NOT_SCALED' if exponents[arg.name] is None else exponents[arg.name]}"
        for arg in op.args
        if arg.name in exponents
    ]
    return ", ".join(given)


def _row(op: Op, size: Size) -> str:
    numbers = {ref.name: number for ref, number in size.numbers}
    return ", ".join(str(numbers[name]) for name in op.sizes) or "0"  # an array is not empty


def _tolerance(tolerance: Tolerance) -> str:
    return f"{{.rel = {_number(tolerance.rel)}, .abs = {_number(tolerance.abs)}}}"


def _number(value: float) -> str:
    return repr(float(value)) if abs(value) != float("inf") else ("INFINITY" if value > 0 else "-INFINITY")
