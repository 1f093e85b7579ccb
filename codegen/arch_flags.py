# SPDX-License-Identifier: Apache-2.0
"""Which compiler flags an arch of the host may have: none that lets a compiler use instructions that the arch's level
does not stand for. Whether a processor has an arch is decided by the features of its level (src/cpu_level.c), so that
code compiled for more than those would be chosen for processors that end it with SIGILL.
tests/codegen/test_arch_flags.py asks the compilers themselves what each flag turns on.
"""

from __future__ import annotations

from codegen import arch_models

# What -m<name> turns on, by the first level that has it.
_X86 = {
    0: ("64", "mmx", "sse", "sse2", "fxsr"),
    2: ("sse3", "ssse3", "sse4.1", "sse4.2", "sse4", "crc32", "popcnt", "cx16", "sahf"),
    3: ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "abm", "movbe", "xsave"),
    4: ("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"),
    5: ("amx-tile", "amx-int8", "amx-bf16"),
}
_X86_MARCH = {"x86-64": 0, "x86-64-v2": 2, "x86-64-v3": 3, "x86-64-v4": 4}
# Extensions of -march=armv8-a.
_AARCH64 = {0: ("fp", "simd"), 2: ("sve", "fp16"), 3: ("sve2",)}
# How code is laid out and scheduled, not what it consists of; what is turned off is never too much.
_NEUTRAL = ("tune=", "prefer-vector-width=", "cmodel=", "no-")
_NEUTRAL_WORDS = ("vzeroupper", "outline-atomics")


def x86_names(rank: int) -> frozenset[str]:
    return frozenset(name for level, names in _X86.items() if level <= rank for name in names)


def aarch64_names(rank: int) -> frozenset[str]:
    return frozenset(name for level, names in _AARCH64.items() if level <= rank for name in names)


def allowed(model: str, rank: int, flag: str) -> bool:
    """`model` is x86, aarch64, or anything else for code of every processor that the program is built for."""
    if not flag.startswith("-m"):
        return True
    name = flag[2:]
    if name.startswith(_NEUTRAL) or name in _NEUTRAL_WORDS:
        return True
    key, _, value = name.partition("=")
    if key == "arch" and model == "x86":
        return _X86_MARCH.get(value, arch_models.MAX_RANK) <= rank
    if key == "arch" and model == "aarch64":
        base, *extensions = value.split("+")
        return base == "armv8-a" and frozenset(extensions) <= aarch64_names(rank)
    return model == "x86" and name in x86_names(rank)
