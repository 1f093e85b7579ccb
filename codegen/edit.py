# SPDX-License-Identifier: Apache-2.0
"""Edits the text of a registry where one kernel stands in it, and leaves everything else, comments too, as it is."""

from __future__ import annotations

import bisect
import json
import re
from typing import Optional

from codegen import load
from codegen.diagnostics import Diagnostics, Mark, RegistryError
from codegen.load import Node, is_list, is_map, is_scalar, mark_of
from codegen.model import DEFAULT, IMAGE_DEVICES, IMAGE_SOURCE
from codegen.schema_ops import LAUNCHER, default_source

_LINE = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_+./-]*")


class CannotEdit(Exception):
    """The entry is written in a way that is not understood here."""

    def __init__(self, mark: Mark, text: str) -> None:
        super().__init__(text)
        self.mark = mark


def set_after(text: str, op: str, place: str, variant: str, after: Optional[str]) -> str:
    """The text of a good registry in which the kernel of `op` on `place` (device/arch) has this `after`, or none. An
    entry over several archs is split, as `after` is for all of an entry's archs."""
    document = _Document(text)
    entries = document.entries(op)
    index = next((i for i, entry in enumerate(entries) if _is_on(entry, place, variant)), None)
    if index is None:
        raise KeyError((op, place, variant))
    entry = entries[index]
    if _text_of(_value(entry, "after")) == after:
        return text
    places = _places(entry)
    if len(places) == 1:
        return document.with_after(entry, after)
    rest = [other for other in places if other != place]
    files = _files(op, entry, variant)
    text = document.with_copy(entry)
    for number, kept in ((index + 1, [place]), (index, rest)):
        for key, path in _files(op, entry, variant, kept).items():
            if path != files[key]:  # the file of the first arch was the file of all
                document = _Document(text)
                text = document.with_pair(document.entries(op)[number], key, files[key])
        document = _Document(text)
        text = document.with_places(document.entries(op)[number], kept)
    document = _Document(text)
    return document.with_after(document.entries(op)[index + 1], after)


# ---- what stands in an entry ----------------------------------------------------------------------------------------


def _value(entry: Node, key: str) -> Optional[Node]:
    return next((value for name, value in entry.value if name.value == key), None)


def _text_of(node: Optional[Node]) -> Optional[str]:
    return None if node is None else str(node.value)


def _places(entry: Node) -> list[str]:
    on = _value(entry, "on")
    if on is None:
        return []
    return [str(item.value) for item in on.value] if is_list(on) else [str(on.value)]


def _is_on(entry: Node, place: str, variant: str) -> bool:
    return place in _places(entry) and (_text_of(_value(entry, "variant")) or DEFAULT) == variant


def _files(op: str, entry: Node, variant: str, places: Optional[list[str]] = None) -> dict[str, str]:
    """The files that the entry has, or would have if it stood on these places, but for those that it names."""
    device, _, arch = (places or _places(entry))[0].partition("/")
    source = _text_of(_value(entry, "source")) or default_source(op, device, arch, variant)
    files = {}
    if _value(entry, "source") is None:
        files["source"] = source
    if _value(entry, "launcher") is None and device in IMAGE_DEVICES and source.endswith(IMAGE_SOURCE):
        files["launcher"] = default_source(op, device, arch, variant, LAUNCHER)
    return files


def scalar(name: str) -> str:
    """A name as YAML that means just that."""
    if _PLAIN.fullmatch(name):
        try:
            if load.tag_of(load.parse(name.encode(), Diagnostics(""))) == "str":
                return name
        except RegistryError:
            pass
    return json.dumps(name)


# ---- text -----------------------------------------------------------------------------------------------------------


class _Document:
    def __init__(self, text: str) -> None:
        self.text = text
        self.root = load.parse(text.encode(), Diagnostics(""))
        self.lines = [0, *(found.end() for found in _LINE.finditer(text))]
        found = _LINE.search(text)
        self.newline = found[0] if found else "\n"

    def entries(self, op: str) -> list[Node]:
        ops = _value(self.root, "ops")
        kernels = _value(_value(ops, op), "kernels")
        assert kernels is not None
        return [node for node in kernels.value if is_map(node)]

    def start(self, node: Node) -> int:
        mark = mark_of(node)
        return self.lines[mark.line - 1] + mark.column - 1

    def end(self, node: Node) -> int:
        """Behind the last character that is the node's own: of a block, PyYAML's end is where the next one begins."""
        if not is_scalar(node) and self.text[self.start(node)] not in "[{":
            last = node.value[-1] if node.value else None
            if last is None:
                raise CannotEdit(mark_of(node), "an empty block")
            return self.end(last[1] if isinstance(last, tuple) else last)
        end = self.lines[int(node.end_mark.line)] + int(node.end_mark.column)
        return len(self.text[:end].rstrip())

    def is_flow(self, node: Node) -> bool:
        return self.text[self.start(node)] in "[{"

    def line_of(self, offset: int) -> int:
        """Where the line that holds this offset begins."""
        return self.lines[bisect.bisect_right(self.lines, offset) - 1]

    def line_end(self, offset: int) -> int:
        """Where the next line begins."""
        number = bisect.bisect_right(self.lines, offset)
        return self.lines[number] if number < len(self.lines) else len(self.text)

    def replaced(self, start: int, end: int, text: str) -> str:
        return self.text[:start] + text + self.text[end:]

    def with_line(self, at: int, line: str) -> str:
        """With a line more where one begins, or behind the last one, which may lack its end."""
        whole = at in self.lines
        return self.replaced(at, at, line + self.newline if whole else self.newline + line)

    # -- pairs of an entry

    def with_after(self, entry: Node, after: Optional[str]) -> str:
        value = _value(entry, "after")
        if after is None:
            return self.without_pair(entry, "after")
        if value is not None:
            return self.replaced(self.start(value), self.end(value), scalar(after))
        return self.with_pair(entry, "after", after)

    def with_pair(self, entry: Node, key: str, value: str) -> str:
        """The pair is put behind `on`."""
        on = _value(entry, "on")
        assert on is not None
        end = self.end(on)
        if self.is_flow(entry):
            return self.replaced(end, end, f", {key}: {scalar(value)}")
        first = self.start(entry.value[0][0])
        indent = " " * (first - self.line_of(first))
        pair = f"{indent}{key}: {scalar(value)}"
        return self.with_line(self.line_end(end), pair)

    def without_pair(self, entry: Node, key: str) -> str:
        number = next(i for i, (name, _) in enumerate(entry.value) if name.value == key)
        name, value = entry.value[number]
        start, end = self.start(name), self.end(value)
        if number == 0:  # up to the next, which takes its place
            return self.replaced(start, self.start(entry.value[1][0]), "")
        if not self.is_flow(entry):
            return self.replaced(self.line_of(start), self.line_end(end), "")
        before = len(self.text[:start].rstrip())
        if self.text[before - 1] == ",":
            return self.replaced(before - 1, end, "")
        return self.replaced(start, end, "")  # behind a comment: the comma in front of it may stay

    # -- archs of an entry, and whole entries

    def with_places(self, entry: Node, kept: list[str]) -> str:
        """With these of its places alone."""
        on = _value(entry, "on")
        assert on is not None
        if not self.is_flow(on):
            text = self.text
            for item in reversed(on.value):
                if item.value not in kept:
                    text = text[:self.line_of(self.start(item))] + text[self.line_end(self.end(item)):]
            return text
        start, end = self.start(on), self.end(on)
        if "#" in self.text[start:end]:
            raise CannotEdit(mark_of(on), "a comment stands among its archs")
        written = [self.text[self.start(item):self.end(item)] for item in on.value if item.value in kept]
        return self.replaced(start, end, written[0] if len(written) == 1 else f"[{', '.join(written)}]")

    def with_copy(self, entry: Node) -> str:
        """With the entry twice."""
        start, end = self.start(entry), self.end(entry)
        own = self.text[start:end]
        line = self.line_of(start)
        lead = self.text[line:start]
        if not re.fullmatch(r" *- +", lead):
            before = self.text[:start].rstrip()
            if self.is_flow(entry) and before[-1:] in ("[", ","):
                return self.replaced(end, end, f", {own}")
            raise CannotEdit(mark_of(entry), "its dash stands on another line")
        return self.with_line(self.line_end(end), lead + own)
