# SPDX-License-Identifier: Apache-2.0
"""The library under test, what a run has compared, and the generator importable from any working directory."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from _pytest.terminal import TerminalReporter

HERE = Path(__file__).resolve().parent
for folder in (HERE.parents[1], HERE):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

import cases  # noqa: E402
import subject  # noqa: E402

COUNTS: dict[str, int] = {}
REASONS: set[str] = set()


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """In a folder of its own, with the harness's object beside it."""
    if not shutil.which(subject.compiler()[0]):
        pytest.skip(f"unproven: no C compiler: {subject.compiler()[0]}, from the environment's CC")
    return subject.library_in(tmp_path_factory.mktemp("library"))


@pytest.fixture(scope="session")
def counts() -> dict[str, int]:
    return COUNTS


@pytest.fixture(scope="session")
def reasons() -> set[str]:
    """Met in any explanation."""
    return REASONS


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    counted = ", ".join(f"{number} {what}" for what, number in COUNTS.items())
    terminalreporter.write_line(f"differential: seed {cases.SEED}: {counted or 'nothing compared'}")
