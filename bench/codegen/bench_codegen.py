#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long the generator takes for 20, 200 and 2,000 ops: from nothing, and again when nothing has changed.

Every op has three kernels (cpu/generic, cpu/x86-64-v3, cpu/x86-64-v4), every fourth one more for accel and a strict
variant. Each time is that of a whole process, start of the interpreter included; the interpreter's own start is printed
beside it.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import List

ROOT = Path(__file__).resolve().parents[2]

HEAD = """\
rung: 1
namespace: big
auto: [cpu]
devices:
  accel: {model: ladder, fallback: [cpu], archs: [sm90, sm80, generic]}
  cpu:
    model: [x86, aarch64]
    archs: [{x86-64-v4: {flags: [-march=x86-64-v4]}}, {x86-64-v3: {flags: [-march=x86-64-v3]}}, neon, generic]
variants:
  default: {}
  deterministic: {strict: true}
ops:
"""

OP = """\
  op%(n)04d:
    summary: Op number %(n)d.
    args:
      - y: {type: "float *", shape: [rows, cols], access: write}
      - x: {type: "const float *", shape: [rows, cols]}
      - rows: {type: size_t}
      - cols: {type: size_t}
      - a: {type: float, range: [0, 1]}
    tolerance: {rel: 1.0e-6}
    kernels:
      - {on: cpu/generic}
      - {on: cpu/x86-64-v3}
      - {on: cpu/x86-64-v4}
"""
MORE = """\
      - {on: accel/sm80}
      - {on: cpu/generic, variant: deterministic}
"""


def write_registry(folder: Path, ops: int) -> Path:
    text: List[str] = [HEAD]
    for n in range(ops):
        text.append(OP % {"n": n})
        sources = [f"kernels/cpu/{arch}/op{n:04d}.c" for arch in ("generic", "x86-64-v3", "x86-64-v4")]
        if n % 4 == 0:
            text.append(MORE)
            sources += [f"kernels/accel/sm80/op{n:04d}.c", f"kernels/cpu/generic/op{n:04d}.deterministic.c"]
        for source in sources:
            (folder / source).parent.mkdir(parents=True, exist_ok=True)
            (folder / source).touch()
    registry = folder / "registry.yaml"
    registry.write_text("".join(text))
    return registry


def seconds(*command: object) -> float:
    start = time.perf_counter()
    subprocess.run([str(c) for c in command], check=True, stdout=subprocess.DEVNULL, cwd=ROOT,
                   env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"})
    return time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ops", type=int, nargs="*", default=[20, 200, 2000], help="default: 20 200 2000")
    sizes = parser.parse_args().ops

    print(f"interpreter alone: {seconds(sys.executable, '-c', 'import yaml, jinja2'):.2f} s (with PyYAML and Jinja2)")
    print(f"{'ops':>6} {'cells':>6} {'files':>6} {'from nothing, s':>16} {'nothing changed, s':>19} {'rewritten':>10}")
    for ops in sizes:
        with tempfile.TemporaryDirectory() as name:
            registry = write_registry(Path(name), ops)
            out = Path(name) / "generated"
            command = (sys.executable, "-m", "codegen", "--registry", registry, "--out", out)
            first = seconds(*command)
            before = {f: f.stat().st_mtime_ns for f in out.rglob("*") if f.is_file()}
            again = seconds(*command)
            rewritten = sum(1 for f, mtime in before.items() if f.stat().st_mtime_ns != mtime)
            cells = 3 * ops + 2 * ((ops + 3) // 4)
            print(f"{ops:6} {cells:6} {len(before):6} {first:16.2f} {again:19.2f} {rewritten:10}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
