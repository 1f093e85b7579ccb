# SPDX-License-Identifier: Apache-2.0
"""`codegen tune PROPOSAL`: what `rung tune` proposes, checked, shown as a change of the registry, and made."""

from __future__ import annotations

import argparse
import dataclasses
import difflib
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional, Sequence

from codegen import coverage, diff, edit, layout, load, schema, validate
from codegen.diagnostics import Diagnostics, Mark, RegistryError, nearest
from codegen.load import Node, is_scalar, mark_of, tag_of
from codegen.model import DEFAULT, Cell, Ref, Registry
from codegen.reader import Reader

_DESCRIPTION = """\
Reads what `rung tune --output PROPOSAL` has written, checks it against the registry, and prints the change of the
registry as a patch, then what would resolve differently, as Markdown. Nothing is written without --write.
docs/tuning.md tells how measurements become such a proposal.

exit status: 0 done, also when the registry says all of it already; 1 the proposal or the registry is wrong; 2 wrong
usage, or a file that cannot be read or written."""

VERSION = 1
_TOLD = ("date", "machine", "tool", "margin", "proof")  # for whoever reads the proposal
_MEASURED = ("was", "ratio", "measured")


@dataclass(frozen=True)
class Change:
    op: Ref
    kernel: Ref  # device/arch
    variant: Ref
    after: Optional[Ref]
    mark: Mark

    @property
    def what(self) -> str:
        variant = "" if self.variant.name == DEFAULT else f", variant {self.variant.name}"
        return f"{self.op.name} on {self.kernel.name}{variant}"


def main(words: Sequence[str]) -> int:
    options = _parser().parse_args(words)
    registry_path: Path = options.registry
    proposal = Diagnostics(str(options.proposal))
    current = Diagnostics(str(registry_path))
    try:
        namespace, changes = read(options.proposal.read_bytes(), proposal)
        data = registry_path.read_bytes()
        registry = _registry(data, registry_path.name, current)
        if namespace.name != registry.namespace:
            proposal.error(namespace.mark, f"it is for namespace '{namespace.name}', not '{registry.namespace}'")
            raise RegistryError
        text, tuned = apply(data.decode("utf-8"), registry, changes, proposal)
    except RegistryError:
        sys.stderr.write(current.text() or proposal.text())
        return 1
    if text.encode() == data:
        print(f"{registry_path} says all of it already: nothing to change")
        return 0
    _show(registry_path, data.decode("utf-8"), text, diff.compare(_matrix(registry), _matrix(tuned))[0])
    if options.write:
        _replace(registry_path, text.encode())
        print(f"\n{registry_path} is written. ./dev gen brings the generated files up to date.")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python3 -m codegen tune",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("proposal", type=Path, metavar="PROPOSAL", help="what `rung tune --output` has written")
    parser.add_argument(
        "--registry", type=Path, default=Path("registry.yaml"), metavar="FILE", help="the registry (registry.yaml)"
    )
    parser.add_argument("--write", action="store_true", help="write the registry; without it nothing is written")
    return parser


# ---- the proposal ---------------------------------------------------------------------------------------------------


def read(data: bytes, diagnostics: Diagnostics) -> tuple[Ref, list[Change]]:
    """The namespace that a proposal is for, and its changes. RegistryError when it cannot be read."""
    reader = Reader(diagnostics)
    top = reader.fields(
        load.parse(data, diagnostics), "the proposal", ("rung", "version", "namespace", "changes"), _TOLD
    )
    if top is None:
        raise RegistryError
    reader.choice(top.get("rung"), "rung", ("tune",))
    version = reader.integer(top.get("version"), "version", 0, 10**6)
    if version is not None and version != VERSION:
        diagnostics.error(top.value_mark("version"), f"version {version} is unknown; this is version {VERSION}")
    namespace = reader.name(top.get("namespace"), "namespace")
    changes = [_change(reader, node) for node in reader.elements(top.get("changes"), "changes")]
    seen: dict[tuple[str, str, str], Change] = {}
    for change in filter(None, changes):
        first = seen.setdefault((change.op.name, change.kernel.name, change.variant.name), change)
        if first is not change:
            diagnostics.error(change.mark, f"{change.what} is changed twice", (first.mark, "first here"))
    if diagnostics.errors or namespace is None:
        raise RegistryError
    return namespace, list(seen.values())


def _change(reader: Reader, node: Node) -> Optional[Change]:
    fields = reader.fields(node, "a change", ("op", "kernel", "after"), ("variant", *_MEASURED))
    if fields is None:
        return None
    op = reader.name(fields.get("op"), "op of a change")
    kernel = reader.name(fields.get("kernel"), "kernel of a change")
    variant = Ref(DEFAULT, fields.mark)
    if fields.get("variant") is not None:
        variant = reader.name(fields.get("variant"), "variant of a change") or variant
    value = fields.get("after")
    none = value is not None and is_scalar(value) and tag_of(value) == "null"
    after = None if none else reader.name(value, "after of a change")
    if op is None or kernel is None or (after is None and not none):
        return None
    return Change(op, kernel, variant, after, mark_of(node))


# ---- the registry ---------------------------------------------------------------------------------------------------


def apply(
    text: str, registry: Registry, changes: Sequence[Change], diagnostics: Diagnostics
) -> tuple[str, Registry]:
    """The text of the registry with the changes, and what it says. RegistryError when one of them cannot be made; the
    diagnostics, which are those of the proposal, say why."""
    head = "\ufeff" if text.startswith("\ufeff") else ""
    text = text[len(head):]
    for change in changes:
        _known(registry, change, diagnostics)
    if diagnostics.errors:
        raise RegistryError
    for change in changes:
        after = change.after.name if change.after else None
        found = Diagnostics(registry.file)
        try:
            text = edit.set_after(text, change.op.name, change.kernel.name, change.variant.name, after)
            tuned = _registry(text.encode(), registry.file, found)
            if _plain(tuned) != _plain(_meant(registry, change)):
                raise edit.CannotEdit(_cell(registry, change).mark, "something else would change as well")
        except edit.CannotEdit as error:
            wanted = f"after: {after}" if after else "no after"
            diagnostics.error(
                change.mark,
                f"{change.what}: {registry.file}:{error.mark.line} has to be edited by hand, to {wanted}: {error}",
            )
            raise RegistryError from None
        except RegistryError:
            diagnostics.error(change.mark, found.errors[0].text)
            raise
        registry = tuned
    return head + text, registry


def _known(registry: Registry, change: Change, diagnostics: Diagnostics) -> None:
    op = next((op for op in registry.ops if op.name == change.op.name), None)
    if op is None:
        names = [op.name for op in registry.ops]
        diagnostics.error(change.op.mark, f"unknown op '{change.op.name}'{nearest(change.op.name, names)}")
    elif not any(_is_meant(cell, change) for cell in op.cells):
        places = [cell.place for cell in op.cells if cell.variant == change.variant.name]
        hint = nearest(change.kernel.name, places)
        diagnostics.error(change.kernel.mark, f"{change.what}: the registry has no such kernel{hint}")


def _is_meant(cell: Cell, change: Change) -> bool:
    return (cell.op, cell.place, cell.variant) == (change.op.name, change.kernel.name, change.variant.name)


def _cell(registry: Registry, change: Change) -> Cell:
    return next(cell for op in registry.ops for cell in op.cells if _is_meant(cell, change))


def _meant(registry: Registry, change: Change) -> Registry:
    """What the registry is to say when the change is made."""
    ops = tuple(
        dataclasses.replace(
            op,
            cells=tuple(
                dataclasses.replace(cell, after=change.after) if _is_meant(cell, change) else cell for cell in op.cells
            ),
        )
        for op in registry.ops
    )
    return dataclasses.replace(registry, ops=ops)


def _plain(value: Any) -> Any:
    """What is said, without where it stands and in which order the kernels of an op are listed."""
    if isinstance(value, Mark):
        return None
    if dataclasses.is_dataclass(value):
        found = {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
        if "cells" in found:
            found["cells"] = sorted(found["cells"], key=repr)
        if isinstance(value, Cell) and not value.launched:
            del found["launcher"]  # a name that nobody uses
        for place in [name for name in found if name.endswith("mark") or name.endswith("marks")]:
            del found[place]
        return found
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    return value


def _registry(data: bytes, name: str, diagnostics: Diagnostics) -> Registry:
    """The checked registry; kernels' files need not exist."""
    registry = schema.build(load.parse(data, diagnostics), name, diagnostics)
    validate.check(registry, diagnostics, None)
    if diagnostics.errors:
        raise RegistryError
    return registry


def _matrix(registry: Registry) -> diff.Matrix:
    return diff.parse(coverage.emit(layout.build(registry))["coverage.json"].encode())


# ---- output ---------------------------------------------------------------------------------------------------------


def _show(path: Path, old: str, new: str, resolution: str) -> None:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), f"a/{path.name}", f"b/{path.name}", lineterm="")
    print("\n".join(lines))
    print(f"\n{resolution}", end="")


def _replace(path: Path, data: bytes) -> None:
    """All of it or nothing, with the file's own permissions."""
    place = path.resolve()
    beside = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        with open(beside, "xb") as stream:
            os.fchmod(stream.fileno(), place.stat().st_mode & 0o7777)
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(beside, place)
    finally:
        beside.unlink(missing_ok=True)
