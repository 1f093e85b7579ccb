# SPDX-License-Identifier: Apache-2.0
"""What is in the images of the project's registry, in the library that the build has made."""
import os
import re
from pathlib import Path
from typing import List

import arithmetic
import checks
import pytest
from contents import images
from toolkit import ROOT, tool, with_nvcc


NEVER_FUSED = "rk_flow_match_step__"


def words(name: str) -> List[str]:
    return [w for w in os.environ.get(name, "").split(",") if w]


@pytest.fixture(scope="module")
def library() -> Path:
    return Path(os.environ["LIBRARY"])


@with_nvcc
def test_contents(library: Path) -> None:
    numbers = [int(n) for n in words("NUMBERS")]
    checks.check_contents(library, checks.expected_images(ROOT / "generated/files.json", words("ARCHS"), numbers))


@with_nvcc
def test_ptx_is_assembled(library: Path, tmp_path: Path) -> None:
    checks.check_ptx(library, tmp_path)


@with_nvcc
def test_cuobjdump_agrees(library: Path, tmp_path: Path) -> None:
    if not tool("cuobjdump"):
        pytest.skip("unproven: cuobjdump's view of CUDA images (it is missing; ./dev toolkit gets it)")
    checks.check_cuobjdump(library, tmp_path)


# Of flow_match_step, which promises the same bits everywhere: the product and the sum are rounded each.

@with_nvcc
def test_flow_match_step_is_never_fused(library: Path) -> None:
    expected = checks.expected_images(ROOT / "generated/files.json", words("ARCHS"), [int(n) for n in words("NUMBERS")])
    kernels = [target for image in expected.values() for target, entries in image.items()
               if target.startswith("compute_") and any(name.startswith(NEVER_FUSED) for name in entries)]
    assert arithmetic.check_ptx(library, NEVER_FUSED) == len(kernels) > 0


@with_nvcc
def test_flow_match_step_is_not_fused_in_machine_code(library: Path, tmp_path: Path) -> None:
    cuobjdump, nvdisasm = tool("cuobjdump"), tool("nvdisasm")
    if not cuobjdump or not nvdisasm:
        pytest.skip("unproven: flow_match_step in machine code (no cuobjdump or nvdisasm; ./dev toolkit gets them)")
    kernels = sum(name.startswith(NEVER_FUSED) for parts in images(library).values() for part in parts
                  if part.kind == "elf" for name in part.entries)
    assert arithmetic.check_sass(library, NEVER_FUSED, cuobjdump, nvdisasm, tmp_path) == kernels > 0


BODY = """\
.visible .entry k(
\t.param .u64 k_param_0
)
{
\t.reg .f32 %f<4>;
\tld.global.f32 \t%f1, [%rd1];
\tmul.rn.f32 \t%f2, %f1, %f1;
\t@%p1 bra \t$L__BB0_2;
\tadd.rn.f32 \t%f3, %f2, %f1;
ret;
}
.func other()
{
fma.rn.f32 %f1, %f1, %f1, %f1;
}
"""


@pytest.mark.parametrize("old, new, fault", [
    ("", "", []),
    ("add.rn.f32", "add.f32", ["add.f32", "no add.rn.f32"]),
    ("mul.rn.f32", "mul.ftz.f32", ["mul.ftz.f32", "no mul.rn.f32"]),
    ("@%p1 bra", "@%p1 fma.rn.f32", ["fma.rn.f32"]),
    ("@%p1 bra", "call.uni", ["call.uni"]),
])
def test_what_fuses_in_ptx(old: str, new: str, fault: List[str]) -> None:
    (name, body), = arithmetic.bodies_of_ptx("//\n" + BODY.replace(old, new))
    assert (name, arithmetic.faults_of_ptx(body)) == ("k", fault)


def test_what_is_fused_in_machine_code() -> None:
    code = "k\n  /*0070*/  @!P0 FADD R5, R5, R2 ;  /* 0x0 */\n  /*0080*/  FMUL.RN R5, R5, R2 ;\n"
    assert arithmetic.faults_of_sass(code) == []
    assert arithmetic.faults_of_sass(code.replace("FMUL.RN", "FFMA")) == ["FFMA", "no FMUL"]


def test_nothing_registers_itself(library: Path) -> None:
    checks.check_nothing_registers_itself(library)


def test_documents_agree() -> None:
    """docs/cuda.md on the number of images, with which its sizes go stale; README.md on the pins of ./dev."""
    images = re.findall(r"^rung_registry_image\(", (ROOT / "generated/files.cmake").read_text(), re.M)
    told = re.findall(r"the (\d+) images of this version's", " ".join((ROOT / "docs/cuda.md").read_text().split()))
    assert told == [str(len(images))], "./dev images prints the sizes for docs/cuda.md"
    pins = re.findall(r"nvidia-[\w-]+==[\d.]+", (ROOT / "dev").read_text())
    pins = [pin for pin in pins if "cuobjdump" not in pin and "nvdisasm" not in pin]  # which tests alone need
    assert len(pins) == 4 and re.findall(r"nvidia-[\w-]+==[\d.]+", (ROOT / "README.md").read_text()) == pins
