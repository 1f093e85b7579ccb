# SPDX-License-Identifier: Apache-2.0
"""GNU objdump and GNU as for the processors that a C compiler compiles for.

LLVM's will not do: its assembler and disassembler take every instruction of x86-64, whatever processor they are told.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
from dataclasses import dataclass

FAMILIES = {"x86_64": "x86", "aarch64": "aarch64"}


class Missing(Exception):
    """What there would have to be, for people."""


@dataclass(frozen=True)
class Tools:
    family: str  # as files.json spells it
    cc: str
    objdump: str
    assembler: str


def run(*command: object) -> str:
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}:\n{done.stdout[-4000:]}")
    return done.stdout


def find(cc: str) -> Tools:
    triple = run(cc, "-dumpmachine").strip()
    cpu = triple.partition("-")[0]
    if cpu not in FAMILIES:
        raise Missing(f"an instruction check for {cpu}, which this test knows no levels of")
    found = {}
    for name in ("objdump", "as"):
        names = [f"{triple}-{name}", f"{cpu}-linux-gnu-{name}"] + ([name] if platform.machine() == cpu else [])
        for candidate in names:
            if shutil.which(candidate) and run(candidate, "--version").startswith("GNU "):
                found[name] = candidate
                break
        else:
            raise Missing(f"GNU {name} for {cpu} (Debian: binutils-{cpu.replace('_', '-')}-linux-gnu)")
    return Tools(FAMILIES[cpu], cc, found["objdump"], found["as"])
