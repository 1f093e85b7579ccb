# SPDX-License-Identifier: Apache-2.0
"""The public and the kernels' headers: ids.h, build.h, the umbrella, and two for each op."""

from __future__ import annotations

from codegen import names, needs, render
from codegen.layout import Layout, OpRow
from codegen.model import CPU, HOST_DEVICES, IMAGE_DEVICES, Arch, Arg, Bounds, Cell

_WORKSPACE = (
    " RUNG_ERR_WORKSPACE: cx.workspace (of the _buf call: cx.workspace_buffer) is less than rung_workspace says."
)
_ACCESS = {"read": "read", "write": "written", "read_write": "read and written"}
_FAMILY_MACRO = {"x86": "defined(__x86_64__)", "aarch64": "defined(__aarch64__)"}


def emit(layout: Layout) -> dict[str, str]:
    namespace = layout.registry.namespace
    folder = f"include/{namespace}"
    common = {"file": layout.registry.file, "ns": namespace, "NS": namespace.upper()}
    files = {
        f"{folder}/ids.h": render.template("ids.h.j2").render(
            common,
            ops=[row.op.name.upper() for row in layout.ops],
            variants=[names.mangle(name).upper() for name in layout.variants],
            kinds=[row.component.kind.upper() for row in layout.kinds],
        ),
        f"{folder}/{namespace}.h": render.template("umbrella.h.j2").render(
            common,
            ops=[row.op.name for row in layout.ops],
            kind_headers=sorted(["kinds", *(row.component.kind for row in layout.kinds)]) if layout.kinds else [],
        ),
        f"{folder}/build.h": _build(layout, common),
    }
    op_template, kernel_template = render.template("op.h.j2"), render.template("kernel.h.j2")
    for row in layout.ops:
        op = row.op
        context = dict(common, op=op.name, OP=op.name.upper())
        parameters = render.parameters(op.args)
        files[f"{folder}/{op.name}.h"] = op_template.render(
            context,
            description=_description(row),
            prototype=render.call(f"RUNG_API rung_status {namespace}_{op.name}", parameters, ";"),
            buffer_prototype=render.call(
                f"RUNG_API rung_status {namespace}_{op.name}_buf", render.buffer_parameters(op.args), ";"
            ),
        )
        files[f"{folder}/kernels/{op.name}.h"] = kernel_template.render(
            context,
            launched=any(cell.launched for cell in row.cells if not cell.planned),
            images=sorted({names.image_name(namespace, cell) for cell in launched_cells(row)}),
            cells=[
                {
                    "place": place(cell),
                    "source": cell.source,
                    "launcher": cell.launcher if cell.launched else "",
                    "symbol": f"{namespace}_{names.cell_name(cell)}",
                    "prototype": render.call(f"rung_status {namespace}_{names.cell_name(cell)}", parameters, ";"),
                }
                for cell in row.cells
                if not cell.planned
            ],
        )
    return files


def launched_cells(row: OpRow) -> list[Cell]:
    return [cell for cell in row.cells if cell.launched and not cell.planned]


def place(cell: Cell) -> str:
    return cell.place if cell.variant == "default" else f"{cell.place}, {cell.variant}"


def _description(row: OpRow) -> list[str]:
    """The op's comment: what it does, what each argument is, what it answers, where it comes from."""
    op = row.op
    lines = render.comment_lines(op.summary)
    if op.args:
        lines.append(" *")
    width = max((len(arg.name) for arg in op.args), default=0)
    for arg in op.args:
        text = _argument(arg)
        if text:
            margin = " *   " + " " * width + "  "
            wrapped = render.comment_lines(text, margin)
            lines += [f" *   {arg.name.ljust(width)}  {wrapped[0][len(margin):]}", *wrapped[1:]]
        else:
            lines.append(f" *   {arg.name}")
    overlap = "do not overlap otherwise" if any(arg.proof.alias for arg in op.args) else "may not overlap"
    lines.append(" *")
    lines += render.comment_lines(
        "RUNG_ERR_ARGUMENT and nothing touched: a NULL array that is not empty, sizes whose product overflows, a scalar"
        " out of its range, a context of another registry. RUNG_ERR_NO_KERNEL: nothing available along the chain."
        f"{_WORKSPACE if any(cell.workspace for cell in row.cells) else ''}"
        f" Otherwise the kernel's own answer. Arrays are row-major and {overlap}; the caller owns them."
    )
    if op.source:
        lines += render.comment_lines(f"Source: {op.source}.")
    return lines


def _argument(arg: Arg) -> str:
    if arg.pointer:
        text = f"[{', '.join(ref.name for ref in arg.shape)}], {_ACCESS[arg.access]}"
        text += "; may be NULL" if arg.optional else ""
        alias = [ref.name for ref in arg.proof.alias]
        text += f"; may be the same array as {' or '.join(alias)}" if alias else ""
    else:
        text = interval(arg.bounds) if arg.bounds else ""
    return "; ".join(part for part in (text, arg.doc) if part)


def interval(bounds: Bounds) -> str:
    low, high = bounds.low, bounds.high
    if bounds.nan_only:
        return "not NaN"
    if low is not None and high is not None:
        return f"from {_number(low)} to {_number(high)}"
    if low is not None:
        return f"{_number(low)} or above"
    return f"{_number(high)} or below" if high is not None else ""


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 2**64 else repr(value)


def arch_condition(namespace: str, device: str, arch: Arch) -> str:
    """When a cell on this arch can be in a build; the empty string for always."""
    upper = namespace.upper()
    if device not in HOST_DEVICES:
        return f"{device_condition(namespace, device)} && !defined({_without(upper, device, arch)})"
    if device != CPU or arch.portable:
        return ""
    return f"{_FAMILY_MACRO[arch.model]} && !defined({_without(upper, device, arch)})"


def _without(upper: str, device: str, arch: Arch) -> str:
    return f"{upper}_WITHOUT_{names.tag(device, arch.name).upper()}"


def device_condition(namespace: str, device: str) -> str:
    """When a build has anything for this device; the empty string for always."""
    return "" if device in HOST_DEVICES else f"defined({namespace.upper()}_WITH_{device.upper()})"


def _by_device(cell: Cell) -> bool:
    """Called on its device, but in no image, so that a build for any arch of the device has it."""
    return cell.device in IMAGE_DEVICES and not cell.launched


def _whole_devices(layout: Layout) -> list[str]:
    """Those with something that a build has if it has anything for them: builders, and kernels without an image."""
    found = {one.device.name for row in layout.kinds for one in row.builders if not one.planned}
    found |= {cell.device for row in layout.ops for cell in row.cells if _by_device(cell) and not cell.planned}
    return sorted(found - set(HOST_DEVICES))


def _build(layout: Layout, common: dict[str, str]) -> str:
    namespace = layout.registry.namespace
    return render.template("build.h.j2").render(
        common,
        archs=[
            {
                "place": f"{row.device}/{row.name}",
                "macro": f"{namespace.upper()}_HAS_{names.tag(row.device, row.name).upper()}",
                "condition": arch_condition(namespace, row.device, row.listed),
            }
            for row in layout.archs
            if row.listed
        ],
        devices=[
            {
                "name": device,
                "macro": f"{namespace.upper()}_HAS_DEVICE_{device.upper()}",
                "condition": device_condition(namespace, device),
            }
            for device in _whole_devices(layout)
        ],
        requirements=[
            {
                "name": requirement.name,
                "summary": render.comment_text(requirement.summary),
                "macro": f"{namespace.upper()}_HAS_{names.mangle(requirement.name).upper()}",
                "condition": f"defined(RUNG_WITH_{names.mangle(requirement.name).upper()})",
            }
            for requirement in layout.registry.requirements
            if requirement.kind == "build"
        ],
    )


def build_macros(layout: Layout, cell: Cell) -> list[str]:
    """The macros of build.h that must all be 1 for the cell to be built; one that is 1 everywhere is left out."""
    namespace = layout.registry.namespace
    arch = layout.registry.device_by_name[cell.device].arch(cell.arch)
    macros = [names.tag(cell.device, cell.arch)] if arch and arch_condition(namespace, cell.device, arch) else []
    if _by_device(cell):
        macros = [f"device_{cell.device}"]
    macros += [names.mangle(name) for name in needs.requirements(layout.registry, cell, "build")]
    return [f"{namespace}_HAS_{macro}".upper() for macro in macros]
