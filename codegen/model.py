# SPDX-License-Identifier: Apache-2.0
"""What a registry says: plain immutable values, each with the place it was said at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Optional

from codegen.diagnostics import Mark

DEFAULT = "default"
CPU = "cpu"
GENERIC = "generic"

# Devices whose kernels are part of the program and reach host memory: they have no driver.
HOST_DEVICES = ("accel", CPU)

# The devices that Rung has words for.
KNOWN_DEVICES = ("accel", "cpu", "cuda", "metal", "opencl", "rocm", "tpu")

# Devices whose kernels may be images, launched through rung_<this>_driver (src/cuda/).
IMAGE_DEVICES = ("cuda",)
IMAGE_SOURCE = ".cu"

# What rung_probe_<this> looks for (src/detect/).
PROBES = {"cuda": "nvidia", "metal": "metal", "opencl": "opencl", "rocm": "amd", "tpu": "tpu"}

# The backend that is Rung itself: what it calls its device is the platform.
NATIVE = "native"

# As many frameworks, and bytes of each text, as the structs of rung/select.h hold.
MAX_FRAMEWORKS = 16
MAX_FRAMEWORK_NAME = 31
MAX_DEVICE_STRING = 95
MAX_BACKEND_REASON = 191


@dataclass(frozen=True)
class Ref:
    """A name of something declared elsewhere, where it was written."""

    name: str
    mark: Mark


@dataclass(frozen=True)
class Arch:
    name: str
    mark: Mark
    model: str  # of the device's models the one that this name belongs to; "none" for what all of them share
    rank: int  # 0 for portable ones
    portable: bool
    target: str = ""
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Device:
    name: str
    mark: Mark
    models: tuple[str, ...]
    model_marks: tuple[Ref, ...]  # as written, unknown ones left out
    fallback: tuple[Ref, ...]
    archs: tuple[Arch, ...]

    def arch(self, name: str) -> Optional[Arch]:
        return next((arch for arch in self.archs if arch.name == name), None)


@dataclass(frozen=True)
class Requirement:
    name: str
    mark: Mark
    kind: str  # "build", "library", "driver"
    summary: str
    library: str = ""  # of kind library: the file that is opened
    minimum: tuple[int, int] = (0, 0)  # of kind driver: the least version


@dataclass(frozen=True)
class Variant:
    name: str
    mark: Mark
    strict: bool
    requires: tuple[Ref, ...]


@dataclass(frozen=True)
class Bounds:
    """A closed interval, as numbers of the argument's type; None where it is open to that side."""

    low: Optional[float]
    high: Optional[float]
    nan_only: bool = False  # [-.inf, .inf]: everything but NaN


@dataclass(frozen=True)
class Tolerance:
    rel: float
    abs: float


@dataclass(frozen=True)
class ArgProof:
    """What the proof of kernels has to know of an argument (src/include/rung/proof.h)."""

    values: Optional[Ref] = None  # bfloat16 or positive_definite; None: intervals
    values_mark: Optional[Mark] = None
    intervals: tuple[tuple[float, float], ...] = ()  # one for all, or for each index of the last axis
    special: bool = True
    unread_if_zero: Optional[Ref] = None
    alias: tuple[Ref, ...] = ()
    compare: Optional[Ref] = None
    scale: Optional[Ref] = None
    negate: bool = False
    refused_as_nan: bool = False
    tolerance: Optional[Tolerance] = None
    rounding: Optional[Tolerance] = None
    tries: tuple[float, ...] = ()
    tries_mark: Optional[Mark] = None


@dataclass(frozen=True)
class Size:
    """A number for each size of an op, as `{m: 20, n: 300}`."""

    mark: Mark
    numbers: tuple[tuple[Ref, int], ...]


@dataclass(frozen=True)
class Scaling:
    mark: Mark
    exponents: tuple[tuple[Ref, Optional[int]], ...]  # by argument; None: not compared


@dataclass(frozen=True)
class OpProof:
    """What the proof and the timing of an op's kernels have to know."""

    rounding: Optional[Tolerance] = None
    wide: bool = True
    permutes: tuple[Ref, ...] = ()
    scalings: tuple[Scaling, ...] = ()
    expected: Optional[Ref] = None
    sizes: tuple[Size, ...] = ()
    bench: tuple[Size, ...] = ()
    flops: Optional[Ref] = None


@dataclass(frozen=True)
class Arg:
    name: str
    mark: Mark
    type: str
    type_mark: Mark
    element: str  # of a pointer: the type of one element; of a scalar: its type
    pointer: bool
    const: bool
    shape: tuple[Ref, ...]  # dimension names, or decimal numbers
    access: str  # "read", "write", "read_write"; "" for scalars
    optional: bool
    bounds: Optional[Bounds]
    doc: str  # what it is, with its unit; "" when the registry does not say
    proof: ArgProof = ArgProof()


@dataclass(frozen=True)
class Cell:
    op: str
    device: str
    arch: str
    variant: str
    mark: Mark
    source: str
    source_mark: Mark
    variant_mark: Mark
    planned: bool = False
    experimental: bool = False
    workspace: int = 0
    requires: tuple[Ref, ...] = ()
    after: Optional[Ref] = None
    launcher: str = ""  # of a cell that is launched: the C file that does it
    launcher_mark: Optional[Mark] = None
    entries: tuple[Ref, ...] = ()  # as written; none: the one that has the cell's name

    @property
    def key(self) -> tuple[str, str, str]:
        return (self.device, self.arch, self.variant)

    @property
    def launched(self) -> bool:
        """Whether its source is compiled for the device, into an image, and not for the program."""
        return self.device in IMAGE_DEVICES and self.source.endswith(IMAGE_SOURCE)

    @property
    def place(self) -> str:
        return f"{self.device}/{self.arch}"


@dataclass(frozen=True)
class Op:
    name: str
    mark: Mark
    summary: str
    source: str
    terminal: bool
    terminal_mark: Mark
    args: tuple[Arg, ...]
    tolerance: Optional[Tolerance]
    tolerances: tuple[tuple[Ref, Tolerance], ...]
    cells: tuple[Cell, ...]
    proof: OpProof = OpProof()

    @property
    def sizes(self) -> tuple[str, ...]:
        """The arguments that are the length of an axis, in the order of the arguments."""
        used = {ref.name for arg in self.args for ref in arg.shape}
        return tuple(arg.name for arg in self.args if arg.name in used)


@dataclass(frozen=True)
class ComponentCell:
    kind: str
    device: Ref
    variant: Ref
    source: str
    source_mark: Mark
    planned: bool
    experimental: bool
    requires: tuple[Ref, ...]

    @property
    def key(self) -> tuple[str, str, str]:
        return (self.kind, self.device.name, self.variant.name)


@dataclass(frozen=True)
class Component:
    kind: str
    mark: Mark
    summary: str
    cells: tuple[ComponentCell, ...]


@dataclass(frozen=True)
class Backend:
    framework: str
    mark: Mark
    devices: tuple[Ref, ...]
    score: int
    score_mark: Mark
    reason: str
    reason_mark: Mark
    device_string: str
    device_string_mark: Mark
    limited: Optional[LimitedBackend]


@dataclass(frozen=True)
class LimitedBackend:
    """The lower rank of a backend on a machine with little memory."""

    below_mb: int
    score: int
    reason: str
    reason_mark: Mark


@dataclass(frozen=True)
class Registry:
    file: str  # the name of the file, without its folder
    namespace: str
    namespace_mark: Mark
    auto: tuple[Ref, ...]
    devices: tuple[Device, ...]
    requirements: tuple[Requirement, ...]
    variants: tuple[Variant, ...]
    ops: tuple[Op, ...]
    components: tuple[Component, ...]
    backends: tuple[Backend, ...]
    auto_mark: Mark
    devices_mark: Mark
    ops_mark: Mark
    unread: frozenset[tuple[str, str]]  # (section, entry) of what could not be read and was reported; "": all of it
    device_by_name: dict[str, Device] = field(default_factory=dict, compare=False)
    variant_by_name: dict[str, Variant] = field(default_factory=dict, compare=False)

    def unsure(self, section: str, name: str = "") -> bool:
        """Whether the file may say more of this entry than is known here: what it seems to lack is then no finding."""
        return bool({(section, name), (section, "")} & self.unread)

    def all_read(self, *sections: str) -> bool:
        return not any(section in sections for section, _ in self.unread)
