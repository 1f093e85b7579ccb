# SPDX-License-Identifier: Apache-2.0
"""`codegen diff OLD NEW`: which (op, variant, platform) resolves to something else, as Markdown for a pull request."""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence

from codegen import arch_models, coverage, generate, layout, resolve
from codegen.diagnostics import Diagnostics, Mark, RegistryError
from codegen.model import Arch, Device

_DESCRIPTION = """\
Prints, as Markdown for a pull request, what a change of the registry changes: new and removed ops, and every
(op, variant, platform) that resolves to another kernel than before. OLD and NEW are registries or coverage.json files,
for example the one of the main branch:

  git show main:generated/coverage.json > /tmp/old.json
  python3 -m codegen diff /tmp/old.json registry.yaml"""

Resolution = Mapping[str, Mapping[str, str]]  # by variant, by platform


@dataclass(frozen=True)
class Matrix:
    """What coverage.json says, as far as differences are concerned."""

    devices: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    variants: Mapping[str, object] = field(default_factory=dict)
    ops: Mapping[str, Resolution] = field(default_factory=dict)
    components: Mapping[str, Resolution] = field(default_factory=dict)
    backends: Sequence[Mapping[str, str]] = ()

    def answer(self, resolution: Resolution, variant: str, platform: str) -> str:
        """What a request gets: a platform that has no line of its own has the one with the same chain."""
        if variant not in self.variants:
            return "variant not declared"
        by_platform = resolution[variant]
        everywhere = by_platform.get(coverage.EVERY)
        if everywhere == coverage.AS_DEFAULT:
            return self.answer(resolution, "default", platform)
        if everywhere is not None:
            return everywhere
        if platform in by_platform:
            return by_platform[platform]
        device, _, arch = platform.partition("/")
        if device not in self.devices:
            return "device not declared"
        line = self._line(device, arch)
        return by_platform[line] if line else "no such arch"

    def _line(self, name: str, arch: str) -> Optional[str]:
        """The platform of the device whose chain is that of an arch with no line of its own."""
        declared = self.devices[name]
        device = _device(name, declared["model"], declared["archs"])
        try:
            chain = resolve.arch_chain(device, arch)
        except ValueError:  # its models know no such name
            return None
        return next(
            f"{name}/{other}" for other in declared["platforms"] if resolve.arch_chain(device, other) == chain
        )


def _device(name: str, models: Sequence[str], archs: Mapping[str, str]) -> Device:
    """As much of a device as its chains depend on."""
    nowhere = Mark(0, 0)
    listed = []
    for arch, target in archs.items():
        meaning = arch_models.understand(models, arch)
        if meaning:
            listed.append(Arch(arch, nowhere, meaning.model, meaning.rank, meaning.portable, target))
    return Device(name, nowhere, tuple(models), (), (), tuple(listed))


class NotAMatrix(Exception):
    pass


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python3 -m codegen diff",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("old", type=Path, metavar="OLD", help="registry or coverage.json before the change")
    parser.add_argument("new", type=Path, metavar="NEW", help="registry or coverage.json after the change")
    parser.add_argument("--exit-code", action="store_true", help="exit with 1 when anything differs")
    options = parser.parse_args(words)
    matrices = []
    failed = False
    for path in (options.old, options.new):
        diagnostics = Diagnostics(str(path))
        try:
            matrices.append(read(path, diagnostics))
        except RegistryError:
            sys.stderr.write(diagnostics.text())
            failed = True
        except NotAMatrix as error:
            print(f"{path}: error: not a coverage.json of this generator: {error}", file=sys.stderr)
            failed = True
    if failed:
        return 1
    text, changed = compare(*matrices)
    sys.stdout.write(text)
    return 1 if changed and options.exit_code else 0


def read(path: Path, diagnostics: Diagnostics) -> Matrix:
    """The matrix of a registry, or that which a coverage.json holds. Kernels' files need not exist: the old registry is
    usually taken out of its tree."""
    data = path.read_bytes()
    if data.lstrip()[:1] == b"{" and path.suffix == ".json":
        return parse(data)
    registry, _ = generate.read_registry(path, diagnostics, None)
    return parse(coverage.emit(layout.build(registry))["coverage.json"].encode())


def parse(data: bytes) -> Matrix:
    try:
        content: Any = json.loads(data)
        if content["format"] != coverage.FORMAT:
            raise NotAMatrix(f"format {content['format']}, not {coverage.FORMAT}")
        matrix = Matrix(
            content["devices"],
            content["variants"],
            {name: op["resolution"] for name, op in content["ops"].items()},
            {name: component["resolution"] for name, component in content["components"].items()},
            content["backends"],
        )
        _check(matrix)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise NotAMatrix(str(error) or type(error).__name__) from None
    return matrix


def _check(matrix: Matrix) -> None:
    """That every question has an answer. A coverage.json may have been edited, or merged badly."""
    platforms = {f"{device}/{arch}" for device, said in matrix.devices.items() for arch in said["platforms"]}
    for said in matrix.devices.values():
        _device("", said["model"], said["archs"])
    for resolutions, places in ((matrix.ops, platforms), (matrix.components, set(matrix.devices))):
        for name, resolution in resolutions.items():
            for variant in matrix.variants:
                if set(resolution[variant]) not in (places, {coverage.EVERY}):
                    raise ValueError(f"{name}, variant {variant}: its platforms are not those of the devices")
    for row in matrix.backends:
        " ".join(row[key] for key in coverage.BACKEND_KEYS)


def compare(old: Matrix, new: Matrix) -> tuple[str, bool]:
    """The Markdown, and whether anything differs."""
    sections: list[list[str]] = []
    _names(sections, "New ops", set(new.ops) - set(old.ops))
    _names(sections, "Removed ops", set(old.ops) - set(new.ops))
    platforms = _platforms(old, new)
    rows = _changed(old, new, old.ops, new.ops, platforms)
    if rows:
        head = ["| op | variant | platform | before | after |", "| - | - | - | - | - |"]
        sections.append(["## Resolved differently", "", *head, *rows])
    _names(sections, "New components", set(new.components) - set(old.components))
    _names(sections, "Removed components", set(old.components) - set(new.components))
    rows = _changed(old, new, old.components, new.components, sorted({*old.devices, *new.devices}))
    if rows:
        head = ["| component | variant | device | before | after |", "| - | - | - | - | - |"]
        sections.append(["## Components built differently", "", *head, *rows])
    rows = _reranked(old.backends, new.backends)
    if rows:
        head = [f"| | {' | '.join(coverage.BACKEND_KEYS)} |", "| - | - | - | - | - | - |"]
        sections.append(["## Backends ranked differently", "", *head, *rows])
    if not sections:
        return "# Resolution\n\nNothing resolves differently on any platform.\n", False
    text = "\n\n".join("\n".join(section) for section in [["# Resolution"], *sections])
    return text + "\n", True


def _reranked(old: Sequence[Mapping[str, str]], new: Sequence[Mapping[str, str]]) -> list[str]:
    """Lines that are gone, new or in another place: of equal scores the first wins."""
    before = [" | ".join(map(coverage.md, row.values())) for row in old]
    after = [" | ".join(map(coverage.md, row.values())) for row in new]
    rows = []
    for kind, i, j, k, m in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            rows += [f"| - | {row} |" for row in before[i:j]] + [f"| + | {row} |" for row in after[k:m]]
    return rows


def _names(sections: list[list[str]], title: str, found: set[str]) -> None:
    if found:
        sections.append([f"## {title}", "", *(f"- {name}" for name in sorted(found))])


def _platforms(old: Matrix, new: Matrix) -> list[str]:
    """The platforms of both sides, by device; within one as the new side lists them, then the old."""
    found: list[str] = []
    for device in sorted({*old.devices, *new.devices}):
        lines = [
            *new.devices.get(device, {"platforms": ()})["platforms"],
            *old.devices.get(device, {"platforms": ()})["platforms"],
        ]
        found += [f"{device}/{arch}" for arch in dict.fromkeys(lines)]
    return found


def _changed(
    old: Matrix,
    new: Matrix,
    before: Mapping[str, Resolution],
    after: Mapping[str, Resolution],
    platforms: Sequence[str],
) -> list[str]:
    rows = []
    variants = sorted({*old.variants, *new.variants}, key=lambda name: (name != "default", name))
    for name in sorted(set(before) & set(after)):
        if before[name] == after[name] and old.devices == new.devices and old.variants == new.variants:
            continue
        for variant in variants:
            if not _concerned(old, before[name], variant) and not _concerned(new, after[name], variant):
                continue
            for platform in platforms:
                was = old.answer(before[name], variant, platform)
                now = new.answer(after[name], variant, platform)
                if was != now:
                    rows.append(f"| {name} | {variant} | {platform} | {was} | {now} |")
    return rows


def _concerned(matrix: Matrix, resolution: Resolution, variant: str) -> bool:
    """Whether an op has kernels of its own for the variant."""
    return variant in matrix.variants and coverage.EVERY not in resolution[variant]
