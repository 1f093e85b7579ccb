# SPDX-License-Identifier: Apache-2.0
"""The shape of ops in the file: their arguments and their kernels."""

from __future__ import annotations

import re
from typing import Optional

from codegen.diagnostics import Mark, nearest
from codegen.load import Node, is_list, is_map, is_scalar, mark_of
from codegen.model import DEFAULT, Arg, Bounds, Cell, Op, Ref
from codegen.reader import Fields, describe
from codegen.schema_proof import OP_KEYS, POINTER_KEYS, SCALAR_KEYS, ProofReader

MAX_WORKSPACE = 2**63 - 1
ACCESS = ("read", "write", "read_write")
LAUNCHER = ".c"
_EXTENSION = {"cuda": ".cu", "rocm": ".cu", "opencl": ".cl"}
_POINTER = re.compile(r"(const )?([a-z][a-z0-9_]*) \*")

# Integer types with their limits; char, int and long are left out: their size, or their sign, is the compiler's.
INTEGERS = {
    "size_t": (0, 2**64 - 1),
    "uint8_t": (0, 2**8 - 1),
    "uint16_t": (0, 2**16 - 1),
    "uint32_t": (0, 2**32 - 1),
    "uint64_t": (0, 2**64 - 1),
    "ptrdiff_t": (-(2**63), 2**63 - 1),
    "int8_t": (-(2**7), 2**7 - 1),
    "int16_t": (-(2**15), 2**15 - 1),
    "int32_t": (-(2**31), 2**31 - 1),
    "int64_t": (-(2**63), 2**63 - 1),
}
FLOAT_MIN = 2.0**-149
FLOATS = {"float": 3.4028234663852886e38, "double": 1.7976931348623157e308}
TYPES = (*FLOATS, *INTEGERS)


def default_source(op: str, device: str, arch: str, variant: str, extension: str = "") -> str:
    middle = "" if variant == DEFAULT else f".{variant}"
    return f"kernels/{device}/{arch}/{op}{middle}{extension or _EXTENSION.get(device, '.c')}"


class OpReader(ProofReader):
    def _op(self, name: str, mark: Mark, node: Node) -> Optional[Op]:
        what = f"op {name}"
        fields = self.fields(
            node, what, ("summary", "args", "tolerance", "kernels"), ("source", "terminal", "tolerances", *OP_KEYS)
        )
        if fields is None:
            return None
        terminal = self.choice(fields.get("terminal"), f"terminal of {what}", ("none",)) is None
        args = []
        for item in self.elements(fields.get("args"), f"args of {what}"):
            arg = self._arg(item, what)
            if arg:
                args.append(arg)
        tolerance = fields.get("tolerance")
        tolerances = []
        special = fields.get("tolerances")
        if special is not None:
            for variant, key, value in self.items(special, f"tolerances of {what}"):
                tolerances.append(
                    (Ref(variant, mark_of(key)), self._tolerance(value, f"tolerance of {what} as {variant}"))
                )
        cells = []
        for item in self.elements(fields.get("kernels"), f"kernels of {what}", empty=False):
            cells.extend(self._kernel(item, name))
        return Op(
            name,
            mark,
            self.text(fields.get("summary"), f"summary of {what}"),
            self.text(fields.get("source"), f"source of {what}"),
            terminal,
            fields.key_mark("terminal"),
            tuple(args),
            self._tolerance(tolerance, f"tolerance of {what}") if tolerance is not None else None,
            tuple((ref, value) for ref, value in sorted(tolerances, key=lambda item: item[0].name) if value),
            tuple(cells),
            self._op_proof(fields, what),
        )

    def _arg(self, node: Node, op: str) -> Optional[Arg]:
        items = self.items(node, f"args of {op}") if is_map(node) else []
        if len(items) != 1:
            if not (is_map(node) and len(items) < len(node.value)):
                self.error(node, f"args of {op}: each argument is an entry of its own, as - x: {{type: float}}")
            return None
        name, key, value = items[0]
        what = f"argument {name} of {op}"
        known = dict.fromkeys(("shape", "access", "optional", "range", "doc", *POINTER_KEYS, *SCALAR_KEYS))
        fields = self.fields(value, what, ("type",), tuple(known))
        if fields is None:
            return None
        type_ref = self.name(fields.get("type"), f"type of {what}")
        if type_ref is None:
            return None
        if "*" in type_ref.name:
            return self._pointer(name, mark_of(key), what, type_ref, fields)
        return self._scalar(name, mark_of(key), what, type_ref, fields)

    def _pointer(self, name: str, mark: Mark, what: str, type_ref: Ref, fields: Fields) -> Optional[Arg]:
        found = _POINTER.fullmatch(type_ref.name)
        if not found:
            self.diagnostics.error(
                type_ref.mark, f"type of {what}: '{type_ref.name}' is not of the form 'float *' or 'const float *'"
            )
            return None
        const, element = bool(found[1]), found[2]
        if not self._known_type(element, what, type_ref.mark):
            return None
        for key in ("range", *SCALAR_KEYS):
            if fields.get(key) is not None and key not in POINTER_KEYS:
                self.diagnostics.error(fields.key_mark(key), f"{what}: a pointer has no {key}")
        shape = []
        if fields.get("shape") is None:
            self.diagnostics.error(mark, f"{what}: a pointer needs a shape")
        for item in self.elements(fields.get("shape"), f"shape of {what}", empty=False):
            dimension = self._dimension(item, f"shape of {what}")
            if dimension:
                shape.append(dimension)
        access = self.choice(fields.get("access"), f"access of {what}", ACCESS)
        if const and access in ("write", "read_write"):
            self.diagnostics.error(
                fields.value_mark("access"),
                f"{what}: access: {access} through a pointer to const",
                (type_ref.mark, "the type is given here"),
            )
        if not const and fields.get("access") is None:
            self.diagnostics.error(mark, f"{what}: a pointer that is not const says access: write or read_write")
        if not const and access == "read":
            self.diagnostics.error(fields.value_mark("access"), f"{what}: access: read wants a pointer to const")
        optional = self.boolean(fields.get("optional"), f"optional of {what}")
        return Arg(
            name,
            mark,
            type_ref.name,
            type_ref.mark,
            element,
            True,
            const,
            tuple(shape),
            access or "read",
            optional,
            None,
            self.text(fields.get("doc"), f"doc of {what}"),
            self._arg_proof(fields, what),
        )

    def _scalar(self, name: str, mark: Mark, what: str, type_ref: Ref, fields: Fields) -> Optional[Arg]:
        if not self._known_type(type_ref.name, what, type_ref.mark):
            return None
        for key in ("shape", "access", "optional", *POINTER_KEYS):
            if fields.get(key) is not None and key not in SCALAR_KEYS:
                self.diagnostics.error(fields.key_mark(key), f"{what}: only a pointer has {key}")
        bounds = self._bounds(fields.get("range"), type_ref.name, what)
        doc = self.text(fields.get("doc"), f"doc of {what}")
        proof = self._arg_proof(fields, what)
        return Arg(
            name, mark, type_ref.name, type_ref.mark, type_ref.name, False, False, (), "", False, bounds, doc, proof
        )

    def _known_type(self, name: str, what: str, mark: Mark) -> bool:
        if name in TYPES:
            return True
        hint = nearest(name, TYPES) or f"; the types are {', '.join(TYPES)}"
        self.diagnostics.error(mark, f"type of {what}: '{name}' is unknown{hint}")
        return False

    def _dimension(self, node: Node, what: str) -> Optional[Ref]:
        if is_scalar(node) and str(node.value).lstrip("-").isdigit():
            value = self.integer(node, what, 1, 2**31 - 1)
            return Ref(str(value), mark_of(node)) if value is not None else None
        return self.name(node, what)

    def _bounds(self, node: Optional[Node], type_name: str, what: str) -> Optional[Bounds]:
        if node is None:
            return None
        if not is_list(node):
            self.error(node, f"range of {what}: a list is expected, not {describe(node)}")
            return None
        items = self.elements(node, f"range of {what}")
        if len(items) != 2:
            self.error(node, f"range of {what}: two bounds are expected, as [0, 1] or [0, .inf]")
            return None
        values = [self.number(item, f"range of {what}") for item in items]
        low, high = values
        if low is None or high is None:
            return None
        if low > high:
            self.error(node, f"range of {what}: the lower bound {items[0].value} is above the upper {items[1].value}")
            return None
        infinite = float("inf")
        if type_name in FLOATS:
            for item, value in zip(items, values):
                if value not in (infinite, -infinite) and abs(value or 0) > FLOATS[type_name]:
                    self.error(item, f"range of {what}: {item.value} is beyond {type_name}")
                    return None
                if value and type_name == "float" and abs(value) < FLOAT_MIN:
                    self.error(item, f"range of {what}: {item.value} is nearer to 0 than any {type_name}")
                    return None
            if low == infinite or high == -infinite:
                self.error(node, f"range of {what}: no finite number lies in it")
                return None
            lower, upper = (None if low == -infinite else low), (None if high == infinite else high)
            return Bounds(lower, upper, lower is None and upper is None)
        smallest, largest = INTEGERS[type_name]
        for item, value in zip(items, values):
            if value not in (infinite, -infinite) and not isinstance(value, int):
                self.error(item, f"range of {what}: {type_name} wants whole numbers")
                return None
        if high < smallest or low > largest:
            self.error(node, f"range of {what}: no {type_name} lies in it")
            return None
        return Bounds(None if low <= smallest else low, None if high >= largest else high)

    def _kernel(self, node: Node, op: str) -> list[Cell]:
        what = f"a kernel of op {op}"
        fields = self.fields(
            node,
            what,
            ("on",),
            (
                "variant", "status", "experimental", "workspace", "requires", "after", "source", "launcher", "entries"
            ),
        )
        if fields is None:
            return []
        variant = self._kernel_variant(fields, what)
        if variant is None:
            return []
        planned = self.choice(fields.get("status"), f"status of {what}", ("planned",)) is not None
        experimental = self.boolean(fields.get("experimental"), f"experimental of {what}")
        if planned and experimental:
            self.diagnostics.error(
                fields.key_mark("experimental"),
                f"{what}: planned and experimental; a planned kernel does not exist yet",
            )
        workspace = self.integer(fields.get("workspace"), f"workspace of {what}", 0, MAX_WORKSPACE) or 0
        requires = self.names(fields.get("requires"), f"requires of {what}")
        after = self.name(fields.get("after"), f"after of {what}")
        source = self.path(fields, "source", what)
        launcher = self.path(fields, "launcher", what)
        entries = self.names(fields.get("entries"), f"entries of {what}", empty=False)
        places = self.name_or_names(fields.get("on"), f"on of {what}")
        cells: list[Cell] = []
        shared = source.name if source else ""
        launching = launcher.name if launcher else ""
        for place in places:
            device, slash, arch = place.name.partition("/")
            if not slash or not device or not arch:
                self.diagnostics.error(place.mark, f"on of {what}: '{place.name}' is not of the form device/arch")
                continue
            if not shared:
                shared = default_source(op, device, arch, variant.name)
            if not launching:
                launching = default_source(op, device, arch, variant.name, LAUNCHER)
            cells.append(
                Cell(
                    op,
                    device,
                    arch,
                    variant.name,
                    place.mark,
                    shared,
                    source.mark if source else place.mark,
                    variant.mark,
                    planned,
                    experimental,
                    workspace,
                    requires,
                    after,
                    launching,
                    launcher.mark if launcher else None,
                    entries,
                )
            )
        return cells

    def _kernel_variant(self, fields: Fields, what: str) -> Optional[Ref]:
        """None when there is one that cannot be read: the kernel is then not taken for one of the variant default."""
        node = fields.get("variant")
        return self.name(node, f"variant of {what}") if node is not None else Ref(DEFAULT, fields.mark)
