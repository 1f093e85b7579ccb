# SPDX-License-Identifier: Apache-2.0
"""What is in the images of the project's registry, in the library that the build has made."""
import os
import re
from pathlib import Path
from typing import List

import checks
import pytest
from toolkit import ROOT, tool, with_nvcc


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


def test_nothing_registers_itself(library: Path) -> None:
    checks.check_nothing_registers_itself(library)


def test_documents_agree() -> None:
    """docs/cuda.md on the number of images, with which its sizes go stale; README.md on the pins of ./dev."""
    images = re.findall(r"^rung_registry_image\(", (ROOT / "generated/files.cmake").read_text(), re.M)
    told = re.findall(r"the (\d+) images of this version's", " ".join((ROOT / "docs/cuda.md").read_text().split()))
    assert told == [str(len(images))], "./dev images prints the sizes for docs/cuda.md"
    pins = re.findall(r"nvidia-[\w-]+==[\d.]+", (ROOT / "dev").read_text())
    pins = [pin for pin in pins if "cuobjdump" not in pin]  # which tests alone need
    assert len(pins) == 4 and re.findall(r"nvidia-[\w-]+==[\d.]+", (ROOT / "README.md").read_text()) == pins
