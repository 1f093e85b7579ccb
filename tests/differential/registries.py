# SPDX-License-Identifier: Apache-2.0
"""Random registries, valid by construction: a registry that the generator refuses is a failure of the test.

A registry is the plain value that its YAML stands for, so that the shrinker can take it apart.
"""

from __future__ import annotations

import copy
import random
import re
from pathlib import Path
from typing import Any, Optional

import yaml  # type: ignore[import]

Registry = dict[str, Any]

ROOT = Path(__file__).resolve().parents[2]
_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_HEADER = (ROOT / "src" / "include" / "rung" / "cpu_features.h").read_text(encoding="utf-8")

# Of each processor family, in the order of their bits.
FEATURES = {
    family: [name for of, name in re.findall(r"X\((x86|aarch64), (\w+), \d+\)", _HEADER) if of == family]
    for family in ("x86", "aarch64")
}
LEVELS = {"x86": ["amx", "x86-64-v4", "x86-64-v3", "x86-64-v2"], "aarch64": ["sve2", "sve", "neon"]}
GENERIC_TARGETS = {
    "gfx9-generic": ["gfx900", "gfx906", "gfx90c"],
    "gfx9-4-generic": ["gfx942", "gfx950"],
    "gfx10-1-generic": ["gfx1010", "gfx1013"],
    "gfx10-3-generic": ["gfx1030", "gfx1036"],
    "gfx11-generic": ["gfx1100", "gfx1153"],
    "gfx12-generic": ["gfx1200", "gfx1201"],
}
AMD_TARGETS = [target for targets in GENERIC_TARGETS.values() for target in targets] + ["gfx90a", "gfx803", "gfx1250"]
CAPABILITIES = [50, 53, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 103, 107, 110, 113, 119, 120, 121, 130, 999]
WORDS = ["fast", "v1", "core-2", "x.y", "mps", "sm0", "big+"]
VARIANTS = ["fast", "exact", "deterministic", "no-fma", "openblas", "v2.1", "a_b"]
OPS = ["gemm", "axpy", "scale", "norm", "solve", "rope", "top_k"]
KINDS = ["dit", "vae", "text_encoder"]


def arch_name(entry: Any) -> str:
    """Of an entry of `archs`: a name, or a mapping with that one key."""
    return entry if isinstance(entry, str) else str(next(iter(entry)))


def archs_of(registry: Registry, device: str) -> list[str]:
    return [arch_name(entry) for entry in registry["devices"][device]["archs"]]


def models_of(registry: Registry, device: str) -> list[str]:
    model = registry["devices"][device]["model"]
    return [model] if isinstance(model, str) else list(model)


def as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else [value]


def text_of(registry: Registry) -> str:
    return str(yaml.dump(registry, Dumper=_DUMPER, sort_keys=False, default_flow_style=None, width=110))


def family_of(registry: Registry, device: str, arch: str) -> Optional[str]:
    """The processor family whose features a kernel on this arch may require."""
    if device != "cpu":
        return None
    models = models_of(registry, "cpu")
    for family in ("x86", "aarch64"):
        if arch in LEVELS[family] or models == [family]:
            return family
    return None


# ---- drawing --------------------------------------------------------------------------------------------------------


class _Draw:
    def __init__(self, seed: str) -> None:
        self.rng = random.Random(seed)

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def some(self, items: Any, low: int = 0, high: Optional[int] = None) -> list[Any]:
        """A random selection, in the order of `items`."""
        items = list(items)
        count = self.rng.randint(min(low, len(items)), len(items) if high is None else min(high, len(items)))
        return [items[at] for at in sorted(self.rng.sample(range(len(items)), count))]

    # ---- devices ----------------------------------------------------------------------------------------------------

    def cuda(self, many: bool) -> list[Any]:
        pool = set(CAPABILITIES) | {self.rng.randint(10, 999) for _ in range(60 if many else 3)}
        chosen = self.some(sorted(pool, reverse=True), 20 if many else 0, 40 if many else 6)
        archs: list[Any] = []
        for capability in chosen:
            suffixes = self.some(["a", "f", ""], 1) if self.chance(0.4) else [""]
            archs += [f"sm{capability}{suffix}" for suffix in suffixes]
        if self.chance(0.5):
            target = f"compute_{self.rng.choice(CAPABILITIES)}"
            archs.append(self.rng.choice(["ptx", {"ptx": target}, {"ptx": {"target": target}}]))
        if not archs or self.chance(0.7):
            archs.append("generic")
        return archs

    def images(self) -> list[Any]:
        """Archs of cuda with all that an image may hold."""
        chosen = self.some(sorted(CAPABILITIES, reverse=True), 4, 10)
        ranked = [f"sm{capability}{self.rng.choice(['', '', '', 'a', 'f'])}" for capability in chosen]
        return [*ranked, {"ptx": f"compute_{self.rng.choice(chosen)}"}, "generic"]

    def ladder(self, many: bool) -> list[Any]:
        pool = {1, 9, 60, 70, 80, 86, 89, 90, 100, 120, 1000, 65534}
        pool |= {self.rng.randint(1, 400) for _ in range(60 if many else 3)}
        archs = [f"sm{rank}" for rank in self.some(sorted(pool, reverse=True), 20 if many else 0, 40 if many else 5)]
        portable = self.some([*WORDS, "generic"], 0, 3)
        self.rng.shuffle(portable)
        return archs + portable or ["generic"]

    def amdgcn(self) -> list[Any]:
        archs = []
        for target in self.some(AMD_TARGETS, 0, 5):
            signs = [("", ""), ("", ":xnack+"), ("", ":xnack-"), (":sramecc+", ""), (":sramecc-", ":xnack+")]
            archs += [f"{target}{''.join(sign)}" for sign in self.some(signs, 1, 3)] if self.chance(0.4) else [target]
        self.rng.shuffle(archs)
        generic = self.some(GENERIC_TARGETS, 0, 3)
        self.rng.shuffle(generic)
        archs += generic
        return archs + ["generic"] if self.chance(0.7) or not archs else archs

    def none(self, cpu: bool) -> list[Any]:
        archs = self.some(WORDS, 0 if cpu else 1, 3) + (["generic"] if cpu or self.chance(0.5) else [])
        self.rng.shuffle(archs)
        return archs

    def processor(self) -> Any:
        models = self.rng.choice([["x86", "aarch64"]] * 5 + [["x86"], ["aarch64"], ["none"]])
        if models == ["none"]:
            return {"model": "none", "archs": self.none(True)}
        lists = [self.some(LEVELS[model], 0 if len(models) > 1 else 1) for model in models]
        archs: list[Any] = []
        while any(lists):  # any shuffle of the two, each in its own order
            archs.append(self.rng.choice([names for names in lists if names]).pop(0))
        archs = [{name: {"flags": ["-O2"]}} if self.chance(0.1) else name for name in archs]
        self.rng.shuffle(models)
        return {"model": models[0] if len(models) == 1 else models, "archs": [*archs, "generic"]}

    def device(self, name: str, many: bool) -> Any:
        if name == "cpu":
            return self.processor()
        models = {"cuda": ["cuda", "cuda", "ladder"], "rocm": ["amdgcn", "amdgcn", "ladder"]}
        models["accel"] = ["ladder", "ladder", "cuda", "amdgcn", "none"]
        model = self.rng.choice(models.get(name, ["ladder", "none"]))
        if many and model == "none":
            model = "ladder"
        if model == "cuda":
            return {"model": model, "archs": self.cuda(many)}
        if model == "ladder":
            return {"model": model, "archs": self.ladder(many)}
        return {"model": model, "archs": self.amdgcn() if model == "amdgcn" else self.none(False)}

    # ---- the rest ---------------------------------------------------------------------------------------------------

    def requirements(self) -> Any:
        drawn = {
            "blas": {"kind": "build"},
            "solver": {"kind": "build"},
            "zlib": {"kind": "library", "library": "libz.so.1"},
            "newer": {"kind": "driver", "minimum": self.rng.choice(["12.4", "12.9", "13.0"])},
        }
        return {name: {**drawn[name], "summary": f"{name}, for tests"} for name in self.some(drawn)}

    def variants(self, registry: Registry) -> Any:
        found: dict[str, Any] = {"default": {}} if self.chance(0.5) else {}
        names = self.some(VARIANTS, 0, 4)
        self.rng.shuffle(names)
        for name in names:
            entry: dict[str, Any] = {}
            if self.chance(0.4):
                entry["strict"] = True
            if self.chance(0.3):
                pool = [*registry["requirements"]]
                if self.chance(0.3):
                    pool += self.some(FEATURES[self.rng.choice(("x86", "aarch64"))], 1, 1)
                required = self.some(pool, 1, 2)
                if required:
                    entry["requires"] = required
            found[name] = entry
        return found

    def requires(self, registry: Registry, device: str, family: Optional[str]) -> list[str]:
        """`family`: whose features may be among them."""
        pool = [name for name in registry["requirements"] if _has(registry, name, device)]
        pool += self.rng.sample(FEATURES[family], 2) if family else []
        found = self.some(pool, 1, 2)
        self.rng.shuffle(found)
        return found

    def kernel(self, registry: Registry, op: str, variant: str, places: list[str]) -> Any:
        entry: dict[str, Any] = {"on": places[0] if len(places) == 1 and self.chance(0.7) else places}
        if variant != "default" or self.chance(0.1):
            entry["variant"] = variant
        if "cpu/generic" in places and variant == "default":
            state = 1.0
        else:
            state = self.rng.random()
        if state < 0.12:
            entry["status"] = "planned"
        elif state < 0.27:
            entry["experimental"] = True
        if self.chance(0.2):
            entry["workspace"] = self.rng.choice([0, 64, 4096, 2**40])
        device, _, arch = places[0].partition("/")
        if state < 1.0 and len(places) == 1:
            if self.chance(0.35):
                required = self.requires(registry, device, family_of(registry, device, arch))
                if required:
                    entry["requires"] = required
            behind = _older(registry, device, arch)
            if behind and self.chance(0.2):
                entry["after"] = self.rng.choice(behind)
        if device == "cuda" and all(place.startswith("cuda/") for place in places) and self.chance(0.5):
            if len(places) > 1:  # what launches it would otherwise follow from the first place
                entry.update(source=f"kernels/{op}.cu", launcher=f"kernels/{op}.launch.c")
        elif len(places) > 1 or self.chance(0.2 if device == "cuda" else 0.1):
            entry["source"] = f"kernels/{op}.c"
        return entry

    def op(self, registry: Registry, op: str, crowded: bool) -> Any:
        terminal = self.chance(0.85)
        keys = []
        for device in registry["devices"]:
            if device == "cpu" or self.chance(0.75):
                for variant in ["default", *(name for name in registry["variants"] if name != "default")]:
                    for arch in archs_of(registry, device):
                        if self.chance(0.97 if crowded else 0.5) and _variant_fits(registry, variant, device, arch):
                            keys.append((variant, f"{device}/{arch}"))
        self.rng.shuffle(keys)
        keys = [key for key in keys[: self.rng.randint(1, 230 if crowded else 12)] if key != ("default", "cpu/generic")]
        terminal = terminal or not keys
        if terminal:
            keys.append(("default", "cpu/generic"))
        entry: dict[str, Any] = {"summary": f"{op}, for tests", "args": [], "tolerance": {"abs": 0}}
        kernels = []
        while keys:
            variant, place = keys.pop()
            places = [place]
            while keys and keys[-1][0] == variant and (variant, place) != ("default", "cpu/generic"):
                if not self.chance(0.3):
                    break
                places.append(keys.pop()[1])
            kernels.append(self.kernel(registry, op, variant, places))
        self.rng.shuffle(kernels)
        entry["kernels"] = kernels
        if not terminal:
            entry["terminal"] = "none"
        return entry

    def builder_family(self, registry: Registry, device: str, variant: str) -> Optional[str]:
        if device != "cpu":
            return None
        required = registry["variants"].get(variant, {}).get("requires", ())
        for family, names in FEATURES.items():
            if set(required) & set(names):
                return family
        return str(self.rng.choice(sorted(FEATURES)))

    def component(self, registry: Registry) -> Any:
        kernels = []
        for device in registry["devices"]:
            for variant in ["default", *(name for name in registry["variants"] if name != "default")]:
                if not self.chance(0.4) or not _variant_fits(registry, variant, device, None):
                    continue
                entry: dict[str, Any] = {"on": device}
                if variant != "default":
                    entry["variant"] = variant
                state = self.rng.random()
                if state < 0.12:
                    entry["status"] = "planned"
                elif state < 0.24:
                    entry["experimental"] = True
                if self.chance(0.3):
                    required = self.requires(registry, device, self.builder_family(registry, device, variant))
                    if required:
                        entry["requires"] = required
                kernels.append(entry)
        self.rng.shuffle(kernels)
        return {"summary": "a component, for tests", "kernels": kernels}


def _has(registry: Registry, requirement: str, device: str) -> bool:
    """Whether a kernel or builder of this device may have a declared requirement."""
    return registry["requirements"][requirement]["kind"] != "driver" or device not in ("cpu", "accel")


def _variant_fits(registry: Registry, variant: str, device: str, arch: Optional[str]) -> bool:
    """Whether the device may have a kernel (arch None: a builder) of the variant, by what that requires."""
    for name in registry["variants"].get(variant, {}).get("requires", ()):
        if name in registry["requirements"]:
            if not _has(registry, name, device):
                return False
        elif arch is None and device != "cpu":
            return False
        elif arch is not None and name not in FEATURES.get(family_of(registry, device, arch) or "", ()):
            return False
    return True


def _older(registry: Registry, device: str, arch: str) -> list[str]:
    """The archs that a kernel on this one may be placed behind: R12 with what R3 says of the models."""
    archs = archs_of(registry, device)
    below = archs[archs.index(arch) + 1:]
    models = models_of(registry, device)
    if "cuda" in models:
        ranked = re.fullmatch(r"sm(\d+)([af]?)", arch)
        if ranked is None:
            return below
        found = [name for name in below if re.fullmatch(r"sm\d+", name)]
        # with a target of its own, ptx may be of a newer device than a kernel for this one alone
        return found + [name for name in below if name == "generic" or (name == "ptx" and not ranked[2])]
    if "ladder" in models:
        return below if re.fullmatch(r"sm[1-9]\d*", arch) else []
    if "amdgcn" in models:
        if arch in GENERIC_TARGETS:
            return [name for name in below if name == "generic"]
        return [name for name in below if name == "generic" or arch.partition(":")[0] in GENERIC_TARGETS.get(name, ())]
    family = next((family for family in LEVELS if arch in LEVELS[family]), None)
    return [name for name in below if family and name in LEVELS[family]]


def draw(seed: str, namespace: str = "rr") -> Registry:
    """The registry of a seed. One in twelve is large: many ops, many archs, or an op with some 200 kernels. One in six
    is about images alone: cuda, with kernels on most of its archs."""
    pick = _Draw(seed)
    size = pick.rng.choice(["small"] * 6 + ["medium"] * 12 + ["images"] * 4 + ["ops", "crowded"])
    others = ["accel", "cuda", "rocm", "metal", "tpu", "opencl"]
    pick.rng.shuffle(others)
    names = others[: pick.rng.randint(0, 2 if size == "small" else 6)]
    if size == "crowded":
        names = ["cuda", "accel", *(name for name in names if name not in ("cuda", "accel"))]
    if size == "images":
        names = ["cuda"]
    devices: dict[str, Any] = {}
    for index, name in enumerate(names):
        devices[name] = pick.device(name, size == "crowded")
        fallback = pick.some(names[index + 1:], 0, 2) if pick.chance(0.6) else []
        if pick.chance(0.5):
            fallback.append("cpu")
        if fallback:
            devices[name]["fallback"] = fallback
    if size == "images":
        devices["cuda"].update(model="cuda", archs=pick.images())
    devices["cpu"] = pick.device("cpu", False)
    order = list(devices)
    pick.rng.shuffle(order)
    registry: Registry = {
        "rung": 1,
        "namespace": namespace,
        "devices": {name: devices[name] for name in order},
        "requirements": pick.requirements(),
        "variants": {},
        "ops": {},
        "components": {},
    }
    if pick.chance(0.8):
        automatic = pick.some([name for name in names if name != "accel"])
        pick.rng.shuffle(automatic)
        registry["auto"] = [*automatic, "cpu"]
    registry["variants"] = pick.variants(registry)
    counts = {"small": pick.rng.randint(1, 2), "medium": pick.rng.randint(1, 6), "ops": 40, "crowded": 2, "images": 2}
    count = counts[size]
    for index in range(count):
        name = OPS[index % len(OPS)] + (f"_{index}" if index >= len(OPS) else "")
        registry["ops"][name] = pick.op(registry, name, size in ("crowded", "images"))
    for kind in pick.some(KINDS, 0, 3):
        registry["components"][kind] = pick.component(registry)
    return tidied(registry)


# ---- consistency ----------------------------------------------------------------------------------------------------


def tidied(registry: Registry) -> Registry:
    """A copy without what refers to nothing, or is referred to by nothing: what is left is a registry again."""
    made = copy.deepcopy(registry)
    devices = made["devices"]
    for device in devices.values():
        _filter(device, "fallback", devices)
    if "auto" in made:
        made["auto"] = [name for name in made["auto"] if name in devices]
        if made["auto"][-1:] != ["cpu"]:
            made["auto"].append("cpu")
    variants = {"default", *made.get("variants", {})}
    known = {*made.get("requirements", {}), *FEATURES["x86"], *FEATURES["aarch64"]}
    for variant in made.get("variants", {}).values():
        _filter(variant, "requires", known)
    places = {f"{device}/{arch}" for device in devices for arch in archs_of(made, device)}
    for name, op in list(made["ops"].items()):
        op["kernels"] = _kernels(op["kernels"], variants, known, places)
        if not op["kernels"]:
            del made["ops"][name]
            continue
        terminal = any(
            "cpu/generic" in as_list(kernel["on"]) and kernel.get("variant", "default") == "default"
            for kernel in op["kernels"]
        )
        op.pop("terminal", None)
        if not terminal:
            op["terminal"] = "none"
        for kernel in op["kernels"]:
            device = as_list(kernel["on"])[0].partition("/")[0]
            if "after" in kernel and f"{device}/{kernel['after']}" not in places:
                del kernel["after"]
    for kind, component in list(made.get("components", {}).items()):
        component["kernels"] = _kernels(component["kernels"], variants, known, devices)
        if not component["kernels"]:
            del made["components"][kind]
    _drop_unused(made)
    for section in ("requirements", "variants", "components"):
        if not made.get(section, True):
            del made[section]
    return made


def _kernels(kernels: list[Any], variants: Any, known: Any, places: Any) -> list[Any]:
    found = []
    for kernel in kernels:
        on = [place for place in as_list(kernel["on"]) if place in places]
        if not on or kernel.get("variant", "default") not in variants:
            continue
        kernel["on"] = on if isinstance(kernel["on"], list) else on[0]
        _filter(kernel, "requires", known)
        found.append(kernel)
    return found


def _filter(entry: Any, key: str, known: Any) -> None:
    if key in entry:
        entry[key] = [name for name in entry[key] if name in known]
        if not entry[key]:
            del entry[key]


def _drop_unused(made: Registry) -> None:
    kernels = [kernel for op in made["ops"].values() for kernel in op["kernels"]]
    kernels += [kernel for component in made.get("components", {}).values() for kernel in component["kernels"]]
    used = {kernel.get("variant", "default") for kernel in kernels}
    variants = made.get("variants", {})
    for name in [name for name in variants if name not in used and name != "default"]:
        del variants[name]
    required = {name for entry in (*variants.values(), *kernels) for name in entry.get("requires", ())}
    requirements = made.get("requirements", {})
    for name in [name for name in requirements if name not in required]:
        del requirements[name]
