# SPDX-License-Identifier: Apache-2.0
"""Devices, their archs and fallbacks, and the `auto` list: docs/resolution.md R1, R2 and R11."""

from __future__ import annotations

from codegen import arch_flags, resolve
from codegen.diagnostics import Diagnostics, Mark, nearest
from codegen.model import CPU, GENERIC, HOST_DEVICES, IMAGE_DEVICES, Arch, Device, Ref, Registry

_CPU_MODELS = ("x86", "aarch64")
_MODEL_DEVICES = {"cuda": ("cuda", "accel"), "amdgcn": ("rocm", "accel")}
MAX_STEPS = 65535  # rung_row counts them in 16 bits


def check(registry: Registry, diagnostics: Diagnostics) -> None:
    for device in registry.devices:
        _models(device, diagnostics)
        _archs(device, diagnostics)
        _fallback(registry, device, diagnostics)
    _cycles(registry, diagnostics)
    _steps(registry, diagnostics)
    cpu = registry.device_by_name.get(CPU)
    if registry.unsure("devices", CPU):
        pass
    elif cpu is None:
        diagnostics.error(registry.devices_mark, "the device cpu is missing: it is the last of every chain")
    elif not cpu.arch(GENERIC):
        diagnostics.error(cpu.mark, "device cpu: the arch generic is missing: it is the terminal rung")
    _auto(registry, diagnostics)


def _models(device: Device, diagnostics: Diagnostics) -> None:
    seen: dict[str, Mark] = {}
    for ref in device.model_marks:
        if ref.name in seen:
            diagnostics.error(ref.mark, f"duplicate model '{ref.name}'", (seen[ref.name], "first given here"))
        seen.setdefault(ref.name, ref.mark)
        if device.name == CPU and ref.name not in (*_CPU_MODELS, "none"):
            diagnostics.error(ref.mark, f"device cpu: the model {ref.name} is not for processors; x86 and aarch64 are")
        if device.name != CPU and ref.name in _CPU_MODELS:
            diagnostics.error(ref.mark, f"device {device.name}: the model {ref.name} is for the device cpu only")
        allowed = _MODEL_DEVICES.get(ref.name)
        if allowed and device.name != CPU and device.name not in allowed:
            diagnostics.error(
                ref.mark, f"device {device.name}: the model {ref.name} is for {' and '.join(allowed)} only"
            )
    if len(device.models) > 1 and set(device.models) != set(_CPU_MODELS):
        diagnostics.error(
            device.model_marks[1].mark, f"device {device.name}: only x86 and aarch64 go together as models"
        )


def _archs(device: Device, diagnostics: Diagnostics) -> None:
    seen: dict[str, Mark] = {}
    for arch in device.archs:
        if arch.name in seen:
            diagnostics.error(
                arch.mark,
                f"duplicate arch '{arch.name}' of device {device.name}",
                (seen[arch.name], "first listed here"),
            )
        seen.setdefault(arch.name, arch.mark)
        if device.name in HOST_DEVICES and (device.name != CPU or set(device.models) <= {*_CPU_MODELS, "none"}):
            _arch_flags(arch, diagnostics)
        if device.name in IMAGE_DEVICES and arch.flags:
            diagnostics.error(
                arch.mark,
                f"arch {arch.name}: kernels of {device.name} are compiled by nvcc, which takes no flags from here",
            )
    for later, earlier in resolve.rank_order(device):
        diagnostics.error(
            later.mark,
            f"device {device.name}: the arch {later.name} is out of rank order: newest first, portable ones last",
            (earlier.mark, f"it belongs before {earlier.name}"),
        )


def _arch_flags(arch: Arch, diagnostics: Diagnostics) -> None:
    for flag in arch.flags:
        if not arch_flags.allowed(arch.model, arch.rank, flag):
            diagnostics.error(
                arch.mark,
                f"arch {arch.name}: '{flag}' lets a compiler use more than what {arch.name} is tested for; what a "
                "kernel needs beyond that stands in its requires and in a target attribute of its functions",
            )


def _fallback(registry: Registry, device: Device, diagnostics: Diagnostics) -> None:
    if device.name == CPU and device.fallback:
        diagnostics.error(device.fallback[0].mark, "device cpu: it ends every chain and falls back to nothing")
        return
    seen: dict[str, Mark] = {}
    for index, ref in enumerate(device.fallback):
        if ref.name == device.name:
            diagnostics.error(ref.mark, f"device {device.name} falls back to itself", (device.mark, "declared here"))
        elif not known_device(registry, ref, f"fallback of device {device.name}", diagnostics):
            continue
        elif ref.name in seen:
            diagnostics.error(
                ref.mark,
                f"fallback of device {device.name}: {ref.name} stands twice",
                (seen[ref.name], "first given here"),
            )
        elif ref.name == CPU and index != len(device.fallback) - 1:
            diagnostics.error(ref.mark, f"fallback of device {device.name}: cpu is the last device of every chain")
        seen.setdefault(ref.name, ref.mark)


def _cycles(registry: Registry, diagnostics: Diagnostics) -> None:
    """Each cycle once, at the device that comes first by name."""
    for start in registry.devices:
        path: list[Ref] = []

        def walk(name: str) -> bool:
            device = registry.device_by_name.get(name)
            for ref in device.fallback if device else ():
                if ref.name == start.name and path:
                    path.append(ref)
                    return True
                if ref.name > start.name and all(ref.name != step.name for step in path):
                    path.append(ref)
                    if walk(ref.name):
                        return True
                    path.pop()
            return False

        if walk(start.name):
            names = " -> ".join([start.name, *(ref.name for ref in path)])
            diagnostics.error(path[0].mark, f"the fallbacks go round: {names}", (path[-1].mark, "back again here"))


def _steps(registry: Registry, diagnostics: Diagnostics) -> None:
    """The tables hold every chain of every device one behind the other: a long list of archs makes them long."""
    steps = 0
    for device in registry.devices:
        if steps <= MAX_STEPS:
            steps += sum(len(chain) for chain in resolve.all_chains(device)) if device.models else 0
            if steps > MAX_STEPS:
                diagnostics.error(
                    device.mark, f"device {device.name}: too many archs: their chains have more than {MAX_STEPS} steps"
                )


def _auto(registry: Registry, diagnostics: Diagnostics) -> None:
    seen: dict[str, Mark] = {}
    for index, ref in enumerate(registry.auto):
        if not known_device(registry, ref, "auto", diagnostics):
            continue
        if ref.name in seen:
            diagnostics.error(ref.mark, f"auto: {ref.name} stands twice", (seen[ref.name], "first given here"))
        elif ref.name == "accel":
            diagnostics.error(ref.mark, "auto: accel is never chosen unasked")
        elif ref.name == CPU and index != len(registry.auto) - 1:
            diagnostics.error(ref.mark, "auto: cpu is always there: what stands behind it is never tried")
        seen.setdefault(ref.name, ref.mark)
    whole = len(seen) == len(registry.auto) and not registry.unsure("auto")
    if CPU not in seen and CPU in registry.device_by_name and whole:
        diagnostics.error(registry.auto_mark, "auto: cpu is missing: it comes last, so that there always is a platform")


def known_device(registry: Registry, ref: Ref, what: str, diagnostics: Diagnostics) -> bool:
    if ref.name in registry.device_by_name:
        return True
    if ref.name != CPU and not registry.unsure("devices", ref.name):  # a missing cpu is reported once, for all uses
        diagnostics.error(ref.mark, f"{what}: unknown device '{ref.name}'{nearest(ref.name, registry.device_by_name)}")
    return False
