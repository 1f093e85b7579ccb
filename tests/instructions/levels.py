# SPDX-License-Identifier: Apache-2.0
"""What code for a level of a processor family may consist of: GNU as is asked, with nothing but the level's extensions.

Its tables of which instruction belongs to which extension are kept by the people who add the instructions, as no table
here would be. What it does not tell is beside() and the encoding (objects.py); test_levels.py shows by an example of
every feature that it accepts with it what it refuses without.

GNU as takes for x86-64's baseline (generic64): x87, MMX, SSE and SSE2, which it is, and what only an operating system
may execute. No-ops that older processors skip, which mark where jumps may go, are of no level: endbr64 here, those of
AArch64's HINT space in GNU as.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Iterable, Optional

from codegen import arch_flags, arch_models, cpu_features

LEVELS: dict[str, dict[str, int]] = {
    "x86": {"generic": 0, **arch_models.X86_LEVELS},
    "aarch64": {"generic": 0, **arch_models.AARCH64_LEVELS},
}

# Where GNU as has another name for a feature of cpu_features.h; "": none, see beside().
_SPELT = {
    "sse4_1": "sse4.1", "sse4_2": "sse4.2", "cmpxchg16b": "cx16", "lahf": "", "bmi1": "bmi",
    "avx512_ifma": "avx512ifma", "avx512_vbmi": "avx512vbmi", "asimd": "simd", "fphp": "fp16", "asimdhp": "fp16",
    "asimddp": "dotprod", "asimdfhm": "fp16fml", "svei8mm": "sve+i8mm", "svebf16": "sve+bf16",
}
# Options of compilers that are no extension for GNU as: crc32 is one of its sse4.2.
_NO_EXTENSION = frozenset(("64", "crc32", "sahf"))
# Features whose instructions are not in the encodings that came with AVX.
_NOT_VEX = frozenset(
    ("sse3", "ssse3", "sse4_1", "sse4_2", "popcnt", "cmpxchg16b", "lahf", "movbe", "lzcnt", "gfni"))


class UnknownToAssembler(Exception):
    """This GNU as is older than an extension that is asked of it."""


@dataclass(frozen=True)
class Target:
    """A level, and features beyond it."""

    family: str
    level: str = "generic"
    features: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return " with ".join([self.level, *sorted(self.features)])

    @property
    def rank(self) -> int:
        return LEVELS[self.family][self.level]

    @property
    def march(self) -> str:
        return self.march_of("generic64" if self.family == "x86" else "armv8-a")

    def march_of(self, base: str) -> str:
        if self.family == "x86":
            names = {name.replace("-", "_") for name in arch_flags.x86_names(self.rank) - _NO_EXTENSION}
        else:
            names = set(arch_flags.aarch64_names(self.rank))
        names |= {_SPELT.get(name, name) for name in self.features} - {""}
        return "+".join([base, *sorted(names)])

    @property
    def below(self) -> Target:
        """The next one with less: what code must go beyond to use anything that this one gives."""
        if self.features:
            return Target(self.family, self.level)
        ranks = LEVELS[self.family]
        return Target(self.family, max((name for name in ranks if ranks[name] < self.rank), key=lambda n: ranks[n]))

    def beside(self, text: str) -> Optional[str]:
        """Why an instruction that GNU as accepts is none of this target's; None where it is."""
        words = text.split()
        if self.family == "x86" and words and words[-1] in ("lahf", "sahf") and self.rank < 2:
            return None if "lahf" in self.features else "not in 64-bit mode of the first processors"
        # SVE brings these to GNU as, and to no compiler
        if self.family == "aarch64" and re.match(r"(fcmla|fcadd) v", text):
            return "complex numbers of Advanced SIMD are no part of SVE"
        return None

    def encodes(self, space: str) -> bool:
        """Whether code for it may have instructions of an encoding, as objects.py names them."""
        if space == "EVEX":
            return self.rank >= 4 or any(name.startswith("avx512") for name in self.features)
        if space == "VEX":
            return self.rank >= 3 or bool(self.features - _NOT_VEX)
        return space == ""


def features(family: str, names: Iterable[str]) -> frozenset[str]:
    """Those of a cell's requirements that are features of the processor family."""
    known = cpu_features.families()
    return frozenset(name for name in names if known.get(name) == family)


@lru_cache(maxsize=None)
def _as_refuses(assembler: str, march: str, texts: frozenset[str]) -> dict[str, str]:
    lines = sorted(texts)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "all.s"
        source.write_text("\n".join(lines) + "\n")
        done = subprocess.run([assembler, f"-march={march}", "-W", "-o", "/dev/null", str(source)],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    errors = {lines[int(line) - 1]: what for line, what in re.findall(r"all\.s:(\d+): Error: (.*)", done.stdout)}
    if done.returncode != 0 and not errors:
        raise UnknownToAssembler(f"{assembler} -march={march}: {done.stdout.strip().splitlines()[-1]}")
    return errors


def refused(assembler: str, target: Target, texts: Iterable[str]) -> dict[str, str]:
    """The instructions that code for the target may not have, each with why, in GNU as's words where it says so."""
    asked = frozenset(text for text in texts if text != "endbr64")
    errors = dict(_as_refuses(assembler, target.march, asked))
    if errors and target.features and target.family == "aarch64":
        # GNU as wants ARMv8.2-A besides some features: theirs is what it then takes with them and not without
        rest = frozenset(errors)
        without = _as_refuses(assembler, Target(target.family, target.level).march_of("armv8.2-a"), rest)
        beyond = _as_refuses(assembler, target.march_of("armv8.2-a"), rest)
        errors = {text: why for text, why in errors.items() if text in beyond or text not in without}
    for text in asked - errors.keys():
        why = target.beside(text)
        if why:
            errors[text] = why
    return errors


def lowest(assembler: str, family: str, text: str, space: str) -> Optional[str]:
    """The first level whose code may have the instruction; None where no level's may."""
    for level in sorted(LEVELS[family], key=lambda name: LEVELS[family][name]):
        target = Target(family, level)
        if target.encodes(space) and not refused(assembler, target, (text,)):
            return level
    return None
