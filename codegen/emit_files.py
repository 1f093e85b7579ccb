# SPDX-License-Identifier: Apache-2.0
"""files.cmake, files.mk and files.json: what a build system has to compile. Paths are relative to the output folder,
those of kernels to the registry's folder."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Sequence

from codegen import emit_proof, names, needs, render
from codegen.layout import Layout
from codegen.model import CPU, Cell, ComponentCell


def emit(layout: Layout, files: Sequence[str]) -> dict[str, str]:
    dispatch = [path for path in files if path.startswith("dispatch/")]
    components = [path for path in files if path.startswith("components/") or path == "kinds.c"]
    proof = [path for path in files if path.startswith("proof/")]
    tables = [path for path in files if path.endswith(".c") and path not in (*dispatch, *components, *proof)]
    headers = [path for path in files if path.startswith("include/")]
    builders = [_builder(layout, cell) for row in layout.kinds for cell in row.builders if not cell.planned]
    kernels = [_kernel(layout, cell) for row in layout.ops for cell in row.cells if not cell.planned]
    images = [_image(layout, cells) for cells in layout.images]
    wides = emit_proof.wides(layout)
    common: dict[str, object] = {
        "file": layout.registry.file,
        "ns": layout.registry.namespace,
        "dispatch": sorted(dispatch),
        "components": sorted(components),
        "proof": sorted(proof),
        "tables": sorted(tables),
        "headers": sorted(headers),
    }
    return {
        "files.cmake": render.template("files.cmake.j2").render(
            common,
            kernel_calls=[*(_cmake_image(one) for one in images), *(_cmake(one) for one in kernels)],
            builder_calls=[_cmake_builder(one) for one in builders],
            wide_calls=[_cmake_wide(one) for one in wides],
        ),
        "files.mk": render.template("files.mk.j2").render(
            common,
            symbols=[kernel.symbol for kernel in kernels],
            images=[image.image for image in images],
            builders=[builder.symbol for builder in builders],
            wides=[wide.wide for wide in wides],
            settings=[
                *(_make(one) for one in kernels),
                *(_make_image(one) for one in images),
                *(_make_builder(one) for one in builders),
                *(f"{one.wide}.SOURCE := {one.source}\n{one.wide}.SYMBOL := {one.symbol}" for one in wides),
            ],
        ),
        "files.json": _json(common, kernels, images, builders, wides),
    }


@dataclass(frozen=True)
class Kernel:
    """A kernel to be compiled; what files.json says of it."""

    symbol: str
    source: str  # that the program's compiler is given: a launcher for what is launched
    op: str
    device: str
    arch: str
    variant: str
    family: str
    tag: str
    flags: tuple[str, ...]
    requires: tuple[str, ...]
    image: str  # that it launches from; "" for what is called


def _kernel(layout: Layout, cell: Cell) -> Kernel:
    arch = layout.registry.device_by_name[cell.device].arch(cell.arch)
    family = arch.model if arch and cell.device == CPU and not arch.portable else "any"
    return Kernel(
        f"{layout.registry.namespace}_{names.cell_name(cell)}",
        cell.launcher if cell.launched else cell.source,
        cell.op,
        cell.device,
        cell.arch,
        cell.variant,
        family,
        names.tag(cell.device, cell.arch),
        arch.flags if arch else (),
        tuple(needs.requirements(layout.registry, cell, "build")),
        names.image_name(layout.registry.namespace, cell) if cell.launched else "",
    )


@dataclass(frozen=True)
class Image:
    """A source to be compiled for an arch of a device, and embedded; what files.json says of it."""

    image: str
    source: str
    device: str
    arch: str
    tag: str
    target: str
    entries: tuple[str, ...]


def _image(layout: Layout, cells: Sequence[Cell]) -> Image:
    first = cells[0]
    arch = layout.registry.device_by_name[first.device].arch(first.arch)
    return Image(
        names.image_name(layout.registry.namespace, first),
        first.source,
        first.device,
        first.arch,
        names.tag(first.device, first.arch),
        arch.target if arch else "",
        tuple(sorted({name for cell in cells for name in names.entry_names(layout.registry.namespace, cell)})),
    )


def _cmake_image(image: Image) -> str:
    target = f" TARGET {image.target}" if image.target else ""
    return (
        f"rung_registry_image(IMAGE {image.image} SOURCE {image.source} DEVICE {image.device} ARCH {image.arch}"
        f" TAG {image.tag}{target} ENTRIES {' '.join(image.entries)})"
    )


def _make_image(image: Image) -> str:
    settings = {
        "SOURCE": image.source,
        "DEVICE": image.device,
        "ARCH": image.arch,
        "TAG": image.tag,
        "TARGET": image.target,
        "ENTRIES": " ".join(image.entries),
    }
    return "\n".join(f"{image.image}.{key} := {value}".rstrip() for key, value in settings.items())


@dataclass(frozen=True)
class Builder:
    """A builder of components to be compiled; what files.json says of it."""

    symbol: str
    source: str
    kind: str
    device: str
    variant: str
    requires: tuple[str, ...]


def _builder(layout: Layout, cell: ComponentCell) -> Builder:
    return Builder(
        f"{layout.registry.namespace}_{names.builder_name(cell)}",
        cell.source,
        cell.kind,
        cell.device.name,
        cell.variant.name,
        tuple(needs.requirements(layout.registry, cell, "build")),
    )


def _cmake_builder(builder: Builder) -> str:
    requires = f" REQUIRES {' '.join(builder.requires)}" if builder.requires else ""
    return (
        f"rung_registry_builder(SYMBOL {builder.symbol} SOURCE {builder.source} DEVICE {builder.device}{requires})"
    )


def _cmake_wide(wide: emit_proof.Wide) -> str:
    return f"rung_registry_wide(SYMBOL {wide.symbol} SOURCE {wide.source} WIDE {wide.wide})"


def _make_builder(builder: Builder) -> str:
    settings = {"SOURCE": builder.source, "DEVICE": builder.device, "REQUIRES": " ".join(builder.requires)}
    return "\n".join(f"{builder.symbol}.{key} := {value}".rstrip() for key, value in settings.items())


def _cmake(kernel: Kernel) -> str:
    flags = f" FLAGS {' '.join(kernel.flags)}" if kernel.flags else ""
    requires = f" REQUIRES {' '.join(kernel.requires)}" if kernel.requires else ""
    image = f" IMAGE {kernel.image}" if kernel.image else ""
    return (
        f"rung_registry_kernel(SYMBOL {kernel.symbol} SOURCE {kernel.source} DEVICE {kernel.device} ARCH {kernel.arch}"
        f" FAMILY {kernel.family} TAG {kernel.tag}{image}{flags}{requires})"
    )


def _make(kernel: Kernel) -> str:
    settings = {
        "SOURCE": kernel.source,
        "DEVICE": kernel.device,
        "FAMILY": kernel.family,
        "TAG": kernel.tag,
        "FLAGS": " ".join(kernel.flags),
        "REQUIRES": " ".join(kernel.requires),
        **({"IMAGE": kernel.image} if kernel.image else {}),
    }
    return "\n".join(f"{kernel.symbol}.{key} := {value}".rstrip() for key, value in settings.items())


def _json(
    common: dict[str, object],
    kernels: Sequence[Kernel],
    images: Sequence[Image],
    builders: Sequence[Builder],
    wides: Sequence[emit_proof.Wide],
) -> str:
    content = {
        "generated": f"by codegen from {common['file']}: do not edit; change the registry and rebuild",
        "namespace": common["ns"],
        "dispatch": common["dispatch"],
        "components": common["components"],
        "proof": common["proof"],
        "tables": common["tables"],
        "headers": common["headers"],
    }
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in content.items()]
    objects = (("kernels", kernels), ("images", images), ("builders", builders), ("wides", wides))
    lists = [f'  "{name}": {_objects(found)}' for name, found in objects]
    return "{\n" + "\n".join(lines) + "\n" + ",\n".join(lists) + "\n}\n"


def _objects(found: Sequence[object]) -> str:
    """A list with an object on every line."""
    return "[\n" + ",\n".join(f"    {json.dumps(one.__dict__)}" for one in found) + "\n  ]" if found else "[]"
