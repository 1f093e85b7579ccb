# SPDX-License-Identifier: Apache-2.0
"""Random builds, imitated machines and platform strings for a registry: plain values, as the registries are.

build:    {family, devices: [...], requirements: [...], without: ["cpu/x86-64-v4", ...],
           toolkit: "12.4", targets: [80, ...], unlinked: [op, ...]}; the last: whose images the program does not have
machine:  {family, features: [...], disabled: [...], amx: -1 | 0 | 1, found: {device: {state, arch, count, driver}}}
question: {chain: [part, ...] | None, env: [part, ...] | None, flags: [...], failing: {key: reason}}
"""

from __future__ import annotations

import random
from typing import Any, Optional

import registries
from registries import CAPABILITIES, FEATURES, LEVELS, Registry

Value = dict[str, Any]

# The states of docs/resolution.md that a device may be found in.
STATES = [
    "device absent", "device hidden", "driver missing", "driver broken", "driver too old",
    "static program cannot load drivers", "permission denied", "device unusable", "forked",
]
# Those of a first use.
FAILURES = ["library missing", "load failed", "permission refused"]
TOOLKITS = ["11.8", "12.0", "12.4", "12.9", "13.0", "13.1"]
TARGETS = [75, 80, 86, 87, 90, 100, 103, 110, 120]  # of images on the arch generic
DRIVERS = ["", "11.8", "12.0", "12.4", "12.10", "13.0", "13.1"]
FLAGS = ["inspect", "experimental", "no-env"]
TILES = ["amx_tile", "amx_int8", "amx_bf16", "amx_fp16"]
_V2 = ["sse3", "ssse3", "sse4_1", "sse4_2", "popcnt", "cmpxchg16b", "lahf"]
_V3 = [*_V2, "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "lzcnt", "movbe"]
_V4 = [*_V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"]
_SVE = ["asimd", "fphp", "asimdhp", "sve"]
# What the x86-64 psABI and the compilers' -march take a level to have.
LEVEL_FEATURES = {
    "x86-64-v2": _V2,
    "x86-64-v3": _V3,
    "x86-64-v4": _V4,
    "amx": [*_V4, *TILES[:3]],
    "neon": ["asimd"],
    "sve": _SVE,
    "sve2": [*_SVE, "sve2"],
}


def draw_build(rng: random.Random, registry: Registry) -> Value:
    def most(items: Any) -> list[Any]:
        return [item for item in items if rng.random() < 0.75]

    ranked = [f"cpu/{arch}" for arch in registries.archs_of(registry, "cpu") if arch in LEVEL_FEATURES]
    return {
        "family": rng.choice(["x86", "x86", "aarch64", "other"]),
        "devices": most(name for name in registry["devices"] if name not in ("cpu", "accel")),
        "requirements": most(
            name for name, entry in registry.get("requirements", {}).items() if entry["kind"] == "build"
        ),
        "without": [place for place in ranked if rng.random() < 0.1],
        "toolkit": rng.choice(TOOLKITS),
        "targets": sorted(rng.sample(TARGETS, rng.randint(1, 4))),
        "unlinked": [op for op in registry["ops"] if rng.random() < 0.15],
    }


def draw_machine(rng: random.Random, registry: Registry, build: Value) -> Value:
    families = [build["family"]] * 6 + ["x86", "aarch64", "other"]
    family = rng.choice(families)
    machine: Value = {"family": family, "features": [], "disabled": [], "amx": -1, "found": {}}
    if family in LEVELS:
        _processor(rng, machine, registry)
    for device in registry["devices"]:
        if device not in ("cpu", "accel") and rng.random() < 0.8:
            machine["found"][device] = {
                "state": rng.choice(STATES) if rng.random() < 0.15 else "",
                "arch": _detected(rng, registry, device),
                "count": rng.choice([1, 1, 2, 4]),
                "driver": rng.choice(DRIVERS),
            }
    if "cuda" in machine["found"]:
        _near_toolkit(rng, machine["found"]["cuda"], build)
    return machine


def _near_toolkit(rng: random.Random, found: Value, build: Value) -> None:
    """A device close to what the images are for, a driver close to what they are made with, each half of the time."""
    if rng.random() < 0.5:
        target = rng.choice(build["targets"])
        same_major = [capability for capability in CAPABILITIES if capability // 10 == target // 10]
        found["arch"] = f"sm{rng.choice([target - 6, target - 1, target, target + 1, *same_major])}"
    if rng.random() < 0.5:
        major, _, minor = build["toolkit"].partition(".")
        found["driver"] = rng.choice([f"{major}.{max(int(minor) - 1, 0)}", f"{major}.0", build["toolkit"]])


def _processor(rng: random.Random, machine: Value, registry: Registry) -> None:
    every = FEATURES[machine["family"]]
    level = rng.choice([*LEVELS[machine["family"]], None])
    had = set(LEVEL_FEATURES[level]) if level else set()
    had.update(rng.sample(every, rng.choice([0, 0, 2, 8, len(every)])))
    kernels = [kernel for op in registry["ops"].values() for kernel in op["kernels"]]
    wanted = {name for kernel in kernels for name in kernel.get("requires", ())}
    had.update(name for name in every if name in wanted and rng.random() < 0.5)
    for _ in range(rng.choice([0, 0, 0, 1, 2])):
        had.discard(rng.choice(every))
    off = {rng.choice(every) for _ in range(rng.choice([0, 0, 0, 1, 3]))} & had
    tiles = had & set(TILES)
    if tiles and not tiles & off:
        machine["amx"] = rng.choice([1, 0, -1])
        if machine["amx"] != 1:
            off |= tiles
    machine["disabled"] = [name for name in every if name in off]
    machine["features"] = [name for name in every if name in had - off]


def _near(rng: random.Random, registry: Registry, device: str) -> str:
    """The name of a machine that the device's list may have something for."""
    models = registries.models_of(registry, device)
    archs = registries.archs_of(registry, device)
    ranks = [int(arch[2:].rstrip("af")) for arch in archs if arch[:2] == "sm" and arch[2:].rstrip("af").isdigit()]
    if "cuda" in models or "ladder" in models:
        near = [rank + rng.choice([-1, 0, 0, 0, 1, 5]) for rank in ranks]
        pool = [*near, *rng.sample(CAPABILITIES, 3)]
        low, high = (10, 999) if "cuda" in models else (1, 70000)
        name = f"sm{min(max(rng.choice(pool), low), high)}"
        return rng.choice([name] * 5 + archs) if "ladder" in models else name
    if "amdgcn" in models:
        targets = {arch.partition(":")[0] for arch in archs if "generic" not in arch}
        target = rng.choice([*sorted(targets), rng.choice(registries.AMD_TARGETS)])
        return target + rng.choice(["", "", ":sramecc+", ":sramecc-"]) + rng.choice(["", "", ":xnack+", ":xnack-"])
    return rng.choice(archs)


def _detected(rng: random.Random, registry: Registry, device: str) -> str:
    name = _near(rng, registry, device)
    return rng.choice([name] * 12 + ["", "unheard-of"])


def _named(rng: random.Random, registry: Registry, device: str) -> str:
    """An arch for a platform string, mostly one that makes sense."""
    archs = registries.archs_of(registry, device)
    if device == "cpu":
        levels = [*LEVELS["x86"], *LEVELS["aarch64"], "generic"]
        return rng.choice([*levels, *archs, "x86-64-v1", "generics", "sm90"])
    odd = ["sm90a", "sm5", "sm1000", "sm070", "generic", "ptx", "unheard-of", "SM90", "gfx942:xnack+", "x86-64-v3", "9"]
    return rng.choice([_near(rng, registry, device)] * 12 + archs * 2 + odd)


def _part(rng: random.Random, registry: Registry, device: str, plain: float) -> str:
    text = device
    if rng.random() < 0.1:
        text += f":{rng.choice([0, 0, 1, 1, 3, 65535])}"
    return text if rng.random() < plain else f"{text}/{_named(rng, registry, device)}"


_WRONG = ["", ",", "cpu,", "cpu/", "/generic", "cpu:", "cpu:x", "cpu:65536", "CPU", "cpu /generic", "cpu,cpu", "gpus",
          "cpu:0/generic/sm90", "x" * 64, "cpu/" + "x" * 64, "cpu:00000", "nonesuch/sm90,cpu,cpu", "cpu:1",
          ",".join("abcdefghijklmnopq"), "cuda/ sm90", "gpu", "cpu\u00e9"]


def _chain(rng: random.Random, registry: Registry, machine: Value) -> list[str]:
    if rng.random() < 0.06:
        return [rng.choice(_WRONG)]
    names = sorted(registry["devices"])
    good = [name for name in names if name in ("cpu", "accel") or name in machine["found"]]
    count = rng.choice([1, 1, 1, 2, 2, 3])
    pool = good if rng.random() < 0.8 else names
    chosen = rng.sample(pool, min(count, len(pool)))
    plain = rng.choice([0.2, 0.5, 1.0])
    return [_part(rng, registry, device, plain) for device in chosen]


def draw_question(rng: random.Random, registry: Registry, machine: Value) -> Value:
    chain: Optional[list[str]] = None if rng.random() < 0.2 else _chain(rng, registry, machine)
    env = _chain(rng, registry, machine) if rng.random() < (0.3 if chain is None else 0.05) else None
    flags = [flag for flag, often in zip(FLAGS, (0.5, 0.3, 0.2)) if rng.random() < often]
    failing = {key: rng.choice(FAILURES) for key in _keys(registry) if rng.random() < 0.4} if rng.random() < 0.3 else {}
    return {"chain": chain, "env": env, "flags": flags, "failing": failing}


def _keys(registry: Registry) -> list[str]:
    """Of every kernel and builder, whether or not it has anything to do at its first use."""
    found = []
    for section in ("ops", "components"):
        for of, entry in registry.get(section, {}).items():
            for kernel in entry["kernels"]:
                variant = kernel.get("variant", "default")
                found += [f"{of}/{place}/{variant}" for place in registries.as_list(kernel["on"])]
    return found
