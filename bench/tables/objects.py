# SPDX-License-Identifier: Apache-2.0
"""What is in object files and programs, as size, readelf and nm tell it."""
import os
import re
import subprocess
from pathlib import Path
from typing import Dict, Iterable, List


def output(*command: object) -> str:
    return subprocess.run([str(c) for c in command], check=True, stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "LC_ALL": "C"}).stdout


def sections(files: Iterable[Path]) -> Dict[str, int]:
    """Bytes by section, summed over the files."""
    total: Dict[str, int] = {}
    for name, size in re.findall(r"^(\.\S+)\s+(\d+)\s+\d+$", output("size", "-A", *files), re.M):
        total[name] = total.get(name, 0) + int(size)
    return total


def bytes_in(files: Iterable[Path], *kinds: str) -> int:
    """Of the sections of these kinds: `.text` stands for .text and .text.*."""
    return sum(size for name, size in sections(files).items() if any(f"{name}.".startswith(f"{k}.") for k in kinds))


def relocations(files: Iterable[Path]) -> Dict[str, int]:
    """Their number by the section that they change, as .data.rel.ro; of a program those of the dynamic linker, too."""
    total: Dict[str, int] = {}
    found = re.findall(r"^Relocation section '\.rela?(\.\S+)' .* contains (\d+) entr", output("readelf", "-rW", *files),
                       re.M)
    for name, count in found:
        total[name] = total.get(name, 0) + int(count)
    return total


def symbols(file: Path, types: str) -> Dict[str, int]:
    """Bytes by defined symbol of nm's types, as "tT" for functions."""
    lines: List[List[str]] = [line.split() for line in output("nm", "-S", "--defined-only", file).splitlines()]
    return {line[3]: int(line[1], 16) for line in lines if len(line) == 4 and line[2] in types}


def undefined(file: Path) -> List[str]:
    return [line.split()[-1] for line in output("nm", "-u", file).splitlines()]
