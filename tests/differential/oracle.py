# SPDX-License-Identifier: Apache-2.0
"""Which kernel wins, from the text of docs/resolution.md: slow, obvious, and sharing no code with codegen/ or src/.

`answers` tells everything that can be asked of one platform, question by question; the harness tells the same of the
library. Every rule is a method of its own, so that a test can put a wrong one in its place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Iterator, Optional

from questions import LEVEL_FEATURES, TILES, Value
from registries import FEATURES, LEVELS, Registry, archs_of, as_list, models_of

Answers = dict[str, str]

DEFAULT = "default"
HOST, DEVICE, ANY = "host", "device", "any"
MEMORIES = (HOST, DEVICE, ANY)
AVAILABLE = "available"
NOT_DECLARED = "not declared"
UNHEARD = "unheard-of"  # the name of a variant that no registry has

CUDA_FAMILIES = ({100, 103}, {110}, {120, 121})
TEGRA = {53, 62, 72, 87, 101, 110}
OLDEST_CUDA = (12, 0)
COVERS = {
    "gfx9-generic": "900 902 904 906 909 90c",
    "gfx9-4-generic": "942 950",
    "gfx10-1-generic": "1010 1011 1012 1013",
    "gfx10-3-generic": "1030 1031 1032 1033 1034 1035 1036",
    "gfx11-generic": "1100 1101 1102 1103 1150 1151 1152 1153",
    "gfx12-generic": "1200 1201",
}
_PART = re.compile(r"([a-z][a-z0-9_]{0,62})(?::([0-9]+))?(?:/([A-Za-z0-9][A-Za-z0-9._+:-]{0,62}))?")
_AMD = re.compile(r"gfx[1-9][0-9]*[0-9a-f]{2}(:sramecc[+-])?(:xnack[+-])?")


class Refused(Exception):
    """A platform string that opens nothing: the status."""


@dataclass(frozen=True)
class Item:
    """A kernel, or a builder of a component (arch "")."""

    of: str  # the op, or the kind
    device: str
    arch: str
    variant: str
    planned: bool
    experimental: bool
    requires: frozenset[str]  # with those of the variant
    after: str
    workspace: int
    image: bool  # its code comes in an image, which the driver has to take

    @property
    def where(self) -> str:
        return "/".join(part for part in (self.device, self.arch, self.variant) if part)

    @property
    def key(self) -> str:
        return f"{self.of}/{self.where}"


@dataclass
class Place:
    """A device of a chain."""

    device: str
    index: int
    arch: Optional[str]  # in force; None: not known
    detected: str
    state: str  # "": present and usable
    driver: str
    named: bool
    chain: list[str] = field(default_factory=list)


Items = dict[tuple[str, str, str], Item]
Rung = tuple[Place, str, str]


def sm(name: str) -> Optional[tuple[int, str]]:
    found = re.fullmatch(r"sm([1-9][0-9]{1,2})([af]?)", name)
    return (int(found[1]), found[2]) if found else None


def cuda_family(capability: int) -> set[int]:
    """A known one, with the capabilities of its major that the build does not know. A Tegra chip runs nothing that was
    made for the desktop, and the other way round."""
    same = {other for other in range(10, 1000) if other // 10 == capability // 10}
    family = same & TEGRA if capability in TEGRA else same - TEGRA
    assert all(known <= family for known in CUDA_FAMILIES if capability in known)
    return family


def processor_family(level: str) -> str:
    return next((family for family in LEVELS if level in LEVELS[family]), "")


def version(text: str) -> tuple[int, int]:
    major, _, minor = text.partition(".")
    return int(major), int(minor)


def is_image(kernel: Any, device: str) -> bool:
    """Of an entry of `kernels`, on a device: a source that is not given is named by the first place."""
    first = as_list(kernel["on"])[0].partition("/")[0]
    source = kernel.get("source", "of.cu" if first in ("cuda", "rocm") else "of another kind")
    return device == "cuda" and source.endswith(".cu")


def runs_on(code: int, capability: int) -> bool:
    """R3: machine code on a device."""
    if (code in TEGRA) != (capability in TEGRA):
        return False
    return code // 10 == capability // 10 and code % 10 <= capability % 10


class Oracle:
    """One registry in one build."""

    def __init__(self, registry: Registry, build: Value) -> None:
        self.registry = registry
        self.build = build
        self.devices: dict[str, Any] = registry["devices"]
        self.archs = {device: archs_of(registry, device) for device in self.devices}
        self.models = {device: models_of(registry, device) for device in self.devices}
        self.variants: dict[str, Any] = {DEFAULT: {}, **registry.get("variants", {})}
        self.requirements: dict[str, Any] = registry.get("requirements", {})
        self.ops = {name: self._items(name, entry) for name, entry in registry["ops"].items()}
        self.kinds = {name: self._items(name, entry) for name, entry in registry.get("components", {}).items()}

    def _items(self, of: str, entry: Any) -> Items:
        found: Items = {}
        for kernel in entry["kernels"]:
            variant = kernel.get("variant", DEFAULT)
            requires = {*kernel.get("requires", ()), *self.variants[variant].get("requires", ())}
            for place in as_list(kernel["on"]):
                device, _, arch = place.partition("/")
                found[(device, arch, variant)] = Item(
                    of, device, arch, variant, kernel.get("status") == "planned", bool(kernel.get("experimental")),
                    frozenset(requires), kernel.get("after", ""), kernel.get("workspace", 0),
                    arch != "" and is_image(kernel, device),
                )
        return found

    # ---- R1 to R4: chains -------------------------------------------------------------------------------------------

    def device_chain(self, device: str) -> list[str]:
        """R1."""
        chain = [device, *(name for name in self.devices[device].get("fallback", ()) if name != "cpu")]
        return chain if device == "cpu" else [*chain, "cpu"]

    def rank(self, device: str, arch: str) -> int:
        """R2: 0 for portable archs and for names that have no rank."""
        models = self.models[device]
        if "ladder" in models:
            return int(arch[2:]) if re.fullmatch(r"sm[1-9][0-9]*", arch) else 0
        if "cuda" in models:
            found = sm(arch)
            return found[0] if found else 0
        if device == "cpu" and processor_family(arch):
            levels = LEVELS[processor_family(arch)]
            return len(levels) - levels.index(arch)
        return 0

    def known(self, device: str, arch: str) -> bool:
        """R10, R3: whether a device may be of this arch, or be held at it, listed or not."""
        models = self.models[device]
        if device == "cpu":
            return bool(processor_family(arch)) or arch in self.archs[device]
        if "ladder" in models:
            return True
        if "cuda" in models:
            found = sm(arch)
            return found is not None and found[1] == "" or found is None and arch in self.archs[device]
        return arch in self.archs[device] or ("amdgcn" in models and _AMD.fullmatch(arch) is not None)

    def arch_chain(self, device: str, arch: Optional[str]) -> list[str]:
        """R3, and R4 for a device whose arch is not known. Listed archs only, but for the one a ladder stands on."""
        listed, models = self.archs[device], self.models[device]
        if device == "cpu" and "none" not in models:
            return self.level_chain(arch or "generic")
        if "cuda" in models:
            return self.cuda_chain(device, arch)
        if "amdgcn" in models:
            return self.amd_chain(device, arch)
        if "ladder" in models:
            return self.ladder_chain(device, arch)
        return [arch, *(name for name in listed if name != arch)] if arch in listed else list(listed)

    def ladder_chain(self, device: str, arch: Optional[str]) -> list[str]:
        others = []
        for name in self.archs[device]:
            rank = self.rank(device, name)
            if name != arch and (rank == 0 or (arch is not None and rank < self.rank(device, arch))):
                others.append(name)
        return others if arch is None else [arch, *others]

    def cuda_chain(self, device: str, arch: Optional[str]) -> list[str]:
        listed = self.archs[device]
        portable = [name for name in ("ptx", "generic") if name in listed]
        capability = self.rank(device, arch) if arch else 0
        if capability == 0:
            return portable[portable.index(arch):] if arch in portable else portable
        images = [(name, *found) for name in listed if (found := sm(name))]
        chain = [name for name, of, suffix in images if suffix == "a" and of == capability]
        for wanted in ("f", ""):
            ranked = [(of, name) for name, of, suffix in images if suffix == wanted and of <= capability]
            if wanted == "f":
                ranked = [(of, name) for of, name in ranked if of in cuda_family(capability)]
            chain += [name for _, name in sorted(ranked, reverse=True)]
        if "ptx" in portable and self.ptx_target(device) > capability:
            portable.remove("ptx")
        return chain + portable

    def ptx_target(self, device: str) -> int:
        for entry in self.devices[device]["archs"]:
            if isinstance(entry, dict) and "ptx" in entry:
                target = entry["ptx"] if isinstance(entry["ptx"], str) else entry["ptx"].get("target", "")
                return int(target.partition("_")[2] or 0)
        return 0

    def level_chain(self, level: str) -> list[str]:
        family = processor_family(level)
        below = [name for name in self.archs["cpu"] if family and processor_family(name) == family]
        below = [name for name in below if self.rank("cpu", name) <= self.rank("cpu", level)]
        return sorted(below, key=lambda name: -self.rank("cpu", name)) + ["generic"]

    def amd_chain(self, device: str, arch: Optional[str]) -> list[str]:
        listed = self.archs[device]
        if arch is None or arch == "generic":
            return [name for name in listed if name == "generic"]
        target, *features = arch.split(":")
        exact = []
        for name in listed:
            of, *wanted = name.split(":")
            if of == target and of not in COVERS and of != "generic" and set(wanted) <= set(features):
                exact.append((len(wanted), name))
        chain = [name for _, name in sorted(exact, key=lambda item: -item[0])]
        for name, targets in COVERS.items():
            if name in listed and (name == arch or target[3:] in targets.split()):
                chain.append(name)
        return chain + [name for name in listed if name == "generic"]

    # ---- what there is ----------------------------------------------------------------------------------------------

    def features(self, machine: Value, family: str) -> tuple[set[str], set[str]]:
        """Those that kernels may use, and those that the processor has and the system does not enable. Tiles that have
        only to be asked for (R8: at the first use) may be used."""
        if machine["family"] != family:
            return set(), set()
        had, disabled = set(machine["features"]), set(machine["disabled"])
        if machine["amx"] == 0:
            had |= disabled & set(TILES)
        return had, disabled - had

    def level(self, machine: Value) -> str:
        family = machine["family"]
        had, _ = self.features(machine, family)
        return next((level for level in LEVELS.get(family, ()) if set(LEVEL_FEATURES[level]) <= had), "generic")

    def built(self, item: Item) -> bool:
        kinds = {name: self.requirements[name]["kind"] for name in item.requires if name in self.requirements}
        if any(kind == "build" and name not in self.build["requirements"] for name, kind in kinds.items()):
            return False
        if item.device not in ("cpu", "accel"):
            return item.device in self.build["devices"]
        family = processor_family(item.arch) if item.device == "cpu" else ""
        return not family or (family == self.build["family"] and f"cpu/{item.arch}" not in self.build["without"])

    def has_built(self, device: str) -> bool:
        cells = (item for items in (*self.ops.values(), *self.kinds.values()) for item in items.values())
        return any(item.device == device and not item.planned and self.built(item) for item in cells)

    def is_linked(self, op: str) -> bool:
        """Whether the program has the op's images: one that has not calls no kernel of it, and warms none."""
        images = any(item.image and not item.planned and self.built(item) for item in self.ops[op].values())
        return not images or op not in self.build["unlinked"]

    def first_use(self, item: Item) -> bool:
        """R8: whether something is to be done before the first call that may fail."""
        library = any(self.requirements.get(name, {}).get("kind") == "library" for name in item.requires)
        of_arch = LEVEL_FEATURES.get(item.arch, ()) if item.device == "cpu" else ()
        image = item.arch != "" and item.device not in ("cpu", "accel")
        return library or image or bool(set(TILES) & {*item.requires, *of_arch})

    # ---- R11: opening -----------------------------------------------------------------------------------------------

    def open(self, machine: Value, question: Value) -> list[Place]:
        chain = None if question["chain"] is None else ",".join(question["chain"])
        env = "" if question["env"] is None else ",".join(question["env"])
        if chain is None and env and "no-env" not in question["flags"]:
            chain = env
        if chain is not None:
            return self.explicit(machine, chain, "inspect" in question["flags"])
        return [self.place(machine, device, 0, None) for device in self.device_chain(self.automatic(machine))]

    def automatic(self, machine: Value) -> str:
        for device in self.registry.get("auto", ["cpu"]):
            if device != "accel" and self.has_built(device) and self.place(machine, device, 0, None).state == "":
                return str(device)
        return "cpu"

    def explicit(self, machine: Value, chain: str, inspect: bool) -> list[Place]:
        parts: list[tuple[str, int, Optional[str]]] = []
        for text in chain.split(","):
            found = _PART.fullmatch(text)
            if not found or int(found[2] or 0) > 65535 or found[1] in [device for device, _, _ in parts]:
                raise Refused("bad platform string")
            parts.append((found[1], int(found[2] or 0), found[3]))
        if len(parts) > 16:
            raise Refused("bad platform string")
        places = []
        for device, index, arch in parts:
            if device not in self.devices or (device in ("cpu", "accel") and index > 0):
                raise Refused("unknown name")
            if arch is not None and not self.known(device, arch):
                raise Refused("unknown name")
            place = self.place(machine, device, index, arch)
            if not inspect and not self.can_run(place):
                raise Refused("platform unavailable")
            places.append(place)
        if all(place.device != "cpu" for place in places):
            places.append(self.place(machine, "cpu", 0, None))
        return places

    def can_run(self, place: Place) -> bool:
        device = place.device
        if device == "accel":
            return True
        if device != "cpu" and (place.state or not self.has_built(device)):
            return False
        if not place.named or not place.detected:
            return True
        assert place.arch is not None
        if device == "cpu" and processor_family(place.arch) not in ("", processor_family(place.detected)):
            return False
        if device != "cpu" and not self.known(device, place.detected):
            return True
        if "amdgcn" in self.models[device]:
            target = place.arch.partition(":")[0]
            named = place.arch in self.arch_chain(device, place.detected)
            return named or target == place.detected.partition(":")[0]
        return self.rank(device, place.arch) <= self.rank(device, place.detected)

    def place(self, machine: Value, device: str, index: int, named: Optional[str]) -> Place:
        """R4: on its own detected arch; accel stands for its newest one, as nothing is ever detected of it."""
        place = Place(device, index, None, "", "", "", named is not None)
        stands = ""
        if device == "cpu":
            stands = place.detected = self.level(machine)
        elif device == "accel":
            stands = self.archs[device][0]
        else:
            found = machine["found"].get(device, {"state": "device absent", "arch": "", "count": 0, "driver": ""})
            place.state = found["state"]
            if found["state"] == "" and index >= found["count"]:
                place.state = "device absent"
            else:
                stands = place.detected = found["arch"]
                place.driver = found["driver"]
        if named is not None:
            place.arch = named
        elif stands and self.known(device, stands):
            place.arch = stands
        place.chain = self.arch_chain(device, place.arch)
        return place

    # ---- R5, R12: candidates ----------------------------------------------------------------------------------------

    def wanted(self, variant: str) -> list[str]:
        if variant not in self.variants:
            variant = DEFAULT  # R10
        if variant == DEFAULT or self.variants[variant].get("strict"):
            return [variant]
        return [variant, DEFAULT]

    def rungs(self, items: Items, place: Place, variant: str) -> list[Rung]:
        """Of one device. A kernel that is placed later follows those of the arch that it is placed behind."""
        order: list[Rung] = []
        later: dict[str, list[Rung]] = {}
        for at, arch in enumerate(place.chain):
            for name in self.wanted(variant):
                item = items.get((place.device, arch, name))
                if item and item.after in place.chain[at + 1:]:
                    later.setdefault(item.after, []).append((place, arch, name))
                else:
                    order.append((place, arch, name))
            order += later.get(arch, [])
        return order

    def candidates(self, items: Items, places: list[Place], variant: str) -> list[Rung]:
        return [rung for place in places for rung in self.rungs(items, place, variant)]

    # ---- R6 and the reasons -----------------------------------------------------------------------------------------

    def reason(self, item: Item, asked: "Asked", memory: str) -> str:
        """The first that applies."""
        if item.planned:
            return "planned"
        if not self.built(item):
            return "not built"
        if item.experimental and "experimental" not in asked.flags:
            return "experimental"
        place = next((place for place in asked.places if place.device == item.device), None)
        if place is None:
            return "device absent"
        if item.arch and self.capped(place, item.arch):
            return "capped"
        if item.arch and not self.reaches(place, asked.places, memory):
            return "memory"
        if place.state:
            return place.state
        if item.image and self.older(place, self.machine_code_driver()):
            return "driver too old"
        if item.arch and self.arch_invalid(place, item.arch, asked.machine):
            return "arch invalid"
        refused = self.image_refused(item, place) if item.image else ""
        if refused:
            return refused
        return self.unmet(item, place, asked) or asked.demoted.get(item.key, AVAILABLE)

    def capped(self, place: Place, arch: str) -> bool:
        """R11: an arch named lower than the detected one is a cap: for what stands above it."""
        if not place.named or arch in place.chain:
            return False
        assert place.arch is not None
        cap, rank = self.rank(place.device, place.arch), self.rank(place.device, arch)
        if cap == 0 and place.arch not in self.archs[place.device]:
            return False  # a name of no rank that no list holds is above or below nothing
        if place.device == "cpu":
            same = processor_family(arch) == processor_family(place.detected)
            same = same and processor_family(place.arch) in ("", processor_family(place.detected))
            return same and cap < rank and cap < self.rank("cpu", place.detected)
        if place.detected:
            return cap < rank and self.known(place.device, place.detected) and cap < self.rank(
                place.device, place.detected
            )
        return cap < rank and place.state == ""

    def reaches(self, place: Place, places: list[Place], memory: str) -> bool:
        if memory == HOST:
            return place.device in ("cpu", "accel")
        return memory == ANY or place is next((one for one in places if self.has_driver(one.device)), places[0])

    def has_driver(self, device: str) -> bool:
        """Whether this build has kernels that are launched on it."""
        cells = (item for items in self.ops.values() for item in items.values())
        return device == "cuda" and any(
            item.device == device and not item.planned and self.built(item) for item in cells
        )

    def arch_invalid(self, place: Place, arch: str, machine: Value) -> bool:
        if place.device == "cpu":
            if processor_family(arch) not in ("", machine["family"]):
                return True
            # a newer level is told by what the processor lacks
            return not self.lacks(machine, arch) and arch not in place.chain
        if arch not in place.chain:
            return True
        if not place.detected:
            return False
        detected = place.detected if self.known(place.device, place.detected) else None
        return arch not in self.arch_chain(place.device, detected)

    # R3: what an image holds for a device. A driver or a device of which too little is known is given the benefit of
    # the doubt: its images are tried.

    def machine_code_driver(self) -> tuple[int, int]:
        major, _ = version(self.build["toolkit"])
        return max((major, 0), OLDEST_CUDA)

    def ptx_driver(self) -> tuple[int, int]:
        return max(version(self.build["toolkit"]), OLDEST_CUDA)

    def older(self, place: Place, wanted: tuple[int, int]) -> bool:
        return place.driver != "" and version(place.driver) < wanted

    def image_refused(self, item: Item, place: Place) -> str:
        """Of an image on the device's chain, whose driver takes machine code."""
        capability = self.rank(place.device, place.detected or place.arch or "")
        if self.native(place.device, item.arch, capability):
            return ""
        if item.arch == "generic" and 0 < capability < min(self.build["targets"]):
            return "arch invalid"
        return "PTX too new" if self.older(place, self.ptx_driver()) else ""

    def native(self, device: str, arch: str, capability: int) -> bool:
        """Whether it has machine code for the device."""
        if arch == "generic":
            return any(runs_on(target, capability) for target in self.build["targets"])
        code = self.rank(device, arch)
        return code > 0 and (arch[-1] in "af" or runs_on(code, capability))

    def lacks(self, machine: Value, level: str) -> str:
        return self.misses(machine, processor_family(level), set(LEVEL_FEATURES.get(level, ())))

    def misses(self, machine: Value, family: str, wanted: set[str]) -> str:
        """The first feature, by its bit, that the processor has not; else that the system does not enable; else ""."""
        had, disabled = self.features(machine, family)
        for name in FEATURES.get(family, ()):
            if name in wanted - had - disabled:
                return f"CPU lacks {name}"
        for name in FEATURES.get(family, ()):
            if name in wanted - had:
                return f"system does not enable {name}"
        return ""

    def unmet(self, item: Item, place: Place, asked: "Asked") -> str:
        if item.device == "cpu":
            missing = self.lacks(asked.machine, item.arch)
            for family in ("x86", "aarch64"):
                missing = missing or self.misses(asked.machine, family, set(item.requires) & set(FEATURES[family]))
            if missing:
                return missing
        for name in sorted(item.requires):
            entry = self.requirements.get(name, {})
            if entry.get("kind") == "driver":
                if not place.driver or version(place.driver) < version(entry["minimum"]):
                    return "requirement unmet"
        return ""


@dataclass
class Asked:
    """One platform."""

    places: list[Place]
    machine: Value
    flags: list[str]
    demoted: dict[str, str] = field(default_factory=dict)


class Teller:
    """Everything that can be asked of a platform, as the harness tells it."""

    def __init__(self, oracle: Oracle, machine: Value, question: Value) -> None:
        self.oracle = oracle
        self.machine = machine
        self.question = question
        self.places: list[Place] = []  # filled by `answers`, unless the platform is refused
        self.ready: set[str] = set()  # what has had its first use
        self._reasons: dict[tuple[str, str], str] = {}

    def answers(self) -> Answers:
        try:
            places = self.oracle.open(self.machine, self.question)
        except Refused as refused:
            return {"open": str(refused)}
        self.places = places
        self.asked = Asked(places, self.machine, self.question["flags"])
        text = ",".join(self.part(place) for place in places if self.told(place))
        found: Answers = {"open": f"ok {text}", "reopen": "same"}
        for at, place in enumerate(places):
            found[f"device {at}"] = (
                f"{place.device} {place.index} {place.arch or ''} [{place.detected}]: {' '.join(place.chain)}"
            )
        found.update(self.all_of(""))
        found.update(self.all_builders(""))
        found.update(self.warmed())
        return found

    def told(self, place: Place) -> bool:
        """The text of a platform opens it again: a fallback that is not there, which no chain may name, is left out."""
        there = place.device in ("cpu", "accel") or (place.state == "" and self.oracle.has_built(place.device))
        return there or "inspect" in self.asked.flags

    def part(self, place: Place) -> str:
        return place.device + (f":{place.index}" if place.index else "") + (f"/{place.arch}" if place.arch else "")

    def reason(self, item: Item, memory: str) -> str:
        known = (item.key, memory)
        if known not in self._reasons:
            self._reasons[known] = self.oracle.reason(item, self.asked, memory)
        return self._reasons[known]

    def all_of(self, when: str) -> Iterator[tuple[str, str]]:
        """Before any first use (""), or after all of them ("warm ")."""
        for memory in MEMORIES:
            most = 0
            for items in self.oracle.ops.values():
                for variant in self.oracle.variants:
                    rungs = self.oracle.candidates(items, self.asked.places, variant)
                    most = max(most, self.workspace(items, rungs, memory))
            yield f"{when}workspace-of-all {memory}", str(most)
        for op, items in self.oracle.ops.items():
            for variant in [*self.oracle.variants, UNHEARD]:
                rungs = self.oracle.candidates(items, self.asked.places, variant)
                for memory in MEMORIES:
                    yield f"{when}resolve {op} {variant} {memory}", self.resolved(op, items, rungs, variant, memory)
                    yield f"{when}workspace {op} {variant} {memory}", str(self.workspace(items, rungs, memory))
                yield f"{when}explain {op} {variant}", self.explained(op, items, rungs, variant)
            for item in items.values():
                chosen = self.winner(items, self.oracle.candidates(items, self.asked.places, item.variant), ANY)
                mark = "*" if chosen == item else ""
                yield f"{when}matrix {item.key}", self.reason(item, ANY) + mark

    def available(self, items: Items, rungs: list[Rung], memory: str) -> Iterator[tuple[int, Item]]:
        for at, (place, arch, variant) in enumerate(rungs):
            item = items.get((place.device, arch, variant))
            if item and self.reason(item, memory) == AVAILABLE:
                yield at, item

    def winner(self, items: Items, rungs: list[Rung], memory: str) -> Optional[Item]:
        return next((item for _, item in self.available(items, rungs, memory)), None)

    def resolved(self, op: str, items: Items, rungs: list[Rung], variant: str, memory: str) -> str:
        for at, item in self.available(items, rungs, memory):
            place = "?" if self.moves(op) else str(at)
            return f"{item.where} {place}" + ("" if variant in self.oracle.variants else " not declared")
        return "no kernel" if op else "no component"

    def workspace(self, items: Items, rungs: list[Rung], memory: str) -> int:
        """Up to the first that stays: a fork takes a device with a driver away, all of it."""
        most = 0
        taken = ""
        for _, item in self.available(items, rungs, memory):
            if item.device == taken:
                continue
            most = max(most, item.workspace)
            if not self.oracle.first_use(item) or item.key in self.ready:
                if item.device in ("cpu", "accel"):
                    break
                taken = item.device
        return most

    def moves(self, op: str) -> bool:
        """Whether R12 has a say: the places of what is not declared are then anybody's."""
        return any(item.after for item in self.oracle.ops.get(op, {}).values())

    def explained(self, op: str, items: Items, rungs: list[Rung], variant: str) -> str:
        winner = self.winner(items, rungs, ANY)
        told: list[str] = []
        undeclared: list[str] = []
        for place in self.asked.places:
            outside = [
                (place, arch, name)
                for arch in self.oracle.archs[place.device]
                if arch not in place.chain
                for name in self.oracle.wanted(variant)
                if (place.device, arch, name) in items
            ]
            for _, arch, name in [*outside, *(rung for rung in rungs if rung[0] is place)]:
                item = items.get((place.device, arch, name))
                if item:
                    told.append(f"{item.where}={self.reason(item, ANY)}" + ("*" if item == winner else ""))
                else:
                    (undeclared if self.moves(op) else told).append(f"{place.device}/{arch}/{name}={NOT_DECLARED}")
        return "; ".join(told + sorted(undeclared))

    # ---- R7 ---------------------------------------------------------------------------------------------------------

    def all_builders(self, when: str) -> Iterator[tuple[str, str]]:
        for kind, items in self.oracle.kinds.items():
            for variant in [*self.oracle.variants, UNHEARD]:
                rungs = self.builder_rungs(variant)
                yield f"{when}builder-resolve {kind} {variant}", self.resolved("", items, rungs, variant, ANY)
                yield f"{when}builder-explain {kind} {variant}", self.builders_explained(items, rungs)
            for item in items.values():
                mark = "*" if self.winner(items, self.builder_rungs(item.variant), ANY) == item else ""
                yield f"{when}builder-matrix {item.key}", self.reason(item, ANY) + mark

    def builder_rungs(self, variant: str) -> list[Rung]:
        return [(place, "", name) for place in self.asked.places for name in self.oracle.wanted(variant)]

    def builders_explained(self, items: Items, rungs: list[Rung]) -> str:
        winner = self.winner(items, rungs, ANY)
        told = []
        for place, _, name in rungs:
            item = items.get((place.device, "", name))
            told.append(f"{place.device}/{name}=" + (self.reason(item, ANY) if item else NOT_DECLARED))
            told[-1] += "*" if item and item == winner else ""
        return "; ".join(told)

    # ---- R8 ---------------------------------------------------------------------------------------------------------

    def warmed(self) -> Answers:
        """The first uses of everything that is called, some of which fail; then components are built."""
        demoted: dict[str, str] = {}
        for op, items in self.oracle.ops.items():
            for variant in self.oracle.variants if self.oracle.is_linked(op) else ():
                rungs = self.oracle.candidates(items, self.asked.places, variant)
                for memory in MEMORIES:
                    self.use(items, rungs, memory, demoted)
        found: Answers = {"warm demoted": str(len(demoted))}
        for items in self.oracle.kinds.values():
            for variant in self.oracle.variants:
                self.use(items, self.builder_rungs(variant), ANY, demoted)
        self.asked.demoted = demoted
        self._reasons.clear()
        for kind, items in self.oracle.kinds.items():
            for variant in [*self.oracle.variants, UNHEARD]:
                winner = self.winner(items, self.builder_rungs(variant), ANY)
                found[f"build {kind} {variant}"] = winner.where if winner else "no component, factory"
        if self.question["failing"]:
            found.update(self.all_of("warm "))
            found.update(self.all_builders("warm "))
        return found

    def use(self, items: Items, rungs: list[Rung], memory: str, demoted: dict[str, str]) -> None:
        """The first use of what is called, and of what takes its place."""
        for _, item in self.available(items, rungs, memory):
            if not self.oracle.first_use(item) or item.key not in self.question["failing"]:
                self.ready.add(item.key)
                return
            demoted[item.key] = self.question["failing"][item.key]


def answers(oracle: Oracle, machine: Value, question: Value) -> Answers:
    return Teller(oracle, machine, question).answers()
