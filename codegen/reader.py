# SPDX-License-Identifier: Apache-2.0
"""Typed access to YAML nodes: each function returns a value, or reports why there is none and returns None."""

from __future__ import annotations

import math
import re
import unicodedata
from typing import Iterable, Optional, Sequence

from codegen.diagnostics import Diagnostics, Mark, close, nearest
from codegen.load import Node, is_list, is_map, is_scalar, mark_of, tag_of
from codegen.model import Ref

_INT = re.compile(r"-?(?:0|[1-9][0-9]*)")
_EXPONENT = re.compile(r"[-+]?[0-9]+(?:\.[0-9]*)?[eE][-+]?[0-9]+")
_PATH = re.compile(r"[A-Za-z0-9_+-][A-Za-z0-9._+-]*(/[A-Za-z0-9_+-][A-Za-z0-9._+-]*)*")
_KINDS = {"str": "text", "int": "a number", "float": "a number", "bool": "true or false", "null": "nothing"}

MAX_TEXT = 1000
_DIGITS = 30  # a longer whole number is out of every range


class Fields:
    """The entries of one mapping, by key."""

    def __init__(self, node: Node, entries: dict[str, tuple[Node, Node]]) -> None:
        self.node = node
        self.mark = mark_of(node)
        self.entries = entries

    def get(self, key: str) -> Optional[Node]:
        entry = self.entries.get(key)
        return entry[1] if entry else None

    def key_mark(self, key: str) -> Mark:
        """Where the key stands; the mapping's own place when it is absent."""
        entry = self.entries.get(key)
        return mark_of(entry[0]) if entry else self.mark

    def value_mark(self, key: str) -> Mark:
        entry = self.entries.get(key)
        return mark_of(entry[1]) if entry else self.mark


class Reader:
    def __init__(self, diagnostics: Diagnostics) -> None:
        self.diagnostics = diagnostics

    def error(self, node: Node, text: str) -> None:
        self.diagnostics.error(mark_of(node), text)

    def items(self, node: Node, what: str) -> list[tuple[str, Node, Node]]:
        """The entries of a mapping whose keys are names: (name, key node, value node). Duplicates are reported."""
        if not is_map(node):
            self.error(node, f"{what}: a mapping is expected, not {describe(node)}")
            return []
        seen: dict[str, Node] = {}
        items = []
        for key, value in node.value:
            if not is_scalar(key):
                self.error(key, f"{what}: a key must be a name")
                continue
            name = str(key.value)
            if tag_of(key) == "merge":
                self.error(key, f"{what}: merge keys are not supported: a registry says everything where it stands")
                continue
            if name in seen:
                self.diagnostics.error(
                    mark_of(key), f"duplicate key '{name}' in {what}", (mark_of(seen[name]), "first given here")
                )
                continue
            seen[name] = key
            items.append((name, key, value))
        return items

    def fields(
        self, node: Node, what: str, required: Sequence[str] = (), optional: Sequence[str] = ()
    ) -> Optional[Fields]:
        """A mapping with a fixed set of keys."""
        if not is_map(node):
            self.error(node, f"{what}: a mapping is expected, not {describe(node)}")
            return None
        known = (*required, *optional)
        entries = {}
        misspelt: set[str] = set()
        for name, key, value in self.items(node, what):
            if name in known:
                entries[name] = (key, value)
            else:
                misspelt.update(close(name, known))
                self.error(key, f"unknown key '{name}' in {what}{nearest(name, known)}")
        for name in required:
            if name not in entries and name not in misspelt:
                self.error(node, f"{what}: the key '{name}' is missing")
        return Fields(node, entries)

    def elements(self, node: Optional[Node], what: str, empty: bool = True) -> list[Node]:
        if node is None:
            return []
        if not is_list(node):
            self.error(node, f"{what}: a list is expected, not {describe(node)}")
            return []
        if not node.value and not empty:
            self.error(node, f"{what}: the list is empty")
        return list(node.value)

    def name(self, node: Optional[Node], what: str) -> Optional[Ref]:
        """A name: a string in YAML's eyes too, so that `90a`, `no` and `1e3` cannot turn into something else."""
        if node is None:
            return None
        if not is_scalar(node) or tag_of(node) != "str":
            hint = ": write it in quotes" if is_scalar(node) and tag_of(node) != "null" else ""
            self.error(node, f"{what}: a string is expected, not {describe(node)}{hint}")
            return None
        if not node.value:
            self.error(node, f"{what}: the string is empty")
            return None
        if not node.value.isprintable():
            self.error(node, f"{what}: a character of {ascii(node.value)[:60]} is not printable")
            return None
        return Ref(str(node.value), mark_of(node))

    def names(self, node: Optional[Node], what: str, empty: bool = True) -> tuple[Ref, ...]:
        found = [self.name(item, what) for item in self.elements(node, what, empty)]
        return tuple(ref for ref in found if ref is not None)

    def name_or_names(self, node: Optional[Node], what: str) -> tuple[Ref, ...]:
        if node is not None and is_list(node):
            return self.names(node, what, empty=False)
        ref = self.name(node, what)
        return (ref,) if ref else ()

    def text(self, node: Optional[Node], what: str) -> str:
        """One line for people; line breaks of a folded scalar become blanks."""
        if node is None:
            return ""
        if not is_scalar(node) or tag_of(node) == "null":
            self.error(node, f"{what}: text is expected, not {describe(node)}")
            return ""
        text = " ".join(str(node.value).split())
        if not text:
            self.error(node, f"{what}: the text is empty")
        hidden = next((sign for sign in text if unicodedata.category(sign) in ("Cc", "Cs")), None)
        if hidden:
            self.error(node, f"{what}: the character U+{ord(hidden):04X} is not allowed in text")
        if len(text.encode()) > MAX_TEXT:
            self.error(node, f"{what}: longer than {MAX_TEXT} bytes")
        return text

    def boolean(self, node: Optional[Node], what: str) -> bool:
        if node is None:
            return False
        if not is_scalar(node) or tag_of(node) != "bool" or node.value not in ("true", "false"):
            found = f"'{node.value}'" if is_scalar(node) and tag_of(node) == "bool" else describe(node)
            self.error(node, f"{what}: true or false is expected, not {found}")
            return False
        return bool(node.value == "true")

    def integer(self, node: Optional[Node], what: str, low: int, high: int) -> Optional[int]:
        if node is None:
            return None
        if not is_scalar(node) or tag_of(node) != "int" or not _INT.fullmatch(node.value):
            self.error(node, f"{what}: a whole decimal number is expected, not {describe(node)}")
            return None
        value = int(node.value) if len(node.value) <= _DIGITS else high + 1
        if not low <= value <= high:
            self.error(node, f"{what}: {node.value[:_DIGITS]} is not between {low} and {high}")
            return None
        return value

    def number(self, node: Optional[Node], what: str) -> Optional[float]:
        """A decimal number, or .inf; whole numbers stay exact."""
        if node is None:
            return None
        if is_scalar(node):
            value = str(node.value)
            if tag_of(node) == "int" and _INT.fullmatch(value):
                return int(value) if len(value) <= _DIGITS else float(value)
            if tag_of(node) == "float" and ":" not in value and "_" not in value:
                number = float(value.lower().replace(".inf", "inf").replace(".nan", "nan"))
                if math.isnan(number) or (math.isinf(number) and "inf" not in value.lower()):
                    self.error(node, f"{what}: {value} is no number")
                    return None
                return number
            if tag_of(node) == "str" and _EXPONENT.fullmatch(value):
                self.error(node, f"{what}: '{value}' is text in YAML 1.1: write it as {_yaml_float(value)}")
                return None
        self.error(node, f"{what}: a decimal number is expected, not {describe(node)}")
        return None

    def path(self, fields: Fields, key: str, what: str) -> Optional[Ref]:
        found = self.name(fields.get(key), f"{key} of {what}")
        if found is None:
            return None
        if not _PATH.fullmatch(found.name):
            self.diagnostics.error(
                found.mark,
                f"{key} of {what}: '{found.name}' is no path of letters, digits and ._+- below the registry's folder",
            )
            return None
        return found

    def choice(self, node: Optional[Node], what: str, known: Iterable[str]) -> Optional[str]:
        ref = self.name(node, what)
        if ref is None:
            return None
        options = list(known)
        if ref.name not in options:
            hint = nearest(ref.name, options) or f"; {' or '.join(options)} is expected"
            self.diagnostics.error(ref.mark, f"{what}: '{ref.name}' is unknown{hint}")
            return None
        return ref.name


def describe(node: Node) -> str:
    if is_map(node):
        return "a mapping"
    if is_list(node):
        return "a list"
    tag = tag_of(node)
    if tag == "null":
        return "nothing"
    return f"'{node.value}' ({_KINDS.get(tag, tag)})"


def _yaml_float(text: str) -> str:
    mantissa, _, exponent = text.lower().partition("e")
    if "." not in mantissa:
        mantissa += ".0"
    return f"{mantissa}e{exponent if exponent[0] in '+-' else '+' + exponent}"
