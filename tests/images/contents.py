# SPDX-License-Identifier: Apache-2.0
"""The images in an archive, an object or a program: the bytes of every symbol <namespace>_image__...__bytes."""
from pathlib import Path
from typing import Dict, Iterator, List, Tuple

from fatbin import MAGIC, Broken, Elf, Part, read

SUFFIX = "__bytes"
SHT_NOBITS = 8
SHF_ALLOC, SHF_EXECINSTR = 2, 4


def members(data: bytes) -> Iterator[Tuple[str, bytes]]:
    """The objects of a static library, or the file itself where it is none."""
    if data[:8] != b"!<arch>\n":
        yield "", data
        return
    long_names = b""
    at = 8
    while at + 60 <= len(data):
        name = data[at:at + 16].decode().rstrip()
        size = int(data[at + 48:at + 58])
        body = data[at + 60:at + 60 + size]
        if len(body) != size:
            raise Broken(f"a library that ends in its member {name}")
        if name == "//":
            long_names = body
        elif name.startswith("/") and name[1:].isdigit():
            begin = int(name[1:])
            yield long_names[begin:long_names.index(b"/\n", begin)].decode(), body
        elif name not in ("/", "/SYM64/"):
            yield name.rstrip("/"), body
        at += 60 + size + size % 2


def raw_images(file: Path) -> Dict[str, bytes]:
    """Image name -> its bytes. Every container in the data that is loaded must be one of them."""
    found: Dict[str, bytes] = {}
    for name, data in members(file.read_bytes()):
        if data[:4] != b"\x7fELF":
            continue
        elf = Elf(data)
        containers = 0
        for section in elf.sections:
            if section.flags & (SHF_ALLOC | SHF_EXECINSTR) == SHF_ALLOC and section.kind != SHT_NOBITS:
                body = data[section.offset:section.offset + section.size]
                containers += body.count(MAGIC.to_bytes(4, "little"))
        images = {}
        for symbol in elf.symbols():
            if "_image__" in symbol.name and symbol.name.endswith(SUFFIX):
                section = elf.sections[symbol.section]
                if symbol.value % 64:
                    raise Broken(f"{symbol.name} is not aligned to 64 bytes")
                # in an object the value counts from the section's begin
                begin = section.offset + symbol.value - (section.address if elf.type != 1 else 0)
                images[symbol.name[:-len(SUFFIX)]] = data[begin:begin + symbol.size]
        if containers != len(images):
            raise Broken(f"{file.name} {name}: {containers} containers and {len(images)} images")
        found.update(images)
    return found


def images(file: Path) -> Dict[str, List[Part]]:
    return {name: read(data) for name, data in raw_images(file).items()}
