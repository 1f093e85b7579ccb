# SPDX-License-Identifier: Apache-2.0
"""The ranking of backends and the probes of devices in registry.c: their text, what is wrong with them, and that a
build without anything for a device refers to no probe of it."""

import shutil
import subprocess

import pytest
from support import BASE, ROOT, check, outputs

RANKED = BASE[: BASE.index("backends:")] + """\
backends:
  - {framework: jax, device: [cuda, rocm], score: 90, reason: "{count} devices", device_string: "gpu:{index}"}
  - framework: jax
    device: cpu
    score: 60
    reason: one "CPU"
    device_string: cpu
    limited: {below_mb: 8192, score: 50, reason: little memory}
  - {framework: native, device: [cpu, accel], score: 40, reason: here}
  - {framework: numpy, score: 30, reason: NumPy}
"""

ROWS = r"""
static const rung_backend_row backends[] = {
    {.framework = AT(backend_0_framework), .device = AT(backend_0_device), .reason = AT(backend_0_reason), .devices = RUNG_ON_CUDA | RUNG_ON_ROCM, .score = 90},
    {.framework = AT(backend_0_framework), .device = AT(backend_1_device), .reason = AT(backend_1_reason), .devices = RUNG_ON_CPU, .score = 60, .limited_score = 50, .limited_reason = AT(backend_1_limited), .limited_below = UINT64_C(8192)},
    {.framework = AT(backend_2_framework), .reason = AT(backend_2_reason), .devices = RUNG_ON_CPU | RUNG_ON_ACCEL, .score = 40},
    {.framework = AT(backend_3_framework), .reason = AT(backend_3_reason), .score = 30},
};
"""  # noqa: E501

STRINGS = r"""
    STRING(backend_0_framework, "jax") \
    STRING(backend_0_device, "gpu:{index}") \
    STRING(backend_0_reason, "{count} devices") \
    STRING(backend_1_device, "cpu") \
    STRING(backend_1_reason, "one \"CPU\"") \
    STRING(backend_1_limited, "little memory") \
    STRING(backend_2_framework, "native") \
    STRING(backend_2_reason, "here") \
    STRING(backend_3_framework, "numpy") \
    STRING(backend_3_reason, "NumPy") \
"""


def test_text() -> None:
    made = outputs(RANKED)["registry.c"]
    assert ROWS in made
    assert STRINGS in made
    assert "    .backends = backends,\n" in made
    assert "    .n_backends = 4,\n" in made


def test_the_coverage_page_says_that_the_device_of_native_is_a_platform() -> None:
    assert "| 40 | native | cpu, accel | the platform | here |" in outputs(RANKED)["coverage.md"]


JAX = '"gpu:{index}"}'
NUMPY = "- {framework: numpy, score: 30, reason: NumPy}"
BAD = [
    (JAX, '"gpu:{count}"}', "backend jax: device_string: '{count}' stands for nothing: only {index} can be"),
    ('"{count} devices"', '"{cout} devices"', "backend jax: reason: '{cout}' stands for nothing: only {count} can be"),
    ('"{count} devices"', '"a } b"', "backend jax: reason: '}' stands for nothing: only {count} can be"),
    ("little memory", '"{index}"',
     "backend jax: the limited reason: '{index}' stands for nothing: only {count} can be"),
    (NUMPY, NUMPY.replace("NumPy", '"{count}"'),
     "backend numpy: reason: '{count}' stands for nothing: the backend has no device"),
    (NUMPY, NUMPY.replace("numpy", "n" * 32), f"backend {'n' * 32}: the name is longer than 31 bytes"),
    (JAX, "g" * 96 + "}", "backend jax: device_string is longer than 95 bytes"),
    ("reason: NumPy", "reason: " + "ü" * 96, "backend numpy: reason is longer than 191 bytes"),
    ("reason: here", "reason: here, device_string: cpu",
     "backend native: its device string is the platform, none can be given"),
    ("framework: native, device: [cpu, accel]", "framework: native",
     "backend native: it runs on a device: the key 'device' is missing"),
    (NUMPY, "\n  ".join(f"- {{framework: f{n}, score: 30, reason: r}}" for n in range(15)), "more than 16 frameworks"),
]


@pytest.mark.parametrize("old, new, error", BAD)
def test_faults(old: str, new: str, error: str) -> None:
    assert RANKED.count(old) == 1
    registry, said = check(RANKED.replace(old, new))
    assert registry is None
    assert said.count("error:") == 1 and f"error: {error}\n" in said


def test_the_longest_texts_and_most_frameworks() -> None:
    more = "\n  ".join(f"- {{framework: {'f' * 29}{n:02}, score: 30, reason: {'r' * 191}}}" for n in range(14))
    assert check(RANKED.replace(NUMPY, more).replace(JAX, "g" * 95 + "}"))[1] == ""


# ---- probes ---------------------------------------------------------------------------------------------------------

PLANNED_KERNEL = "      - {on: cuda/sm80, status: planned}\n"
PLANNED_BUILDER = "{on: cuda, status: planned}"


def test_what_is_only_planned_has_no_probe() -> None:
    assert "probe" not in outputs(BASE)["registry.c"].replace(".probes", "")
    assert ".probes" not in outputs(BASE)["registry.c"]


def test_a_probe_is_named_where_any_kernel_or_builder_is_built() -> None:
    text = BASE.replace(PLANNED_KERNEL, "      - {on: [cuda/sm80, cuda/sm90]}\n")
    text = text.replace(PLANNED_BUILDER, "{on: cuda, requires: [blas]}")
    assert """
    .probes = {
#if EX_HAS_CUDA_SM80 || EX_HAS_CUDA_SM90 || (EX_HAS_DEVICE_CUDA && EX_HAS_BLAS)
        [EX_DEVICE_CUDA] = rung_probe_nvidia,
#else
        [EX_DEVICE_CUDA] = NULL,
#endif
    },
""" in outputs(text)["registry.c"]


@pytest.mark.parametrize("device, probe", [
    ("cuda", "nvidia"), ("rocm", "amd"), ("metal", "metal"), ("opencl", "opencl"), ("tpu", "tpu")
])
def test_every_device_with_a_driver_has_a_probe(device: str, probe: str) -> None:
    text = BASE if device == "cuda" else BASE.replace(
        "devices:\n", f"devices:\n  {device}: {{model: none, archs: [generic]}}\n"
    )
    text = text.replace(PLANNED_BUILDER, f"{{on: {device}}}")
    made = outputs(text)["registry.c"]
    assert f"        [EX_DEVICE_{device.upper()}] = rung_probe_{probe},\n" in made
    assert made.count("= rung_probe_") == 1


@pytest.mark.skipif(not shutil.which("nm"), reason="unproven: nm is missing (Debian: binutils)")
@pytest.mark.parametrize("compiler", [name for name in ("gcc", "clang") if shutil.which(name)])
def test_only_a_build_that_has_kernels_refers_to_the_probe(tmp_path, compiler: str) -> None:
    text = BASE.replace(PLANNED_KERNEL, "      - {on: cuda/sm80}\n")
    for name, content in outputs(text).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    found = {}
    made_with = ("-DEX_WITH_CUDA", "-DEX_CUDA_TOOLKIT_MAJOR=13", "-DEX_CUDA_TOOLKIT_MINOR=0", "-DEX_CUDA_TARGETS=80,90")
    for built in ((), made_with):
        command = [compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Iinclude", "-I.",
                   f"-I{ROOT / 'src/include'}", *built, "-c", "registry.c", "-o", "registry.o"]
        subprocess.run(command, cwd=tmp_path, check=True, timeout=60)
        shown = subprocess.run(["nm", "-u", "registry.o"], cwd=tmp_path, capture_output=True, text=True, check=True)
        found[built] = {name for name in shown.stdout.split() if name.startswith("rung_")}
    assert found == {(): set(), made_with: {"rung_cuda_driver", "rung_probe_nvidia"}}


@pytest.mark.parametrize("name, words", [
    ("' jax '", "a framework's name is of a-z"),
    ("JAX", "a framework's name is of a-z"),
    ("Native", "a framework's name is of a-z"),
    ("7z", "a framework's name is of a-z"),
    ("torch", "another name of pytorch"),
    ("tf", "another name of tensorflow"),
])
def test_names_that_nobody_could_ask_for(name: str, words: str) -> None:
    text = BASE[: BASE.index("backends:")] + f"backends:\n  - {{framework: {name}, score: 30, reason: R}}\n"
    registry, errors = check(text)
    assert registry is None and words in errors and len(errors.splitlines()) == 1
