# SPDX-License-Identifier: Apache-2.0
"""What a compiler may use in the kernels of an arch is what the library's gate tests before it takes them.

The compilers are asked (-dM -E) which macros the flags of an arch turn on. Every macro that stands for instructions
must stand for features of the arch's level, as src/cpu_level.c has it; and so for every feature that a kernel may
require, whose functions ask the compiler for it with a target attribute. A macro that is not in the tables below
fails: somebody has to say what it stands for.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path

import pytest
from support import BASE, ROOT, check, good, registries_of_the_tree

from codegen import arch_flags, arch_models

# Macro -> the features of src/include/rung/cpu_features.h that the processor and the system have when it may be used.
X86 = {
    "__CRC32__": {"sse4_2"},  # a part of SSE4.2
    "__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16": {"cmpxchg16b"},
    "__LAHF_SAHF__": {"lahf"},
    "__POPCNT__": {"popcnt"},
    "__SSE3__": {"sse3"},
    "__SSSE3__": {"ssse3"},
    "__SSE4_1__": {"sse4_1"},
    "__SSE4_2__": {"sse4_2"},
    "__AVX__": {"avx"},
    "__AVX2__": {"avx2"},
    "__BMI__": {"bmi1"},
    "__BMI2__": {"bmi2"},
    "__F16C__": {"f16c"},
    "__FMA__": {"fma"},
    "__LZCNT__": {"lzcnt"},
    "__ABM__": {"lzcnt", "popcnt"},
    "__MOVBE__": {"movbe"},
    "__XSAVE__": {"avx"},  # which counts only with OSXSAVE
    "__AVX512F__": {"avx512f"},
    "__AVX512BW__": {"avx512bw"},
    "__AVX512CD__": {"avx512cd"},
    "__AVX512DQ__": {"avx512dq"},
    "__AVX512VL__": {"avx512vl"},
    "__AVX512VNNI__": {"avx512_vnni"},
    "__AVX512BF16__": {"avx512_bf16"},
    "__AVX512FP16__": {"avx512_fp16"},
    "__AVX512IFMA__": {"avx512_ifma"},
    "__AVX512VBMI__": {"avx512_vbmi"},
    "__AVX512VBMI2__": {"avx512_vbmi2"},
    "__AVX512BITALG__": {"avx512_bitalg"},
    "__AVX512VPOPCNTDQ__": {"avx512_vpopcntdq"},
    "__AVXVNNI__": {"avx_vnni"},
    "__GFNI__": {"gfni"},
    "__VAES__": {"vaes"},
    "__VPCLMULQDQ__": {"vpclmulqdq"},
    "__AES__": {"vaes"},  # src/cpu_x86.c reads the bit of the narrow form, too
    "__PCLMUL__": {"vpclmulqdq"},
    "__EVEX256__": {"avx512f"},
    "__EVEX512__": {"avx512f"},
    "__AMX_TILE__": {"amx_tile"},
    "__AMX_INT8__": {"amx_int8"},
    "__AMX_BF16__": {"amx_bf16"},
    "__AMX_FP16__": {"amx_fp16"},
    "__AMXTILE__": {"amx_tile"},  # of older Clang
    "__AMXINT8__": {"amx_int8"},
    "__AMXBF16__": {"amx_bf16"},
}
AARCH64 = {
    "__ARM_FEATURE_FP16_SCALAR_ARITHMETIC": {"fphp"},
    "__ARM_FEATURE_FP16_VECTOR_ARITHMETIC": {"asimdhp"},
    "__ARM_FEATURE_SVE": {"sve"},
    "__ARM_FEATURE_SVE2": {"sve2"},
    "__ARM_FEATURE_DOTPROD": {"asimddp"},
    "__ARM_FEATURE_FP16_FML": {"asimdfhm"},
    "__ARM_FEATURE_MATMUL_INT8": {"i8mm"},
    "__ARM_FEATURE_BF16": {"bf16"},
    "__ARM_FEATURE_BF16_SCALAR_ARITHMETIC": {"bf16"},
    "__ARM_FEATURE_BF16_VECTOR_ARITHMETIC": {"bf16"},
    "__ARM_FEATURE_SVE_MATMUL_INT8": {"svei8mm"},
    "__ARM_FEATURE_SVE_BF16": {"svebf16"},
}
# Macros that tell of nothing that a processor might lack.
NEUTRAL = re.compile(
    r"__BIGGEST_ALIGNMENT__|__FP_FAST_FMAF?\w*|__FLT_EVAL_METHOD\w*|__tune_\w+|__SSE2?_MATH__|"
    r"__ARM_FEATURE_SVE_(BITS|VECTOR_OPERATORS|PREDICATE_OPERATORS)|__ARM_NEON_SVE_BRIDGE|"
    r"__ARM_BF16_FORMAT_ALTERNATIVE|__FLT16_\w+|"
    r"__GCC_(ASM_FLAG_OUTPUTS|IEC_559\w*)|__ARM_ALIGN_MAX_STACK_PWR"
)
TABLES = {"x86": X86, "aarch64": AARCH64}


def compilers(model: str) -> list[list[str]]:
    """Every compiler that is there for the family, as the start of a command."""
    native = {"x86_64": "x86", "aarch64": "aarch64"}.get(platform.machine())
    found = []
    if native == model:
        found += [[name] for name in ("gcc", os.environ.get("CC", "")) if name and shutil.which(name)]
    triple = {"x86": "x86_64", "aarch64": "aarch64"}[model] + "-linux-gnu"
    if native != model and shutil.which(f"{triple}-gcc"):
        found.append([f"{triple}-gcc"])
    if shutil.which("clang"):
        found.append(["clang", f"--target={triple}"])
    return [command for number, command in enumerate(found) if command not in found[:number]]


@lru_cache(maxsize=None)
def macros(command: tuple[str, ...]) -> frozenset[str]:
    done = subprocess.run([*command, "-dM", "-E", "-x", "c", os.devnull], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return frozenset(line.split()[1].split("(")[0] for line in done.stdout.splitlines() if line.startswith("#define"))


def refuses(compiler: list[str], flags: tuple[str, ...]) -> bool:
    return subprocess.run([*compiler, *flags, "-dM", "-E", "-x", "c", os.devnull], capture_output=True).returncode != 0


def excess(compiler: list[str], model: str, flags: tuple[str, ...], tested: set[str]) -> list[str]:
    """Macros that the flags turn on and that stand for more than what is tested."""
    new = macros((*compiler, *flags)) - macros(tuple(compiler))
    table = TABLES[model]
    return sorted(name for name in new if not NEUTRAL.fullmatch(name) and not table.get(name, {"?"}) <= tested)


@pytest.fixture(scope="module")
def gates(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """What levels.c says of the library's own source."""
    program = tmp_path_factory.mktemp("levels") / "levels"
    source = ROOT / "src"
    subprocess.run(
        [os.environ.get("CC", "cc"), "-std=c11", f"-I{source}", f"-I{source}/include",
         str(Path(__file__).with_name("levels.c")), str(source / "cpu_level.c"), "-o", str(program)],
        check=True,
    )
    said = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    return [line.split() for line in said.splitlines()]


@pytest.fixture(scope="module")
def levels(gates: list[list[str]]) -> dict[tuple[str, int], set[str]]:
    """(model, rank) -> features that the gate tests."""
    return {(words[1], int(words[2])): set(words[3:]) for words in gates if words[0] == "level"}


REGISTRIES = [*registries_of_the_tree(), *sorted(ROOT.glob("bench/*/registry.yaml"))]


def archs(path: Path) -> list[tuple[str, str, int, tuple[str, ...]]]:
    """Name, model, rank and flags of every arch whose kernels run on the host."""
    return [
        (f"{device.name}/{arch.name}", model, arch.rank, arch.flags)
        for device in good(path.read_text(encoding="utf-8")).devices
        if device.name in ("cpu", "accel")
        for arch in device.archs
        for model in ([arch.model] if arch.model in TABLES else list(TABLES))
    ]


@pytest.mark.parametrize("path", REGISTRIES, ids=lambda path: str(path.relative_to(ROOT)))
def test_flags_of_the_registries(path: Path, levels: dict[tuple[str, int], set[str]]) -> None:
    asked = 0
    for name, model, rank, flags in archs(path):
        for compiler in compilers(model):
            if flags:
                assert excess(compiler, model, flags, levels[model, rank]) == [], f"{name} {flags} with {compiler}"
            asked += 1
    assert asked > 0


MARCH = {
    "x86": {2: "-march=x86-64-v2", 3: "-march=x86-64-v3", 4: "-march=x86-64-v4"},
    "aarch64": {1: "-march=armv8-a+simd", 2: "-march=armv8-a+sve", 3: "-march=armv8-a+sve2"},
}


@pytest.mark.parametrize("model, rank", [(model, rank) for model in MARCH for rank in MARCH[model]])
def test_what_a_level_means_to_a_compiler(model: str, rank: int, levels: dict[tuple[str, int], set[str]]) -> None:
    """Nothing more than what is tested, and nothing that is tested for no reason."""
    found = compilers(model)
    if not found:
        pytest.skip(f"unproven: no compiler for {model} (Debian: clang, gcc-aarch64-linux-gnu)")
    for compiler in found:
        flags = (MARCH[model][rank],)
        assert excess(compiler, model, flags, levels[model, rank]) == [], compiler
        turned_on = macros((*compiler, *flags)) - macros(tuple(compiler))
        used = set().union(*(TABLES[model].get(name, set()) for name in turned_on))
        # Advanced SIMD, and some compilers have no macro for these
        assert levels[model, rank] - used <= {"asimd", "lahf", "cmpxchg16b"}, compiler


# The features whose names compilers spell otherwise.
SPELT = {
    "sse4_1": "sse4.1", "sse4_2": "sse4.2", "cmpxchg16b": "cx16", "lahf": "sahf", "bmi1": "bmi", "asimd": "simd",
    "fphp": "fp16", "asimdhp": "fp16", "asimddp": "dotprod", "asimdfhm": "fp16fml", "svei8mm": "sve+i8mm",
    "svebf16": "sve+bf16",
}


@pytest.mark.parametrize("model", TABLES)
def test_what_a_feature_means_to_a_compiler(model: str, gates: list[list[str]]) -> None:
    """A kernel that requires a feature asks for it with a target attribute, and may use what comes with it."""
    features = {words[2]: set(words[3:]) for words in gates if words[:2] == ["feature", model]}
    assert len(features) > 10 and all(name in needed for name, needed in features.items())
    proven = set()
    for compiler in compilers(model):
        for name, needed in features.items():
            spelt = SPELT.get(name, name.replace("amx_", "amx-").replace("_", ""))
            flag = f"-m{spelt}" if model == "x86" else f"-march=armv8-a+{spelt}"
            if refuses(compiler, (flag,)):
                continue
            # the system gives tiles only where it saves the wide registers
            more = {"avx"} if name.startswith("amx") else set()
            assert excess(compiler, model, (flag,), needed | more) == [], f"{flag} with {compiler}"
            proven.add(name)
    if compilers(model):
        # what GCC 12 and Clang 14 do not know
        assert set(features) - proven <= {"amx_fp16", "sme", "sme2"}


def allowed_flags(model: str, rank: int) -> list[str]:
    if model == "aarch64":
        names = sorted(arch_flags.aarch64_names(rank))
        return ["-march=armv8-a" + "".join(f"+{name}" for name in names), *(f"-march=armv8-a+{name}" for name in names)]
    names = sorted(arch_flags.x86_names(rank))
    return [f"-m{name}" for name in names] + [MARCH[model][level] for level in MARCH[model] if level <= rank]


ALL = [*(("x86", rank) for rank in (0, *sorted(arch_models.X86_LEVELS.values()))),
       *(("aarch64", rank) for rank in (0, *sorted(arch_models.AARCH64_LEVELS.values())))]


@pytest.mark.parametrize("model, rank", ALL)
def test_the_generator_allows_what_is_tested(model: str, rank: int, levels: dict[tuple[str, int], set[str]]) -> None:
    """Every flag that codegen/arch_flags.py lets pass, alone and all at once, against the compilers."""
    flags = allowed_flags(model, rank)
    assert flags and all(arch_flags.allowed(model, rank, flag) for flag in flags)
    for compiler in compilers(model):
        known = [flag for flag in flags if not refuses(compiler, (flag,))]
        assert len(known) >= len(flags) - 2, f"{compiler} knows of {flags} only {known}"
        for some in [(flag,) for flag in known] + ([tuple(known)] if model == "x86" else []):
            assert excess(compiler, model, some, levels[model, rank]) == [], f"{some} with {compiler}"


@pytest.mark.parametrize(
    "model, rank, flag",
    [
        ("x86", 4, "-mavx512vnni"), ("x86", 4, "-mavx512vbmi"), ("x86", 3, "-mavx512f"), ("x86", 2, "-mavx"),
        ("x86", 0, "-msse3"), ("x86", 3, "-march=x86-64-v4"), ("x86", 4, "-march=native"), ("x86", 4, "-maes"),
        ("x86", 4, "-march=skylake-avx512"), ("x86", 4, "-mcpu=native"), ("x86", 4, "-mfma4"), ("x86", 4, "-mamx-tile"),
        ("x86", 5, "-mamx-fp16"), ("aarch64", 1, "-march=armv8-a+sve"), ("aarch64", 2, "-march=armv8-a+sve2"),
        ("aarch64", 3, "-march=armv9-a"), ("aarch64", 3, "-mcpu=neoverse-v1"), ("aarch64", 3, "-march=armv8-a+i8mm"),
        ("none", 0, "-march=x86-64"), ("none", 0, "-mavx2"), ("ladder", 90, "-mavx2"),
    ],
)
def test_what_is_refused(model: str, rank: int, flag: str) -> None:
    assert not arch_flags.allowed(model, rank, flag)


@pytest.mark.parametrize(
    "flag", ["-O3", "-funroll-loops", "-mtune=native", "-mprefer-vector-width=512", "-mno-fma", "-DX=1", "-Wno-psabi"]
)
def test_what_is_of_no_matter(flag: str) -> None:
    assert all(arch_flags.allowed(model, 0, flag) for model in ("x86", "aarch64", "none"))


def test_a_refusal_is_reported() -> None:
    text = BASE.replace("[-march=x86-64-v4]", "[-march=x86-64-v4, -mavx512vnni]")
    assert check(text)[1] == (
        "registry.yaml:15:9: error: arch x86-64-v4: '-mavx512vnni' lets a compiler use more than what x86-64-v4 is "
        "tested for; what a kernel needs beyond that stands in its requires and in a target attribute of its "
        "functions\n"
    )


def test_the_comparison_notices() -> None:
    """That the tests above can fail: a feature too many is told by its macro."""
    everything = {name for names in X86.values() for name in names}
    for compiler in compilers("x86"):
        flags = ("-march=x86-64-v4", "-mavx512vnni", "-mfma4")
        assert "__AVX512VNNI__" in excess(compiler, "x86", flags, everything - {"avx512_vnni"})
        assert "__FMA4__" in excess(compiler, "x86", flags, everything)
