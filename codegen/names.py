# SPDX-License-Identifier: Apache-2.0
"""C names made of registry names, and the names that C keeps for itself."""

from __future__ import annotations

import re
from functools import lru_cache

from codegen.model import DEFAULT, Cell, ComponentCell

_NOT_ALNUM = re.compile(r"[^A-Za-z0-9]")
_FEATURE_SIGN = re.compile(r"[+-](?=:|$)")

# Of C11 and C++20, for the public headers are read by both; and object-like macros of common headers and compilers.
RESERVED = frozenset(
    """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl
    concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete
    do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable
    namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast
    requires restrict return short signed sizeof static static_assert static_cast struct switch template this
    thread_local throw true try typedef typeid typename typeof union unsigned using virtual void volatile wchar_t while
    xor xor_eq errno i386 linux stderr stdin stdout unix
    size_t ptrdiff_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t
    """.split()
)

CONTEXT = "cx"


@lru_cache(maxsize=None)
def mangle(name: str) -> str:
    return _NOT_ALNUM.sub("_", name)


@lru_cache(maxsize=None)
def tag(device: str, arch: str) -> str:
    """`cpu_x86_64_v3`. The + and - of an amdgcn feature are told apart: rocm_gfx942_xnack_on."""
    return f"{mangle(device)}_{mangle(_FEATURE_SIGN.sub(_sign, arch))}"


def _sign(found: re.Match[str]) -> str:
    return "_on" if found[0] == "+" else "_off"


def cell_name(cell: Cell) -> str:
    """`gemm_tn__cpu_generic__openblas`: the symbol without the namespace."""
    name = f"{cell.op}__{tag(cell.device, cell.arch)}"
    return name if cell.variant == DEFAULT else f"{name}__{mangle(cell.variant)}"


def entry_names(namespace: str, cell: Cell) -> tuple[str, ...]:
    """What its functions are called in its image: `rk_flow_sde_step__cuda_sm80__finish`."""
    symbol = f"{namespace}_{cell_name(cell)}"
    return tuple(f"{symbol}__{ref.name}" for ref in cell.entries) or (symbol,)


def image_name(namespace: str, cell: Cell) -> str:
    """`rk_image__cuda_sm80__kernels_cuda_sm80_gemm`: of one source on one arch, whatever cells it has."""
    return f"{namespace}_image__{tag(cell.device, cell.arch)}__{mangle(cell.source.rpartition('.')[0])}"


def builder_name(cell: ComponentCell) -> str:
    """`factor_model__cpu__fast`: the symbol without the namespace."""
    name = f"{cell.kind}__{mangle(cell.device.name)}"
    return name if cell.variant.name == DEFAULT else f"{name}__{mangle(cell.variant.name)}"
