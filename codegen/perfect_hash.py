# SPDX-License-Identifier: Apache-2.0
"""Hash and displace: a perfect hash of a fixed set of keys. src/hash.c computes the same; the two must agree.

A lookup answers the only id that the key can have; whoever asks compares the key, so an unknown one is found out.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Sequence

_MASK64 = 2**64 - 1
_MASK32 = 2**32 - 1
EMPTY = 2**32 - 1
_MAX_DISPLACE = 65535
_MAX_SEED = 64


@dataclass(frozen=True)
class PerfectHash:
    seed: int
    displace: tuple[int, ...]
    values: tuple[int, ...]

    @property
    def buckets(self) -> int:
        return len(self.displace)

    @property
    def slots(self) -> int:
        return len(self.values)

    def lookup(self, key: bytes) -> int:
        if not self.values:
            return EMPTY
        bucket, first, step = _parts(hash_bytes(key, self.seed), self.buckets)
        return self.values[(first + self.displace[bucket] * step) % self.slots]


def hash_bytes(key: bytes, seed: int) -> int:
    mixed = seed ^ (len(key) * 0x9E3779B97F4A7C15 & _MASK64)
    whole = -(-len(key) // 8)
    for chunk in struct.unpack(f"<{whole}Q", key.ljust(whole * 8, b"\0")):
        mixed = (mixed ^ chunk) * 0xFF51AFD7ED558CCD & _MASK64
        mixed ^= mixed >> 32
    mixed ^= mixed >> 29
    mixed = mixed * 0xC4CEB9FE1A85EC53 & _MASK64
    return mixed ^ mixed >> 32


def cell_key(op: int, arch: int, variant: int) -> bytes:
    return struct.pack("<III", op, arch, variant)


def _parts(mixed: int, buckets: int) -> tuple[int, int, int]:
    return (mixed & _MASK32) % buckets, mixed >> 32, (mixed >> 16) & _MASK32 | 1


def build(keys: Sequence[bytes]) -> PerfectHash:
    """The hash of these keys, each with its index as id. Deterministic: seeds are tried in order."""
    if len(set(keys)) != len(keys):
        raise ValueError("a key stands twice")
    if not keys:
        return PerfectHash(0, (), ())
    slots = len(keys) + len(keys) // 4 + 1
    buckets = max(1, len(keys) // 4)
    while True:
        for seed in range(_MAX_SEED):
            found = _try(keys, seed, buckets, slots)
            if found:
                return found
        slots += max(1, slots // 16)


def _try(keys: Sequence[bytes], seed: int, buckets: int, slots: int) -> PerfectHash | None:
    contents: list[list[tuple[int, int, int]]] = [[] for _ in range(buckets)]
    for number, key in enumerate(keys):
        bucket, first, step = _parts(hash_bytes(key, seed), buckets)
        contents[bucket].append((first % slots, step % slots, number))
    displace = [0] * buckets
    values = [EMPTY] * slots
    for bucket in sorted(range(buckets), key=lambda index: (-len(contents[index]), index)):
        members = contents[bucket]
        for shift in range(min(_MAX_DISPLACE, 4 * slots) if members else 0):
            places = [(first + shift * step) % slots for first, step, _ in members]
            if all(values[place] == EMPTY for place in places) and len(set(places)) == len(places):
                break
        else:
            if members:
                return None
            continue
        displace[bucket] = shift
        for place, (_, _, number) in zip(places, members):
            values[place] = number
    return PerfectHash(seed, tuple(displace), tuple(values))
