# SPDX-License-Identifier: Apache-2.0
"""The perfect hashes: every key finds its id, an unknown one is found out, and the library computes the same."""

import random
import shutil
import subprocess

import pytest
from support import BASE, ROOT, laid_out

from codegen import emit_tables, perfect_hash
from codegen.perfect_hash import EMPTY, build, cell_key, hash_bytes


def _names(count: int, seed: int) -> list[bytes]:
    random.seed(seed)
    letters = "abcdefghijklmnopqrstuvwxyz0123456789_-./"
    names = {"".join(random.choices(letters, k=random.randint(0, 30))).encode() for _ in range(count * 2)}
    return sorted(names)[:count]


@pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 9, 50, 255, 1000, 3000])
def test_every_key_finds_its_id(count: int) -> None:
    keys = _names(count, count)
    made = build(keys)
    assert [made.lookup(key) for key in keys] == list(range(len(keys)))
    assert made.slots >= len(keys) and made.buckets >= 1
    assert sorted(value for value in made.values if value != EMPTY) == list(range(len(keys)))


def test_an_unknown_key_is_found_out_by_comparing() -> None:
    keys = _names(500, 1)
    made = build(keys)
    for name in set(_names(500, 2)) - set(keys):
        found = made.lookup(name)
        assert found == EMPTY or keys[found] != name


def test_cells() -> None:
    keys = [cell_key(op, arch, variant) for op in range(40) for arch in range(9) for variant in range(3)]
    made = build(keys)
    assert all(made.lookup(key) == number for number, key in enumerate(keys))


def test_the_same_every_time() -> None:
    assert build(_names(300, 3)) == build(_names(300, 3))


def test_no_keys() -> None:
    made = build([])
    assert (made.slots, made.lookup(b"x")) == (0, EMPTY)


def test_a_key_that_stands_twice() -> None:
    with pytest.raises(ValueError, match="twice"):
        build([b"x", b"x"])


@pytest.mark.parametrize(
    "key, seed, value",
    [
        (b"", 0, 0),
        (b"cpu", 0, 0x567FF248BFFF57F7),
        (b"accel/x86-64-v4", 7, 0xD0DE5062FFF648C5),
    ],
)
def test_fixed_values(key: bytes, seed: int, value: int) -> None:
    assert hash_bytes(key, seed) == value


def test_keys_of_a_registry() -> None:
    made = laid_out(BASE)
    keys = emit_tables.hash_keys(made)
    assert keys["op"] == [b"axpy", b"fill"]
    assert keys["variant"] == [b"default", b"blas"]
    assert keys["device"] == [b"accel", b"cpu", b"cuda"]
    assert b"cuda/sm90a" in keys["arch"]
    assert len(keys["cell"]) == 6 and {len(key) for key in keys["cell"]} == {12}


_PROGRAM = """
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "hash.h"
{arrays}
static const rung_hash names = {{names_displace, names_values, {buckets}, {slots}, {seed}}};
static const rung_hash cells = {{cells_displace, cells_values, {cell_buckets}, {cell_slots}, {cell_seed}}};
static const char *const keys[] = {{ {keys} }};
int main(void)
{{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        printf("%" PRIu64 " %" PRIu32 "\\n", rung_hash_bytes(i, keys[i], strlen(keys[i])),
               rung_hash_bytes_find(&names, keys[i], strlen(keys[i])));
    for (uint32_t op = 0; op < 20; op++)
        for (uint32_t arch = 0; arch < 5; arch++)
            printf("%" PRIu32 "\\n", rung_hash_cell_find(&cells, op, arch, 1));
    return 0;
}}
"""


def test_the_library_computes_the_same(tmp_path) -> None:
    compiler = shutil.which("gcc") or shutil.which("cc")
    source = ROOT / "src" / "hash.c"
    assert compiler and source.exists()
    keys = _names(200, 5)
    made = build(keys)
    cells = build([cell_key(op, arch, 1) for op in range(20) for arch in range(5)])

    def array(name: str, kind: str, values) -> str:
        return f"static const {kind} {name}[] = {{{', '.join(f'{value}u' for value in values)}}};\n"

    program = _PROGRAM.format(
        arrays=array("names_displace", "uint16_t", made.displace)
        + array("names_values", "uint32_t", made.values)
        + array("cells_displace", "uint16_t", cells.displace)
        + array("cells_values", "uint32_t", cells.values),
        buckets=made.buckets,
        slots=made.slots,
        seed=made.seed,
        cell_buckets=cells.buckets,
        cell_slots=cells.slots,
        cell_seed=cells.seed,
        keys=", ".join(f'"{key.decode()}"' for key in keys),
    )
    (tmp_path / "cross.c").write_text(program)
    command = [compiler, "-std=c11", "-I", ROOT / "src/include", "-I", ROOT / "src", "cross.c", source, "-o", "cross"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=60)
    result = subprocess.run([tmp_path / "cross"], capture_output=True, text=True, check=True, timeout=60)
    expected = [f"{hash_bytes(key, number)} {number}" for number, key in enumerate(keys)]
    assert result.stdout.split("\n")[:-1] == expected + [str(number) for number in range(100)]


def test_parts_are_those_of_the_contract() -> None:
    mixed = 0x123456789ABCDEF0
    assert perfect_hash._parts(mixed, 7) == (0x9ABCDEF0 % 7, 0x12345678, 0x56789ABC | 1)
