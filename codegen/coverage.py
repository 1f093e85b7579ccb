# SPDX-License-Identifier: Apache-2.0
"""coverage.md and coverage.json: what every op and component resolves to on every platform.

Every kernel that is neither planned nor experimental is taken to be built. What a kernel requires beyond that is said.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Optional

from codegen import names, needs, resolve
from codegen.layout import Layout, OpRow
from codegen.model import CPU, DEFAULT, NATIVE, Cell, Component, Device
from codegen.resolve import Chain

FORMAT = 2
EVERY = "every platform"
AS_DEFAULT = "as default"
NO_KERNEL = "no kernel"


@dataclass(frozen=True)
class Platform:
    """A line of the matrix: a device, and an arch that it is detected as or named by."""

    device: str
    arch: str
    chain: Chain

    @property
    def label(self) -> str:
        return f"{self.device}/{self.arch}"


def emit(layout: Layout) -> dict[str, str]:
    view = View(layout)
    return {"coverage.md": _markdown(layout, view), "coverage.json": _json(layout, view)}


def platforms(device: Device) -> list[Platform]:
    """The lines of a device, newest first: what it can be detected as, with one line for archs of the same chain."""
    found: list[Platform] = []
    named = [named for named in resolve.named_archs(device) if named.chain is not None]
    listed = [item for item in named if device.arch(item.name)]
    breaks = [step for step in resolve.breaks(device) if step.model in ("cuda", "ladder")]
    ranked = {item.rank: item.name for item in listed if not item.portable and item.model in ("cuda", "ladder")}
    # where a list goes down to sm1, only an arch without a rank is below it
    lowest = "sm10" if device.models == ("cuda",) else "other" if 1 in ranked else "sm1"
    portable_chains = [item.chain for item in listed if item.portable]
    for step in reversed(breaks):
        if step.rank in ranked:
            found.append(Platform(device.name, ranked[step.rank], resolve.arch_chain(device, ranked[step.rank])))
        elif step.rank or device.models == ("cuda",) or step.chain not in portable_chains:
            found.append(Platform(device.name, f"sm{step.rank}" if step.rank else lowest, step.chain))
    seen = {platform.arch for platform in found}
    found += [Platform(device.name, item.name, item.chain or ()) for item in listed if item.name not in seen]
    chains = {platform.chain for platform in found}
    for item in named:
        if item.chain is not None and item.chain not in chains:
            chains.add(item.chain)
            found.append(Platform(device.name, item.name, item.chain))
    return found


class View:
    """The answers as text, worked out once for each pattern of cells."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self.platforms = [platform for device in layout.registry.devices for platform in platforms(device)]
        self._known: dict[object, list[tuple[str, str, str]]] = {}

    def op(self, row: OpRow) -> list[tuple[str, str, str]]:
        """(variant, platform, answer) for an op: variants by id, platforms by device, newest first."""
        registry = self._layout.registry
        pattern = tuple(
            (cell.key, cell.planned, cell.experimental, needs.names(registry, cell), cell.after and cell.after.name)
            for cell in row.cells
        )
        if pattern not in self._known:
            self._known[pattern] = self._answers(row)
        return self._known[pattern]

    def _answers(self, row: OpRow) -> list[tuple[str, str, str]]:
        lines = []
        for variant in self._layout.variants:
            if variant not in row.variants:
                strict = self._layout.registry.variant_by_name[variant].strict
                lines.append((variant, EVERY, NO_KERNEL if strict else AS_DEFAULT))
                continue
            falls = {
                device.name: self._device_reach(row, variant, device.name) for device in self._layout.registry.devices
            }
            for platform in self.platforms:
                lines.append((variant, platform.label, self._answer(row, variant, platform, falls)))
        return lines

    def _device_reach(self, row: OpRow, variant: str, device: str) -> Optional[bool]:
        """Whether a device has a kernel whatever it is (True), on some archs (None), or never (False)."""
        found = [
            any(_callable(row.cells[number]) for number in self._layout.answers(row, variant, device, platform.chain))
            for platform in self.platforms
            if platform.device == device
        ]
        return all(found) if all(found) or not any(found) else None

    def _answer(self, row: OpRow, variant: str, platform: Platform, reach: dict[str, Optional[bool]]) -> str:
        first: list[str] = []
        parts: list[str] = []
        for number in self._layout.answers(row, variant, platform.device, platform.chain):
            cell = row.cells[number]
            where = _where(cell, variant)
            if not _callable(cell):
                first.append(f"{'planned' if cell.planned else 'experimental'} {where}")
                continue
            wanted = needs.names(self._layout.registry, cell)
            parts.append(f"{where} (needs {', '.join(wanted)})" if wanted else where)
            if not wanted:
                break
        else:
            parts += self._falls(platform.device, reach, bool(parts))
        return "; ".join([*first, ", else ".join(parts)])

    def _falls(self, device: str, reach: dict[str, Optional[bool]], already: bool) -> list[str]:
        words = "" if already else "falls to "
        answers: list[str] = []
        for name in resolve.device_chain(self._layout.registry, device)[1:] if device != CPU else ():
            if reach[name]:
                return [*answers, f"{words}{name}"]
            if reach[name] is None:
                answers.append(f"{words}{name} where it has one")
                words = ""
        return [*answers, NO_KERNEL]

    # ---- components -------------------------------------------------------------------------------------------------

    def component(self, component: Component) -> list[tuple[str, str, str]]:
        """(variant, device, answer) for a kind of component, for every device that a platform may stand on."""
        registry = self._layout.registry
        cells = {(cell.device.name, cell.variant.name): number for number, cell in enumerate(component.cells)}
        lines = []
        for variant in self._layout.variants:
            strict = registry.variant_by_name[variant].strict
            if variant != DEFAULT and all(cell.variant.name != variant for cell in component.cells):
                lines.append((variant, EVERY, "the spec's factory" if strict else AS_DEFAULT))
                continue
            for device in registry.devices:
                first, parts = [], []
                chain = resolve.device_chain(registry, device.name)
                for number in resolve.component_candidates(cells, variant, strict, chain):
                    cell = component.cells[number]
                    where = cell.device.name + ("" if cell.variant.name == variant else f" {cell.variant.name}")
                    if cell.planned or cell.experimental:
                        first.append(f"{'planned' if cell.planned else 'experimental'} {where}")
                        continue
                    wanted = needs.names(registry, cell)
                    parts.append(f"{where} (needs {', '.join(wanted)})" if wanted else where)
                    if not wanted:
                        break
                else:
                    parts.append("the spec's factory")
                lines.append((variant, device.name, "; ".join([*first, ", else ".join(parts)])))
        return lines


def _callable(cell: Cell) -> bool:
    return not cell.planned and not cell.experimental


def _where(cell: Cell, asked: str) -> str:
    return cell.place if cell.variant == asked else f"{cell.place} {cell.variant}"


# ---- text -----------------------------------------------------------------------------------------------------------

_HEAD = """\
<!-- Generated by codegen from {file}: do not edit; change the registry and rebuild. -->
# Coverage of the registry `{ns}`

What every op resolves to, by variant and platform. Every kernel is taken to be built unless it is planned or
experimental: those are named, and what is called instead follows. `needs` is what a build or a processor may lack.
`falls to cpu` is what the lines of cpu say for the processor at hand. A line `cuda/sm91` holds for sm91 and every
capability up to the line above it; whether an image runs natively or through its PTX is settled on the machine. These
are the answers for buffers: a call with host pointers takes kernels of cpu and accel alone.
"""


def _markdown(layout: Layout, view: View) -> str:
    registry = layout.registry
    lines = _HEAD.format(file=registry.file, ns=registry.namespace).split("\n")
    lines += ["## Holes", ""]
    holes = [
        f"- {row.op.name}, {variant} on {platform}: {NO_KERNEL}"
        for row in layout.ops
        for variant, platform, answer in view.op(row)
        if answer.split("; ")[-1] == NO_KERNEL and platform != EVERY
    ]
    lines += holes or ["None: every op has a kernel on every platform, for every variant that it has kernels for."]
    blocks: dict[int, str] = {}
    for row in layout.ops:
        lines += ["", f"## {row.op.name}", "", md(row.op.summary), ""]
        lines += ["| variant | platform | kernel |", "| - | - | - |"]
        answers = view.op(row)
        block = blocks.get(id(answers))
        if block is None:
            block = blocks[id(answers)] = "\n".join(
                f"| {variant} | {platform} | {answer} |" for variant, platform, answer in answers
            )
        lines.append(block)
    for component in registry.components:
        lines += ["", f"## component {component.kind}", "", md(component.summary), ""]
        lines += ["| variant | device | builder |", "| - | - | - |"]
        lines += [f"| {variant} | {device} | {answer} |" for variant, device, answer in view.component(component)]
    if registry.backends:
        lines += ["", "## Backends", ""]
        lines += ["| score | framework | devices | device string | reason |", "| - | - | - | - | - |"]
        lines += [f"| {' | '.join(map(md, row))} |" for row in backend_rows(layout)]
    return "\n".join(lines) + "\n"


def backend_rows(layout: Layout) -> list[tuple[str, str, str, str, str]]:
    """score, framework, devices, device string, reason; a backend's line for little memory follows its own."""
    rows = []
    for backend in layout.registry.backends:
        devices = ", ".join(ref.name for ref in backend.devices) or "none"
        text = backend.device_string or ("the platform" if backend.framework == NATIVE else "none")
        rows.append((str(backend.score), backend.framework, devices, text, backend.reason))
        if backend.limited:
            low = backend.limited
            reason = f"{low.reason} (below {low.below_mb} MB of memory)"
            rows.append((str(low.score), backend.framework, devices, text, reason))
    return rows


def md(text: str) -> str:
    return text.replace("|", "\\|")


def _json(layout: Layout, view: View) -> str:
    registry = layout.registry
    by_device: dict[str, dict[str, object]] = {
        device.name: {
            "model": list(device.models),
            "archs": {arch.name: arch.target for arch in device.archs},
            "fallback": [] if device.name == CPU else list(resolve.device_chain(registry, device.name)[1:]),
            "platforms": [platform.arch for platform in view.platforms if platform.device == device.name],
        }
        for device in registry.devices
    }
    out = ["{"]
    banner = f"by codegen from {registry.file}: do not edit; change the registry and rebuild"
    out.append(f'  "generated": {json.dumps(banner)},')
    out.append(f'  "format": {FORMAT},')
    out.append(f'  "namespace": {json.dumps(registry.namespace)},')
    out.append('  "devices": {')
    out += _members({name: json.dumps(value) for name, value in by_device.items()}, 4)
    out.append('  },\n  "variants": {')
    out += _members(
        {
            name: json.dumps(
                {
                    "strict": registry.variant_by_name[name].strict,
                    "requires": sorted(ref.name for ref in registry.variant_by_name[name].requires),
                }
            )
            for name in sorted(layout.variants)
        },
        4,
    )
    out.append('  },\n  "ops": {')
    blocks: dict[int, str] = {}
    for index, row in enumerate(layout.ops):
        answers = view.op(row)
        block = blocks.get(id(answers))
        if block is None:
            block = blocks[id(answers)] = ",\n".join(_resolution(answers))
        out.append(f"    {json.dumps(row.op.name)}: {{")
        out.append(f'      "summary": {json.dumps(row.op.summary, ensure_ascii=False)},')
        out.append(f'      "source": {json.dumps(row.op.source, ensure_ascii=False)},')
        out.append(f'      "tolerance": {json.dumps(_tolerances(row))},')
        out.append('      "kernels": [')
        out.append(",\n".join(f"        {json.dumps(_cell(layout, cell))}" for cell in row.cells))
        out.append('      ],\n      "resolution": {')
        out.append(block)
        out.append("      }")
        out.append("    }" + ("," if index + 1 < len(layout.ops) else ""))
    out.append('  },\n  "components": {')
    out += _members(
        {component.kind: _component(view, component) for component in registry.components}, 4
    )
    out.append('  },\n  "backends": [')
    rows = [json.dumps(dict(zip(BACKEND_KEYS, row)), ensure_ascii=False) for row in backend_rows(layout)]
    out += [f"    {row}" + ("," if index + 1 < len(rows) else "") for index, row in enumerate(rows)]
    out.append("  ]\n}")
    return "\n".join(out) + "\n"


BACKEND_KEYS = ("score", "framework", "devices", "device_string", "reason")


def _members(values: dict[str, str], indent: int) -> list[str]:
    pad = " " * indent
    last = len(values) - 1
    return [
        f"{pad}{json.dumps(key)}: {value}" + ("," if index < last else "")
        for index, (key, value) in enumerate(values.items())
    ]


def _resolution(answers: list[tuple[str, str, str]]) -> list[str]:
    """By variant, then platform: one line for each."""
    by_variant: dict[str, list[str]] = {}
    for variant, platform, answer in sorted(answers):
        by_variant.setdefault(variant, []).append(f"          {json.dumps(platform)}: {json.dumps(answer)}")
    return [
        f"        {json.dumps(variant)}: {{\n" + ",\n".join(lines) + "\n        }"
        for variant, lines in by_variant.items()
    ]


def _cell(layout: Layout, cell: Cell) -> dict[str, object]:
    return {
        "device": cell.device,
        "arch": cell.arch,
        "variant": cell.variant,
        "status": "planned" if cell.planned else "experimental" if cell.experimental else "declared",
        "needs": list(needs.names(layout.registry, cell)),
        "after": cell.after.name if cell.after else None,
        "workspace": cell.workspace,
        "source": cell.source,
        "symbol": f"{layout.registry.namespace}_{names.cell_name(cell)}",
    }


def _tolerances(row: OpRow) -> dict[str, dict[str, float]]:
    found = {}
    if row.op.tolerance:
        found[DEFAULT] = {"rel": row.op.tolerance.rel, "abs": row.op.tolerance.abs}
    found.update({ref.name: {"rel": value.rel, "abs": value.abs} for ref, value in row.op.tolerances})
    return found


def _component(view: View, component: Component) -> str:
    value = {
        "summary": component.summary,
        "kernels": [
            {
                "device": cell.device.name,
                "variant": cell.variant.name,
                "status": "planned" if cell.planned else "experimental" if cell.experimental else "declared",
                "source": cell.source,
            }
            for cell in sorted(component.cells, key=lambda cell: (cell.device.name, cell.variant.name))
        ],
        "resolution": _nested(view.component(component)),
    }
    return json.dumps(value, ensure_ascii=False)


def _nested(answers: list[tuple[str, str, str]]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for variant, platform, answer in sorted(answers):
        found.setdefault(variant, {})[platform] = answer
    return found
