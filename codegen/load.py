# SPDX-License-Identifier: Apache-2.0
"""Reads a registry file into YAML nodes that know where they stand. The only module that knows PyYAML."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import yaml  # type: ignore[import]

from codegen.diagnostics import Diagnostics, Mark, RegistryError

Node = Any  # yaml.Node: PyYAML carries no types

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LINE_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_RESOLVER = yaml.resolver.Resolver()
_DEEPEST = 100


def mark_of(node: Node) -> Mark:
    start = node.start_mark
    return Mark(start.line + 1, start.column + 1)


def is_map(node: Node) -> bool:
    return isinstance(node, yaml.MappingNode)


def is_list(node: Node) -> bool:
    return isinstance(node, yaml.SequenceNode)


def is_scalar(node: Node) -> bool:
    return isinstance(node, yaml.ScalarNode)


def tag_of(node: Node) -> str:
    """`str`, `int`, `float`, `bool`, `null`, `map`, `seq`, ... as YAML 1.1 resolves it."""
    return str(node.tag).rpartition(":")[2]


def parse(data: bytes, diagnostics: Diagnostics) -> Node:
    text = _decode(data, diagnostics)
    found = _UNPRINTABLE.search(text)
    if found:
        diagnostics.error(_place(text, found.start()), f"the character U+{ord(found[0]):04X} is not allowed in YAML")
        raise RegistryError
    try:
        root = _compose(text, diagnostics)
    except yaml.MarkedYAMLError as error:
        where = error.problem_mark or error.context_mark
        text = f"{error.problem} {error.context or ''}"
        if error.context and not error.context.startswith("while"):
            text = f"{error.context}, {error.problem}"
        diagnostics.error(Mark(where.line + 1, where.column + 1), f"YAML: {text.strip()}")
        raise RegistryError from None
    if root is None:
        diagnostics.error(Mark(1, 1), "the registry is empty")
        raise RegistryError
    return root


def _decode(data: bytes, diagnostics: Diagnostics) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8", "replace")
        diagnostics.error(_place(before, len(before)), f"not UTF-8: byte 0x{error.object[error.start]:02x}")
        raise RegistryError from None


def _place(text: str, offset: int) -> Mark:
    """Lines are counted as YAML counts them."""
    ends = [found.end() for found in _LINE_BREAK.finditer(text, 0, offset)]
    return Mark(len(ends) + 1, offset - (ends[-1] if ends else 0) + 1)


def _compose(text: str, diagnostics: Diagnostics) -> Node:
    """The root node, None when there is none. Anchors and aliases are refused, and depth.

    PyYAML's own composer recurses once a level in C: a file of brackets would take the process with it."""
    root: Node = None
    found = False
    open_nodes: list[tuple[Any, list[Node]]] = []
    for event in yaml.parse(text, Loader=_LOADER):
        if getattr(event, "anchor", None) is not None:
            found = True
            word = "alias *" if isinstance(event, yaml.AliasEvent) else "anchor &"
            diagnostics.error(mark_of(event), f"{word}{event.anchor}: a registry says everything where it stands")
        if isinstance(event, yaml.ScalarEvent):
            node = yaml.ScalarNode(_scalar_tag(event), event.value, event.start_mark, event.end_mark)
        elif isinstance(event, yaml.CollectionStartEvent):
            open_nodes.append((event, []))
            if len(open_nodes) > _DEEPEST:
                diagnostics.error(mark_of(event), "nested too deeply")
                raise RegistryError
            continue
        elif isinstance(event, yaml.CollectionEndEvent):
            node = _collection(*open_nodes.pop(), event)
        elif isinstance(event, yaml.DocumentStartEvent) and root is not None:
            diagnostics.error(mark_of(event), "a second document: a registry is one")
            raise RegistryError
        else:
            continue
        if open_nodes:
            open_nodes[-1][1].append(node)
        else:
            root = node
    if found:
        raise RegistryError
    return root


def _collection(start: Any, content: list[Node], end: Any) -> Node:
    if isinstance(start, yaml.SequenceStartEvent):
        return yaml.SequenceNode(start.tag or "tag:yaml.org,2002:seq", content, start.start_mark, end.end_mark)
    pairs = list(zip(content[::2], content[1::2]))
    return yaml.MappingNode(start.tag or "tag:yaml.org,2002:map", pairs, start.start_mark, end.end_mark)


def _scalar_tag(event: Any) -> str:
    if event.tag is not None and event.tag != "!":
        return str(event.tag)
    return _plain_tag(event.value) if event.implicit[0] else "tag:yaml.org,2002:str"


@lru_cache(maxsize=None)
def _plain_tag(value: str) -> str:
    return str(_RESOLVER.resolve(yaml.ScalarNode, value, (True, False)))
