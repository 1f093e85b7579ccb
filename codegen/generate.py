# SPDX-License-Identifier: Apache-2.0
"""From the bytes of a registry to the text of every output, in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

from codegen import coverage, emit_components, emit_dispatch, emit_files, emit_headers, emit_proof, emit_tables
from codegen import layout, load, manifest, schema, validate
from codegen.diagnostics import Diagnostics, RegistryError
from codegen.model import Registry


def read_registry(path: Path, diagnostics: Diagnostics, sources: Optional[Path]) -> tuple[Registry, bytes]:
    """The checked registry. `sources` is the folder in which kernels' files must exist; None: they are not looked for.

    RegistryError when anything is wrong: the diagnostics say what."""
    data = path.read_bytes()
    registry = schema.build(load.parse(data, diagnostics), path.name, diagnostics)
    validate.check(registry, diagnostics, sources)
    if diagnostics.errors:
        raise RegistryError
    return registry, data


def outputs(registry: Registry, data: bytes) -> dict[str, bytes]:
    """Every file of the output folder, by its path."""
    made = layout.build(registry)
    files = {**emit_headers.emit(made), **emit_dispatch.emit(made), **emit_tables.emit(made)}
    files.update(emit_components.emit(made))
    files.update(emit_proof.emit(made))
    files.update(emit_files.emit(made, list(files)))
    files.update(coverage.emit(made))
    encoded = {path: text.encode() for path, text in files.items()}
    encoded[manifest.NAME] = manifest.emit(registry.file, data, encoded).encode()
    return encoded
