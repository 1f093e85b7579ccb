# SPDX-License-Identifier: Apache-2.0
"""The objects of static libraries, and their instructions as GNU objdump prints them."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterator

from contents import members
from fatbin import Elf, Symbol, unpack

from tools import Tools, run

SHT_RELA, SHT_REL = 4, 9


@dataclass(frozen=True)
class Instruction:
    section: str
    symbol: str
    address: int  # in the section
    text: str  # as the assembler takes it back, with `.` where a jump goes
    space: str  # of x86: the encoding (below); else empty

    def __str__(self) -> str:
        return f"{self.symbol or '(no symbol)'}, {self.section}+{self.address:#x}: {self.text}"


@dataclass
class Object:
    library: str
    name: str
    data: bytes
    instructions: list[Instruction] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.elf = Elf(self.data)
        self.symbols: list[Symbol] = [s for s in self.elf.symbols() if s.section != 0]

    def __str__(self) -> str:
        return f"{self.library}({self.name})" if self.library != self.name else self.name

    def section(self, name: str) -> bytes:
        """What is in all sections of a name."""
        return b"".join(self.data[s.offset:s.offset + s.size] for s in self.elf.sections if s.name == name)

    def relocation_types(self) -> Iterator[tuple[str, int, int]]:
        """Of every relocation: its section, its place there, its type."""
        for section in self.elf.sections:
            if section.kind in (SHT_RELA, SHT_REL):
                for at in range(section.offset, section.offset + section.size, section.entry_size):
                    place, info = unpack("QQ", self.data, at)
                    yield section.name, place, info & 0xFFFFFFFF


def load(file: Path) -> list[Object]:
    """Those of a static library, or the one that the file is."""
    return [Object(file.name, name or file.name, data) for name, data in members(file.read_bytes())]


# ---- instructions ----------------------------------------------------------------------------------------------------

_FILE = re.compile(r"(?:.*/)?(\d+)\.o:\s+file format ")
_SECTION = re.compile(r"Disassembly of section (.+):$")
_SYMBOL = re.compile(r"[0-9a-f]+ <(.+)>:$")
_CODE = re.compile(r"\s*([0-9a-f]+):\t((?:[0-9a-f]{2,8} )+)\s*\t(.+)$")
_PLACE = re.compile(r"\b(?:0x)?[0-9a-f]+ <[^>]+>")
_DATA = re.compile(r"\.(?:byte|short|word|xword)\b")  # in code, which AArch64's objects mark as such


def disassemble(objects: list[Object], tools: Tools) -> None:
    """Sets the instructions of all, with one run of objdump."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{i}.o" for i in range(len(objects))]
        for file, one in zip(files, objects):
            file.write_bytes(one.data)
        text = run(tools.objdump, "-dwz", *files)
    into = objects[0].instructions
    section = symbol = ""
    for line in text.splitlines():
        code = _CODE.match(line)
        if code:
            address, raw, words = code.groups()
            words = assembled(words, tools.family)
            if not (tools.family == "aarch64" and _DATA.match(words)):
                space = encoding_space(bytes.fromhex(raw)) if tools.family == "x86" else ""
                into.append(Instruction(section, symbol, int(address, 16), words, space))
        elif found := _SYMBOL.match(line):
            symbol = found[1]
        elif found := _SECTION.match(line):
            section, symbol = found[1], ""
        elif found := _FILE.match(line):
            into = objects[int(found[1])].instructions
        elif line.strip():
            raise RuntimeError(f"a line of {tools.objdump} that is not understood: {line}")


def assembled(words: str, family: str) -> str:
    """As the assembler takes it: without what objdump explains, and with one place for all that a jump may go to."""
    words = words.split("//" if family == "aarch64" else "#")[0]
    words = _PLACE.sub(".", words).strip().replace("\t", " ")
    # padding: the prefix once more changes nothing, and the assembler refuses it twice
    return re.sub(r"^(data16 )+", "", words)


_LEGACY = frozenset(b"\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3")


def encoding_space(raw: bytes) -> str:
    """Which of the later encodings of 64-bit code an x86 instruction has: VEX, EVEX, XOP or REX2 (Intel's and AMD's
    manuals: the bytes that begin these begin nothing else there). The text alone does not tell: one that could be VEX
    may be EVEX."""
    at = 0
    while at < len(raw) and raw[at] in _LEGACY:
        at += 1
    if at == len(raw):
        return ""
    if raw[at] == 0x8F and at + 1 < len(raw) and raw[at + 1] & 0x1F >= 8:
        return "XOP"  # with less it is POP
    return {0x62: "EVEX", 0xC4: "VEX", 0xC5: "VEX", 0xD5: "REX2"}.get(raw[at], "")
