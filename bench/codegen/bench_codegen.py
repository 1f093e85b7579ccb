#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long the generator takes for 20, 200 and 2,000 ops: from nothing, and again when nothing has changed.

The registries are those of bench/big_registry.py. Each time is that of a whole process, start of the interpreter
included; the interpreter's own start is printed beside it.
"""
import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import big_registry  # noqa: E402


def seconds(work: Callable[..., None], *arguments: object) -> float:
    start = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ops", type=int, nargs="*", default=[20, 200, 2000], help="default: 20 200 2000")
    sizes = parser.parse_args().ops

    start = seconds(big_registry.run_python, "-c", "import yaml, jinja2")
    print(f"interpreter alone: {start:.2f} s (with PyYAML and Jinja2)")
    print(f"{'ops':>6} {'cells':>6} {'files':>6} {'from nothing, s':>16} {'nothing changed, s':>19} {'rewritten':>10}")
    for ops in sizes:
        with tempfile.TemporaryDirectory() as name:
            registry = big_registry.write(Path(name), ops)
            out = Path(name) / "generated"
            first = seconds(big_registry.generate, registry, out)
            before = {f: f.stat().st_mtime_ns for f in out.rglob("*") if f.is_file()}
            again = seconds(big_registry.generate, registry, out)
            rewritten = sum(1 for f, mtime in before.items() if f.stat().st_mtime_ns != mtime)
            cells = big_registry.count_cells(ops)
            print(f"{ops:6} {cells:6} {len(before):6} {first:16.2f} {again:19.2f} {rewritten:10}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
