# SPDX-License-Identifier: Apache-2.0
"""dispatch/<op>.c: the argument checks and the switch of direct calls, one object file for each op."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable

from codegen import names, needs, render
from codegen.emit_headers import build_macros, place
from codegen.layout import Layout, OpRow
from codegen.model import IMAGE_DEVICES, Arg, Cell
from codegen.schema_ops import INTEGERS

_ACCESS = {"read": "RUNG_ACCESS_READ", "write": "RUNG_ACCESS_WRITE", "read_write": "RUNG_ACCESS_READ_WRITE"}


def emit(layout: Layout) -> dict[str, str]:
    template = render.template("dispatch.c.j2")
    return {f"dispatch/{row.op.name}.c": template.render(_context(layout, row)) for row in layout.ops}


def _context(layout: Layout, row: OpRow) -> dict[str, object]:
    namespace = layout.registry.namespace
    upper = namespace.upper()
    op = row.op
    function = f"{namespace}_{op.name}"
    arrays = [arg for arg in op.args if arg.pointer]
    local = _Locals(arg.name for arg in op.args)
    check, size, plain, status = (local.unique(name) for name in ("check", "bytes", "plain", "status"))
    first_use = any(needs.has_first_use(layout.registry, cell) for cell in row.cells if not cell.planned)
    cell_local, uses, device_call, launch = (local.unique(name) for name in ("cell", "uses", "call", "launch"))
    checked = _checked(op.args)
    ordinals = [f"{upper}_{names.cell_name(cell)}".upper() for cell in row.cells]
    width = max([len(ordinal) + 1 for ordinal in ordinals[:-1]] + [len(ordinals[-1])])
    entries = [
        (f"{ordinal}{',' if index + 1 < len(ordinals) else ''}".ljust(width), place(cell), cell.planned)
        for index, (ordinal, cell) in enumerate(zip(ordinals, row.cells))
    ]
    single = sum(not cell.planned for cell in row.cells) == 1
    single = single and not any(build_macros(layout, cell) for cell in row.cells if not cell.planned)
    passed = ["cx", *(arg.name for arg in op.args)]
    cases = [(ordinal, cell) for ordinal, cell in zip(ordinals, row.cells) if not cell.planned]
    buildable = [
        _Case(
            ordinal,
            place(cell),
            " && ".join(build_macros(layout, cell)),
            cell.workspace,
            render.call(f"return {namespace}_{names.cell_name(cell)}", passed, ";", 4 if single else 8),
        )
        for ordinal, cell in cases
        if cell.device not in IMAGE_DEVICES
    ]
    launched_with = [f"&{device_call}.cx", *passed[1:]]
    on_devices = [
        _Case(
            ordinal,
            place(cell),
            " && ".join(build_macros(layout, cell)),
            cell.workspace,
            render.call(f"{status} = {namespace}_{names.cell_name(cell)}", launched_with, ";", 8),
        )
        for ordinal, cell in cases
        if cell.device in IMAGE_DEVICES
    ]
    table = local.unique("arrays") if arrays else "NULL"
    sizes = size if arrays else "NULL"
    where = [f"&{namespace}_registry", f"{upper}_OP_{op.name.upper()}"]
    check_call = render.call(f"    if (!{check}", [*(arg.name for arg in checked), *([size] if arrays else [])], ")")
    return {
        "file": layout.registry.file,
        "ns": namespace,
        "NS": upper,
        "op": op.name,
        "OP": op.name.upper(),
        "entries": entries,
        "buildable": buildable,
        "launched": [
            {
                "condition": " && ".join(build_macros(layout, cell)),
                "constant": _launched(layout, row, cell, ordinal),
            }
            for ordinal, cell in cases
            if cell.launched
        ],
        "on_devices": on_devices,
        "if_any_on_devices": render.condition(case.condition for case in on_devices) if on_devices else "",
        "launch_prototype": render.call(
            f"static rung_status {launch}",
            [
                "const rung_ctx *cx",
                f"unsigned {cell_local}",
                *([f"const size_t {size}[{len(arrays)}]"] if arrays else []),
                *render.parameters(op.args)[1:],
            ],
            "",
        ),
        "table": table,
        "askew": _askew(arrays),
        "table_items": ", ".join(arg.name for arg in arrays),
        "begin": render.initialised(
            f"rung_status {status}",
            "rung_device_begin",
            ["cx", *where, cell_local, table, sizes, str(len(arrays)), f"&{device_call}"],
        ),
        "launch_call_local": device_call,
        "launch_call": render.call(
            f"return {launch}", ["cx", cell_local, *([size] if arrays else []), *passed[1:]], ";", 8
        ),
        "single": single,
        "first_use": first_use,
        "cell_local": cell_local,
        "picked": cell_local if first_use else f"rung_pick(cx, &{namespace}_registry, {upper}_OP_{op.name.upper()})",
        "check": check,
        "has_check": bool(checked),
        "check_prototype": render.call(
            f"static bool {check}",
            [
                *(f"const void *{arg.name}" if arg.pointer else f"{arg.type} {arg.name}" for arg in checked),
                *([f"size_t {size}[{len(arrays)}]"] if arrays else []),
            ],
            "",
        ),
        "check_call": check_call,
        "checks": list(_checks(op.args, size)),
        "size": size,
        "uses": uses,
        "arrays": [{"name": arg.name, "access": _ACCESS[arg.access]} for arg in arrays],
        "buffer_call": render.initialised(
            f"rung_status {status}",
            "rung_buffer_call",
            ["cx", *where, uses if arrays else "NULL", str(len(arrays)), f"&{plain}"],
        ),
        "plain": plain,
        "status": status,
        "prototype": render.call(f"rung_status {function}", render.parameters(op.args), ""),
        "buffer_prototype": render.call(f"rung_status {function}_buf", render.buffer_parameters(op.args), ""),
        "plain_call": render.call(
            f"    {status} = {function}",
            [f"&{plain}", *_plain_arguments(op.args, uses)],
            ";",
        ),
        "buffer_done": render.call(
            "    return rung_buffer_done",
            [f"&{plain}", uses if arrays else "NULL", str(len(arrays)), status],
            ";",
        ),
        "unused": [
            arg.name
            for arg in op.args
            if arg not in checked and all(case.condition for case in [*buildable, *on_devices])
        ],
    }


def _launched(layout: Layout, row: OpRow, cell: Cell, ordinal: str) -> str:
    namespace = layout.registry.namespace
    fields = [
        f"&{namespace}_registry",
        f"&{names.image_name(namespace, cell)}",
        f"{namespace.upper()}_OP_{row.op.name.upper()}",
        ordinal,
    ]
    lines = [f"const rung_launched {namespace}_{names.cell_name(cell)}__cell = {{"]
    return "\n".join([*lines, *(f"    {field}," for field in fields), "};"])


def _askew(arrays: list[Arg]) -> list[str]:
    """The condition under which an array's address is no multiple of its element's size, which a device does not
    forgive."""
    wide = [arg for arg in arrays if arg.element not in ("uint8_t", "int8_t")]
    return list(_refusal([f"(uintptr_t){arg.name} % sizeof({arg.element}) != 0" for arg in wide]))[:-1] if wide else []


def _plain_arguments(args: tuple[Arg, ...], uses: str) -> Iterable[str]:
    index = 0
    for arg in args:
        yield f"{uses}[{index}].data" if arg.pointer else arg.name
        index += arg.pointer


@dataclass(frozen=True)
class _Case:
    """A kernel that a build may have, as the switch calls it."""

    ordinal: str
    place: str
    condition: str
    workspace: int
    call: str


class _Locals:
    """Names for local variables that no argument has."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)

    def unique(self, name: str) -> str:
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name


def _checked(args: tuple[Arg, ...]) -> list[Arg]:
    """The arguments that the checks look at: arrays, their dimensions, scalars with bounds."""
    dimensions = {ref.name for arg in args for ref in arg.shape}
    return [arg for arg in args if arg.pointer or arg.name in dimensions or _conditions(arg)]


def _checks(args: tuple[Arg, ...], size: str) -> Iterable[str]:
    arrays = [arg for arg in args if arg.pointer]
    for index, arg in enumerate(arrays):
        yield f"    {size}[{index}] = sizeof({arg.element});"
        grown = [f"rung_grow(&{size}[{index}], {ref.name})" for ref in arg.shape]
        if arg.optional:
            for one in grown:
                yield from _refusal([f"{arg.name} != NULL && {one}"])
        else:
            yield from _refusal([*grown, f"({arg.name} == NULL && {size}[{index}] != 0)"])
    for arg in args:
        condition = _conditions(arg)
        if condition:
            yield from _refusal([condition])


def _refusal(terms: list[str]) -> Iterable[str]:
    line = "    if ("
    for index, term in enumerate(terms):
        last = index == len(terms) - 1
        piece = term + (")" if last else " ||")
        if not line.endswith("(") and len(line) + 1 + len(piece) > render.WIDTH:
            yield line
            line = " " * 8 + piece
        else:
            line += piece if line.endswith("    if (") else " " + piece
    yield line
    yield "        return false;"


def _conditions(arg: Arg) -> str:
    """The condition under which a scalar is refused; written so that NaN is."""
    bounds = arg.bounds
    if bounds is None:
        return ""
    if bounds.nan_only:
        return f"{arg.name} != {arg.name}"
    if arg.type in INTEGERS:
        terms = [
            f"{arg.name} {operator} {_literal(bound, arg.type)}"
            for operator, bound in (("<", bounds.low), (">", bounds.high))
            if bound is not None
        ]
        return " || ".join(terms)
    terms = [
        f"{arg.name} {operator} {_literal(bound, arg.type)}"
        for operator, bound in ((">=", bounds.low), ("<=", bounds.high))
        if bound is not None
    ]
    return f"!({' && '.join(terms)})"


def _literal(value: float, type_name: str) -> str:
    if type_name == "float":
        return f"{float(value)!r}f"
    if type_name == "double":
        return repr(float(value))
    number = int(value)
    if type_name in ("size_t", "uint64_t"):
        return f"UINT64_C({number})" if number > 2**31 - 1 else str(number)
    if number == -(2**63):
        return "INT64_MIN"
    return f"INT64_C({number})" if abs(number) > 2**31 - 1 else str(number)
