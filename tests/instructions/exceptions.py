# SPDX-License-Identifier: Apache-2.0
"""The instructions above the baseline outside kernels' objects, each with what keeps it from a processor without it.

One that does not occur any more fails the test: it is to be removed here.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Guarded:
    family: str
    library: str
    object: str
    what: str  # a mnemonic, or a level of levels.py: whatever the level has
    why: str
    compiler: str = ""  # that writes it, as .comment names it; empty: every one


GUARDED = (
    Guarded("x86", "librung.a", "cpu_x86.c.o", "xgetbv",
            "rung_x86_read asks for it where CPUID says OSXSAVE; tests/levels runs it without (max,-xsave)"),
    Guarded("x86", "librung.a", "move.c.o", "tzcnt",
            "GCC's __builtin_ctz: `rep bsf`, which processors without TZCNT run as BSF; that has the same answer for "
            "all but 0, for which __builtin_ctz has none", compiler="GCC"),
    *(Guarded("x86", "librung_bench.a", f"rate_{level.replace('-', '_')}.c.o", level,
              "compiled with the level's flags; roof.c takes it where rung_cpu_detect says that there is the level")
      for level in ("x86-64-v3", "x86-64-v4")),
)
