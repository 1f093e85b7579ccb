# SPDX-License-Identifier: Apache-2.0
"""Templates and the small pieces of C text that several emitters need."""

from __future__ import annotations

import textwrap
from functools import lru_cache
from pathlib import Path
from typing import Iterable, Sequence

import jinja2

from codegen.model import Arg

WIDTH = 120
TEMPLATES = Path(__file__).resolve().parent / "templates"


@lru_cache(maxsize=None)
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(str(TEMPLATES)),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        auto_reload=False,
    )


@lru_cache(maxsize=None)
def template(name: str) -> jinja2.Template:
    return _environment().get_template(name)


def c_string(text: str) -> str:
    """A C string literal; `??` is kept from becoming a trigraph."""
    out = text.replace("\\", "\\\\").replace('"', '\\"').replace("??", "?\\?")
    return f'"{out}"'


def comment_text(text: str) -> str:
    """Text that cannot end a comment, nor begin one within it."""
    return text.replace("*/", "* /").replace("/*", "/ *").replace("??/", "?? /").rstrip("\\")


def comment_lines(text: str, prefix: str = " * ", hang: str = "") -> list[str]:
    return textwrap.wrap(
        comment_text(text),
        WIDTH,
        initial_indent=prefix,
        subsequent_indent=prefix + hang,
        break_long_words=False,
        break_on_hyphens=False,
    )


def call(head: str, parameters: Sequence[str], tail: str, indent: int = 0) -> str:
    """`head(parameters)tail`, wrapped at the width and aligned behind the parenthesis, as clang-format does."""
    line = " " * indent + head + "("
    whole = f"{line}{', '.join(parameters)}){tail}"
    if len(whole) <= WIDTH:
        return whole
    column = " " * len(line)
    lines = []
    for index, parameter in enumerate(parameters):
        last = index == len(parameters) - 1
        piece = parameter + (f"){tail}" if last else ",")
        if line.endswith("(") or len(line) + 1 + len(piece) <= WIDTH:
            line += piece if line.endswith("(") else " " + piece
        else:
            lines.append(line)
            line = column + piece
    return "\n".join([*lines, line])


def condition(terms: Iterable[str], directive: str = "#if") -> str:
    """`#if a || (b && c)`, wrapped as clang-format does."""
    pieces = [f"({term})" if "&&" in term else term for term in sorted(set(terms))]
    lines = [directive]
    for index, piece in enumerate(pieces):
        piece += " ||" if index + 1 < len(pieces) else ""
        # a line that goes on ends in a blank and a backslash
        if len(lines[-1]) + 1 + len(piece) > WIDTH - (2 if index + 1 < len(pieces) else 0) and lines[-1] != directive:
            lines[-1] = lines[-1].ljust(WIDTH - 1) + "\\"
            lines.append("   ")
        lines[-1] += " " + piece
    return "\n".join(lines)


def initialised(target: str, head: str, parameters: Sequence[str]) -> str:
    """`target = head(parameters);` in a function, wrapped as clang-format does."""
    value = f"{head}({', '.join(parameters)});"
    if WIDTH - 8 >= len(value) > WIDTH - len(f"    {target} = "):
        return f"    {target} =\n        {value}"
    return call(f"{target} = {head}", parameters, ";", 4)


def declaration(type_name: str, name: str) -> str:
    """`const double *x`, `size_t n`."""
    return f"{type_name}{name}" if type_name.endswith("*") else f"{type_name} {name}"


def parameters(args: Iterable[Arg]) -> list[str]:
    return ["const rung_ctx *cx", *(declaration(arg.type, arg.name) for arg in args)]


def buffer_parameters(args: Iterable[Arg]) -> list[str]:
    return [
        "const rung_ctx *cx",
        *(f"rung_buffer *{arg.name}" if arg.pointer else declaration(arg.type, arg.name) for arg in args),
    ]


def wrapped(items: Iterable[object], indent: int = 4) -> str:
    """Numbers of a table, as many on a line as fit."""
    text = ", ".join(str(item) for item in items)
    pad = " " * indent
    return textwrap.fill(text + ",", WIDTH, initial_indent=pad, subsequent_indent=pad) if text else ""
