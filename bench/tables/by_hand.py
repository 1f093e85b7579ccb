# SPDX-License-Identifier: Apache-2.0
"""The dispatch of bench/big_registry.py as people write it by hand, in one file, to be compared with the generated one:
a table of function pointers per op, or a ladder of `if`s per op. Every op checks its arguments as generated code does.
"""
from typing import Iterable, List

import big_registry
from big_registry import Cell

PARAMETERS = "const rung_ctx *cx, float *y, const float *x, size_t rows, size_t cols, float a"
ARGUMENTS = "cx, y, x, rows, cols, a"

HEAD = """\
#include "big/build.h"
#include "big/ids.h"
#include "rung/dispatch.h"
%s
/* In every op of its own, as if each had other arguments. */
#define CHECK() \\
    do { \\
        size_t y_bytes = sizeof(float); \\
        size_t x_bytes = sizeof(float); \\
        if (rung_grow(&y_bytes, rows) || rung_grow(&y_bytes, cols) || (y == NULL && y_bytes != 0)) \\
            return RUNG_ERR_ARGUMENT; \\
        if (rung_grow(&x_bytes, rows) || rung_grow(&x_bytes, cols) || (x == NULL && x_bytes != 0)) \\
            return RUNG_ERR_ARGUMENT; \\
        if (!(a >= 0.0f && a <= 1.0f)) \\
            return RUNG_ERR_ARGUMENT; \\
    } while (0)
"""


def function(op: str) -> str:
    return f"{big_registry.NAMESPACE}_{op}"


def feature(cell: Cell) -> str:
    return f"{cell.device}_{cell.arch.replace('-', '_')}".upper()


def if_built(cell: Cell, line: str) -> str:
    return f"#if BIG_HAS_{feature(cell)}\n{line}\n#endif\n"


def head(ops: int) -> str:
    return HEAD % "".join(f'#include "big/kernels/{big_registry.op_name(n)}.h"\n' for n in range(ops))


def pointers(ops: int) -> str:
    """A table of pointers to kernels per op, indexed by what the platform has chosen."""
    text = [head(ops), f"\ntypedef rung_status kernel_fn({PARAMETERS});\n"]
    for n in range(ops):
        name = function(big_registry.op_name(n))
        cells = sorted(big_registry.cells_of(n), key=lambda cell: (cell.device, cell.arch, cell.deterministic))
        text.append(f"\nstatic kernel_fn *const kernels_{n}[{len(cells)}] = {{\n")
        text += [if_built(cell, f"[{at}] = {name}{cell.suffix},") for at, cell in enumerate(cells)]
        text.append(f"""}};
rung_status {name}({PARAMETERS})
{{
    CHECK();
    unsigned chosen = rung_pick(cx, &big_registry, {n});
    if (chosen >= {len(cells)} || kernels_{n}[chosen] == NULL)
        return rung_no_kernel(cx, &big_registry);
    return kernels_{n}[chosen]({ARGUMENTS});
}}
""")
    return "".join(text)


def features(ops: int) -> Iterable[str]:
    return sorted({feature(cell) for n in range(ops) for cell in big_registry.cells_of(n) if cell.arch != "generic"})


def ladder(ops: int) -> str:
    """Asks at every call what the machine has. No platform, no kinds of memory: less than the other two do."""
    bits: List[str] = [f"    HAS_{name} = 1 << {bit},\n" for bit, name in enumerate(features(ops))]
    text = [head(ops), "\nenum {\n", *bits, "};\nextern const unsigned machine;\n"]
    for n in range(ops):
        name = function(big_registry.op_name(n))
        text.append(f"\nrung_status {name}({PARAMETERS})\n{{\n    CHECK();\n"
                    "    if (cx == NULL)\n        return RUNG_ERR_ARGUMENT;\n")
        for cell in big_registry.cells_of(n):
            call = f"return {name}{cell.suffix}({ARGUMENTS});"
            if cell.deterministic:
                text.append(f"    if (cx->variant == BIG_VARIANT_DETERMINISTIC)\n        {call}\n")
            elif cell.arch != "generic":
                text.append(if_built(cell, f"    if (machine & HAS_{feature(cell)})\n        {call}"))
            else:
                text.append(f"    {call}\n")
        text.append("}\n")
    return "".join(text)


def kernels(ops: int) -> str:
    """A kernel for every cell that does nothing."""
    text = [head(ops)]
    for n in range(ops):
        name = function(big_registry.op_name(n))
        text += [f"rung_status {name}{cell.suffix}({PARAMETERS})\n"
                 "{\n    (void)cx, (void)y, (void)x, (void)rows, (void)cols, (void)a;\n    return RUNG_OK;\n}\n"
                 for cell in big_registry.cells_of(n)]
    return "".join(text)
