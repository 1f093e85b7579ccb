# SPDX-License-Identifier: Apache-2.0
"""Registries of any number of ops, with what a real one has: three devices, two variants, and ops that differ in the
archs that they have kernels for. The benchmarks of the generator and of its tables use the same ones.

Which cells op n has depends on n alone: 3.5 cells an op on average, in 64 patterns.
"""
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import List

ROOT = Path(__file__).resolve().parents[1]
NAMESPACE = "big"

HEAD = """\
rung: 1
namespace: big
auto: [cuda, cpu]
devices:
  cuda:
    model: cuda
    fallback: [cpu]
    archs: [sm90, sm80, {ptx: {target: compute_75}}, generic]
  accel:
    model: ladder
    fallback: [cpu]
    archs: [sm90, sm80, generic]
  cpu:
    model: [x86, aarch64]
    archs: [{x86-64-v4: {flags: [-march=x86-64-v4]}}, {x86-64-v3: {flags: [-march=x86-64-v3]}}, neon, generic]
variants:
  default: {}
  deterministic: {strict: true}
ops:
"""

OP = """\
  %(name)s:
    summary: Op number %(n)d.
    args:
      - y: {type: "float *", shape: [rows, cols], access: write}
      - x: {type: "const float *", shape: [rows, cols]}
      - rows: {type: size_t}
      - cols: {type: size_t}
      - a: {type: float, range: [0, 1]}
    tolerance: {rel: 1.0e-6}
    kernels:
"""


@dataclass(frozen=True)
class Cell:
    device: str
    arch: str
    deterministic: bool = False

    def entry(self, op: str) -> str:
        variant = ", variant: deterministic" if self.deterministic else ""
        source = f", source: {self.source(op)}" if self.device == "cuda" else ""
        return f"      - {{on: {self.device}/{self.arch}{variant}{source}}}\n"

    @property
    def suffix(self) -> str:
        """What the kernel's name has after that of the op."""
        return f"__{self.device}_{self.arch.replace('-', '_')}{'__deterministic' if self.deterministic else ''}"

    def source(self, op: str) -> str:
        """In C on every device: there is no image to be built."""
        return f"kernels/{self.device}/{self.arch}/{op}{'.deterministic' if self.deterministic else ''}.c"


def op_name(n: int) -> str:
    return f"op{n:05d}"


def cells_of(n: int) -> List[Cell]:
    """The cells of op n, the best first."""
    has = {
        Cell("cpu", "generic", True): n % 4 == 0,
        Cell("cuda", "sm90"): n % 7 == 0,
        Cell("cuda", "sm80"): n % 5 < 2,
        Cell("accel", "sm80"): n % 3 == 0,
        Cell("cpu", "x86-64-v4"): n % 2 == 0,
        Cell("cpu", "x86-64-v3"): n % 4 < 3,
        Cell("cpu", "neon"): n % 11 == 0,
        Cell("cpu", "generic"): True,
    }
    return [cell for cell, there in has.items() if there]


def count_cells(ops: int) -> int:
    return sum(len(cells_of(n)) for n in range(ops))


def write(folder: Path, ops: int) -> Path:
    """The registry, with an empty file for every kernel; returns its path."""
    text: List[str] = [HEAD]
    for cell in {cell for n in range(min(ops, 4 * 3 * 5 * 7 * 11)) for cell in cells_of(n)}:
        (folder / cell.source("any")).parent.mkdir(parents=True, exist_ok=True)
    for n in range(ops):
        name = op_name(n)
        text.append(OP % {"n": n, "name": name})
        for cell in cells_of(n):
            text.append(cell.entry(name))
            (folder / cell.source(name)).touch()
    registry = folder / "registry.yaml"
    registry.write_text("".join(text))
    return registry


def run_python(*arguments: object) -> None:
    """In a process of its own, with this tree's modules."""
    subprocess.run([sys.executable, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, cwd=ROOT,
                   env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"})


def generate(registry: Path, out: Path) -> None:
    run_python("-m", "codegen", "--registry", registry, "--out", out)
