# SPDX-License-Identifier: Apache-2.0
"""Components: for each kind its public header, that of its builders, and the switch that calls them; and the finder of
kinds by name, in an object of its own, so that a program is linked with the kinds that it names."""

from __future__ import annotations

from codegen import names, needs, render
from codegen.emit_headers import device_condition
from codegen.layout import KindRow, Layout
from codegen.model import DEFAULT, ComponentCell

_PARAMETERS = [
    "const rung_component_spec *spec",
    "const void *instance",
    "rung_platform *platform",
    "rung_built *out",
    "rung_error *err",
]
_ARGUMENTS = ["spec", "instance", "platform", "out", "err"]


def emit(layout: Layout) -> dict[str, str]:
    if not layout.kinds:
        return {}
    space = layout.registry.namespace
    common: dict[str, object] = {"file": layout.registry.file, "ns": space, "NS": space.upper()}
    kinds = [(row.component.kind, row.component.kind.upper()) for row in layout.kinds]
    headers = sorted(["ids", *(row.component.kind for row in layout.kinds)])
    files = {
        f"include/{space}/kinds.h": render.template("kinds.h.j2").render(common),
        "kinds.c": render.template("kinds.c.j2").render(common, kinds=kinds, headers=headers),
    }
    for row in layout.kinds:
        kind = row.component.kind
        context = {**common, **_context(layout, row)}
        files[f"include/{space}/{kind}.h"] = render.template("kind.h.j2").render(context)
        files[f"include/{space}/builders/{kind}.h"] = render.template("builder.h.j2").render(context)
        files[f"components/{kind}.c"] = render.template("component.c.j2").render(context)
    return files


def builder_macros(layout: Layout, cell: ComponentCell) -> list[str]:
    """The macros of build.h that must all be 1 for the builder to be built; one that is 1 everywhere is left out."""
    space = layout.registry.namespace
    macros = [f"device_{cell.device.name}"] if device_condition(space, cell.device.name) else []
    macros += [names.mangle(name) for name in needs.requirements(layout.registry, cell, "build")]
    return [f"{space}_HAS_{macro}".upper() for macro in macros]


def _context(layout: Layout, row: KindRow) -> dict[str, object]:
    space = layout.registry.namespace
    kind = row.component.kind
    ordinals = [f"{space}_{names.builder_name(cell)}".upper() for cell in row.builders]
    width = max([len(ordinal) + 1 for ordinal in ordinals[:-1]] + [len(ordinals[-1])])
    builders = [
        {
            "place": cell.device.name + ("" if cell.variant.name == DEFAULT else f", {cell.variant.name}"),
            "source": cell.source,
            "planned": cell.planned,
            "entry": f"{ordinals[index]}{',' if index + 1 < len(ordinals) else ''}".ljust(width),
            "ordinal": ordinals[index],
            "condition": " && ".join(builder_macros(layout, cell)),
            "prototype": render.call(f"rung_status {space}_{names.builder_name(cell)}", _PARAMETERS, ";"),
            "call": render.call(f"return {space}_{names.builder_name(cell)}", _ARGUMENTS, ";", 8),
        }
        for index, cell in enumerate(row.builders)
    ]
    built = [one for one in builders if not one["planned"]]
    return {
        "kind": kind,
        "KIND": kind.upper(),
        "summary": render.comment_lines(row.component.summary),
        "builders": builders,
        "built": built,
        "unused": _ARGUMENTS if all(one["condition"] for one in built) else [],
        "switch": render.call("static rung_status build", ["uint32_t ordinal", *_PARAMETERS], ""),
    }
