# SPDX-License-Identifier: Apache-2.0
"""Everything that makes a well-formed registry wrong. All findings of a run are reported, not the first alone."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

from codegen import validate_devices, validate_names, validate_ops, validate_rest
from codegen.diagnostics import Diagnostics
from codegen.model import Registry


def check(registry: Registry, diagnostics: Diagnostics, sources: Optional[Path]) -> None:
    """`sources`: the folder in which the kernels' files must exist; None: they are not looked for."""
    validate_devices.check(registry, diagnostics)
    validate_rest.check(registry, diagnostics, sources)
    validate_ops.check(registry, diagnostics, sources)
    validate_names.check(registry, diagnostics)
