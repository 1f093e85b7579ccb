# SPDX-License-Identifier: Apache-2.0
"""What an op says for the proof of its kernels: whether it is of things that the op has, and can be done."""

from __future__ import annotations

from pathlib import Path
from typing import Collection, Optional

from codegen import expression
from codegen.diagnostics import Diagnostics, Mark, nearest
from codegen.model import Arg, Op, Ref, Size
from codegen.schema_ops import FLOATS, INTEGERS

BFLOAT16 = "uint16_t"


def check(op: Op, diagnostics: Diagnostics, sources: Optional[Path]) -> None:
    proof = op.proof
    by_name = {arg.name: arg for arg in op.args}
    for arg in op.args:
        _Argument(op, arg, by_name, diagnostics).check()
    sizes = set(op.sizes)
    seen: dict[str, Mark] = {}
    for ref in proof.permutes:
        what = f"permutes of op {op.name}"
        _known(ref, sizes, "size", what, diagnostics)
        if ref.name in seen:
            diagnostics.error(ref.mark, f"{what}: '{ref.name}' stands twice", (seen[ref.name], "first given here"))
        seen.setdefault(ref.name, ref.mark)
    for key, rows in (("sizes", proof.sizes), ("bench", proof.bench)):
        for row in rows:
            _row(op, row, f"{key} of op {op.name}", diagnostics)
    _scalings(op, by_name, diagnostics)
    if proof.flops:
        scalars = [arg.name for arg in op.args if not arg.pointer]
        problem = expression.problem(proof.flops.name, scalars)
        if problem:
            diagnostics.error(proof.flops.mark, f"flops of op {op.name}: {problem}")
    if proof.expected and sources is not None and not (sources / proof.expected.name).is_file():
        name = proof.expected.name
        diagnostics.error(proof.expected.mark, f"{name}: no such file: it has the expected values of op {op.name}")


def _known(ref: Ref, names: Collection[str], kind: str, what: str, diagnostics: Diagnostics) -> bool:
    if ref.name in names:
        return True
    diagnostics.error(ref.mark, f"{what}: the op has no {kind} '{ref.name}'{nearest(ref.name, list(names))}")
    return False


def _row(op: Op, row: Size, what: str, diagnostics: Diagnostics) -> None:
    given = {ref.name for ref, _ in row.numbers}
    bounds = {arg.name: arg.bounds for arg in op.args}
    for ref, number in row.numbers:
        bound = bounds.get(ref.name)
        if bound and not (bound.low or 0) <= number <= (float("inf") if bound.high is None else bound.high):
            diagnostics.error(ref.mark, f"{what}: {ref.name}: {number} is out of its range")
    known = [_known(ref, op.sizes, "size", what, diagnostics) for ref, _ in row.numbers]
    missing = [name for name in op.sizes if name not in given]
    if missing and all(known):
        diagnostics.error(row.mark, f"{what}: {', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing")


def _scalings(op: Op, by_name: dict[str, Arg], diagnostics: Diagnostics) -> None:
    what = f"scalings of op {op.name}"
    for scaling in op.proof.scalings:
        for ref, exponent in scaling.exponents:
            if not _known(ref, by_name, "argument", what, diagnostics):
                continue
            arg = by_name[ref.name]
            if arg.element not in FLOATS:
                diagnostics.error(ref.mark, f"{what}: {ref.name} is not of floating point: its elements are not scaled")
            elif exponent is None and arg.access not in ("write", "read_write"):
                diagnostics.error(ref.mark, f"{what}: {ref.name}: any: only a written array is compared or not")


class _Argument:
    def __init__(self, op: Op, arg: Arg, by_name: dict[str, Arg], diagnostics: Diagnostics) -> None:
        self.op, self.arg, self.by_name, self.diagnostics = op, arg, by_name, diagnostics
        self.what = f"argument {arg.name} of op {op.name}"

    def _error(self, mark: Optional[Mark], text: str) -> None:
        self.diagnostics.error(mark or self.arg.mark, text)

    def check(self) -> None:
        proof = self.arg.proof
        self._values()
        self._written()
        if proof.unread_if_zero:
            ref = proof.unread_if_zero
            scalars = {arg.name for arg in self.op.args if not arg.pointer}
            _known(ref, scalars, "scalar", f"unread_if_zero of {self.what}", self.diagnostics)
            if self.arg.access == "write":
                self._error(ref.mark, f"unread_if_zero of {self.what}: it is never read")
        for value in proof.tries:
            if not self._fits(value):
                self._error(proof.tries_mark, f"try of {self.what}: {value:g} is no {self.arg.type} within its range")

    def _fits(self, value: float) -> bool:
        bounds = self.arg.bounds
        if bounds and not (
            (bounds.low is None or value >= bounds.low) and (bounds.high is None or value <= bounds.high)
        ):
            return False
        if self.arg.type in INTEGERS:
            low, high = INTEGERS[self.arg.type]
            return value == int(value) and low <= value <= high if abs(value) != float("inf") else False
        return abs(value) <= FLOATS[self.arg.type] or abs(value) == float("inf")

    def _square(self) -> bool:
        shape = self.arg.shape
        return len(shape) == 2 and shape[0].name == shape[1].name

    def _values(self) -> None:
        arg, proof = self.arg, self.arg.proof
        what = f"values of {self.what}"
        if proof.values and proof.values.name == "bfloat16" and arg.element != BFLOAT16:
            self._error(proof.values.mark, f"{what}: the bits of bfloat16 numbers are {BFLOAT16}, not {arg.element}")
        if proof.values and proof.values.name == "positive_definite":
            if arg.element not in FLOATS or not self._square():
                self._error(proof.values.mark, f"{what}: it is for a square of floating point, as [k, k]")
        for low, high in proof.intervals:
            if arg.element in INTEGERS:
                least, most = INTEGERS[arg.element]
                if not (low == int(low) and high == int(high) and least <= low and high <= most):
                    self._error(proof.values_mark, f"{what}: {arg.element} wants whole numbers of its own range")
            elif max(abs(low), abs(high)) > FLOATS[arg.element]:
                self._error(proof.values_mark, f"{what}: a bound is beyond {arg.element}")
        if len(proof.intervals) > 1:
            last = arg.shape[-1].name if arg.shape else ""
            if last != str(len(proof.intervals)):
                self._error(
                    proof.values_mark,
                    f"{what}: {len(proof.intervals)} pairs, and the last axis has {last or 'no'} elements",
                )

    def _written(self) -> None:
        arg, proof = self.arg, self.arg.proof
        written = arg.access in ("write", "read_write")
        keys: list[tuple[str, Optional[Mark]]] = [
            (key, ref.mark) for key, ref in (("compare", proof.compare), ("scale", proof.scale)) if ref
        ]
        keys += [("alias", ref.mark) for ref in proof.alias[:1]]
        keys += [
            (key, None)
            for key, given in (
                ("refused_as_nan", proof.refused_as_nan),
                ("tolerance", proof.tolerance),
                ("rounding", proof.rounding),
            )
            if given
        ]
        if not written:
            for key, mark in keys:
                self._error(mark, f"{key} of {self.what}: it is not written")
            return
        if proof.compare and proof.compare.name == "lower" and not self._square():
            self._error(proof.compare.mark, f"compare of {self.what}: lower is for a square, as [k, k]")
        if proof.compare and proof.compare.name == "moments" and arg.element not in FLOATS:
            self._error(proof.compare.mark, f"compare of {self.what}: moments are of floating point")
        if proof.refused_as_nan and arg.element not in FLOATS:
            self._error(None, f"refused_as_nan of {self.what}: {arg.element} has no NaN")
        for ref in proof.alias:
            self._alias(ref)

    def _alias(self, ref: Ref) -> None:
        arrays = {arg.name for arg in self.op.args if arg.pointer and arg.access != "write"}
        what = f"alias of {self.what}"
        if not _known(ref, arrays, "array that is read", what, self.diagnostics):
            return
        other = self.by_name[ref.name]
        if ref.name == self.arg.name:
            self._error(ref.mark, f"{what}: this is the argument itself")
        elif other.access != "read":
            self._error(ref.mark, f"{what}: {ref.name} is written, too: two results would be in one array")
        elif other.element != self.arg.element or [one.name for one in other.shape] != [
            one.name for one in self.arg.shape
        ]:
            self._error(ref.mark, f"{what}: {ref.name} has other elements or another shape")
