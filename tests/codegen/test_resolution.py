# SPDX-License-Identifier: Apache-2.0
"""The rules of docs/resolution.md on the Python side, its examples by name, and the tables that carry them."""

from __future__ import annotations

import pytest
from support import BASE, check, good, laid_out

from codegen import arch_models, coverage, resolve
from codegen.model import Device

EXAMPLES = """\
rung: 1
namespace: ex
auto: [cuda, cpu]
devices:
  cuda: {model: cuda, fallback: [cpu], archs: [sm100, sm90, sm80, ptx, generic]}
  accel: {model: ladder, fallback: [cpu], archs: [sm90, sm80, generic]}
  cpu: {model: [x86, aarch64], archs: [x86-64-v4, generic]}
requirements:
  openblas: {kind: build, summary: OpenBLAS}
variants:
  fast: {}
  openblas: {strict: true, requires: [openblas]}
ops:
  flow_match_step:
    summary: A step.
    source: none
    args: []
    tolerance: {abs: 0}
    kernels: [{on: accel/generic}, {on: cpu/generic}, {on: cuda/generic}]
  flow_sde_step:
    summary: A step.
    source: none
    args: []
    tolerance: {abs: 0}
    kernels: [{on: accel/sm90}, {on: cpu/generic}]
  gemm:
    summary: A product.
    source: none
    args: []
    tolerance: {abs: 0}
    kernels:
      - {on: accel/sm90}
      - {on: accel/sm80, variant: fast}
      - {on: cpu/x86-64-v4}
      - {on: cpu/generic}
      - {on: cpu/generic, variant: openblas}
components:
  dit: {summary: A transformer, kernels: [{on: accel}]}
  text_encoder: {summary: An encoder, kernels: [{on: cuda}]}
"""


def _shown_chain(device: Device, detected: str) -> resolve.Chain:
    """The chain as people are shown it: on a ladder the arch itself comes first even when no list holds it."""
    chain = resolve.arch_chain(device, detected)
    meaning = arch_models.understand(device.models, detected)
    if meaning and meaning.model == "ladder" and detected not in chain:
        return (detected, *chain)
    return chain


@pytest.mark.parametrize(
    "platform, chain",
    [
        ("cuda/sm75", "ptx generic"),
        ("cuda/sm80", "sm80 ptx generic"),
        ("cuda/sm86", "sm80 ptx generic"),
        ("cuda/sm89", "sm80 ptx generic"),
        ("cuda/sm90", "sm90 sm80 ptx generic"),
        ("cuda/sm103", "sm100 sm90 sm80 ptx generic"),
        ("cuda/sm120", "sm100 sm90 sm80 ptx generic"),
        ("cuda/sm121", "sm100 sm90 sm80 ptx generic"),
        ("accel/sm70", "sm70 generic"),
        ("accel/sm90", "sm90 sm80 generic"),
        ("accel/sm120", "sm120 sm90 sm80 generic"),
        ("accel/generic", "generic"),
        ("accel/gfx90a", "gfx90a generic"),
    ],
)
def test_examples_of_chains(platform: str, chain: str) -> None:
    device, _, detected = platform.partition("/")
    assert list(_shown_chain(good(EXAMPLES).device_by_name[device], detected)) == chain.split()


def test_example_with_an_exact_build() -> None:
    text = EXAMPLES.replace("[sm100, sm90, sm80, ptx, generic]", "[sm100, sm90a, sm90, sm80, ptx, generic]")
    device = good(text).device_by_name["cuda"]
    assert resolve.arch_chain(device, "sm90") == ("sm90a", "sm90", "sm80", "ptx", "generic")
    assert resolve.arch_chain(device, "sm100") == ("sm100", "sm90", "sm80", "ptx", "generic")
    with pytest.raises(ValueError):
        resolve.arch_chain(device, "sm90a")


@pytest.mark.parametrize(
    "op, variant, platform, answer",
    [
        ("flow_match_step", "default", "accel/sm90", "accel/generic"),
        ("flow_sde_step", "default", "accel/sm90", "accel/sm90"),
        ("flow_match_step", "default", "cuda/sm90", "cuda/generic"),
        ("gemm", "fast", "accel/sm90", "accel/sm90 default"),
        ("gemm", "fast", "accel/sm80", "accel/sm80"),
        ("gemm", "openblas", "cpu/x86-64-v4", "cpu/generic (needs openblas), else no kernel"),
        ("gemm", "openblas", "accel/sm90", "falls to cpu"),
        ("gemm", "default", "cuda/sm90", "falls to cpu"),
    ],
)
def test_examples_of_requests(op: str, variant: str, platform: str, answer: str) -> None:
    made = laid_out(EXAMPLES)
    row = next(row for row in made.ops if row.op.name == op)
    found = {(name, where): text for name, where, text in coverage.View(made).op(row)}[(variant, platform)]
    assert found == answer


@pytest.mark.parametrize(
    "kind, device, answer",
    [
        ("dit", "accel", "accel"),
        ("text_encoder", "accel", "the spec's factory"),
        ("dit", "cuda", "the spec's factory"),
        ("text_encoder", "cuda", "cuda"),
    ],
)
def test_examples_of_components(kind: str, device: str, answer: str) -> None:
    made = laid_out(EXAMPLES)
    component = next(item for item in made.registry.components if item.kind == kind)
    found = {where: text for name, where, text in coverage.View(made).component(component) if name == "default"}
    assert found[device] == answer


# ---- R1 to R4 -------------------------------------------------------------------------------------------------------


def test_cpu_is_the_last_device_of_every_chain() -> None:
    text = EXAMPLES.replace("model: cuda, fallback: [cpu]", "model: cuda, fallback: [accel]")
    registry = good(text)
    assert resolve.device_chain(registry, "cuda") == ("cuda", "accel", "cpu")
    assert resolve.device_chain(registry, "accel") == ("accel", "cpu")
    assert resolve.device_chain(registry, "cpu") == ("cpu",)


def _cuda(*archs: str):
    text = EXAMPLES.replace("sm100, sm90, sm80, ptx, generic", ", ".join((*archs, "generic")))
    return good(text).device_by_name["cuda"]


@pytest.mark.parametrize(
    "detected, chain",
    [
        ("sm100", "sm100a sm100f sm100 sm90 ptx generic"),
        ("sm103", "sm103a sm103f sm100f sm100 sm90 ptx generic"),
        ("sm107", "sm103f sm100f sm100 sm90 ptx generic"),  # a new capability joins the family of its major
        ("sm101", "sm100 sm90 ptx generic"),  # a Tegra chip has no part in the desktop's family
        ("sm110", "sm110f sm100 sm90 ptx generic"),
        ("sm119", "sm100 sm90 ptx generic"),
        ("sm120", "sm120f sm100 sm90 ptx generic"),
        ("sm121", "sm121a sm120f sm100 sm90 ptx generic"),
        ("sm90", "sm90 ptx generic"),
        ("sm89", "generic"),  # older than the target of ptx
        ("sm10", "generic"),
        ("sm999", "sm100 sm90 ptx generic"),
    ],
)
def test_suffixes_and_families(detected: str, chain: str) -> None:
    device = _cuda(
        "sm121a", "sm120f", "sm110f", "sm103a", "sm103f", "sm100a", "sm100f", "sm100", "sm90", "{ptx: compute_90}"
    )
    assert " ".join(resolve.arch_chain(device, detected)) == chain


def test_every_capability_has_the_chain_of_its_break() -> None:
    device = _cuda("sm121a", "sm120f", "sm110f", "sm103a", "sm100f", "sm100", "sm90a", "sm80", "{ptx: compute_75}")
    steps = resolve.breaks(device)
    assert [step.rank for step in steps] == sorted(step.rank for step in steps)
    for capability in arch_models.CUDA_CAPABILITIES:
        step = [step for step in steps if step.rank <= capability][-1]
        assert step.chain == resolve.arch_chain(device, f"sm{capability}")


def test_every_rank_of_a_ladder_has_the_chain_of_its_break() -> None:
    device = good(EXAMPLES).device_by_name["accel"]
    steps = resolve.breaks(device)
    listed = {"sm90", "sm80"}
    for rank in range(1, 200):
        step = [step for step in steps if step.rank <= rank][-1]
        if f"sm{rank}" not in listed:
            assert step.chain == resolve.arch_chain(device, f"sm{rank}")


def test_a_cpu_chain_holds_one_family() -> None:
    text = EXAMPLES.replace(
        "archs: [x86-64-v4, generic]", "archs: [amx, x86-64-v4, x86-64-v3, x86-64-v2, sve2, sve, neon, generic]"
    )
    device = good(text).device_by_name["cpu"]
    chains = {arch.name: " ".join(resolve.arch_chain(device, arch.name)) for arch in device.archs}
    assert chains == {
        "amx": "amx x86-64-v4 x86-64-v3 x86-64-v2 generic",
        "x86-64-v4": "x86-64-v4 x86-64-v3 x86-64-v2 generic",
        "x86-64-v3": "x86-64-v3 x86-64-v2 generic",
        "x86-64-v2": "x86-64-v2 generic",
        "sve2": "sve2 sve neon generic",
        "sve": "sve neon generic",
        "neon": "neon generic",
        "generic": "generic",
    }


def test_an_unlisted_cpu_level_has_the_chain_of_its_rank() -> None:
    device = good(EXAMPLES).device_by_name["cpu"]
    assert resolve.arch_chain(device, "amx") == ("x86-64-v4", "generic")
    assert resolve.arch_chain(device, "x86-64-v3") == ("generic",)
    assert resolve.arch_chain(device, "sve") == ("generic",)


def _amd(*archs: str):
    text = EXAMPLES.replace(
        "  accel: {model: ladder", f"  rocm: {{model: amdgcn, archs: [{', '.join(archs)}]}}\n  accel: {{model: ladder"
    )
    return good(text).device_by_name["rocm"]


@pytest.mark.parametrize(
    "detected, chain",
    [
        ("gfx942:sramecc+:xnack+", "gfx942:xnack+ gfx942 gfx9-4-generic generic"),
        ("gfx942:sramecc+:xnack-", "gfx942 gfx9-4-generic generic"),
        ("gfx942", "gfx942 gfx9-4-generic generic"),
        ("gfx950", "gfx9-4-generic generic"),
        ("gfx90a", "generic"),
        ("gfx90c", "gfx9-generic generic"),
        ("gfx1036", "generic"),
        ("gfx9-generic", "gfx9-generic generic"),
        ("generic", "generic"),
    ],
)
def test_amdgcn(detected: str, chain: str) -> None:
    device = _amd("gfx942:xnack+", "gfx942", "gfx9-4-generic", "gfx9-generic", "generic")
    assert " ".join(resolve.arch_chain(device, detected)) == chain
    assert resolve.portable_chain(device) == ("generic",)


def test_amdgcn_names_every_target_that_matters() -> None:
    device = _amd("gfx942:xnack+", "gfx9-4-generic", "generic")
    named = {item.name: item.chain for item in resolve.named_archs(device)}
    assert named["gfx942:sramecc-:xnack+"] == ("gfx942:xnack+", "gfx9-4-generic", "generic")
    assert named["gfx942"] == ("gfx9-4-generic", "generic")
    assert named["gfx1201"] == ("generic",)
    assert list(named)[:3] == ["gfx942:xnack+", "gfx9-4-generic", "generic"]


def test_a_device_without_ranks() -> None:
    text = EXAMPLES.replace("  accel: {model", "  tpu: {model: none, archs: [v5, generic]}\n  accel: {model")
    device = good(text).device_by_name["tpu"]
    assert resolve.arch_chain(device, "v5") == ("v5", "generic")
    assert resolve.arch_chain(device, "generic") == ("generic", "v5")
    assert resolve.breaks(device) == []


# ---- R5 and R12 -----------------------------------------------------------------------------------------------------


def test_a_variant_stands_before_default_on_each_arch() -> None:
    cells = {("a", "default"): 0, ("a", "fast"): 1, ("b", "fast"): 2, ("b", "default"): 3}
    assert resolve.candidates(cells, {}, "fast", False, ("a", "b")) == (1, 0, 2, 3)
    assert resolve.candidates(cells, {}, "fast", True, ("a", "b")) == (1, 2)
    assert resolve.candidates(cells, {}, "default", False, ("a", "b")) == (0, 3)
    assert resolve.candidates(cells, {}, "default", False, ("b",)) == (3,)


def test_a_kernel_may_be_placed_later() -> None:
    cells = {("a", "default"): 0, ("b", "default"): 1, ("c", "default"): 2}
    assert resolve.candidates(cells, {0: "b"}, "default", False, ("a", "b", "c")) == (1, 0, 2)
    assert resolve.candidates(cells, {0: "c"}, "default", False, ("a", "b", "c")) == (1, 2, 0)
    assert resolve.candidates(cells, {0: "b"}, "default", False, ("a", "c")) == (0, 2)


def test_after_in_a_registry() -> None:
    later = "      - {on: accel/sm90, after: sm80}\n      - {on: accel/sm80}\n"
    text = EXAMPLES.replace("      - {on: accel/sm90}\n", later)
    made = laid_out(text)
    row = next(row for row in made.ops if row.op.name == "gemm")
    found = {(name, where): text for name, where, text in coverage.View(made).op(row)}
    assert found[("default", "accel/sm90")] == "accel/sm80"


# ---- tables ---------------------------------------------------------------------------------------------------------


def test_candidates_of_the_tables_are_those_of_the_rules() -> None:
    made = laid_out(EXAMPLES)
    for row in made.ops:
        for local, variant in enumerate(row.variants):
            strict = made.registry.variant_by_name[variant].strict
            for number, arch_row in enumerate(made.rows):
                own = {(c.arch, c.variant): n for n, c in enumerate(row.cells) if c.device == arch_row.device}
                expected = resolve.candidates(own, {}, variant, strict, arch_row.chain)
                assert row.candidates[local][number] == expected


def test_rows_are_shared() -> None:
    made = laid_out(BASE)
    keys = [(row.device, row.chain) for row in made.rows]
    assert len(set(keys)) == len(keys)
    assert [row.name for row in made.rows if row.device == "cuda"] == [
        "CUDA_SM90", "CUDA_SM80", "CUDA_PTX", "CUDA_GENERIC", "CUDA__FROM_SM91"
    ]


def test_cells_are_in_key_order() -> None:
    cells = [(row.op.name, *cell.key) for row in laid_out(EXAMPLES).ops for cell in row.cells]
    assert cells == sorted(cells, key=lambda key: [part.encode() for part in key])


def test_the_examples_are_a_good_registry() -> None:
    assert check(EXAMPLES)[1] == ""
