# SPDX-License-Identifier: Apache-2.0
"""The shape of what ops and arguments say for the proof and the timing of their kernels."""

from __future__ import annotations

from typing import Optional

from codegen.load import Node, is_list, is_map, is_scalar, mark_of
from codegen.model import ArgProof, OpProof, Ref, Scaling, Size, Tolerance
from codegen.reader import Fields, Reader

OP_KEYS = ("rounding", "wide", "permutes", "scalings", "expected", "sizes", "bench", "flops")
POINTER_KEYS = (
    "values", "special", "unread_if_zero", "alias", "compare", "scale", "negate", "refused_as_nan", "tolerance",
    "rounding",
)
SCALAR_KEYS = ("try", "negate")

VALUES = ("bfloat16", "positive_definite")
COMPARE = ("all", "lower", "moments")
SCALE = ("element", "largest", "magnitude")

ANY = "any"  # in a scaling: the argument is not compared
MAX_EXPONENT = 20
MAX_SIZE = 2**31 - 1
MAX_ROWS = 1000


class ProofReader(Reader):
    def _tolerance(self, node: Node, what: str) -> Optional[Tolerance]:
        fields = self.fields(node, what, (), ("rel", "abs"))
        if fields is None:
            return None
        if not node.value:
            self.error(node, f"{what}: rel, abs or both are expected")
            return None
        values = []
        for key in ("rel", "abs"):
            value = self.number(fields.get(key), f"{key} of {what}")
            if value is not None and not 0 <= value < float("inf"):
                mark = fields.value_mark(key)
                self.diagnostics.error(mark, f"{key} of {what}: a tolerance is finite and not negative")
            values.append(float(value or 0))
        return Tolerance(*values)

    def _optional_tolerance(self, fields: Fields, key: str, what: str) -> Optional[Tolerance]:
        node = fields.get(key)
        return self._tolerance(node, f"{key} of {what}") if node is not None else None

    def _op_proof(self, fields: Fields, what: str) -> OpProof:
        scalings = []
        for node in self.elements(fields.get("scalings"), f"scalings of {what}", empty=False):
            scalings.append(self._scaling(node, f"scalings of {what}"))
        return OpProof(
            self._optional_tolerance(fields, "rounding", what),
            fields.get("wide") is None or self.boolean(fields.get("wide"), f"wide of {what}"),
            self.names(fields.get("permutes"), f"permutes of {what}", empty=False),
            tuple(found for found in scalings if found),
            self.path(fields, "expected", what),
            self._sizes(fields, "sizes", what),
            self._sizes(fields, "bench", what),
            self.name(fields.get("flops"), f"flops of {what}"),
        )

    def _scaling(self, node: Node, what: str) -> Optional[Scaling]:
        found: list[tuple[Ref, Optional[int]]] = []
        for name, key, value in self.items(node, what):
            exponent = None
            if not (is_scalar(value) and value.value == ANY):
                exponent = self.integer(value, f"{name} in {what}", -MAX_EXPONENT, MAX_EXPONENT)
                if exponent is None:
                    continue
            found.append((Ref(name, mark_of(key)), exponent))
        if is_map(node) and not node.value:
            self.error(node, f"{what}: exponents of two are expected, as {{a: 1, c: 1}}")
        return Scaling(mark_of(node), tuple(found)) if found else None

    def _sizes(self, fields: Fields, key: str, what: str) -> tuple[Size, ...]:
        rows = []
        nodes = self.elements(fields.get(key), f"{key} of {what}", empty=False)
        if len(nodes) > MAX_ROWS:
            self.error(nodes[MAX_ROWS], f"{key} of {what}: more than {MAX_ROWS}")
        for node in nodes:
            numbers = []
            for name, name_node, value in self.items(node, f"{key} of {what}"):
                number = self.integer(value, f"{name} in {key} of {what}", 0, MAX_SIZE)
                if number is not None:
                    numbers.append((Ref(name, mark_of(name_node)), number))
            rows.append(Size(mark_of(node), tuple(numbers)))
        return tuple(rows)

    def _arg_proof(self, fields: Fields, what: str) -> ArgProof:
        values: Optional[Ref] = None
        intervals: tuple[tuple[float, float], ...] = ()
        node = fields.get("values")
        if node is not None and is_list(node):
            intervals = self._intervals(node, f"values of {what}")
        elif node is not None:
            name = self.choice(node, f"values of {what}", VALUES)
            values = Ref(name, mark_of(node)) if name else None
        tries = [self.number(item, f"try of {what}") for item in self.elements(fields.get("try"), f"try of {what}")]
        special = fields.get("special")
        return ArgProof(
            values,
            mark_of(node) if node is not None else None,
            intervals,
            special is None or self.boolean(special, f"special of {what}"),
            self.name(fields.get("unread_if_zero"), f"unread_if_zero of {what}"),
            self.names(fields.get("alias"), f"alias of {what}", empty=False),
            self._word(fields, "compare", what, COMPARE),
            self._word(fields, "scale", what, SCALE),
            self.boolean(fields.get("negate"), f"negate of {what}"),
            self.boolean(fields.get("refused_as_nan"), f"refused_as_nan of {what}"),
            self._optional_tolerance(fields, "tolerance", what),
            self._optional_tolerance(fields, "rounding", what),
            tuple(value for value in tries if value is not None),
            fields.value_mark("try") if fields.get("try") is not None else None,
        )

    def _word(self, fields: Fields, key: str, what: str, known: tuple[str, ...]) -> Optional[Ref]:
        node = fields.get(key)
        name = self.choice(node, f"{key} of {what}", known) if node is not None else None
        return Ref(name, fields.value_mark(key)) if name else None

    def _intervals(self, node: Node, what: str) -> tuple[tuple[float, float], ...]:
        """`[low, high]`, or one such pair for each index of the last axis."""
        nodes = list(node.value)
        pairs = nodes if nodes and all(is_list(item) for item in nodes) else [node]
        found = []
        for pair in pairs:
            numbers = [self.number(item, what) for item in self.elements(pair, what)]
            if len(numbers) != 2:
                self.error(pair, f"{what}: two bounds are expected, as [-1, 1], or a list of such")
                continue
            low, high = numbers
            if low is None or high is None:
                continue
            if not -float("inf") < low <= high < float("inf"):
                self.error(pair, f"{what}: two finite bounds are expected, the lower one first")
                continue
            found.append((low, high))
        return tuple(found)
