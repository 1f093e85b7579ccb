# SPDX-License-Identifier: Apache-2.0
"""The table that bench_tables.py prints: a row for each figure, a column for each number of ops."""
from typing import Any, Callable, Dict, List, Optional

Size = Dict[str, Any]
WIDTH = 20

OPENS = [
    ("open_auto", "NULL"), ("open_cpu", '"cpu"'), ("open_accel", '"accel"'),
    ("open_on_auto", "NULL, on a machine detected before"), ("open_on_cpu", '"cpu", on it'),
    ("open_on_accel", '"accel", on it'), ("open_on_cuda", '"cuda", on it, with such a device'),
]
LOOKUPS = [
    ("resolve", "rung_resolve by id"), ("op_find", "rung_op_find"),
    ("resolve_name", "rung_resolve_name"), ("cell_find", "rung_cell_find"), ("explain", "rung_explain of an op"),
]
WAYS = [("generated", "generated"), ("pointers", "by hand, pointers"), ("ladder", "by hand, ifs")]


class Table:
    def __init__(self, sizes: List[Size]) -> None:
        self.sizes = sizes
        self.lines: List[str] = []

    def head(self, title: str) -> None:
        self.lines += ["", title]

    def row(self, label: str, figure: Callable[[Size], Optional[str]]) -> None:
        self.lines.append(f"  {label:38}" + "".join(f"{figure(size) or '-':>{WIDTH}}" for size in self.sizes))

    def times(self, label: str, case: str, unit_ns: float) -> None:
        def figure(size: Size) -> str:
            time = size["times"][case]
            return f"{time['ns'] / unit_ns:.2f} +- {time['spread_ns'] / unit_ns:.2f}"
        self.row(label, figure)

    def way(self, label: str, way: str, figure: str, digits: int) -> None:
        self.row(label, lambda size:
                 f"{size['dispatch']['ways'][way][figure]:.{digits}f}" if size["dispatch"] else None)


def text(whole: Dict[str, Any]) -> str:
    sizes = whole["sizes"]
    machine = whole["machine"]
    table = Table(sizes)
    table.lines.append(f"{machine['cpu']}, {machine['level']}, {machine['compiler']}")
    table.lines.append(f"(times: median +- distance of the quartiles over {whole['turns']} turns)")
    table.head("the registry")
    table.row("ops", lambda size: f"{size['ops']:,}")
    table.row("cells", lambda size: f"{size['cells']:,}")
    table.row("generated in, s", lambda size: f"{size['generate_s']:.2f}")
    table.row("tables compiled in, s", lambda size: f"{size['compile_tables_s']:.2f}")

    table.head("microseconds to open and close")
    for case, label in OPENS:
        table.times(label, case, 1e3)
    table.row('ns per op of "cpu", on it', lambda size: f"{size['times']['open_on_cpu']['ns'] / size['ops']:.1f}")
    table.row("  grows with ops to the power of",
              lambda size: f"{size['growth']['open_on_cpu']:.2f}" if "growth" in size else None)
    table.row('ns per op of "cuda", on it', lambda size: f"{size['times']['open_on_cuda']['ns'] / size['ops']:.1f}")
    table.row("  grows with ops to the power of",
              lambda size: f"{size['growth']['open_on_cuda']:.2f}" if "growth" in size else None)

    table.head("ns to look up, from op to op")
    for case, label in LOOKUPS:
        table.times(label, case, 1.0)

    table.head("tables, bytes per cell")
    table.row("all", lambda size: f"{size['tables']['per_cell']:.1f}")
    for name in sorted(sizes[-1]["tables"]["per_cell_by_table"]):
        table.row(f"  {name}", lambda size, name=name: f"{size['tables']['per_cell_by_table'][name]:.1f}")
    table.row(".rodata, bytes in all", lambda size: f"{size['tables']['rodata']:,}")
    table.row(".data.rel.ro, bytes in all", lambda size: f"{size['tables']['data_rel_ro']:,}")

    table.head("tables, relocations")
    for kind, label in (("no_pic", "without -fPIC"), ("pic", "with -fPIC")):
        table.row(f"{label}: in all", lambda size, kind=kind: str(size["relocations"][kind]["all"]))
        table.row("  per cell", lambda size, kind=kind:
                  f"{size['relocations'][kind]['outside_struct'] / size['cells']:g}")
    table.row("of a PIE, left to the loader", lambda size: str(size["relocations"]["pie_dynamic"]))

    table.head("dispatch functions, bytes of .text")
    table.row("cells built", lambda size: f"{size['dispatch']['cells']:,}" if size["dispatch"] else None)
    for figure, label in (("text_per_cell", "per cell, plain and buffer calls"), ("text_per_op", "per op, both")):
        table.row(label, lambda size, figure=figure:
                  f"{size['dispatch'][figure]:.1f}" if size["dispatch"] else None)
    for way, label in WAYS:
        table.lines.append(f"  {label}: plain calls alone")
        table.way("  per op", way, "text_per_op", 1)
        table.way("    with one cell", way, "text_first_cell", 1)
        table.way("    for each further cell", way, "text_further_cell", 1)
        table.way("  data per cell", way, "data_per_cell", 1)
        table.way("  relocations in data, per cell", way, "data_relocations_per_cell", 2)
        table.way("  of a PIE with it, left to the loader", way, "dynamic_relocations", 0)
    return "\n".join(table.lines)
