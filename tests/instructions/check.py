# SPDX-License-Identifier: Apache-2.0
"""What objects of a library may not have: instructions above the arch of the cell that they define, or above the
processor family's baseline where they define none; code that runs before main; symbols that a loader resolves by
calling code; exported names without a prefix; common symbols; a stack that is to be executable.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterable, Optional, Sequence

import levels
from exceptions import GUARDED, Guarded
from levels import Target
from objects import Instruction, Object, disassemble, load
from tools import Tools

STT_COMMON, STT_GNU_IFUNC = 5, 10
STB_LOCAL, STB_GNU_UNIQUE = 0, 10
SHN_COMMON = 0xFFF2
SHF_EXECINSTR = 4
INITIALISERS = re.compile(r"\.(init_array|fini_array|preinit_array|ctors|dtors|init|fini)(\..*)?")
INITIALISER_KINDS = (14, 15, 16)  # SHT_INIT_ARRAY, SHT_FINI_ARRAY, SHT_PREINIT_ARRAY
IRELATIVE = {62: (37, "R_X86_64_IRELATIVE"), 183: (1032, "R_AARCH64_IRELATIVE")}  # by e_machine
SHOWN = 4  # instructions of one object


@dataclass(frozen=True)
class Cell:
    """What a kernel's object is compiled for, as files.json says."""

    device: str
    arch: str
    family: str
    requires: tuple[str, ...] = ()


def cells_of(files: Path) -> dict[str, Cell]:
    """By the symbol of the kernel."""
    return {k["symbol"]: Cell(k["device"], k["arch"], k["family"], tuple(k["requires"]))
            for k in json.loads(files.read_text(encoding="utf-8"))["kernels"]}


@dataclass
class Library:
    file: Path
    prefixes: tuple[str, ...]  # of what it exports; none: a part of a program, whose names meet no one else's
    cells: dict[str, Cell] = field(default_factory=dict)


@dataclass
class Report:
    """All is well where `faults` is empty."""

    faults: list[str] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)  # kernels' objects that use nothing of their arch
    objects: Counter[str] = field(default_factory=Counter)  # by arch; "baseline" for those without cells
    using: Counter[str] = field(default_factory=Counter)  # by arch: those that use something of it
    instructions: int = 0


def target_of(one: Object, library: Library, tools: Tools) -> tuple[Target, str]:
    """What an object may consist of, and the name of its arch; "" where it defines no cell of a processor's arch."""
    defined = {symbol.name for symbol in one.symbols}
    found = set()
    for name in defined & library.cells.keys():
        cell = library.cells[name]
        own = cell.device == "cpu" and cell.family in ("any", tools.family)
        extra = levels.features(tools.family, cell.requires) if own else frozenset()
        found.add((Target(tools.family, cell.arch if own else "generic", extra), f"{cell.device}/{cell.arch}"))
    if len(found) > 1:
        raise ValueError(f"{one} defines cells of {sorted(arch for _, arch in found)}, which no flags are right for")
    return found.pop() if found else (Target(tools.family), "")


def check(libraries: Sequence[Library], tools: Tools, guarded: Iterable[Guarded] = GUARDED) -> Report:
    report = Report()
    loaded = [(library, one) for library in libraries for one in load(library.file)]
    disassemble([one for _, one in loaded], tools)
    by_target: dict[Target, list[tuple[Object, str]]] = {}
    for library, one in loaded:
        report.faults += [f"{one}: {what}" for what in layout_faults(one, library.prefixes)]
        report.instructions += len(one.instructions)
        try:
            target, arch = target_of(one, library, tools)
        except ValueError as error:
            report.faults.append(str(error))
            continue
        report.objects[arch or "baseline"] += 1
        by_target.setdefault(target, []).append((one, arch))
    used: set[Guarded] = set()
    for target, some in by_target.items():
        instruction_faults(target, some, tools, tuple(guarded), used, report)
    report.faults += stale(guarded, used, loaded, tools)
    report.faults.sort()
    report.idle.sort()
    return report


# ---- instructions ----------------------------------------------------------------------------------------------------

def instruction_faults(target: Target, some: list[tuple[Object, str]], tools: Tools, guarded: Sequence[Guarded],
                       used: set[Guarded], report: Report) -> None:
    texts = {i.text for one, _ in some for i in one.instructions}
    refused = levels.refused(tools.assembler, target, texts)
    below = target.below if target.rank or target.features else None
    narrow = below is not None and below.march != target.march
    not_below = levels.refused(tools.assembler, below, texts) if below and narrow else {}
    for one, arch in some:
        faults = []
        for i in one.instructions:
            if i.text not in refused and target.encodes(i.space):
                continue
            excuse = excused(one, arch, i, tools, guarded)
            if excuse:
                used.add(excuse)
            else:
                faults.append(i)
        what = f"{arch}, {target}" if arch else f"no kernel's, {target}"
        for i in faults[:SHOWN]:
            level = levels.lowest(tools.assembler, target.family, i.text, i.space)
            why = f"of {level}" if level else refused.get(i.text, f"{i.space} encoding")
            report.faults.append(f"{one} ({what}): {i} ({why})")
        if len(faults) > SHOWN:
            report.faults.append(f"{one} ({what}): {len(faults) - SHOWN} more")
        if arch and below and narrow:
            if any(i.text in not_below or not below.encodes(i.space) for i in one.instructions):
                report.using[arch] += 1
            else:
                report.idle.append(f"{one} of {arch}: nothing that {below} has not")


def excused(one: Object, arch: str, i: Instruction, tools: Tools, guarded: Sequence[Guarded]) -> Optional[Guarded]:
    for entry in guarded:
        if arch or (entry.family, entry.library, entry.object) != (tools.family, one.library, one.name):
            continue
        if entry.what in levels.LEVELS[tools.family]:
            target = Target(tools.family, entry.what)
            if target.encodes(i.space) and not levels.refused(tools.assembler, target, (i.text,)):
                return entry
        elif entry.what in i.text.split():
            return entry
    return None


def stale(guarded: Iterable[Guarded], used: set[Guarded], loaded: list[tuple[Library, Object]],
          tools: Tools) -> list[str]:
    """Exceptions for what is not there, of the libraries that were looked at."""
    libraries = {library.file.name for library, _ in loaded}
    faults = []
    for entry in guarded:
        written = [one for _, one in loaded if (one.library, one.name) == (entry.library, entry.object)]
        others = written and not any(entry.compiler.encode() in one.section(".comment") for one in written)
        if entry.family == tools.family and entry.library in libraries and entry not in used and not others:
            faults.append(f"{entry.library}({entry.object}): there is no {entry.what} that needs its exception")
    return faults


# ---- sections, symbols and relocations -------------------------------------------------------------------------------

def layout_faults(one: Object, prefixes: tuple[str, ...]) -> list[str]:
    faults = []
    stack = None
    for section in one.elf.sections:
        if section.kind in INITIALISER_KINDS or (INITIALISERS.fullmatch(section.name) and section.size):
            faults.append(f"section {section.name}: code that runs before main or after it")
        if section.name.startswith(".gnu.lto_"):
            faults.append(f"section {section.name}: not machine code yet, so that nothing can be said of it")
        if section.name == ".note.GNU-stack":
            stack = section
    if stack is None or stack.flags & SHF_EXECINSTR:
        faults.append("its .note.GNU-stack does not say that the stack need not be executable")
    number, name = IRELATIVE[one.elf.machine]
    for where, place, kind in one.relocation_types():
        if kind == number:
            faults.append(f"{where}+{place:#x}: relocation {name}, which runs a resolver")
    for symbol in one.symbols:
        if symbol.kind == STT_GNU_IFUNC:
            faults.append(f"{symbol.name}: of type IFUNC, which runs a resolver")
        if symbol.kind == STT_COMMON or symbol.section == SHN_COMMON:
            faults.append(f"{symbol.name}: a common symbol, which merges with others of its name")
        if symbol.binding == STB_GNU_UNIQUE:
            faults.append(f"{symbol.name}: of binding UNIQUE, which no dlclose unloads")
        if prefixes and symbol.binding != STB_LOCAL and not symbol.name.startswith(prefixes):
            faults.append(f"{symbol.name}: exported without {' or '.join(prefixes)}")
    return sorted(set(faults))
