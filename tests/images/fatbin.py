# SPDX-License-Identifier: Apache-2.0
"""What is in a fatbin, read from its bytes alone: nvcc's container of machine code (ELF) and PTX.

The layout is not documented; it was found by looking at what nvcc 13.0.88 writes. What differs from it is an error."""
import ctypes
import re
import struct
from dataclasses import dataclass
from typing import Dict, Iterator, List, Optional, Tuple

MAGIC = 0xBA55ED50
CONTAINER = struct.Struct("<IHHQ")  # magic, version, bytes of this header, bytes after it
KINDS = {1: "ptx", 2: "elf"}
SMALLEST_HEADER = 64
FLAG_ZSTD = 0x8000
FLAG_LZ4 = 0x2000
SUFFIXES = {0x100000: "a", 0x200000: "f"}

EM_CUDA = 190
SHT_SYMTAB = 2
STO_ENTRY = 0x10  # of st_other: the function is launched


class Broken(ValueError):
    """These bytes are not what nvcc writes."""


class NoZstd(RuntimeError):
    """A part is compressed, and there is no libzstd here."""


@dataclass(frozen=True)
class Part:
    """One entry of a container."""

    kind: str
    sm: int
    suffix: str
    entries: Tuple[str, ...]  # the functions that can be launched, sorted
    data: bytes  # as the driver gets it, decompressed
    stored: int  # bytes in the container, with the header

    @property
    def target(self) -> str:
        return f"{'sm' if self.kind == 'elf' else 'compute'}_{self.sm}{self.suffix}"


def zstd_decompress(data: bytes, size: int) -> bytes:
    try:
        library = ctypes.CDLL("libzstd.so.1")  # which Debian's dpkg needs
    except OSError as error:
        raise NoZstd("libzstd.so.1 is missing") from error
    if size > 1 << 30:
        raise Broken(f"a compressed part of {size} bytes")
    library.ZSTD_decompress.restype = ctypes.c_size_t
    library.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    out = ctypes.create_string_buffer(size)
    if library.ZSTD_decompress(out, size, data, len(data)) != size:
        raise Broken("a compressed part that does not decompress to the size it says")
    return out.raw


def unpack(layout: str, data: bytes, at: int) -> Tuple[int, ...]:
    return struct.unpack("<" + layout, cut(data, at, struct.calcsize("<" + layout)))


def cut(data: bytes, at: int, size: int) -> bytes:
    if at + size > len(data):
        raise Broken(f"it ends at byte {len(data)}, and {size} bytes are to be read at {at}")
    return data[at:at + size]


# ---- ELF: machine code here, objects and programs in contents.py -----------------------------------------------------

@dataclass(frozen=True)
class Section:
    name: str
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    entry_size: int


@dataclass(frozen=True)
class Symbol:
    name: str
    binding: int
    kind: int
    other: int
    section: int
    value: int
    size: int


def text_at(table: bytes, at: int) -> str:
    end = table.find(b"\0", at)
    if end < 0:
        raise Broken("a name without an end")
    return ascii_text(table[at:end])


def ascii_text(data: bytes) -> str:
    try:
        return data.decode("ascii")
    except UnicodeDecodeError as error:
        raise Broken("text that is not ASCII") from error


class Elf:
    """A 64-bit little-endian ELF file."""

    def __init__(self, data: bytes) -> None:
        if data[:6] != b"\x7fELF\x02\x01":
            raise Broken("no 64-bit little-endian ELF file")
        self.data = data
        self.abi_version = unpack("B", data, 8)[0]
        self.type, self.machine = unpack("HH", data, 16)
        sections_at, self.flags = unpack("QI", data, 40)
        size, count, names = unpack("HHH", data, 58)
        headers = [unpack("IIQQQQIIQQ", data, sections_at + i * size) for i in range(count)]
        if count and names >= count:
            raise Broken("no section with the names of the sections")
        table = cut(data, headers[names][4], headers[names][5]) if count else b""
        self.sections = [Section(text_at(table, h[0]), h[1], h[2], h[3], h[4], h[5], h[6], h[9]) for h in headers]

    def symbols(self) -> Iterator[Symbol]:
        for section in self.sections:
            if section.kind == SHT_SYMTAB:
                if section.link >= len(self.sections):
                    raise Broken("no section with the names of the symbols")
                names = self.sections[section.link]
                table = cut(self.data, names.offset, names.size)
                for at in range(section.offset, section.offset + section.size, 24):
                    name, info, other, index, value, size = unpack("IBBHQQ", self.data, at)
                    yield Symbol(text_at(table, name), info >> 4, info & 15, other, index, value, size)


def machine_code_entries(data: bytes, sm: int) -> Tuple[str, ...]:
    elf = Elf(data)
    if elf.machine != EM_CUDA:
        raise Broken(f"machine code for machine {elf.machine}")
    # the suffix is not in it
    said: Optional[int] = {7: elf.flags & 0xFF, 8: elf.flags >> 8 & 0xFF}.get(elf.abi_version)
    if said is not None and said != sm:
        raise Broken(f"machine code for sm_{said} in an entry for sm_{sm}")
    return tuple(sorted(s.name for s in elf.symbols() if s.kind == 2 and s.binding == 1 and s.other & STO_ENTRY))


def ptx_entries(data: bytes, target: str) -> Tuple[str, ...]:
    text = ascii_text(data.rstrip(b"\0"))
    found = re.search(r"^\.target\s+(\w+)", text, re.M)
    if not found or found.group(1) != target:
        raise Broken(f"PTX for {found and found.group(1)} in an entry for {target}")
    return tuple(sorted(re.findall(r"\.entry\s+([\w$]+)", text)))


# ---- containers ------------------------------------------------------------------------------------------------------

def read(data: bytes) -> List[Part]:
    """The parts of a container that takes up all of `data`, in its order."""
    magic, version, header, size = unpack("IHHQ", data, 0)
    if magic != MAGIC:
        raise Broken(f"it begins with {magic:#x}")
    if version != 1 or header < CONTAINER.size:
        raise Broken(f"a container of version {version} with a header of {header} bytes")
    if header + size != len(data):
        raise Broken(f"a container of {header + size} bytes in {len(data)}")
    parts = []
    at = header
    while at < len(data):
        part, at = read_part(data, at)
        parts.append(part)
    return parts


def read_part(data: bytes, at: int) -> Tuple[Part, int]:
    kind_number, _, header, size, compressed = unpack("HHIQI", data, at)
    sm = unpack("I", data, at + 28)[0]
    flags = unpack("Q", data, at + 40)[0]
    plain_size = unpack("Q", data, at + 56)[0]
    if kind_number not in KINDS or header < SMALLEST_HEADER:
        raise Broken(f"an entry of kind {kind_number} with a header of {header} bytes")
    payload = cut(data, at + header, size)
    if flags & FLAG_LZ4:
        raise Broken("a part compressed in a way that is not known here")
    if flags & FLAG_ZSTD:
        if compressed > size:
            raise Broken(f"{compressed} compressed bytes in {size}")
        payload = zstd_decompress(payload[:compressed], plain_size)
    kind = KINDS[kind_number]
    suffix = "".join(letter for bit, letter in SUFFIXES.items() if flags & bit)
    names = machine_code_entries(payload, sm) if kind == "elf" else ptx_entries(payload, f"sm_{sm}{suffix}")
    return Part(kind, sm, suffix, names, payload, header + size), at + header + size


# ---- what is expected ------------------------------------------------------------------------------------------------

def expected_targets(arch: str, target: Optional[str], numbers: List[int]) -> List[str]:
    """The targets of an image on this arch. numbers: those that images on `generic` are built for."""
    if arch == "ptx":
        return [str(target)]
    if arch == "generic":
        return [f"compute_{min(numbers)}"] + [f"sm_{n}" for n in numbers]
    name = arch[2:]
    return [f"sm_{name}"] if name[-1] in "af" else [f"compute_{name}", f"sm_{name}"]


def differences(expected: Dict[str, Dict[str, Tuple[str, ...]]], found: Dict[str, List[Part]]) -> List[str]:
    """What is missing, and what is too many: images, their targets, and the entries of each. expected: for every image
    its targets, and for each of those its entries."""
    said = [f"{image}: is missing" for image in expected if image not in found]
    said += [f"{image}: is not listed" for image in found if image not in expected]
    for image in sorted(expected.keys() & found.keys()):
        targets = [part.target for part in found[image]]
        said += [f"{image}: {t} is missing" for t in expected[image] if t not in targets]
        said += [f"{image}: {t} is not listed" for t in targets if t not in expected[image]]
        said += [f"{image}: {t} is there twice" for t in sorted(set(targets)) if targets.count(t) > 1]
        for part in found[image]:
            wanted = expected[image].get(part.target, part.entries)
            said += [f"{image}: {part.target}: {e} is missing" for e in wanted if e not in part.entries]
            said += [f"{image}: {part.target}: {e} is not listed" for e in part.entries if e not in wanted]
    return said
