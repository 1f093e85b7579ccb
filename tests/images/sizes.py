# SPDX-License-Identifier: Apache-2.0
"""python3 sizes.py FILE...: the bytes that every CUDA target adds to libraries or programs, by image and in all."""
import sys
from collections import Counter
from pathlib import Path
from typing import Counter as Counts
from typing import Dict, List

from contents import images
from fatbin import Part


def table(found: Dict[str, List[Part]]) -> str:
    """In the order of the file; a part's bytes are those that it takes up, with its header."""
    lines = []
    in_all: Counts[str] = Counter()
    for name, parts in found.items():
        sizes = {part.target: part.stored for part in parts}
        in_all.update(sizes)
        lines.append((name, sum(sizes.values()), " ".join(f"{target} {size}" for target, size in sizes.items())))
    width = max(len(name) for name, _, _ in lines)
    out = [f"{name:{width}}  {size:9}  {parts}" for name, size, parts in lines]
    out += ["", f"{'in all':{width}}  {sum(in_all.values()):9}"]
    out += [f"  {target:{width - 2}}  {size:9}" for target, size in sorted(in_all.items(), key=lambda item: -item[1])]
    return "\n".join(out)


def main(files: List[str]) -> int:
    for file in files:
        found = images(Path(file))
        if found:
            print(f"{file}: bytes of CUDA images\n{table(found)}")
        else:
            print(f"{file}: no CUDA images")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
