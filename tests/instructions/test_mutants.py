# SPDX-License-Identifier: Apache-2.0
"""That the check can fail: libraries with one thing wrong each, and what is said of it."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Optional

import check
import pytest
from exceptions import Guarded
from tools import Tools, run

CELLS = {
    "rk_m__cpu_generic": check.Cell("cpu", "generic", "any"),
    "rk_m__cpu_generic__blas": check.Cell("cpu", "generic", "any", ("openblas",)),
    "rk_m__accel_sm90": check.Cell("accel", "sm90", "any"),
    "rk_m__cpu_x86_64_v2": check.Cell("cpu", "x86-64-v2", "x86"),
    "rk_m__cpu_x86_64_v3": check.Cell("cpu", "x86-64-v3", "x86"),
    "rk_m__cpu_x86_64_v4": check.Cell("cpu", "x86-64-v4", "x86"),
    "rk_n__cpu_x86_64_v4": check.Cell("cpu", "x86-64-v4", "x86", ("openblas", "avx512_vnni")),
    "rk_m__cpu_neon": check.Cell("cpu", "neon", "aarch64"),
    "rk_n__cpu_neon": check.Cell("cpu", "neon", "aarch64", ("asimddp",)),
    "rk_m__cpu_sve": check.Cell("cpu", "sve", "aarch64"),
}

AVX2 = """
#include <immintrin.h>
void {name}(int *x)
{{
    __m256i a = _mm256_loadu_si256((__m256i *)x);
    _mm256_storeu_si256((__m256i *)x, _mm256_add_epi32(a, a));
}}
"""
AVX512 = """
#include <immintrin.h>
__attribute__((target("avx512f"))) void {name}(int *x)
{{
    __m512i a = _mm512_loadu_si512(x);
    _mm512_storeu_si512(x, _mm512_add_epi32(a, a));
}}
"""
ATOMIC = "int {name}(int *x) {{ return __atomic_fetch_add(x, 1, __ATOMIC_RELAXED); }}"
COUNT = "int {name}(unsigned x) {{ return __builtin_popcount(x); }}"


def inline(text: str) -> str:
    return f'void {{name}}(void) {{{{ __asm__ volatile("{text}"); }}}}'


@dataclass(frozen=True)
class Wrong:
    family: str
    name: str  # of the function
    source: str  # with {name}
    flags: str
    said: Optional[str]  # behind the object, with * for anything; None: all is well


INSTRUCTIONS = {
    "a flag for all of a library": Wrong("x86", "rung_f", AVX2, "-mavx2",
                                         "(no kernel's, generic): rung_f, .text+0x*: vmovdqu (%rdi),%ymm"),
    "a function's attribute": Wrong("x86", "rung_f", AVX512, "", "(no kernel's, generic): rung_f, .text+0x*: "),
    "popcnt": Wrong("x86", "rung_f", COUNT, "-mpopcnt", "popcnt %edi,%eax (of x86-64-v2)"),
    "of the reference": Wrong("x86", "rk_m__cpu_generic", AVX2, "-mavx2",
                              "(cpu/generic, generic): rk_m__cpu_generic, "),
    "beside a library": Wrong("x86", "rk_m__cpu_generic__blas", AVX2, "-mavx2",
                              "(cpu/generic, generic): rk_m__cpu_generic__blas, "),
    "of a device's": Wrong("x86", "rk_m__accel_sm90", inline("haddpd %xmm1, %xmm2"), "",
                           "(accel/sm90, generic): rk_m__accel_sm90, .text+0x*: haddpd %xmm1,%xmm2 (of x86-64-v2)"),
    "v3 in v2": Wrong("x86", "rk_m__cpu_x86_64_v2", AVX2, "-mavx2", "(of x86-64-v3)"),
    "v4 in v3": Wrong("x86", "rk_m__cpu_x86_64_v3", AVX512, "-march=x86-64-v3",
                      "(cpu/x86-64-v3, x86-64-v3): rk_m__cpu_x86_64_v3, .text+0x*: "),
    "EVEX in v3": Wrong("x86", "rk_m__cpu_x86_64_v3", inline("{{evex}} vaddpd %xmm1, %xmm2, %xmm3"), "-mavx512vl",
                        "(of x86-64-v4)"),
    "v4 in v4": Wrong("x86", "rk_m__cpu_x86_64_v4", AVX512, "-march=x86-64-v4", None),
    "not asked for": Wrong("x86", "rk_m__cpu_x86_64_v4", inline("vpdpbusd %zmm1, %zmm2, %zmm3"), "-mavx512vnni",
                           "vpdpbusd %zmm1,%zmm2,%zmm3 (`vpdpbusd' is not supported on"),
    "asked for": Wrong("x86", "rk_n__cpu_x86_64_v4", inline("vpdpbusd %zmm1, %zmm2, %zmm3"), "-mavx512vnni", None),
    "another asked for": Wrong("x86", "rk_n__cpu_x86_64_v4", inline("vpermb %zmm1, %zmm2, %zmm3"), "-mavx512vbmi",
                               "vpermb"),
    "guarded elsewhere": Wrong("x86", "rung_f", inline("xgetbv"), "", "rung_f, .text+0x*: xgetbv (of x86-64-v3)"),
    "sahf": Wrong("x86", "rung_f", inline("sahf"), "", "sahf (of x86-64-v2)"),
    "nothing that decodes": Wrong("x86", "rung_f", inline(".byte 0x06"), "", "(bad)"),
    "LSE": Wrong("aarch64", "rung_f", ATOMIC, "-march=armv8.1-a", "(no kernel's, generic): rung_f, .text+0x*: "),
    "LSE in a kernel": Wrong("aarch64", "rk_m__cpu_sve", ATOMIC, "-march=armv8.1-a",
                             "(cpu/sve, sve): rk_m__cpu_sve, .text+0x*: "),
    "SVE in neon": Wrong("aarch64", "rk_m__cpu_neon", inline(".arch armv8-a+sve\\n ptrue p0.b"), "",
                         "(cpu/neon, neon): rk_m__cpu_neon, .text+0x*: ptrue p0.b (of sve)"),
    "SVE2 in sve": Wrong("aarch64", "rk_m__cpu_sve", inline(".arch armv8-a+sve2\\n sqadd z0.s, p0/m, z0.s, z1.s"), "",
                         "(of sve2)"),
    "SVE in sve": Wrong("aarch64", "rk_m__cpu_sve", inline(".arch armv8-a+sve\\n ptrue p0.b"), "", None),
    "a dot product": Wrong("aarch64", "rk_m__cpu_neon",
                           inline(".arch armv8.2-a+dotprod\\n sdot v0.4s, v1.16b, v2.16b"), "",
                           "sdot v0.4s, v1.16b, v2.16b"),
    "a dot product asked for": Wrong("aarch64", "rk_n__cpu_neon",
                                     inline(".arch armv8.2-a+dotprod\\n sdot v0.4s, v1.16b, v2.16b"), "", None),
    "more than a dot product": Wrong("aarch64", "rk_n__cpu_neon",
                                     inline(".arch armv8.2-a+i8mm\\n smmla v0.4s, v1.16b, v2.16b"), "", "smmla"),
    "nothing that decodes either": Wrong("aarch64", "rung_f", inline(".inst 0x00010000"), "", "undefined"),
}

OTHER = {
    "a constructor": ("volatile int rung_x; __attribute__((constructor)) static void f(void) { rung_x = 1; }",
                      ".init_array: code that runs before"),
    "a destructor": ("volatile int rung_x; __attribute__((destructor)) static void f(void) { rung_x = 1; }",
                     ".fini_array: code that runs before"),
    "an early one": ("static void f(void) {}"
                     "__attribute__((section(\".preinit_array\"), used)) static void (*g)(void) = f;",
                     ".preinit_array: code that runs before"),
    "one of old": ("static void f(void) {} __attribute__((section(\".ctors\"), used)) static void (*g)(void) = f;",
                   ".ctors: code that runs before"),
    "a piece of _init": ("__attribute__((section(\".init\"), used)) static void f(void) {}",
                         ".init: code that runs before"),
    "a resolver": ("static void f(void) {} __attribute__((used)) static void (*g(void))(void) { return f; }"
                   "__attribute__((ifunc(\"g\"))) void rung_f(void);", "rung_f: of type IFUNC, which runs a resolver"),
    "a resolved place": ("void rung_f(void) {} __asm__(\".data\\n.quad 0\\n.reloc .-8, {IRELATIVE}, rung_f\");",
                         "relocation {IRELATIVE}, which runs a resolver"),
    "no prefix": ("int helper(void) { return 1; }", "helper: exported without rung_"),
    "a weak name": ("__attribute__((weak)) int helper(void) { return 1; }", "helper: exported without rung_"),
    "a hidden name": ("__attribute__((visibility(\"hidden\"))) int helper;", "helper: exported without rung_"),
    "another's prefix": ("int rk_helper;", "rk_helper: exported without rung_"),
    "a common symbol": ("__attribute__((common)) int rung_x;", "rung_x: a common symbol"),
}


def compiled(binutils: Tools, folder: Path, source: str, *flags: str, name: str = "m.c.o") -> Path:
    file = folder / f"{name}.c"
    file.write_text(source)
    run(binutils.cc, "-O2", "-w", *flags, "-c", file, "-o", folder / name)
    return folder / name


def archive(binutils: Tools, library: Path, *objects: Path) -> Path:
    run(binutils.objdump[:-len("objdump")] + "ar", "qcs", library, *objects)
    return library


def said_of(file: Path, binutils: Tools, *guarded: Guarded, prefixes: tuple[str, ...] = ("rung_", "rk_")) -> list[str]:
    return check.check([check.Library(file, prefixes, CELLS)], binutils, guarded).faults


def test_instructions(binutils: Tools, tmp_path: Path) -> None:
    of_the_family = {what: wrong for what, wrong in INSTRUCTIONS.items() if wrong.family == binutils.family}
    assert of_the_family
    for what, wrong in of_the_family.items():
        file = compiled(binutils, tmp_path, wrong.source.format(name=wrong.name), *wrong.flags.split())
        faults = said_of(file, binutils)
        assert all(fault.startswith("m.c.o (") for fault in faults), f"{what}: {faults}"
        told = any(fnmatchcase(fault, f"*{wrong.said}*") for fault in faults) if wrong.said else faults == []
        assert told, f"{what}: {faults}"


@pytest.mark.parametrize("what", OTHER)
def test_sections_symbols_and_relocations(what: str, binutils: Tools, tmp_path: Path) -> None:
    source, said = (text.replace("{IRELATIVE}", {"x86": "R_X86_64_IRELATIVE", "aarch64": "R_AARCH64_IRELATIVE"}[
        binutils.family]) for text in OTHER[what])
    faults = said_of(compiled(binutils, tmp_path, source), binutils, prefixes=("rung_",))
    assert len(faults) == 1 and faults[0].startswith("m.c.o: ") and said in faults[0], faults


def test_a_stack_that_is_executable(binutils: Tools, tmp_path: Path) -> None:
    for note, wrong in (("", True), ('.section .note.GNU-stack,"x",%progbits\n', True),
                        ('.section .note.GNU-stack,"",%progbits\n', False)):
        (tmp_path / "m.s").write_text(f".globl rung_f\nrung_f:\n ret\n{note}")
        run(binutils.assembler, tmp_path / "m.s", "-o", tmp_path / "m.o")
        assert [".note.GNU-stack" in fault for fault in said_of(tmp_path / "m.o", binutils)] == [True] * wrong


def test_what_is_not_machine_code_yet(binutils: Tools, tmp_path: Path) -> None:
    source = "__attribute__((section(\".gnu.lto_f\"), used)) static int x = 1;"
    assert "not machine code yet" in said_of(compiled(binutils, tmp_path, source), binutils)[0]


def test_one_member_of_several_with_its_name(binutils: Tools, tmp_path: Path) -> None:
    objects = []
    for i, name in enumerate(("rk_m__cpu_generic", "helper", "rk_m__accel_sm90")):
        folder = tmp_path / str(i)
        folder.mkdir()
        source = f"int {name}(void) {{ return 1; }}"
        objects.append(compiled(binutils, folder, source, name="a_name_of_some_length.c.o"))
    file = archive(binutils, tmp_path / "librk.a", *objects)
    report = check.check([check.Library(file, ("rk_",), CELLS)], binutils, ())
    assert report.faults == ["librk.a(a_name_of_some_length.c.o): helper: exported without rk_"]
    assert report.objects == {"cpu/generic": 1, "baseline": 1, "accel/sm90": 1} and report.instructions >= 6


def test_two_archs_in_one_object(binutils: Tools, tmp_path: Path) -> None:
    two = [name for name, cell in CELLS.items() if cell.family == binutils.family][:2]
    file = compiled(binutils, tmp_path, "".join(f"void {name}(void) {{}}" for name in two))
    assert ["which no flags are right for" in fault for fault in said_of(file, binutils)] == [True]


def test_many_are_counted(binutils: Tools, tmp_path: Path) -> None:
    texts = {"x86": "popcnt %rax, %rbx", "aarch64": ".arch armv8-a+sve\\n ptrue p0.b"}
    file = compiled(binutils, tmp_path, inline("\\n".join([texts[binutils.family]] * 20)).format(name="rung_f"))
    faults = said_of(file, binutils)
    assert len(faults) == check.SHOWN + 1 and any(f.endswith(f": {20 - check.SHOWN} more") for f in faults)


def test_an_arch_that_buys_nothing(binutils: Tools, tmp_path: Path) -> None:
    name = {"x86": "rk_m__cpu_x86_64_v4", "aarch64": "rk_m__cpu_sve"}[binutils.family]
    file = compiled(binutils, tmp_path, f"int {name}(int x) {{ return x; }}")
    report = check.check([check.Library(file, ("rk_",), CELLS)], binutils, ())
    assert report.faults == [] and sum(report.using.values()) == 0
    below = {"x86": "cpu/x86-64-v4: nothing that x86-64-v3 has not", "aarch64": "cpu/sve: nothing that neon has not"}
    assert report.idle == [f"m.c.o of {below[binutils.family]}"]


def test_exceptions(binutils: Tools, tmp_path: Path) -> None:
    family = binutils.family
    text, mnemonic, level = {"x86": ("popcnt %rax, %rbx", "popcnt", "x86-64-v2"),
                             "aarch64": (".arch armv8-a+sve\\n ptrue p0.b", "ptrue", "sve")}[family]
    above = compiled(binutils, tmp_path, inline(text).format(name="rung_f"), name="above.c.o")
    plain = compiled(binutils, tmp_path, "void rung_g(void) {}", name="plain.c.o")
    kernel = compiled(binutils, tmp_path, inline(text).format(name="rk_m__cpu_generic"), name="kernel.c.o")
    file = archive(binutils, tmp_path / "librung.a", above, plain)

    def guarded(what: str, name: str = "above.c.o", library: str = "librung.a", compiler: str = "",
                of: str = family) -> Guarded:
        return Guarded(of, library, name, what, "", compiler)

    assert said_of(file, binutils, guarded(mnemonic)) == []
    assert said_of(file, binutils, guarded(level)) == []
    unneeded = f"librung.a(plain.c.o): there is no {mnemonic} that needs its exception"
    assert said_of(file, binutils, guarded(mnemonic), guarded(mnemonic, "plain.c.o")) == [unneeded]
    assert said_of(file, binutils, guarded(level), guarded("generic")) == [
        "librung.a(above.c.o): there is no generic that needs its exception"]
    # others' are of no matter: of another compiler's, another family's or a library that is not looked at
    other = "nobody's compiler"
    family_of_others = {"x86": "aarch64", "aarch64": "x86"}[family]
    assert said_of(file, binutils, guarded(mnemonic), guarded("addq", compiler=other),
                   guarded("addq", of=family_of_others), guarded("addq", library="librk.a")) == []
    assert len(said_of(file, binutils, guarded(mnemonic, "plain.c.o"))) == 2
    gone = "librung.a(gone.c.o): there is no popcnt that needs its exception"
    assert said_of(file, binutils, guarded(mnemonic), guarded("popcnt", "gone.c.o")) == [gone]
    # no kernel has one
    file = archive(binutils, tmp_path / "librk.a", kernel)
    assert len(said_of(file, binutils, guarded(mnemonic, "kernel.c.o", "librk.a"))) == 2
