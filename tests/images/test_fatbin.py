# SPDX-License-Identifier: Apache-2.0
"""The parser of containers, on containers that are made up here: right ones, broken ones, wrong ones."""
import struct
from typing import Callable, List, Tuple

import pytest
from fatbin import FLAG_LZ4, FLAG_ZSTD, MAGIC, Broken, Part, differences, expected_targets, read

A, F = 0x100000, 0x200000


def cubin(sm: int, names: List[str], helper: str = "helper") -> bytes:
    """Machine code with no instructions: its symbols alone. The helper cannot be launched."""
    strings, symbols = b"\0", bytes(24)
    for name in names + [helper]:
        symbols += struct.pack("<IBBHQQ", len(strings), 1 << 4 | 2, 0x10 if name != helper else 0, 1, 0, 128)
        strings += name.encode() + b"\0"
    section_names = b"\0.strtab\0.symtab\0.shstrtab\0"
    bodies = [(1, 3, strings, 0), (9, 2, symbols, 1), (17, 3, section_names, 0)]
    data, headers = bytes(64), bytes(64)
    for name_at, kind, body, link in bodies:
        headers += struct.pack("<IIQQQQIIQQ", name_at, kind, 0, 0, len(data), len(body), link, 0, 1, 24)
        data += body
    head = b"\x7fELF\x02\x01\x01\x41\x08" + bytes(7) + struct.pack(
        "<HHIQQQIHHHHHH", 2, 190, 1, 0, 0, len(data), 6 << 24 | sm << 8 | 4, 64, 56, 0, 64, 4, 3)
    return head + data[64:] + headers


def ptx(target: str, names: List[str]) -> bytes:
    bodies = "".join(f".visible .entry {name}(\n)\n{{\nret;\n}}\n" for name in names)
    return f"//\n.version 9.0\n.target {target}\n.address_size 64\n.func helper()\n{{\nret;\n}}\n{bodies}\0".encode()


def entry(kind: int, sm: int, payload: bytes, flags: int = 0x11) -> bytes:
    header = 64 if kind == 2 else 80
    payload += bytes(-len(payload) % 8)
    head = struct.pack("<HHIQIIIIIIQQQ", kind, 0x101, header, len(payload), 0, 0, 0, sm, 0, 0, flags, 0, 0)
    return head.ljust(header, b"\0") + payload


def container(*entries: bytes) -> bytes:
    body = b"".join(entries)
    return struct.pack("<IHHQ", MAGIC, 1, 16, len(body)) + body


NAMES = ["rk_scale__cuda_sm80", "rk_total__cuda_sm80__finish", "rk_total__cuda_sm80__partial"]
RIGHT = container(entry(1, 80, ptx("sm_80", NAMES)), entry(2, 80, cubin(80, NAMES)))


def seen(parts: List[Part]) -> List[Tuple[str, Tuple[str, ...]]]:
    return [(part.target, part.entries) for part in parts]


def test_what_is_in_a_container() -> None:
    names = tuple(NAMES)
    assert seen(read(RIGHT)) == [("compute_80", names), ("sm_80", names)]
    suffixed = container(entry(2, 90, cubin(90, NAMES), 0x11 | A), entry(2, 120, cubin(120, NAMES), 0x11 | F))
    assert seen(read(suffixed)) == [("sm_90a", names), ("sm_120f", names)]
    assert seen(read(container(entry(1, 90, ptx("sm_90a", NAMES), 0x11 | A)))) == [("compute_90a", names)]
    assert read(container()) == []


def test_a_container_that_ends_early() -> None:
    for size in range(len(RIGHT)):
        with pytest.raises(Broken):
            read(RIGHT[:size])
        # and where its own header agrees
        body = RIGHT[16:size]
        if len(body) not in (0, len(entry(1, 80, ptx("sm_80", NAMES)))):
            with pytest.raises(Broken):
                read(container(body))


BROKEN = {
    "another magic": b"\x00" + RIGHT[1:],
    "another version": RIGHT[:4] + b"\2" + RIGHT[5:],
    "bytes behind it": RIGHT + bytes(8),
    "an entry of no kind": container(entry(4, 80, ptx("sm_80", NAMES))),
    "machine code of another sm": container(entry(2, 80, cubin(86, NAMES))),
    "machine code of no CUDA device": container(entry(2, 80, cubin(80, NAMES).replace(b"\xbe\0", b"\x3e\0", 1))),
    "PTX of another target": container(entry(1, 80, ptx("sm_86", NAMES))),
    "PTX of a suffix that the entry has not": container(entry(1, 90, ptx("sm_90a", NAMES))),
    "PTX without a target": container(entry(1, 80, b".version 9.0\n\0")),
    "compressed in an old way": container(entry(1, 80, ptx("sm_80", NAMES), 0x11 | FLAG_LZ4)),
    "compressed, and is not": container(entry(1, 80, ptx("sm_80", NAMES), 0x11 | FLAG_ZSTD)),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_container(how: str) -> None:
    with pytest.raises(Broken):
        read(BROKEN[how])


def test_any_byte_changed_is_read_or_refused() -> None:
    for at in range(len(RIGHT)):
        for change in (1, 0x80, 0xFF):
            data = bytearray(RIGHT)
            data[at] ^= change
            try:
                read(bytes(data))
            except Broken:
                pass


def test_targets_of_an_arch() -> None:
    numbers = [80, 90, 120]
    assert expected_targets("sm80", None, numbers) == ["compute_80", "sm_80"]
    assert expected_targets("sm90a", None, numbers) == ["sm_90a"]
    assert expected_targets("sm100f", None, numbers) == ["sm_100f"]
    assert expected_targets("ptx", "compute_75", numbers) == ["compute_75"]
    assert expected_targets("generic", None, numbers) == ["compute_80", "sm_80", "sm_90", "sm_120"]


def changed(part: Part, **what: object) -> Part:
    return Part(**{**part.__dict__, **what})  # type: ignore


CHANGES: List[Tuple[str, Callable[[List[Part]], List[Part]]]] = [
    ("i: compute_80 is missing", lambda p: p[1:]),
    ("i: sm_80 is missing", lambda p: p[:1]),
    ("i: sm_80 is there twice", lambda p: p + p[1:]),
    ("i: sm_90 is not listed", lambda p: p + [changed(p[1], sm=90)]),
    ("i: sm_80a is not listed", lambda p: [p[0], changed(p[1], suffix="a")]),
    (f"i: sm_80: {NAMES[0]} is missing", lambda p: [p[0], changed(p[1], entries=tuple(NAMES[1:]))]),
    ("i: compute_80: other is not listed", lambda p: [changed(p[0], entries=tuple(NAMES + ["other"])), p[1]]),
]


@pytest.mark.parametrize("said, change", CHANGES, ids=[said for said, _ in CHANGES])
def test_one_missing_and_one_too_many(said: str, change: Callable[[List[Part]], List[Part]]) -> None:
    parts = read(RIGHT)
    expected = {"i": {"compute_80": tuple(NAMES), "sm_80": tuple(NAMES)}}
    assert differences(expected, {"i": parts}) == []
    assert said in differences(expected, {"i": change(parts)})


def test_an_image_missing_and_one_too_many() -> None:
    assert differences({"i": {}}, {}) == ["i: is missing"]
    assert differences({}, {"i": read(RIGHT)}) == ["i: is not listed"]
