#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a compiled registry costs, for 20, 200, 2,000 and 10,000 ops: time to open a platform and to look something up,
bytes and relocations of the tables for each cell, and the code of the dispatch functions beside that of the same done
by hand. The registries are those of bench/big_registry.py, all cells of cuda taken for built.

Everything is compiled by CC (default: cc) and linked with librung.a. Times are medians, with the distance of the
quartiles. Needs size, readelf and nm.
"""
import argparse
import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Dict, List, Tuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import big_registry  # noqa: E402
import by_hand  # noqa: E402
import objects  # noqa: E402
import report  # noqa: E402

# As the release build has them, beside what position independence is asked for.
FLAGS = ["-std=c11", "-O3", "-DNDEBUG", "-ffunction-sections", "-fdata-sections", "-ffp-contract=off",
         "-DBIG_WITH_CUDA", "-DBIG_CUDA_TOOLKIT_MAJOR=13", "-DBIG_CUDA_TOOLKIT_MINOR=0", "-DBIG_CUDA_TARGETS=80,90"]
TABLES = {  # the table of each symbol of registry.c and hashes.c; what is not named here is `chains and others`
    "strings": "names", "cells": "cells", "ops": "ops", "big_cell_values": "hash of cells",
    "big_cell_displace": "hash of cells", "big_op_values": "hash of ops", "big_op_displace": "hash of ops",
}


class Build:
    """One registry, generated and compiled in a folder."""

    def __init__(self, folder: Path, ops: int, library: Path) -> None:
        self.folder = folder
        self.ops = ops
        self.library = library
        self.compiler = shlex.split(os.environ.get("CC", "cc"))
        self.generated = folder / "generated"

    def cc(self, *arguments: object) -> None:
        include = [f"-I{self.generated}/include", f"-I{self.generated}", f"-I{ROOT}/src/include", f"-I{ROOT}/src"]
        subprocess.run([*self.compiler, *FLAGS, *include, *map(str, arguments)], check=True, cwd=self.folder)

    def compile(self, out: str, flag: str, *sources: Path) -> List[Path]:
        folder = self.folder / "objects" / out
        folder.mkdir(parents=True)
        for source in sources:
            self.cc(flag, "-c", source, "-o", folder / f"{source.stem}.o")
        return [folder / f"{source.stem}.o" for source in sources]

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text)
        return path

    def link(self, program: str, *files: Path) -> Path:
        self.cc("-pie", *files, self.library, "-o", self.folder / program)
        return self.folder / program


def seconds_since(start: float) -> float:
    return time.perf_counter() - start


def run_measure(program: Path, turns: int, turn_us: int) -> Tuple[Dict[str, str], Dict[str, Dict[str, float]]]:
    """The machine, and ns by case."""
    environment = {k: v for k, v in os.environ.items() if k not in ("RUNG_PLATFORM", "RUNG_LOG")}
    said = subprocess.run([program, str(turns), str(turn_us)], check=True, stdout=subprocess.PIPE, text=True,
                          env=environment).stdout
    machine: Dict[str, str] = {}
    times: Dict[str, Dict[str, float]] = {}
    for name, *values in (line.split("\t") for line in said.splitlines()):
        if len(values) == 1:
            machine[name] = values[0]
        else:
            times[name] = {"ns": float(values[0]), "spread_ns": float(values[1])}
    return machine, times


def table_sizes(files: List[Path], cells: int) -> Dict[str, Any]:
    """Bytes of the tables: in all, and for each cell."""
    by_table: Dict[str, int] = {}
    for file in files:
        for name, size in objects.symbols(file, "rRdDbB").items():
            table = TABLES.get(name, "chains and others")
            by_table[table] = by_table.get(table, 0) + size
    read_only = objects.bytes_in(files, ".rodata")
    relocated = objects.bytes_in(files, ".data.rel.ro")
    return {
        "rodata": read_only,
        "data_rel_ro": relocated,
        "writable": objects.bytes_in(files, ".data", ".bss") - relocated,
        "per_cell": (read_only + relocated) / cells,
        "per_cell_by_table": {name: size / cells for name, size in by_table.items()},
    }


def table_relocations(files: List[Path]) -> Dict[str, int]:
    """All of them, and those outside of the one struct rung_registry, which has a pointer to each table."""
    found = objects.relocations(files)
    return {"all": sum(found.values()),
            "outside_struct": sum(n for name, n in found.items() if not name.endswith(".big_registry"))}


def line_through(points: List[Tuple[float, float]]) -> Tuple[float, float]:
    """y at x = 1 and the slope of the least-squares line."""
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread > 0 else 0.0
    return mean_y + slope * (1 - mean_x), slope


def dispatch(build: Build, tables: List[Path], measure: Path) -> Dict[str, Any]:
    """The generated dispatch functions beside two ways by hand. Only plain calls are compared: only the generated
    dispatch also has buffer calls."""
    sources = sorted((build.generated / "dispatch").glob("*.c"))
    generated = build.compile("dispatch", "-fPIC", *sources)
    kernels, = build.compile("kernels", "-fPIC", build.write("nothing.c", by_hand.kernels(build.ops)))
    cells = {file.stem: sum(1 for name in objects.undefined(file) if name.startswith(f"big_{file.stem}__"))
             for file in generated}
    plain = {file.stem: sum(size for name, size in objects.symbols(file, "tT").items() if "_buf" not in name)
             for file in generated}
    ways = {"generated": (generated, plain)}
    for name, text in (("pointers", by_hand.pointers(build.ops)), ("ladder", by_hand.ladder(build.ops))):
        files = build.compile(name, "-fPIC", build.write(f"{name}.c", text))
        by_op = dict.fromkeys(cells, 0)
        for symbol, size in objects.symbols(files[0], "tT").items():
            by_op[re.sub(r"^big_(op\d+).*", r"\1", symbol)] += size
        ways[name] = (files, by_op)

    built = sum(cells.values())
    machine = build.compile("machine", "-fPIC", build.write("machine.c", "const unsigned machine = 0;\n"))
    result: Dict[str, Any] = {
        "cells": built,
        "text_per_cell": objects.bytes_in(generated, ".text") / built,
        "text_per_op": objects.bytes_in(generated, ".text") / build.ops,
        "ways": {},
    }
    for name, (files, by_op) in ways.items():
        first, further = line_through([(cells[op], by_op[op]) for op in cells])
        program = build.link(f"with_{name}", measure, *tables, *files, kernels, *machine)
        in_data = sum(n for section, n in objects.relocations(files).items() if section.startswith(".data"))
        result["ways"][name] = {
            "text_per_op": sum(by_op.values()) / build.ops,
            "text_first_cell": first,
            "text_further_cell": further,
            "data_per_cell": objects.bytes_in(files, ".rodata", ".data") / built,
            "data_relocations_per_cell": in_data / built,
            "dynamic_relocations": objects.relocations([program]).get(".dyn", 0),
        }
    return result


def measure_size(ops: int, options: argparse.Namespace) -> Tuple[Dict[str, str], Dict[str, Any]]:
    with tempfile.TemporaryDirectory() as name:
        build = Build(Path(name), ops, options.library.resolve())
        registry = big_registry.write(build.folder, ops)
        start = time.perf_counter()
        big_registry.generate(registry, build.generated)
        generate_s = seconds_since(start)
        sources = [build.generated / "registry.c", build.generated / "hashes.c"]
        start = time.perf_counter()
        pic = build.compile("pic", "-fPIC", *sources)
        compile_s = seconds_since(start)
        no_pic = build.compile("no_pic", "-fno-pic", *sources)
        measure, = build.compile("measure", "-fPIC", ROOT / "bench/tables/measure.c")
        program = build.link("program", measure, *pic)
        machine, times = run_measure(program, options.turns, options.turn_us)
        cells = big_registry.count_cells(ops)
        return machine, {
            "ops": ops,
            "cells": cells,
            "generate_s": generate_s,
            "compile_tables_s": compile_s,
            "times": times,
            "tables": table_sizes(pic, cells),
            "relocations": {
                "no_pic": table_relocations(no_pic),
                "pic": table_relocations(pic),
                "pie_dynamic": objects.relocations([program]).get(".dyn", 0),
            },
            "dispatch": dispatch(build, pic, measure) if ops <= options.dispatch else None,
        }


def growth(small: Dict[str, Any], large: Dict[str, Any], case: str) -> float:
    """The power of the number of ops with which the time grows from one size to the next: 1 is linear."""
    ratio = large["times"][case]["ns"] / small["times"][case]["ns"]
    return math.log(ratio) / math.log(large["ops"] / small["ops"])


def positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise ValueError
    return value


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ops", type=positive, nargs="*", default=[20, 200, 2000, 10000],
                        help="default: 20 200 2000 10000")
    parser.add_argument("--library", type=Path, default=ROOT / "build-bench/src/librung.a",
                        help="librung.a (build-bench/src/librung.a)")
    parser.add_argument("--dispatch", type=int, default=200, metavar="OPS",
                        help="dispatch functions are compiled up to so many ops (200)")
    parser.add_argument("--turns", type=positive, default=101, help="of every case; the median is taken (101)")
    parser.add_argument("--turn-us", type=positive, default=500, help="microseconds that a turn lasts at least (500)")
    parser.add_argument("--json", action="store_true", help="as JSON instead of a table")
    options = parser.parse_args()
    if not options.library.is_file():
        parser.error(f"{options.library} is missing: ./dev bench builds it")
    sizes = sorted(set(options.ops))

    machine: Dict[str, str] = {}
    measured: List[Dict[str, Any]] = []
    try:
        for ops in sizes:
            machine, result = measure_size(ops, options)
            measured.append(result)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"bench_tables: {error}", file=sys.stderr)
        return 1
    for small, large in zip(measured, measured[1:]):
        large["growth"] = {case: growth(small, large, case) for case in large["times"] if case.startswith("open_on")}
    machine["compiler"] = objects.output(*shlex.split(os.environ.get("CC", "cc")), "--version").splitlines()[0]
    whole = {"machine": machine, "turns": options.turns, "sizes": measured}
    print(json.dumps(whole, indent=2) if options.json else report.text(whole))
    return 0


if __name__ == "__main__":
    sys.exit(main())
