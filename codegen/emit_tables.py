# SPDX-License-Identifier: Apache-2.0
"""registry.c with its tables/*.inc, and hashes.c: the constant tables of rung/table.h.

Entries are named, not numbered, so that a new kernel changes its own lines and those of its op. What is shared between
ops and so moves with any of them (chains.inc, hashes.c) stands apart.
"""

from __future__ import annotations

from typing import Iterable, Sequence

from codegen import names, needs, perfect_hash, render
from codegen.cpu_features import families
from codegen.emit_components import builder_macros
from codegen.emit_headers import build_macros
from codegen.layout import DeviceRow, KindRow, Layout, OpRow
from codegen.model import IMAGE_DEVICES, PROBES, Backend, Cell, ComponentCell, Requirement

OPS_A_FILE = 256
LINES_A_FILE = 4096


def emit(layout: Layout) -> dict[str, str]:
    common = {
        "file": layout.registry.file,
        "ns": layout.registry.namespace,
        "NS": layout.registry.namespace.upper(),
    }
    files: dict[str, str] = {}
    includes = {
        "strings": _split(files, common, "strings", "the string pool", _string_groups(layout)),
        "cell_ids": _split(files, common, "cell_ids", "the ids of the cells", _cell_id_groups(layout)),
        "cells": _split(files, common, "cells", "the cells", _cell_groups(layout)),
        "ops": _split(files, common, "ops", "the ops", _op_groups(layout)),
        "entry_ids": _split(files, common, "entry_ids", "the ids of the entries of images", _entry_id_groups(layout)),
        "entries": _split(files, common, "entries", "the names of the entries of images", _entry_groups(layout)),
    }
    files.update(_chains(layout, common, includes))
    files["registry.c"] = render.template("registry.c.j2").render(common, includes=includes, **_context(layout))
    files.update(_hashes(layout, common))
    return files


def _split(
    files: dict[str, str], common: dict[str, str], name: str, what: str, groups: Sequence[Sequence[str]]
) -> list[str]:
    """One group of lines for each op, so many ops to a file; no file where there is nothing to say."""
    paths: list[str] = []
    if not any(groups):
        return paths
    for number, start in enumerate(range(0, len(groups), OPS_A_FILE)):
        path = f"tables/{name}_{number:03}.inc"
        chunk = groups[start:start + OPS_A_FILE]
        lines = [line for group in chunk for line in group]
        files[path] = render.template("table.inc.j2").render(common, what=what, lines=lines, shared=False)
        paths.append(path)
    return paths


def _cell_enum(cell: Cell) -> str:
    return names.cell_name(cell).upper()


def _string(key: str, text: str) -> str:
    return f"STRING({key}, {render.c_string(text)})"


def _string_groups(layout: Layout) -> list[list[str]]:
    groups = []
    for row in layout.ops:
        lines = [_string(f"op_{row.op.name}", row.op.name), _string(f"summary_{row.op.name}", row.op.summary)]
        for cell in row.cells:
            name = names.cell_name(cell)
            lines.append(_string(f"symbol_{name}", f"{layout.registry.namespace}_{name}"))
            lines.append(_string(f"source_{name}", cell.source))
            lines += [
                _string(f"entry_{name}__{ref.name}", entry)
                for ref, entry in zip(cell.entries, names.entry_names(layout.registry.namespace, cell))
            ]
        groups.append(lines)
    return groups


def _cell_id_groups(layout: Layout) -> list[list[str]]:
    upper = layout.registry.namespace.upper()
    return [[f"{upper}_CELL_{_cell_enum(cell)}," for cell in row.cells] for row in layout.ops]


def _entries(layout: Layout, cell: Cell) -> list[tuple[str, str]]:
    """Of each: its enumerator, and its name in the string pool."""
    if not cell.launched or cell.planned:
        return []
    upper, name = layout.registry.namespace.upper(), names.cell_name(cell)
    parts = [(f"{name}__{ref.name}", f"entry_{name}__{ref.name}") for ref in cell.entries]
    return [(f"{upper}_ENTRY_{enum.upper()}", text) for enum, text in parts or [(name, f"symbol_{name}")]]


def _entry_id_groups(layout: Layout) -> list[list[str]]:
    return [[f"{enum}," for cell in row.cells for enum, _ in _entries(layout, cell)] for row in layout.ops]


def _entry_groups(layout: Layout) -> list[list[str]]:
    return [
        [f"[{enum}] = AT({text})," for cell in row.cells for enum, text in _entries(layout, cell)]
        for row in layout.ops
    ]


def _image_enum(layout: Layout, cell: Cell) -> str:
    return names.image_name(layout.registry.namespace, cell).upper()


def _images(layout: Layout) -> list[dict[str, str]]:
    return [
        {
            "enum": _image_enum(layout, cells[0]),
            "name": names.image_name(layout.registry.namespace, cells[0]),
        }
        for cells in layout.images
    ]


def _drivers(layout: Layout) -> list[dict[str, str]]:
    """For every device with a driver that kernels are launched through, or called on: when this build has any."""
    found: dict[str, set[str]] = {}
    for row in layout.ops:
        for cell in row.cells:
            if cell.device in IMAGE_DEVICES and not cell.planned:
                found.setdefault(cell.device, set()).add(" && ".join(build_macros(layout, cell)))
    upper = layout.registry.namespace.upper()
    return [
        {
            "device": device,
            "DEVICE": device.upper(),
            "enum": f"{upper}_DEVICE_{device.upper()}",
            "condition": _any(found[device]),
        }
        for device in sorted(found)
    ]


def _any(conditions: Iterable[str]) -> str:
    return " || ".join(f"({one})" if "&&" in one else one for one in sorted(set(conditions)))


def _cell_groups(layout: Layout) -> list[list[str]]:
    return [_aligned([_cell(layout, row, cell) for cell in row.cells]) for row in layout.ops]


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of columns as lines; aligned within an op only, so that a new kernel moves the lines of no other."""
    widths = [max(len(row[at]) for row in rows) for at in range(min(len(row) for row in rows))]
    return ["".join(text.ljust(width) for text, width in zip(row, [*widths, 0])).rstrip() for row in rows]


def _cell(layout: Layout, row: OpRow, cell: Cell) -> tuple[str, ...]:
    upper = layout.registry.namespace.upper()
    columns = (
        f"[{upper}_CELL_{_cell_enum(cell)}] ",
        f"= {{.op = {upper}_OP_{row.op.name.upper()}, NAMES({names.cell_name(cell)}), ",
        f".arch = {upper}_ARCH_{names.tag(cell.device, cell.arch).upper()}, ",
        f".variant = {upper}_VARIANT_{names.mangle(cell.variant).upper()}, ",
    )
    fields = [f".flags = {_flags(layout, cell, build_macros(layout, cell))}"]
    fields += _demands(layout, cell)
    if cell.workspace:
        fields.append(f".workspace = UINT64_C({cell.workspace})")
    entries = _entries(layout, cell)
    if entries:
        fields += [f".first_entry = {entries[0][0]}", f".entries = {len(entries)}"]
        fields.append(f".image = {_image_enum(layout, cell)}")
    return (*columns, f"{', '.join(fields)}}},")


def _demands(layout: Layout, cell: needs.Demanding) -> list[str]:
    """The fields that say what a cell or a builder requires."""
    fields = []
    required = needs.requirements(layout.registry, cell)
    if required:
        fields.append(f".first_requirement = {layout.registry.namespace.upper()}_REQUIRES_{_set_name(required)}")
        fields.append(f".requirements = {len(required)}")
    features = needs.features(layout.registry, cell)
    if features:
        bits = [f"FEATURE({families()[name]}, {name})" for name in features]
        fields.append(f".features = {' | '.join(bits)}")
    return fields


def _flags(layout: Layout, cell: needs.Demanding, macros: Sequence[str]) -> str:
    if cell.planned:
        return "RUNG_CELL_PLANNED"
    marks = ["RUNG_CELL_EXPERIMENTAL"] if cell.experimental else []
    marks += ["RUNG_CELL_FIRST_USE"] if needs.has_first_use(layout.registry, cell) else []
    built = "RUNG_CELL_BUILT"
    if macros:
        built = f"{' && '.join(macros)} ? RUNG_CELL_BUILT : 0u"
        built = f"({built})" if marks else built
    return " | ".join([*marks, built])


def _set_name(required: Sequence[str]) -> str:
    return "_AND_".join(names.mangle(name).upper() for name in required)


def requirement_sets(layout: Layout) -> list[tuple[str, ...]]:
    """The sets of requirements that cells have, each once."""
    return sorted({tuple(needs.requirements(layout.registry, cell)) for cell in _all_cells(layout)} - {()})


def _all_cells(layout: Layout) -> list[needs.Demanding]:
    """Every kernel and every builder."""
    kernels: list[needs.Demanding] = [cell for row in layout.ops for cell in row.cells]
    return [*kernels, *(cell for row in layout.kinds for cell in row.builders)]


def _op_groups(layout: Layout) -> list[list[str]]:
    upper = layout.registry.namespace.upper()
    groups = []
    for row in layout.ops:
        name = row.op.name
        fields = [
            f".name = AT(op_{name})",
            f".summary = AT(summary_{name})",
            f".first_cell = {upper}_CELL_{_cell_enum(row.cells[0])}",
            f".cells = {len(row.cells)}",
            f".shape = {upper}_SHAPE_{name.upper()}",
            f".first_variant = {upper}_LOCALS_{name.upper()}",
            f".variants = {len(row.variants)}",
        ]
        if not row.op.terminal:
            fields.append(".flags = RUNG_OP_NO_TERMINAL")
        groups.append([f"[{upper}_OP_{name.upper()}] = {{{', '.join(fields)}}},"])
    return groups


# ---- chains ---------------------------------------------------------------------------------------------------------


def _chains(layout: Layout, common: dict[str, str], includes: dict[str, list[str]]) -> dict[str, str]:
    upper = common["NS"]
    candidates: dict[tuple[int, ...], int] = {}
    candidate_lines: list[str] = []
    shapes: dict[tuple[tuple[tuple[int, ...], ...], ...], int] = {}
    chain_lines: list[str] = []
    size = offsets = 0
    shape_ids, local_ids = [], []
    locals_at: dict[tuple[str, ...], int] = {}
    local_lines: list[str] = []
    n_locals = 0
    for row in layout.ops:
        if row.candidates not in shapes:
            shapes[row.candidates] = offsets
            for variant, local in zip(row.variants, row.candidates):
                at = []
                for answer in local:
                    if answer not in candidates:
                        candidates[answer] = size
                        candidate_lines.append(render.wrapped([len(answer), *answer]))
                        size += 1 + len(answer)
                    at.append(candidates[answer])
                chain_lines.append(f"    /* {upper}_SHAPE_{row.op.name.upper()}, {variant} */")
                chain_lines += render.wrapped(at).split("\n")
                offsets += len(local)
        if row.variants not in locals_at:
            locals_at[row.variants] = n_locals
            n_locals += len(row.variants)
            local_lines.append(
                render.wrapped([f"{upper}_VARIANT_{names.mangle(name).upper()}" for name in row.variants])
            )
        shape_ids.append(f"{upper}_SHAPE_{row.op.name.upper()} = {shapes[row.candidates]},")
        local_ids.append(f"{upper}_LOCALS_{row.op.name.upper()} = {locals_at[row.variants]},")
    files: dict[str, str] = {}

    def shared(name: str, what: str, lines: Sequence[str]) -> None:
        includes[name] = []
        for number, start in enumerate(range(0, len(lines), LINES_A_FILE)):
            path = f"tables/{name}_{number:03}.inc"
            chunk = lines[start:start + LINES_A_FILE]
            files[path] = render.template("table.inc.j2").render(common, what=what, lines=chunk, shared=True)
            includes[name].append(path)

    shared("shape_ids", "where the chains and the variants of each op begin", [*shape_ids, *local_ids])
    shared("op_variants", "the variants that ops have cells for", local_lines)
    shared("chains", "for each variant of a shape and each row of archs, where its candidates stand", chain_lines)
    shared("candidates", "a count and so many ordinals, best first", candidate_lines)
    return files


# ---- registry.c -----------------------------------------------------------------------------------------------------


def _context(layout: Layout) -> dict[str, object]:
    upper = layout.registry.namespace.upper()
    registry = layout.registry
    fallbacks = [name for device in layout.devices for name in device.fallback]
    steps: list[dict[str, object]] = []
    rows: list[dict[str, object]] = []
    first = 0
    for row in layout.rows:
        ids = [f"{upper}_ARCH_{names.tag(row.device, arch).upper()}" for arch in row.chain]
        steps.append({"name": row.name, "text": ", ".join(ids)})
        rows.append({"name": row.name, "first": first, "count": len(ids)})
        first += len(ids)
    sets = requirement_sets(layout)
    return {
        "devices": [_device(upper, row) for row in layout.devices],
        "archs": [
            {
                "key": f"[{upper}_ARCH_{names.tag(row.device, row.name).upper()}] = " if row.listed else "",
                "enum": f"{upper}_ARCH_{names.tag(row.device, row.name).upper()}" if row.listed else "",
                "name": f"arch_{names.tag(row.device, row.name)}",
                "text": render.c_string(row.name),
                "target": f"target_{names.tag(row.device, row.name)}" if row.listed and row.listed.target else "",
                "target_text": render.c_string(row.listed.target) if row.listed else "",
                "device": f"{upper}_DEVICE_{names.mangle(row.device).upper()}",
                "row": f"{upper}_ROW_{row.row}" if row.row else "RUNG_NO_ROW",
                "model": f"RUNG_MODEL_{row.model.upper()}",
                "portable": int(row.portable),
                "rank": row.rank,
            }
            for row in layout.archs
        ],
        "rows": rows,
        "steps": steps,
        "breaks": [
            {"model": f"RUNG_MODEL_{row.model.upper()}", "rank": row.rank, "row": f"{upper}_ROW_{row.row}"}
            for row in layout.breaks
        ],
        "fallbacks": [f"{upper}_DEVICE_{name.upper()}" for name in fallbacks],
        "auto": [f"{upper}_DEVICE_{ref.name.upper()}" for ref in registry.auto],
        "variants": [
            {
                "enum": f"{upper}_VARIANT_{names.mangle(name).upper()}",
                "name": f"variant_{names.mangle(name)}",
                "text": render.c_string(name),
                "strict": registry.variant_by_name[name].strict,
            }
            for name in layout.variants
        ],
        "requirements": [
            {
                "enum": f"{upper}_REQUIREMENT_{names.mangle(requirement.name).upper()}",
                "name": f"requirement_{names.mangle(requirement.name)}",
                "text": render.c_string(requirement.name),
                "library": f"library_{names.mangle(requirement.name)}" if requirement.library else "",
                "library_text": render.c_string(requirement.library),
                "fields": _requirement(upper, requirement),
            }
            for requirement in registry.requirements
        ],
        "requirement_sets": _requirement_sets(upper, sets),
        "features": any(needs.features(layout.registry, cell) for cell in _all_cells(layout)),
        "libraries": _libraries(layout),
        "backend_strings": _backend_strings(registry.backends),
        "backends": [_backend(registry.backends, number) for number in range(len(registry.backends))],
        "probes": _probes(layout),
        "images": _images(layout),
        "any_image": _any(" && ".join(build_macros(layout, cell)) for cells in layout.images for cell in cells),
        "drivers": _drivers(layout),
        "kinds": [_kind(upper, row) for row in layout.kinds],
        "builders": [
            line for row in layout.kinds for line in _aligned([_builder(layout, cell) for cell in row.builders])
        ],
    }


def _requirement(upper: str, requirement: Requirement) -> str:
    mangled = names.mangle(requirement.name)
    fields = [f".name = AT(requirement_{mangled})"]
    if requirement.library:
        fields.append(f".library = AT(library_{mangled})")
    if requirement.kind == "driver":
        fields.append(f".minimum = RUNG_DRIVER_VERSION({requirement.minimum[0]}, {requirement.minimum[1]})")
    fields.append(f".kind = RUNG_REQUIREMENT_{requirement.kind.upper()}")
    fields.append(f".met = {upper}_HAS_{mangled.upper()}" if requirement.kind == "build" else ".met = 1")
    return ", ".join(fields)


def _kind(upper: str, row: KindRow) -> dict[str, object]:
    kind = row.component.kind
    return {
        "enum": f"{upper}_KIND_{kind.upper()}",
        "kind": kind,
        "text": render.c_string(kind),
        "summary_text": render.c_string(row.component.summary),
        "first": f"{upper}_BUILDER_{names.builder_name(row.builders[0]).upper()}",
        "count": len(row.builders),
        "builders": [
            {
                "enum": f"{upper}_BUILDER_{names.builder_name(cell).upper()}",
                "name": names.builder_name(cell),
                "symbol": f"{upper.lower()}_{names.builder_name(cell)}",
                "source_text": render.c_string(cell.source),
            }
            for cell in row.builders
        ],
    }


def _builder(layout: Layout, cell: ComponentCell) -> tuple[str, ...]:
    upper = layout.registry.namespace.upper()
    fields = [f".flags = {_flags(layout, cell, builder_macros(layout, cell))}", *_demands(layout, cell)]
    features = needs.features(layout.registry, cell)
    if features:
        fields.append(f".model = RUNG_MODEL_{families()[features[0]].upper()}")
    return (
        f"[{upper}_BUILDER_{names.builder_name(cell).upper()}] ",
        f"= {{.kind = {upper}_KIND_{cell.kind.upper()}, NAMES({names.builder_name(cell)}), ",
        f".device = {upper}_DEVICE_{names.mangle(cell.device.name).upper()}, ",
        f".variant = {upper}_VARIANT_{names.mangle(cell.variant.name).upper()}, ",
        f"{', '.join(fields)}}},",
    )


def _device(upper: str, row: DeviceRow) -> dict[str, object]:
    name = names.mangle(row.device.name)
    return {
        "enum": f"{upper}_DEVICE_{name.upper()}",
        "name": f"device_{name}",
        "text": render.c_string(row.device.name),
        "first_arch": f"{upper}_ARCH_{names.tag(row.device.name, row.device.archs[0].name).upper()}",
        "archs": len(row.device.archs),
        "first_fallback": row.first_fallback,
        "fallbacks": len(row.fallback),
        "first_break": row.first_break,
        "breaks": row.breaks,
        "portable_row": f"{upper}_ROW_{row.portable_row}",
    }


# ---- backends and probes --------------------------------------------------------------------------------------------


def _backend_strings(backends: Sequence[Backend]) -> list[dict[str, str]]:
    texts: list[tuple[str, str]] = []
    for number, backend in enumerate(backends):
        if _first_of(backends, backend.framework) == number:
            texts.append((f"backend_{number}_framework", backend.framework))
        if backend.device_string:
            texts.append((f"backend_{number}_device", backend.device_string))
        texts.append((f"backend_{number}_reason", backend.reason))
        if backend.limited:
            texts.append((f"backend_{number}_limited", backend.limited.reason))
    return [{"name": name, "text": render.c_string(text)} for name, text in texts]


def _first_of(backends: Sequence[Backend], framework: str) -> int:
    return next(number for number, backend in enumerate(backends) if backend.framework == framework)


def _backend(backends: Sequence[Backend], number: int) -> str:
    backend = backends[number]
    fields = [f".framework = AT(backend_{_first_of(backends, backend.framework)}_framework)"]
    if backend.device_string:
        fields.append(f".device = AT(backend_{number}_device)")
    fields.append(f".reason = AT(backend_{number}_reason)")
    if backend.devices:
        fields.append(f".devices = {' | '.join(f'RUNG_ON_{ref.name.upper()}' for ref in backend.devices)}")
    fields.append(f".score = {backend.score}")
    if backend.limited:
        fields.append(f".limited_score = {backend.limited.score}, .limited_reason = AT(backend_{number}_limited)")
        fields.append(f".limited_below = UINT64_C({backend.limited.below_mb})")
    return ", ".join(fields)


def _probes(layout: Layout) -> list[dict[str, str]]:
    """For every device with a driver that the registry has kernels or builders for: when this build has any of them."""
    upper = layout.registry.namespace.upper()
    conditions: dict[str, set[str]] = {}
    for cell in _all_cells(layout):
        device, macros = _device_and_macros(layout, cell)
        if device in PROBES and not cell.planned:
            conditions.setdefault(device, set()).add(" && ".join(macros))
    return [
        {
            "enum": f"{upper}_DEVICE_{names.mangle(row.device.name).upper()}",
            "probe": f"rung_probe_{PROBES[row.device.name]}",
            "condition": _any(conditions[row.device.name]),
        }
        for row in layout.devices
        if row.device.name in conditions
    ]


def _libraries(layout: Layout) -> str:
    """When a build has anything that requires a library; "1" for always, the empty string for never."""
    found = {
        " && ".join(_device_and_macros(layout, cell)[1]) or "1"
        for cell in _all_cells(layout)
        if not cell.planned and needs.requirements(layout.registry, cell, "library")
    }
    return "1" if "1" in found else _any(found)


def _device_and_macros(layout: Layout, cell: needs.Demanding) -> tuple[str, list[str]]:
    if isinstance(cell, Cell):
        return cell.device, build_macros(layout, cell)
    return cell.device.name, builder_macros(layout, cell)


def _requirement_sets(upper: str, sets: Iterable[tuple[str, ...]]) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    first = 0
    for members in sets:
        found.append(
            {
                "enum": f"{upper}_REQUIRES_{_set_name(members)}",
                "first": first,
                "members": ", ".join(f"{upper}_REQUIREMENT_{names.mangle(name).upper()}" for name in members),
            }
        )
        first += len(members)
    return found


# ---- hashes.c -------------------------------------------------------------------------------------------------------


def hash_keys(layout: Layout) -> dict[str, list[bytes]]:
    """The keys of every hash, each with its index as id."""
    arch_ids = {(row.device, row.name): index for index, row in enumerate(layout.archs)}
    variant_ids = {name: index for index, name in enumerate(layout.variants)}
    return {
        "op": [row.op.name.encode() for row in layout.ops],
        "variant": [name.encode() for name in layout.variants],
        "device": [row.device.name.encode() for row in layout.devices],
        "arch": [f"{row.device}/{row.name}".encode() for row in layout.archs],
        "kind": [row.component.kind.encode() for row in layout.kinds],
        "cell": [
            perfect_hash.cell_key(number, arch_ids[(cell.device, cell.arch)], variant_ids[cell.variant])
            for number, row in enumerate(layout.ops)
            for cell in row.cells
        ],
    }


def _hashes(layout: Layout, common: dict[str, str]) -> dict[str, str]:
    hashes = []
    for name, keys in hash_keys(layout).items():
        if not keys:
            continue
        made = perfect_hash.build(keys)
        hashes.append(
            {
                "name": name,
                "NAME": name.upper(),
                "buckets": made.buckets,
                "slots": made.slots,
                "seed": made.seed,
                "displace_text": render.wrapped(made.displace),
                "id_text": render.wrapped("RUNG_NONE" if id == perfect_hash.EMPTY else id for id in made.values),
            }
        )
    return {
        "hashes.c": render.template("hashes.c.j2").render(common, hashes=hashes),
        "tables/hashes.h": render.template("hashes.h.j2").render(common, hashes=hashes),
    }
