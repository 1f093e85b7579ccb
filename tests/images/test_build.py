# SPDX-License-Identifier: Apache-2.0
"""How images are made and embedded: builds of a small registry, and programs linked with it in every way."""
import os
import platform
import re
import shutil
from pathlib import Path
from typing import Dict, List, Set

import checks
import contents
import fixture
import pytest
import sizes
from toolkit import CC, NVCC, ROOT, run, tool, with_nvcc

NUMBERS = [80, 90]
SCALE = {f"im_image__cuda_{arch}__kernels_scale" for arch in ("sm90a", "sm80", "ptx", "generic")}
STEPS = "im_image__cuda_sm80__kernels_steps"


def configure(folder: Path, *options: str, cc: str = CC, ok: bool = True) -> str:
    return run("cmake", "-S", folder, "-B", folder / "b", "-G", "Ninja", *options, ok=ok, env={**os.environ, "CC": cc})


def build(folder: Path, *options: str, cc: str = CC) -> Path:
    configure(folder, f"-DRUNG_NVCC={NVCC}", *options, cc=cc)
    run("cmake", "--build", folder / "b")
    return folder / "b/libim.a"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = fixture.write(tmp_path_factory.mktemp("a tree"))
    build(folder, "-DRUNG_CUDA_ARCHS=80, sm_90a")
    return folder


@pytest.fixture(scope="module")
def library(tree: Path) -> Path:
    return tree / "b/libim.a"


# ---- what is in it ---------------------------------------------------------------------------------------------------

@with_nvcc
def test_contents(tree: Path, library: Path) -> None:
    expected = checks.expected_images(tree / "generated/files.json", ["80", "90a"], NUMBERS)
    assert set(expected) == SCALE | {STEPS}
    assert set(expected["im_image__cuda_generic__kernels_scale"]) == {"compute_80", "sm_80", "sm_90"}
    assert set(expected["im_image__cuda_sm90a__kernels_scale"]) == {"sm_90a"}
    assert set(expected["im_image__cuda_ptx__kernels_scale"]) == {"compute_75"}
    assert set(expected[STEPS]["sm_80"]) == {"im_step__cuda_sm80__first", "im_step__cuda_sm80__second",
                                             "im_stride__cuda_sm80"}
    checks.check_contents(library, expected)


@with_nvcc
def test_ptx_is_assembled(library: Path, tmp_path: Path) -> None:
    assert checks.check_ptx(library, tmp_path) == 4


@with_nvcc
def test_cuobjdump_agrees(library: Path, tmp_path: Path) -> None:
    if not tool("cuobjdump"):
        pytest.skip("unproven: cuobjdump's view of CUDA images (it is missing; ./dev toolkit gets it)")
    checks.check_cuobjdump(library, tmp_path)


@with_nvcc
def test_nothing_registers_itself(library: Path) -> None:
    checks.check_nothing_registers_itself(library)


@with_nvcc
def test_sizes(library: Path) -> None:
    found = contents.images(library)
    table = sizes.table(found)
    for name in SCALE | {STEPS}:
        assert re.search(rf"^{name} .* {sum(part.stored for part in found[name])} ", table, re.M)
    every = sum(part.stored for parts in found.values() for part in parts if part.target == "sm_80")
    assert re.search(rf"^ +sm_80 +{every}$", table, re.M)


# ---- how it is made --------------------------------------------------------------------------------------------------

@with_nvcc
def test_a_header_makes_its_images_anew_and_no_other(tree: Path) -> None:
    def times() -> Dict[str, int]:
        return {file.stem: file.stat().st_mtime_ns for file in (tree / "b").rglob("*.fatbin")}

    before = times()
    assert "no work to do" in run("cmake", "--build", tree / "b")
    os.utime(tree / "kernels/scale.cuh")
    run("cmake", "--build", tree / "b")
    assert {name for name, time in times().items() if time != before[name]} == SCALE


@with_nvcc
def test_images_do_not_depend_on_the_folder_or_on_how_they_are_embedded(library: Path, tmp_path: Path) -> None:
    """With clang, where it is here: its assembler has no flag for large sections. Then as a C array."""
    images = contents.raw_images(library)
    folder = fixture.write(tmp_path / "other")
    for options in (), ("-DRUNG_CUDA_EMBED=array",):
        other = build(folder, "-DRUNG_CUDA_ARCHS=80;90a", *options, cc="clang" if shutil.which("clang") else CC)
        assert contents.raw_images(other) == images
        link(other, folder / "program")
        assert run(folder / "program") == "2 4 6\n"


@pytest.mark.skipif(not shutil.which("aarch64-linux-gnu-gcc"), reason="unproven: embedding for AArch64 (no compiler)")
def test_embedding_for_aarch64(tmp_path: Path) -> None:
    """Whose code reaches 4 GB: its sections are the usual ones."""
    text = (ROOT / "cmake/image.c.in").read_text()
    (tmp_path / "bytes").write_bytes(bytes(range(100)))
    for name, value in ("FILE", tmp_path / "bytes"), ("FLAGS", "a"):
        text = text.replace(f"@RUNG_IMAGE_{name}@", str(value))
    source = tmp_path / "im_image__x.c"
    source.write_text(text.replace("@RUNG_IMAGE@", "im_image__x"))
    run("aarch64-linux-gnu-gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", f"-I{ROOT}/src/include", "-c",
        source, "-o", source.with_suffix(".o"))
    sections = run("readelf", "-SW", source.with_suffix(".o"))
    assert re.search(r" \.rodata\.im_image__x +PROGBITS +0+ \w+ 0+64 00 +A +0 +0 +64\n", sections)
    assert re.search(r" \.data\.rel\.ro\.im_image__x +PROGBITS +0+ \w+ 0+10 00 +WA +0 +0 +8\n", sections)


@with_nvcc
@pytest.mark.skipif(not shutil.which("aarch64-linux-gnu-gcc"), reason="unproven: images in a cross build (no compiler)")
def test_a_cross_build(library: Path, tmp_path: Path) -> None:
    """Without images unless it is asked for them; then with the same, of which one is made."""
    folder = fixture.write(tmp_path)
    options = (f"-DCMAKE_TOOLCHAIN_FILE={ROOT}/cmake/aarch64-linux-gnu.cmake", f"-DRUNG_NVCC={NVCC}",
               "-DRUNG_CUDA_ARCHS=80,90a")
    said = configure(folder, *options)
    assert re.search("CUDA: RUNG_CUDA is off, as in cross builds unless it is set .*not built", said)
    assert images_to_build(folder) == set()
    configure(folder, *options, "-DRUNG_CUDA=ON")
    assert images_to_build(folder) == SCALE | {STEPS}
    image = "im_image__cuda_ptx__kernels_scale"
    run("cmake", "--build", folder / "b", "--target", f"rung_im_images/{image}.fatbin")
    made = (folder / f"b/rung_im_images/{image}.fatbin").read_bytes()
    assert made == contents.raw_images(library)[image]


# ---- what is built ---------------------------------------------------------------------------------------------------

def images_to_build(folder: Path) -> Set[str]:
    made = run("ninja", "-C", folder / "b", "-t", "targets", "all")
    return set(re.findall(r"(im_image__\w+)\.fatbin:", made))


@with_nvcc
def test_archs(tmp_path: Path) -> None:
    folder = fixture.write(tmp_path)
    nvcc = f"-DRUNG_NVCC={NVCC}"
    assert re.search(r"for .*\b75 80 .*\b90 .*\b100\b", configure(folder, nvcc)), "the common ones"
    assert images_to_build(folder) == SCALE | {STEPS}
    configure(folder, "-DRUNG_CUDA_ARCHS=90")
    assert images_to_build(folder) == {"im_image__cuda_ptx__kernels_scale", "im_image__cuda_generic__kernels_scale"}
    run("cmake", "--build", folder / "b")
    symbols = run("nm", folder / "b/libim.a")
    assert " T im_scale__cuda_generic\n" in symbols and "im_scale__cuda_sm90a" not in symbols
    assert " T im_stride__cuda_sm90a\n" in symbols and " U im_stride__cuda_sm90a\n" in symbols, "it needs no image"
    assert "RUNG_CUDA_ARCHS has" not in configure(folder, "-DRUNG_CUDA_ARCHS=86 80")
    said = configure(folder, "-DRUNG_CUDA_ARCHS=86 90")
    assert ("CUDA: RUNG_CUDA_ARCHS has 86 without 80: the cells on sm80, which it can run, are not built\n" in said
            and said.count("RUNG_CUDA_ARCHS has") == 1)
    assert "RUNG_CUDA_ARCHS: 9x:" in configure(folder, "-DRUNG_CUDA_ARCHS=80 9x", ok=False)
    assert "RUNG_CUDA_ARCHS: 72: nvcc" in configure(folder, "-DRUNG_CUDA_ARCHS=72", ok=False)

    # a toolkit that lacks what the registry lists: no toolkit has sm_74
    registry = folder / "registry.yaml"
    registry.write_text(registry.read_text().replace("sm80, {ptx", "sm80, sm74, {ptx")
                        .replace("cuda/sm80, cuda/ptx", "cuda/sm80, cuda/sm74, cuda/ptx")
                        .replace("ops:\n", "# not cuda/sm74\nops: # cuda/sm74 neither\n", 1))
    lines = registry.read_text().splitlines()
    line = next(number for number, text in enumerate(lines, 1) if "cuda/sm74" in text and "#" not in text)
    said = configure(folder, "-DRUNG_CUDA_ARCHS=", ok=False)
    assert re.search(rf"registry\.yaml:{line}: cuda/sm74: nvcc \d+\.\d+ cannot target sm_74: ", said)
    configure(folder, "-DRUNG_CUDA_ARCHS=80")
    assert images_to_build(folder) == (SCALE | {STEPS}) - {"im_image__cuda_sm90a__kernels_scale"}


ANOTHER_WAY = """
function(another_way)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "IMAGE;SOURCE;DEVICE;ARCH;TAG;TARGET" "ENTRIES")
  message(STATUS "${RUNG_REGISTRY_TARGET}: ${arg_IMAGE} ${arg_TARGET} of ${RUNG_REGISTRY_FOLDER}/${arg_SOURCE}")
endfunction()
rung_add_registry(im REGISTRY registry.yaml GENERATED generated TARGET another CUDA another_way)
get_target_property(definitions another COMPILE_DEFINITIONS)
message(STATUS "definitions: ${definitions}")
"""


def test_another_way_to_make_images(tmp_path: Path) -> None:
    """All of them, whatever nvcc there is and RUNG_CUDA says."""
    folder = fixture.write(tmp_path)
    with (folder / "CMakeLists.txt").open("a") as file:
        file.write(ANOTHER_WAY)
    said = configure(folder, "-DRUNG_CUDA=OFF", "-DRUNG_CUDA_ARCHS=80")
    assert set(re.findall(r"another: (\w+) ", said)) == SCALE | {STEPS}
    assert f"another: im_image__cuda_ptx__kernels_scale compute_75 of {folder}/kernels/scale.cu\n" in said
    assert "definitions: IM_WITH_CUDA;" in said and "IM_CUDA_TARGETS=75,80,86,89,90,100,103,120\n" in said
    assert "IM_WITHOUT" not in said


@pytest.mark.parametrize("why", ["no nvcc", "RUNG_CUDA is off"])
def test_nothing_for_cuda(why: str, tmp_path: Path) -> None:
    folder = fixture.write(tmp_path)
    places = os.environ["PATH"].split(":") + ["/usr/local/cuda/bin", f"{ROOT}/build-cuda-toolkit/nvidia/cu13/bin"]
    places += [os.environ.get(name, "") + "/bin" for name in ("CUDA_HOME", "CUDA_PATH")]
    hidden = ";".join(place for place in places if (Path(place) / "nvcc").exists())
    option = "-DRUNG_CUDA=OFF" if why != "no nvcc" else f"-DCMAKE_IGNORE_PATH={hidden}"
    assert re.search(rf"CUDA: {why}: .*not built", configure(folder, option))
    run("cmake", "--build", folder / "b")
    assert contents.images(folder / "b/libim.a") == {}
    link(folder / "b/libim.a", tmp_path / "program")
    assert run(tmp_path / "program") == "2 4 6\n"


def test_a_toolkit_that_is_too_old(tmp_path: Path) -> None:
    """Found, it is passed over; given, it is refused."""
    folder = fixture.write(tmp_path)
    nvcc = tmp_path / "old/bin/nvcc"
    nvcc.parent.mkdir(parents=True)
    nvcc.write_text("#!/bin/sh\necho Cuda compilation tools, release 11.8, V11.8.89\n")
    nvcc.chmod(0o755)
    said = configure(folder, f"-DCMAKE_PROGRAM_PATH={nvcc.parent}")
    assert f"CUDA: {nvcc} is of CUDA 11.8: 12.0 or newer is needed\n" in said
    assert f"RUNG_NVCC:FILEPATH={nvcc}\n" not in (folder / "b/CMakeCache.txt").read_text(), "another one, or none"
    said = " ".join(configure(folder, f"-DRUNG_NVCC={nvcc}", ok=False).split())
    assert f"RUNG_NVCC: {nvcc} is of CUDA 11.8: 12.0 or newer is needed" in said


def test_a_toolkit_that_does_not_run(tmp_path: Path) -> None:
    """Found, it is passed over; given, it is refused; and so is one that compiles nothing."""
    folder = fixture.write(tmp_path)
    nvcc = tmp_path / "broken/bin/nvcc"
    nvcc.parent.mkdir(parents=True)
    nvcc.write_text("#!/bin/sh\necho no such toolkit\nexit 1\n")
    nvcc.chmod(0o755)
    broken = f"{nvcc} --version does not say a release (1: no such toolkit)"
    assert f"CUDA: {broken}\n" in configure(folder, f"-DCMAKE_PROGRAM_PATH={nvcc.parent}")
    # /usr/local/bin and the like count when they are on PATH, and not before CUDA_HOME
    assert str(nvcc) not in configure(folder, f"-DCMAKE_SYSTEM_PROGRAM_PATH={nvcc.parent}", "-DCMAKE_PROGRAM_PATH=")
    said = " ".join(configure(folder, f"-DRUNG_NVCC={nvcc}", ok=False).split())
    assert f"RUNG_NVCC: {broken}" in said

    nvcc.write_text("#!/bin/sh\n[ $1 != --version ] || { echo release 13.0; exit 0; }\necho no host compiler\nexit 1\n")
    why = f"{nvcc} compiles nothing: no host compiler (Debian: g++; NVCC_CCBIN names another)"
    assert f"RUNG_NVCC: {why}\n" in configure(folder, f"-DRUNG_NVCC={nvcc}", ok=False)
    said = configure(folder, f"-DRUNG_NVCC={nvcc}", f"-DRUNG_NVCC_FOUND={nvcc}")
    assert f"CUDA: {why}: cells of CUDA devices are listed as not built\n" in said


def test_a_folder_that_a_shell_would_read(tmp_path: Path) -> None:
    folder = fixture.write(tmp_path / "a$(touch there)")
    assert re.search(r"CUDA: nvcc cannot work in a folder with one of \$ ` .*not built", configure(folder))
    assert not list(tmp_path.rglob("there"))


def test_a_toolkit_that_has_gone(tmp_path: Path) -> None:
    """One that was found is looked for again; one that was named is missed."""
    folder = fixture.write(tmp_path)
    gone = tmp_path / "gone/nvcc"
    assert str(gone) not in configure(folder, f"-DRUNG_NVCC={gone}", f"-DRUNG_NVCC_FOUND={gone}")
    said = configure(folder, f"-DRUNG_NVCC={gone}", "-DRUNG_NVCC_FOUND=", ok=False)
    assert f"RUNG_NVCC: there is no {gone}" in " ".join(said.split())


@with_nvcc
def test_another_way_to_embed_takes_effect(tmp_path: Path) -> None:
    folder = fixture.write(tmp_path)
    for way, there in ("array", False), ("incbin", True), ("array", False):
        build(folder, "-DRUNG_CUDA_ARCHS=80", f"-DRUNG_CUDA_EMBED={way}")
        commands = run("ninja", "-C", folder / "b", "-t", "commands", "libim.a")
        assert (".incbin.c" in commands) == there


@with_nvcc
def test_an_entry_that_is_missing_ends_the_build(tmp_path: Path) -> None:
    """Every time, with its name: one without RUNG_ENTRY, and one of another name, which begins with the listed one."""
    folder = fixture.write(tmp_path)
    steps = folder / "kernels/steps.cu"
    good = steps.read_text()
    configure(folder, f"-DRUNG_NVCC={NVCC}", "-DRUNG_CUDA_ARCHS=80")
    for bad in (good.replace("RUNG_ENTRY void RUNG_KERNEL_OF(im_step, first)", "void RUNG_KERNEL_OF(im_step, first)")
                .replace("threadIdx.x", "0", 2), good.replace("(im_step, first)", "(im_step, first_of_two)")):
        assert bad != good
        steps.write_text(bad)
        for _ in range(2):
            said = run("cmake", "--build", folder / "b", ok=False)
            assert re.search(r"^ *kernels/steps\.cu: the image for cuda/sm80 lacks what the registry lists for it: "
                             r"im_step__cuda_sm80__first \(RUNG_ENTRY, and the name\?\)$", said, re.M), said
    steps.write_text(good)
    run("cmake", "--build", folder / "b")


# ---- programs --------------------------------------------------------------------------------------------------------

def link(library: Path, program: Path, *options: str, cc: str = CC) -> None:
    folder = library.parents[1]
    said = run(cc, "-std=c11", "-O2", *options, f"-I{ROOT}/src/include", f"-I{folder}/generated/include",
               folder / "program.c", library, os.environ["RUNTIME"], "-o", program)
    # of a static program that glibc's linker warns of dlopen is known (README.md, Linking)
    assert re.sub(r".*: in function .*\n.*: warning: Using 'dlopen' in statically linked .*\n", "", said) == ""


LINKS: Dict[str, List[str]] = {
    "pie": ["-fPIE", "-pie"],
    "no-pie": ["-fno-pie", "-no-pie"],
    "static": ["-static"],
    "static-pie": ["-fPIE", "-static-pie"],
    "static, gc-sections": ["-static", "-Wl,--gc-sections"],
    "gold": ["-fuse-ld=gold"],
    "lld": ["-fuse-ld=lld"],
}


@with_nvcc
@pytest.mark.skipif(platform.machine() != "x86_64", reason="large sections are of x86-64 alone")
@pytest.mark.parametrize("kind", ["pie", "no-pie"])
def test_images_are_behind_all_that_code_reaches_with_32_bits(kind: str, library: Path, tmp_path: Path) -> None:
    """So more than 2 GB of them link: docs/cuda.md, In the program."""
    link(library, tmp_path / "program", *LINKS[kind])
    sections = {name: int(address, 16) for name, address in
                re.findall(r"^ +\[ *\d+\] (\.\S+) +\w+ +(\w{16}) ", run("readelf", "-SW", tmp_path / "program"), re.M)}
    images = sections.pop(".lrodata")
    assert ".bss" in sections and max(sections.values()) < images
    segments = re.findall(r"^ +\d\d +(.*)$", run("readelf", "-lW", tmp_path / "program"), re.M)
    assert [names.split() for names in segments if ".lrodata" in names] == [[".lrodata"]]


@with_nvcc
@pytest.mark.parametrize("kind", LINKS)
def test_links(kind: str, library: Path, tmp_path: Path) -> None:
    """The images of the op that is called come along, and no other; without a device the program runs."""
    if kind in ("gold", "lld") and not shutil.which(f"ld.{kind}"):
        pytest.skip(f"unproven: {kind} is missing")
    program = tmp_path / "program"
    link(library, program, *LINKS[kind])
    assert run(program) == "2 4 6\n"
    assert contents.raw_images(program) == {n: d for n, d in contents.raw_images(library).items() if n in SCALE}
    checks.check_links_no_cuda(program)
    headers = run("readelf", "-lW", program)
    assert not re.search(r"GNU_STACK.* RWE ", headers), "embedding makes the stack executable"
