# SPDX-License-Identifier: Apache-2.0
"""What the tests share, and the lines that a run ends with."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from _pytest.terminal import TerminalReporter

HERE = Path(__file__).resolve().parent
for folder in (HERE.parents[1], HERE.parent / "images", HERE):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

import tools  # noqa: E402

LINES: list[str] = []


@pytest.fixture(scope="session")
def binutils() -> tools.Tools:
    try:
        return tools.find(os.environ.get("CC", "gcc"))
    except tools.Missing as missing:
        pytest.skip(f"unproven: {missing}")


@pytest.fixture(scope="session")
def lines() -> list[str]:
    """To be printed when all is done."""
    return LINES


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    for line in LINES:
        terminalreporter.write_line(f"instructions: {line}")
