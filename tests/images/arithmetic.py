# SPDX-License-Identifier: Apache-2.0
"""What a kernel's instructions are, where an op promises that a product and a sum are rounded each.

PTX ISA 9.0, "Floating Point Instructions": `add` and `mul` without a rounding modifier may be fused into one `fma`;
with one they never are. So machine code cannot be fused where the PTX that it is made from says `.rn` everywhere."""
import os
import re
from pathlib import Path
from typing import Iterator, List, Tuple

from contents import images, raw_images
from toolkit import run


def bodies_of_ptx(text: str) -> Iterator[Tuple[str, str]]:
    """Every entry with its instructions: up to the next function."""
    for part in re.split(r"^(?=(?:\.(?:visible|weak|extern)\s+)?\.(?:entry|func)\b)", text, flags=re.M):
        found = re.match(r"(?:\.\w+\s+)?\.entry\s+([\w$]+)\(.*?^\{$(.*)", part, re.M | re.S)
        if found:
            yield found.group(1), found.group(2)


def faults_of_ptx(body: str) -> List[str]:
    """What may be, or become, a fused multiply-add of floats; and what there has to be and is not."""
    instructions = re.findall(r"^\s*(?:@!?%\w+\s+)?([a-z][\w.]*)", body, re.M)
    faults = [one for one in instructions if re.match(r"(fma|call)\b", one)]
    faults += [one for one in instructions if re.match(r"(add|sub|mul|mad)\b", one) and re.search(r"\.f(16|32|64)", one)
               and one not in ("add.rn.f32", "mul.rn.f32")]
    return faults + [f"no {one}" for one in ("add.rn.f32", "mul.rn.f32") if one not in instructions]


def faults_of_sass(body: str) -> List[str]:
    found = re.findall(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)", body)
    faults = [one for one in found if one.startswith("FFMA")]
    return faults + [f"no {what}" for what in ("FADD", "FMUL") if not any(one.startswith(what) for one in found)]


def check_ptx(library: Path, entry: str) -> int:
    """How many kernels whose names begin so there are; none of them may be fused."""
    count = 0
    for parts in images(library).values():
        for part in parts:
            if part.kind == "ptx":
                for name, body in bodies_of_ptx(part.data.rstrip(b"\0").decode()):
                    if name.startswith(entry):
                        assert faults_of_ptx(body) == [], f"{name} in PTX for {part.target}"
                        count += 1
    return count


def check_sass(library: Path, entry: str, cuobjdump: str, nvdisasm: str, folder: Path) -> int:
    """The same of machine code, as NVIDIA's disassembler, which cuobjdump looks for on PATH, shows it."""
    path = {**os.environ, "PATH": f"{Path(nvdisasm).parent}:{os.environ.get('PATH', '')}"}
    count = 0
    for image, data in raw_images(library).items():
        names = {name for part in images(library)[image] for name in part.entries if name.startswith(entry)}
        if not names:
            continue
        file = folder / f"{image}.fatbin"
        file.write_bytes(data)
        shown = run(cuobjdump, "-sass", "-fun", ",".join(sorted(names)), file, env=path)
        for text in re.split(r"^\s*Function : ", shown, flags=re.M)[1:]:
            assert text.split()[0] in names and faults_of_sass(text) == [], text
            count += 1
    return count
