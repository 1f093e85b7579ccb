# SPDX-License-Identifier: Apache-2.0
"""Arithmetic of sizes, as `2 * m * n * k`: checked, and written as C in double."""

from __future__ import annotations

import ast
from typing import Collection, Mapping, Optional

from codegen.diagnostics import nearest

_SIGNS: dict[type, str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_TIGHT = ("*", "/")


def problem(text: str, names: Collection[str]) -> Optional[str]:
    """What is wrong with it; None: nothing is."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return f"'{text}' is no sum or product of numbers and scalar arguments"
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            if node.id not in names:
                return f"the op has no scalar argument '{node.id}'{nearest(node.id, list(names))}"
        elif isinstance(node, ast.Constant):
            if type(node.value) not in (int, float) or not 0 <= node.value < 1e15:
                return f"{node.value!r} is no number that is not negative"
        elif isinstance(node, ast.BinOp):
            if type(node.op) not in _SIGNS:
                return "only + - * / and parentheses are expected"
            if isinstance(node.op, ast.Div) and isinstance(node.right, ast.Constant) and node.right.value == 0:
                return "it divides by zero"
        elif not isinstance(node, (*_SIGNS, ast.Load)):
            return f"'{text}' is no sum or product of numbers and scalar arguments"
    return None


def c_text(text: str, names: Mapping[str, str]) -> str:
    """The same in C; `names` has a C expression of type double for every argument."""
    return _text(ast.parse(text.strip(), mode="eval").body, names)


def _text(node: ast.expr, names: Mapping[str, str]) -> str:
    if isinstance(node, ast.Name):
        return names[node.id]
    if isinstance(node, ast.Constant):
        return repr(float(node.value))  # type: ignore[arg-type]
    assert isinstance(node, ast.BinOp)
    sign = _SIGNS[type(node.op)]
    left, right = _text(node.left, names), _text(node.right, names)
    if isinstance(node.left, ast.BinOp) and sign in _TIGHT and _SIGNS[type(node.left.op)] not in _TIGHT:
        left = f"({left})"
    if isinstance(node.right, ast.BinOp):
        right = f"({right})"
    return f"{left} {sign} {right}"
