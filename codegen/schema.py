# SPDX-License-Identifier: Apache-2.0
"""From YAML nodes to the model: the shape of the file. What its names refer to is checked in validate.py.

registry.schema.json says the same to editors; a test holds the two together.
"""

from __future__ import annotations

import re
from typing import Callable, Optional, TypeVar

from codegen import arch_models
from codegen.diagnostics import Diagnostics, Mark, RegistryError, nearest
from codegen.load import Node, is_map, is_scalar, mark_of
from codegen.model import (
    CPU,
    DEFAULT,
    KNOWN_DEVICES,
    Arch,
    Backend,
    Component,
    ComponentCell,
    Device,
    LimitedBackend,
    Ref,
    Registry,
    Requirement,
    Variant,
)
from codegen.reader import Fields
from codegen.schema_ops import OpReader

_Entry = TypeVar("_Entry")

VERSION = 1
REQUIRED = ("rung", "namespace", "devices", "ops")
REQUIREMENT_KINDS = ("build", "library", "driver")
_VERSION_TEXT = re.compile(r"([0-9]{1,4})\.([0-9]{1,4})")
_LIBRARY_TEXT = re.compile(r"[A-Za-z0-9_./+-]+")


def build(root: Node, file: str, diagnostics: Diagnostics) -> Registry:
    return _Builder(diagnostics).registry(root, file)


class _Builder(OpReader):
    def registry(self, root: Node, file: str) -> Registry:
        self._unread: set[tuple[str, str]] = set()
        top = self.fields(
            root,
            "the registry",
            REQUIRED,
            ("auto", "requirements", "variants", "components", "backends"),
        )
        if top is None:
            raise RegistryError
        version = self.integer(top.get("rung"), "rung", 0, 10**6)
        if version is not None and version != VERSION:
            self.diagnostics.error(top.value_mark("rung"), f"rung: version {version} is unknown; this is version 1")
        namespace = self.name(top.get("namespace"), "namespace") or Ref("", top.mark)
        devices = self._section(top, "devices", self._device)
        variants = self._section(top, "variants", self._variant)
        if all(variant.name != DEFAULT for variant in variants):
            variants += (Variant(DEFAULT, top.key_mark("variants"), False, ()),)
        return Registry(
            file=file,
            namespace=namespace.name,
            namespace_mark=namespace.mark,
            auto=self._auto(top),
            devices=devices,
            requirements=self._section(top, "requirements", self._requirement),
            variants=variants,
            ops=self._section(top, "ops", self._op),
            components=self._section(top, "components", self._component),
            backends=tuple(
                backend for node in self.elements(top.get("backends"), "backends") if (backend := self._backend(node))
            ),
            auto_mark=top.key_mark("auto"),
            devices_mark=top.key_mark("devices"),
            ops_mark=top.key_mark("ops"),
            unread=frozenset(self._unread),
            device_by_name={device.name: device for device in devices},
            variant_by_name={variant.name: variant for variant in variants},
        )

    def _section(
        self, top: Fields, key: str, build_one: Callable[[str, Mark, Node], Optional[_Entry]]
    ) -> tuple[_Entry, ...]:
        """The entries of one of the mappings at the top, sorted by name: their order in the file means nothing."""
        node = top.get(key)
        if node is None:
            self._note_unread(key, "", key in REQUIRED)
            return ()
        self._note_unread(key, "", not is_map(node))
        found = []
        for name, key_node, value in self.items(node, key):
            before = len(self.diagnostics)
            found.append(build_one(name, mark_of(key_node), value))
            self._note_unread(key, name, len(self.diagnostics) > before)
        return tuple(sorted((item for item in found if item is not None), key=_sort_name))

    def _note_unread(self, section: str, name: str, unread: bool) -> None:
        if unread:
            self._unread.add((section, name))

    def _auto(self, top: Fields) -> tuple[Ref, ...]:
        node = top.get("auto")
        if node is None:
            return (Ref(CPU, top.mark),)
        before = len(self.diagnostics)
        found = self.names(node, "auto")
        self._note_unread("auto", "", len(self.diagnostics) > before)
        return found

    # ---- devices ----------------------------------------------------------------------------------------------------

    def _device(self, name: str, mark: Mark, node: Node) -> Optional[Device]:
        what = f"device {name}"
        if name not in KNOWN_DEVICES:
            hint = nearest(name, KNOWN_DEVICES) or f"; the devices are {', '.join(KNOWN_DEVICES)}"
            self.diagnostics.error(mark, f"unknown device '{name}'{hint}")
        fields = self.fields(node, what, ("model", "archs"), ("fallback",))
        if fields is None:
            return None
        models = []
        before = len(self.diagnostics)
        for ref in self.name_or_names(fields.get("model"), f"model of {what}"):
            if ref.name not in arch_models.MODELS:
                hint = nearest(ref.name, arch_models.MODELS) or f"; the models are {', '.join(arch_models.MODELS)}"
                self.diagnostics.error(ref.mark, f"unknown arch model '{ref.name}'{hint}")
            else:
                models.append(ref)
        # archs are judged by models that are all known
        model_names = sorted({ref.name for ref in models}) if len(self.diagnostics) == before else []
        archs = [
            self._arch(item, name, model_names)
            for item in self.elements(fields.get("archs"), f"archs of {what}", empty=False)
        ]
        return Device(
            name,
            mark,
            tuple(model_names),
            tuple(models),
            self.names(fields.get("fallback"), f"fallback of {what}"),
            tuple(arch for arch in archs if arch),
        )

    def _arch(self, node: Node, device: str, models: list[str]) -> Optional[Arch]:
        what = f"arch of device {device}"
        target = ""
        flags: tuple[str, ...] = ()
        if is_map(node):
            items = self.items(node, what)
            if len(items) != 1:
                if len(items) == len(node.value):  # else a key is bad, and reported
                    self.error(node, f"{what}: one arch, as {{name: {{flags: [...]}}}}, is expected")
                return None
            _, key, value = items[0]
            ref = self.name(key, what)
            if is_scalar(value):
                target_ref = self.name(value, f"target of arch {key.value}")
                target = target_ref.name if target_ref else ""
            else:
                fields = self.fields(value, f"arch {key.value}", (), ("target", "flags"))
                if fields:
                    target_ref = self.name(fields.get("target"), f"target of arch {key.value}")
                    target = target_ref.name if target_ref else ""
                    flags = tuple(ref.name for ref in self.names(fields.get("flags"), f"flags of arch {key.value}"))
            target = self._checked_target(value, str(key.value), models, target)
            self._check_flags(value, str(key.value), flags)
        else:
            ref = self.name(node, what)
        if ref is None or not models:
            return None
        meaning = arch_models.understand(models, ref.name)
        if meaning is None:
            meant = arch_models.respelt(models, ref.name)
            hint = nearest(meant or ref.name, [meant] if meant else arch_models.known_names(models))
            hint = hint or f"; it knows {arch_models.examples(models)}"
            self.diagnostics.error(
                ref.mark, f"'{ref.name}' is no arch of the model {' or '.join(models)} of device {device}{hint}"
            )
            return None
        return Arch(ref.name, ref.mark, meaning.model, meaning.rank, meaning.portable, target, flags)

    def _checked_target(self, node: Node, arch: str, models: list[str], target: str) -> str:
        if not target or not models:
            return ""
        if arch != arch_models.PTX or "cuda" not in models:
            self.error(node, f"arch {arch}: only the arch ptx of the model cuda has a target")
        elif not re.fullmatch(r"compute_[1-9][0-9]{1,2}", target):
            self.error(node, f"arch {arch}: the target '{target}' is none of the form compute_75")
        else:
            return target
        return ""

    def _check_flags(self, node: Node, arch: str, flags: tuple[str, ...]) -> None:
        for flag in flags:
            if not re.fullmatch(r"-[A-Za-z0-9_=.,:+-]+", flag):
                self.error(node, f"arch {arch}: '{flag}' is no compiler flag of letters, digits and _=.,:+-")

    # ---- requirements and variants ----------------------------------------------------------------------------------

    def _requirement(self, name: str, mark: Mark, node: Node) -> Optional[Requirement]:
        what = f"requirement {name}"
        fields = self.fields(node, what, ("kind", "summary"), ("library", "minimum"))
        if fields is None:
            return None
        kind = self.choice(fields.get("kind"), f"kind of {what}", REQUIREMENT_KINDS)
        summary = self.text(fields.get("summary"), f"summary of {what}")
        for key, of in (("library", "library"), ("minimum", "driver")):
            given = fields.get(key) is not None
            if given and kind not in (None, of):
                self.diagnostics.error(fields.key_mark(key), f"{what}: only one of kind {of} has '{key}'")
            elif not given and kind == of:
                self.diagnostics.error(fields.value_mark("kind"), f"{what}: one of kind {of} needs '{key}'")
        library = self._matching(fields, "library", what, _LIBRARY_TEXT, "the name of a library's file, as libm.so.6")
        minimum = self._matching(fields, "minimum", what, _VERSION_TEXT, 'a version in quotes, as "12.4"')
        version = (int(minimum[1]), int(minimum[2])) if minimum else (0, 0)
        return Requirement(name, mark, kind or REQUIREMENT_KINDS[0], summary, library[0] if library else "", version)

    def _matching(
        self, fields: Fields, key: str, what: str, pattern: re.Pattern[str], wanted: str
    ) -> Optional[re.Match[str]]:
        """The text of an optional key; reported when it is not of the form that is wanted."""
        if fields.get(key) is None:
            return None
        ref = self.name(fields.get(key), f"{key} of {what}")
        found = pattern.fullmatch(ref.name) if ref else None
        if ref and not found:
            self.diagnostics.error(ref.mark, f"{key} of {what}: '{ref.name}' is not {wanted}")
        return found

    def _variant(self, name: str, mark: Mark, node: Node) -> Optional[Variant]:
        fields = self.fields(node, f"variant {name}", (), ("strict", "requires"))
        if fields is None:
            return None
        strict = self.boolean(fields.get("strict"), f"strict of variant {name}")
        requires = self.names(fields.get("requires"), f"requires of variant {name}")
        if name == DEFAULT and (strict or requires):
            self.diagnostics.error(mark, "the variant default is neither strict nor does it require anything")
        return Variant(name, mark, strict, requires)

    # ---- components and backends ------------------------------------------------------------------------------------

    def _component(self, kind: str, mark: Mark, node: Node) -> Optional[Component]:
        what = f"component {kind}"
        fields = self.fields(node, what, ("summary", "kernels"))
        if fields is None:
            return None
        cells = []
        for item in self.elements(fields.get("kernels"), f"kernels of {what}"):
            one = self.fields(
                item, f"a kernel of {what}", ("on",), ("variant", "status", "experimental", "source", "requires")
            )
            device = self.name(one.get("on"), f"on of a kernel of {what}") if one else None
            if one is None or device is None:
                continue
            variant = self._kernel_variant(one, f"a kernel of {what}")
            if variant is None:
                continue
            planned = self.choice(one.get("status"), f"status of a kernel of {what}", ("planned",)) is not None
            source = self.path(one, "source", f"a kernel of {what}")
            middle = "" if variant.name == DEFAULT else f".{variant.name}"
            cells.append(
                ComponentCell(
                    kind,
                    device,
                    variant,
                    source.name if source else f"components/{device.name}/{kind}{middle}.c",
                    source.mark if source else device.mark,
                    planned,
                    self.boolean(one.get("experimental"), f"experimental of a kernel of {what}"),
                    self.names(one.get("requires"), f"requires of a kernel of {what}"),
                )
            )
        return Component(kind, mark, self.text(fields.get("summary"), f"summary of {what}"), tuple(cells))

    def _backend(self, node: Node) -> Optional[Backend]:
        fields = self.fields(
            node, "a backend", ("framework", "score", "reason"), ("device", "device_string", "limited")
        )
        if fields is None:
            return None
        framework = self.name(fields.get("framework"), "framework of a backend")
        if framework is None:
            return None
        what = f"backend {framework.name}"
        device_string = self.name(fields.get("device_string"), f"device_string of {what}")
        score = self.integer(fields.get("score"), f"score of {what}", 0, 1000)
        if score is None:
            return None
        limited = None
        if fields.get("limited") is not None:
            low = self.fields(fields.get("limited"), f"limited of {what}", ("below_mb", "score", "reason"))
            if low:
                limited = LimitedBackend(
                    self.integer(low.get("below_mb"), f"below_mb of {what}", 1, 2**40) or 0,
                    self.integer(low.get("score"), f"score of limited {what}", 0, 1000) or 0,
                    self.text(low.get("reason"), f"reason of limited {what}"),
                    low.value_mark("reason"),
                )
        return Backend(
            framework.name,
            framework.mark,
            self.name_or_names(fields.get("device"), f"device of {what}"),
            score,
            fields.value_mark("score"),
            self.text(fields.get("reason"), f"reason of {what}"),
            fields.value_mark("reason"),
            device_string.name if device_string else "",
            fields.value_mark("device_string"),
            limited,
        )


def _sort_name(item: object) -> bytes:
    name = getattr(item, "name", None) or getattr(item, "kind")
    return str(name).encode()
