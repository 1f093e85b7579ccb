# SPDX-License-Identifier: Apache-2.0
"""The instruction proof of this build: all objects of its libraries, and those of the programs that are installed.

The programs themselves have the C library's own initialisers; what is ours in them is their objects.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import check
import levels
import pytest
from tools import Tools

ROOT = Path(__file__).resolve().parents[2]
FILES = ROOT / "generated/files.json"


@pytest.fixture(scope="module")
def report(binutils: Tools, lines: list[str]) -> check.Report:
    build: dict[str, Any] = json.loads(Path(os.environ["RUNG_BUILT"]).read_text())
    cells = check.cells_of(FILES)
    libraries = [check.Library(Path(entry["file"]), tuple(entry["prefixes"]), cells) for entry in build["libraries"]]
    libraries += [check.Library(Path(name), ()) for name in build["objects"]]
    report = check.check(libraries, binutils)
    lines.append(f"{report.instructions} in {sum(report.objects.values())} objects: " + ", ".join(
        f"{number} {arch}" for arch, number in sorted(report.objects.items())))
    lines.extend(report.idle)
    return report


def test_objects(report: check.Report) -> None:
    assert report.faults == []
    assert report.instructions > 0 and report.objects["baseline"] > 0


def test_every_arch_is_used(report: check.Report, binutils: Tools) -> None:
    """Where this compiler knows its flags, there are objects of it, some of which need it."""
    flags = {(k["device"], k["arch"]): k["flags"] for k in json.loads(FILES.read_text(encoding="utf-8"))["kernels"]
             if k["device"] in ("cpu", "accel") and k["family"] in ("any", binutils.family)}
    assert flags
    for (device, arch), some in flags.items():
        known = subprocess.run([binutils.cc, *some, "-x", "c", "-fsyntax-only", os.devnull], stderr=subprocess.DEVNULL)
        if known.returncode == 0:
            name = f"{device}/{arch}"
            assert report.objects[name] > 0, name
            target = levels.Target(binutils.family, arch if device == "cpu" else "generic")
            if target.rank and target.march != target.below.march:
                assert report.using[name] > 0, f"nothing of {name} needs it"
