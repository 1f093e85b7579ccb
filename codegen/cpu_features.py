# SPDX-License-Identifier: Apache-2.0
"""The CPU features of src/include/rung/cpu_features.h, the one list that the library and the generator share."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

HEADER = Path(__file__).resolve().parent.parent / "src" / "include" / "rung" / "cpu_features.h"
_LINE = re.compile(r"^\s*X\((\w+), (\w+), (\d+)\)", re.MULTILINE)


@lru_cache(maxsize=None)
def families() -> dict[str, str]:
    """Feature name -> the processor family that has it."""
    found = {name: family for family, name, _ in _LINE.findall(HEADER.read_text(encoding="utf-8"))}
    if not found:
        raise OSError(f"{HEADER}: no line of the form X(family, name, bit)")
    return found
