# SPDX-License-Identifier: Apache-2.0
"""That GNU as tells the levels apart: of every feature an instruction, refused without it and accepted with it."""

from __future__ import annotations

import levels
import pytest
from levels import Target
from objects import assembled, encoding_space
from tools import Tools

from codegen import cpu_features

EXAMPLES = {
    "x86": {
        "sse3": "haddpd %xmm1,%xmm2",
        "ssse3": "pshufb %xmm1,%xmm2",
        "sse4_1": "pmulld %xmm1,%xmm2",
        "sse4_2": "pcmpgtq %xmm1,%xmm2",
        "popcnt": "popcnt %rax,%rbx",
        "cmpxchg16b": "lock cmpxchg16b (%rdi)",
        "lahf": "lahf",
        "avx": "vaddpd %ymm1,%ymm2,%ymm3",
        "f16c": "vcvtph2ps %xmm1,%ymm2",
        "fma": "vfmadd231pd %ymm1,%ymm2,%ymm3",
        "movbe": "movbe (%rdi),%rax",
        "bmi1": "blsr %rax,%rbx",
        "bmi2": "shlx %rax,%rbx,%rcx",
        "avx2": "vpaddd %ymm1,%ymm2,%ymm3",
        "lzcnt": "lzcnt %rax,%rbx",
        "avx512f": "vaddpd %zmm1,%zmm2,%zmm3",
        "avx512dq": "vmulpd (%rdi){1to8},%zmm2,%zmm3{%k1}",
        "avx512cd": "vplzcntd %zmm1,%zmm2",
        "avx512bw": "vpaddb %zmm1,%zmm2,%zmm3",
        "avx512vl": "vaddpd %ymm17,%ymm2,%ymm3",
        "avx512_vnni": "vpdpbusd %zmm1,%zmm2,%zmm3",
        "avx512_bf16": "vdpbf16ps %zmm1,%zmm2,%zmm3",
        "avx512_fp16": "vaddph %zmm1,%zmm2,%zmm3",
        "avx512_ifma": "vpmadd52luq %zmm1,%zmm2,%zmm3",
        "avx512_vbmi": "vpermb %zmm1,%zmm2,%zmm3",
        "avx512_vbmi2": "vpcompressb %zmm1,%zmm2{%k1}",
        "avx512_bitalg": "vpopcntb %zmm1,%zmm2",
        "avx512_vpopcntdq": "vpopcntd %zmm1,%zmm2",
        "avx_vnni": "{vex} vpdpbusd %ymm1,%ymm2,%ymm3",
        "gfni": "gf2p8mulb %xmm1,%xmm2",
        "vaes": "vaesenc %ymm1,%ymm2,%ymm3",
        "vpclmulqdq": "vpclmulqdq $0x1,%ymm1,%ymm2,%ymm3",
        "amx_tile": "tilezero %tmm0",
        "amx_int8": "tdpbssd %tmm0,%tmm1,%tmm2",
        "amx_bf16": "tdpbf16ps %tmm0,%tmm1,%tmm2",
        "amx_fp16": "tdpfp16ps %tmm0,%tmm1,%tmm2",
    },
    "aarch64": {
        "asimd": "",  # of the baseline
        "fphp": "fadd h0, h1, h2",
        "asimdhp": "fadd v0.8h, v1.8h, v2.8h",
        "asimddp": "sdot v0.4s, v1.16b, v2.16b",
        "asimdfhm": "fmlal v0.4s, v1.4h, v2.4h",
        "i8mm": "smmla v0.4s, v1.16b, v2.16b",
        "bf16": "bfdot v0.4s, v1.8h, v2.8h",
        "sve": "fadd z0.s, z1.s, z2.s",
        "sve2": "sqadd z0.s, p0/m, z0.s, z1.s",
        "svei8mm": "smmla z0.s, z1.b, z2.b",
        "svebf16": "bfdot z0.s, z1.h, z2.h",
        "sme": "smstart",
        "sme2": "zip {z0.s-z3.s}, {z0.s-z3.s}",
    },
}
BASELINE = {
    "x86": ("addpd %xmm1,%xmm2", "addsd %xmm1,%xmm2", "paddq %mm1,%mm2", "fld1", "movnti %eax,(%rdi)", "cpuid", "rdtsc",
            "lock cmpxchg %rax,(%rdi)", "cmove %rax,%rbx", "pause", "endbr64", "nopw %cs:0x0(%rax,%rax,1)", "jmp ."),
    "aarch64": ("fadd v0.4s, v1.4s, v2.4s", "fmla v0.2d, v1.2d, v2.2d", "ldaxr x0, [x1]", "mrs x0, tpidr_el0", "bti c",
                "paciasp", "b.ne .", "cbz x0, .", "tbz w0, #3, ."),
}
# What no level has and no cell may ask for.
FOREIGN = {
    "x86": ("vfmaddpd %xmm1,%xmm2,%xmm3,%xmm4", "pfadd %mm1,%mm2", "movntsd %xmm1,(%rdi)", "xbegin .", "rdrand %rax",
            "aesenc %xmm1,%xmm2", "sha1nexte %xmm1,%xmm2", "clflushopt (%rdi)", "adcx %rax,%rbx", "(bad)"),
    "aarch64": ("ldadd w0, w1, [x2]", "crc32w w0, w1, w2", "aese v0.16b, v1.16b", "sqrdmlah v0.4s, v1.4s, v2.4s",
                "ldapr w0, [x1]", "fcmla v0.4s, v1.4s, v2.4s, #90", "fjcvtzs w0, d0", ".inst 0x00000000 ; undefined"),
}
LEVEL_OF = {  # the features of src/cpu_level.c by the first level that has them; the others are of none
    "x86-64-v2": "sse3 ssse3 sse4_1 sse4_2 popcnt cmpxchg16b lahf",
    "x86-64-v3": "avx f16c fma movbe bmi1 bmi2 avx2 lzcnt",
    "x86-64-v4": "avx512f avx512dq avx512cd avx512bw avx512vl",
    "amx": "amx_tile amx_int8 amx_bf16",
    "sve": "fphp asimdhp sve",
    "sve2": "sve2",
}


def test_every_feature_has_an_example() -> None:
    for family, examples in EXAMPLES.items():
        assert set(examples) == {name for name, its in cpu_features.families().items() if its == family}


def test_features_one_by_one(binutils: Tools) -> None:
    unknown = []
    for name, text in EXAMPLES[binutils.family].items():
        if not text:
            continue
        without = levels.refused(binutils.assembler, Target(binutils.family), [text])
        assert text in without, f"{name}: {text} is taken for the baseline"
        try:
            asked = Target(binutils.family, features=frozenset((name,)))
            assert levels.refused(binutils.assembler, asked, [text]) == {}, name
        except levels.UnknownToAssembler:
            unknown.append(name)
    assert set(unknown) <= {"amx_fp16", "avx512_fp16", "avx_vnni", "sme", "sme2"}, "what is newer than old binutils"


def test_levels(binutils: Tools) -> None:
    family = binutils.family
    first = {name: level for level, names in LEVEL_OF.items() for name in names.split()}
    for level, rank in levels.LEVELS[family].items():
        target = Target(family, level)
        wanted = {text for name, text in EXAMPLES[family].items()
                  if text and (name not in first or levels.LEVELS[family][first[name]] > rank)}
        texts = {*EXAMPLES[family].values(), *BASELINE[family], *FOREIGN[family]} - {""}
        assert set(levels.refused(binutils.assembler, target, texts)) == wanted | set(FOREIGN[family]), level


def test_the_level_of_an_instruction(binutils: Tools) -> None:
    family = binutils.family
    first = {EXAMPLES[family][name]: level for level, names in LEVEL_OF.items() if level in levels.LEVELS[family]
             for name in names.split()}
    for text in {*EXAMPLES[family].values(), *FOREIGN[family]} - {""}:
        assert levels.lowest(binutils.assembler, family, text, "") == first.get(text), text
    assert levels.lowest(binutils.assembler, family, BASELINE[family][0], "") == "generic"


@pytest.mark.parametrize("raw, space", [
    ("c5 fd 58 c1", "VEX"), ("c4 e2 f5 b8 d0", "VEX"), ("62 f1 fd 48 58 c1", "EVEX"), ("8f e9 78 81 c1", "XOP"),
    ("67 c5 f8 58 00", "VEX"), ("d5 18 01 c0", "REX2"), ("8f 00", ""), ("66 0f 58 c1", ""), ("f3 0f 1e fa", ""),
    ("66 66 2e 0f 1f 84 00 00 00 00 00", ""), ("f3", ""), ("48 89 c5", ""),
])
def test_encodings(raw: str, space: str) -> None:
    assert encoding_space(bytes.fromhex(raw)) == space


def test_encodings_and_levels() -> None:
    allowed = {name: [space for space in ("VEX", "EVEX", "XOP", "REX2") if Target("x86", name).encodes(space)]
               for name in levels.LEVELS["x86"]}
    assert allowed == {"generic": [], "x86-64-v2": [], "x86-64-v3": ["VEX"], "x86-64-v4": ["VEX", "EVEX"],
                       "amx": ["VEX", "EVEX"]}
    assert Target("x86", "x86-64-v2", frozenset(("avx",))).encodes("VEX")
    assert not Target("x86", "x86-64-v2", frozenset(("gfni",))).encodes("VEX")
    assert Target("x86", "x86-64-v3", frozenset(("avx512_vnni",))).encodes("EVEX")


@pytest.mark.parametrize("family, printed, taken", [
    ("x86", "jne    4f <rk_f+0x4f>", "jne    ."), ("x86", "call   *0x10(%rax)", "call   *0x10(%rax)"),
    ("x86", "lea    0x0(%rip),%rax        # 7 <rk_f+0x7>", "lea    0x0(%rip),%rax"),
    ("x86", "data16 data16 cs nopw 0x0(%rax,%rax,1)", "cs nopw 0x0(%rax,%rax,1)"),
    ("aarch64", "b.cs\t40 <rk_f+0x40>  // b.hs, b.nlast", "b.cs ."),
    ("aarch64", "tbz\tw0, #3, 40 <rk_f>", "tbz w0, #3, ."),
])
def test_what_the_assembler_is_given(family: str, printed: str, taken: str) -> None:
    assert assembled(printed, family) == taken
