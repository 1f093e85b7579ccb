# SPDX-License-Identifier: Apache-2.0
"""Requirements, variants, components and backends: whether their names resolve, and whether anything refers to them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Collection, Iterable, Optional

from codegen import cpu_features
from codegen.diagnostics import Diagnostics, Mark, close, nearest
from codegen.model import (
    CPU,
    DEFAULT,
    HOST_DEVICES,
    KNOWN_DEVICES,
    MAX_BACKEND_REASON,
    MAX_DEVICE_STRING,
    MAX_FRAMEWORK_NAME,
    MAX_FRAMEWORKS,
    NATIVE,
    Backend,
    ComponentCell,
    Ref,
    Registry,
)
from codegen.validate_devices import known_device

MAX_VARIANTS = 255

_PLACEHOLDER = re.compile(r"\{[^{}]*\}|[{}]")


def check(registry: Registry, diagnostics: Diagnostics, sources: Optional[Path]) -> None:
    _variants(registry, diagnostics)
    _components(registry, diagnostics, sources)
    _backends(registry, diagnostics)
    _unreferenced(registry, diagnostics)


def requirement_refs(registry: Registry, refs: Iterable[Ref], what: str, diagnostics: Diagnostics) -> None:
    """Names that must be declared requirements or CPU features, each once."""
    features = cpu_features.families()
    known = {requirement.name for requirement in registry.requirements}
    seen: dict[str, Mark] = {}
    for ref in refs:
        if ref.name in seen and seen[ref.name] != ref.mark:
            diagnostics.error(ref.mark, f"{what}: '{ref.name}' stands twice", (seen[ref.name], "first given here"))
        seen.setdefault(ref.name, ref.mark)
        if ref.name not in known and ref.name not in features and not registry.unsure("requirements", ref.name):
            hint = nearest(ref.name, [*known, *features])
            diagnostics.error(ref.mark, f"{what}: unknown requirement or CPU feature '{ref.name}'{hint}")


def driver_refs(
    registry: Registry, device: str, mark: Mark, refs: Iterable[Ref], what: str, diagnostics: Diagnostics
) -> None:
    """A version of a driver can only be required where there is a driver."""
    kinds = {requirement.name: requirement.kind for requirement in registry.requirements}
    for ref in refs:
        if device in HOST_DEVICES and kinds.get(ref.name) == "driver":
            diagnostics.error(
                mark, f"{what}: {device} has no driver, of which {ref.name} is a version", (ref.mark, "required here")
            )


def variant_ref(registry: Registry, ref: Ref, what: str, diagnostics: Diagnostics) -> bool:
    if ref.name in registry.variant_by_name:
        return True
    if registry.unsure("variants", ref.name):
        return False
    hint = nearest(ref.name, registry.variant_by_name)
    diagnostics.error(ref.mark, f"{what}: unknown variant '{ref.name}'{hint}")
    return False


def source_exists(path: str, mark: Mark, what: str, sources: Optional[Path], diagnostics: Diagnostics) -> None:
    if sources is not None and not (sources / path).is_file():
        diagnostics.error(mark, f"{path}: no such file: it is the source of {what}")


def _variants(registry: Registry, diagnostics: Diagnostics) -> None:
    for variant in registry.variants:
        requirement_refs(registry, variant.requires, f"requires of variant {variant.name}", diagnostics)
    if len(registry.variants) > MAX_VARIANTS:
        extra = registry.variants[MAX_VARIANTS]
        diagnostics.error(extra.mark, f"more than {MAX_VARIANTS} variants")
    features = cpu_features.families()
    for requirement in registry.requirements:
        if requirement.name in features:
            diagnostics.error(requirement.mark, f"requirement {requirement.name}: this is the name of a CPU feature")


def _components(registry: Registry, diagnostics: Diagnostics, sources: Optional[Path]) -> None:
    for component in registry.components:
        what = f"component {component.kind}"
        if not component.cells and not registry.unsure("components", component.kind):
            diagnostics.error(component.mark, f"{what}: nothing refers to it: it has no kernels")
        seen: dict[tuple[str, str], Mark] = {}
        for cell in component.cells:
            known_device(registry, cell.device, what, diagnostics)
            variant_ref(registry, cell.variant, what, diagnostics)
            requirement_refs(registry, cell.requires, what, diagnostics)
            _builder_requires(registry, cell, what, diagnostics)
            key = (cell.device.name, cell.variant.name)
            if key in seen:
                diagnostics.error(
                    cell.device.mark,
                    f"duplicate kernel of {what} on {key[0]}, variant {key[1]}",
                    (seen[key], "first declared here"),
                )
            seen.setdefault(key, cell.device.mark)
            if not cell.planned:
                source_exists(cell.source, cell.source_mark, f"{what} on {cell.device.name}", sources, diagnostics)


def _builder_requires(registry: Registry, cell: ComponentCell, what: str, diagnostics: Diagnostics) -> None:
    """CPU features are those of one processor family, and only of the device cpu."""
    variant = registry.variant_by_name.get(cell.variant.name)
    refs = (*cell.requires, *(variant.requires if variant else ()))
    driver_refs(registry, cell.device.name, cell.device.mark, refs, what, diagnostics)
    families = cpu_features.families()
    first: Optional[Ref] = None
    for ref in refs:
        family = families.get(ref.name)
        if family is None:
            continue
        place = ref.mark if ref in cell.requires else cell.device.mark
        if cell.device.name != CPU:
            diagnostics.error(place, f"{what}: {ref.name} is a feature of processors, {cell.device.name} is none")
        elif first is not None and families[first.name] != family:
            diagnostics.error(
                place,
                f"{what}: {ref.name} is a feature of {family} processors, {first.name} one of {families[first.name]}",
            )
        first = first or ref


FRAMEWORK_NAME = re.compile(r"[a-z][a-z0-9_-]*")
FRAMEWORK_ALIASES = {"torch": "pytorch", "tf": "tensorflow"}  # as requests may call them: src/select/request.c


def _backends(registry: Registry, diagnostics: Diagnostics) -> None:
    seen: dict[tuple[str, str], Mark] = {}
    for index, backend in enumerate(registry.backends):
        what = f"backend {backend.framework}"
        if not FRAMEWORK_NAME.fullmatch(backend.framework):
            words = f"{what}: a framework's name is of a-z, 0-9, _ and -, and begins with a letter"
            diagnostics.error(backend.mark, words)
        elif backend.framework in FRAMEWORK_ALIASES:
            known = FRAMEWORK_ALIASES[backend.framework]
            diagnostics.error(backend.mark, f"{what}: another name of {known}, which is the one to rank")
        for ref in backend.devices or (Ref("", backend.mark),):
            if ref.name and ref.name not in KNOWN_DEVICES:
                diagnostics.error(ref.mark, f"{what}: unknown device '{ref.name}'{nearest(ref.name, KNOWN_DEVICES)}")
            key = (backend.framework, ref.name)
            if key in seen:
                on = f" on {ref.name}" if ref.name else ""
                diagnostics.error(ref.mark, f"duplicate {what}{on}", (seen[key], "first ranked here"))
            seen.setdefault(key, ref.mark)
        before = registry.backends[index - 1] if index else None
        if before and before.score < backend.score:
            diagnostics.error(
                backend.score_mark,
                f"{what}: the score {backend.score} is out of order: highest first",
                (before.score_mark, f"{before.framework} has {before.score}"),
            )
        if backend.limited and backend.limited.score >= backend.score:
            diagnostics.error(backend.score_mark, f"{what}: the limited score is not below the score")
        _backend_texts(backend, what, diagnostics)
    frameworks = list(dict.fromkeys(backend.framework for backend in registry.backends))
    if len(frameworks) > MAX_FRAMEWORKS:
        first = next(one for one in registry.backends if one.framework == frameworks[MAX_FRAMEWORKS])
        diagnostics.error(first.mark, f"more than {MAX_FRAMEWORKS} frameworks")


def _backend_texts(backend: Backend, what: str, diagnostics: Diagnostics) -> None:
    """Texts that programs are given whole, with what stands in them for figures."""
    texts = [
        ("the name", backend.framework, backend.mark, MAX_FRAMEWORK_NAME, ""),
        ("device_string", backend.device_string, backend.device_string_mark, MAX_DEVICE_STRING, "{index}"),
        ("reason", backend.reason, backend.reason_mark, MAX_BACKEND_REASON, "{count}"),
    ]
    if backend.limited:
        low = backend.limited
        texts.append(("the limited reason", low.reason, low.reason_mark, MAX_BACKEND_REASON, "{count}"))
    for name, text, mark, most, placeholder in texts:
        if len(text.encode()) > most:
            diagnostics.error(mark, f"{what}: {name} is longer than {most} bytes")
        for found in _PLACEHOLDER.findall(text):
            if found != placeholder:
                only = f": only {placeholder} can be" if placeholder else ""
                diagnostics.error(mark, f"{what}: {name}: '{found}' stands for nothing{only}")
            elif not backend.devices:
                diagnostics.error(mark, f"{what}: {name}: '{found}' stands for nothing: the backend has no device")
    if backend.framework == NATIVE and backend.device_string:
        diagnostics.error(backend.device_string_mark, f"{what}: its device string is the platform, none can be given")
    if backend.framework == NATIVE and not backend.devices:
        diagnostics.error(backend.mark, f"{what}: it runs on a device: the key 'device' is missing")


def meant(name: str, known: Collection[str]) -> list[str]:
    """The known name that this one is, or is a misspelling of: what is misspelt is reported once, as that."""
    return [name] if name in known else close(name, known)


def _unreferenced(registry: Registry, diagnostics: Diagnostics) -> None:
    variants = registry.variant_by_name
    written = {cell.variant for op in registry.ops for cell in op.cells}
    written |= {cell.variant.name for component in registry.components for cell in component.cells}
    used = {name for word in written for name in meant(word, variants)}
    for variant in registry.variants:
        if variant.name != DEFAULT and variant.name not in used and registry.all_read("ops", "components"):
            diagnostics.error(variant.mark, f"variant {variant.name}: nothing refers to it: no kernel has it")
    required = {ref.name for variant in registry.variants for ref in variant.requires}
    required |= {ref.name for op in registry.ops for cell in op.cells for ref in cell.requires}
    required |= {ref.name for component in registry.components for cell in component.cells for ref in cell.requires}
    known = {requirement.name for requirement in registry.requirements}
    required = {name for word in required for name in meant(word, known)}
    for requirement in registry.requirements:
        if requirement.name not in required and registry.all_read("ops", "components", "variants"):
            diagnostics.error(
                requirement.mark, f"requirement {requirement.name}: nothing refers to it: no kernel or variant has it"
            )
