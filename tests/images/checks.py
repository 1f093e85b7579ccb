# SPDX-License-Identifier: Apache-2.0
"""What is checked of every library with images: the project's own, and those that the tests make."""
import json
import re
from pathlib import Path
from typing import Dict, List, Tuple

from contents import images, raw_images
from fatbin import differences, expected_targets
from toolkit import newer, run, tool

Expected = Dict[str, Dict[str, Tuple[str, ...]]]


def expected_images(files: Path, archs: List[str], numbers: List[int]) -> Expected:
    """By generated/files.json, for a build of these archs (none: all) with these numbers on `generic`."""
    expected = {}
    for image in json.loads(files.read_text()).get("images", []):
        if image["device"] == "cuda" and numbers:
            arch = image["arch"]
            if not archs or not arch.startswith("sm") or arch[2:] in archs:
                entries = tuple(sorted(image["entries"]))
                targets = expected_targets(arch, image.get("target"), numbers)
                expected[image["image"]] = {target: entries for target in targets}
    return expected


def check_contents(library: Path, expected: Expected) -> None:
    assert differences(expected, images(library)) == []


def check_cuobjdump(library: Path, folder: Path) -> None:
    """NVIDIA's own list of the same images."""
    cuobjdump = tool("cuobjdump")
    assert cuobjdump
    for name, data in raw_images(library).items():
        file = folder / f"{name}.fatbin"
        file.write_bytes(data)
        listed = run(cuobjdump, "-lelf", "-lptx", file)
        said = [("sm_" if kind == "ELF" else "compute_") + target
                for kind, target in re.findall(r"^(ELF|PTX) file +\d+: .*\.sm_(\w+)\.(?:cubin|ptx)$", listed, re.M)]
        parts = images(library)[name]
        assert sorted(said) == sorted(part.target for part in parts), listed
        used = re.findall(r"^ *Function (\w+):$", run(cuobjdump, "-res-usage", file), re.M)
        for entry in {e for part in parts if part.kind == "elf" for e in part.entries}:
            assert entry in used


def check_ptx(library: Path, folder: Path) -> int:
    """Every PTX becomes machine code for a newer target than its own (its own, where it is the newest). How many."""
    ptxas = tool("ptxas")
    assert ptxas
    count = 0
    for name, parts in images(library).items():
        for part in parts:
            if part.kind == "ptx":
                source = folder / f"{name}.{part.target}.ptx"
                source.write_bytes(part.data.rstrip(b"\0"))
                number = None if part.suffix else newer(part.sm)
                target = f"sm_{number or part.sm}{part.suffix}"
                run(ptxas, f"-arch={target}", source, "-o", source.with_suffix(".cubin"))
                count += 1
    return count


def check_nothing_registers_itself(library: Path) -> None:
    sections = run("readelf", "-SW", library)
    assert not re.search(r"\.(nv_?fatbin|nvFatBinSegment|init_array|preinit_array|ctors|init)\b", sections, re.I)
    assert not re.search(r"\b_?_?cuda[A-Z]\w*|\bcu[A-Z]\w*|__nv\w*", run("nm", "-u", library))


def check_links_no_cuda(program: Path) -> None:
    assert not re.search(r"lib(cu|nv)\w*", run("readelf", "-dW", program))
