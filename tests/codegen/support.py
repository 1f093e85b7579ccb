# SPDX-License-Identifier: Apache-2.0
"""A small registry that says everything once, and short ways to use the generator on text."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Optional

from codegen import generate, layout, load, schema, validate
from codegen.diagnostics import Diagnostics, RegistryError
from codegen.model import Registry

ROOT = Path(__file__).resolve().parent.parent.parent

BASE = """\
rung: 1
namespace: ex
auto: [cuda, cpu]
devices:
  cuda:
    model: cuda
    fallback: [cpu]
    archs: [sm90a, sm90, sm80, {ptx: compute_75}, generic]
  accel:
    model: ladder
    archs: [sm90, sm80, generic]
  cpu:
    model: [x86, aarch64]
    archs:
      - x86-64-v4: {flags: [-march=x86-64-v4]}
      - x86-64-v3
      - neon
      - generic
requirements:
  blas: {kind: build, summary: A BLAS library}
variants:
  default: {}
  blas: {strict: true, requires: [blas]}
ops:
  axpy:
    summary: y += a x.
    source: BLAS level 1
    args:
      - y: {type: "float *", shape: [n], access: read_write}
      - x: {type: "const float *", shape: [n]}
      - n: {type: size_t}
      - a: {type: float, range: [-1, .inf]}
    tolerance: {rel: 1.0e-6}
    tolerances: {blas: {rel: 1.0e-5}}
    kernels:
      - {on: cpu/generic}
      - {on: [cpu/x86-64-v4, cpu/x86-64-v3]}
      - {on: cpu/generic, variant: blas}
      - {on: cuda/sm80, status: planned}
  fill:
    summary: Sets x to 1.
    source: none needed
    args:
      - x: {type: "double *", shape: [n, 2], access: write, optional: true}
      - n: {type: size_t}
    tolerance: {abs: 0}
    kernels:
      - {on: cpu/generic, workspace: 64}
components:
  dit: {summary: A transformer, kernels: [{on: accel}, {on: cuda, status: planned}]}
backends:
  - {framework: jax, device: tpu, score: 100, reason: JAX with TPU acceleration, device_string: tpu}
  - {framework: numpy, score: 30, reason: NumPy}
"""


def registries_of_the_tree() -> list[Path]:
    others = [*ROOT.glob("examples/*/registry.yaml"), *ROOT.glob("tests/fixtures/*/registry.yaml")]
    return [ROOT / "registry.yaml", *sorted(others)]


def check(text: str | bytes, sources: Optional[Path] = None) -> tuple[Optional[Registry], str]:
    """The registry when the text is a good one, and what is wrong with it."""
    diagnostics = Diagnostics("registry.yaml")
    data = text if isinstance(text, bytes) else text.encode()
    try:
        registry = schema.build(load.parse(data, diagnostics), "registry.yaml", diagnostics)
        validate.check(registry, diagnostics, sources)
    except RegistryError:
        return None, diagnostics.text()
    return (None if diagnostics.errors else registry), diagnostics.text()


def good(text: str) -> Registry:
    registry, errors = check(text)
    assert registry is not None, errors
    return registry


def outputs(text: str) -> dict[str, str]:
    """Every generated file."""
    return {path: data.decode() for path, data in generate.outputs(good(text), text.encode()).items()}


def laid_out(text: str) -> layout.Layout:
    return layout.build(good(text))


def codegen(*words: object, cwd: Optional[Path] = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the command line."""
    return subprocess.run(
        [sys.executable, "-m", "codegen", *map(str, words)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def plain(node: load.Node) -> object:
    """The node as plain Python values, keys as text: what a validator that goes by the JSON Schema is given."""
    if load.is_map(node):
        return {str(key.value): plain(value) for key, value in node.value}
    if load.is_list(node):
        return [plain(item) for item in node.value]
    value, tag = str(node.value), load.tag_of(node)
    if tag == "bool":
        return value.lower() in ("true", "yes", "on")
    if tag == "int":
        return int(value.replace("_", ""), 0)
    if tag == "float":
        return float(value.replace("_", "").replace(".inf", "inf").replace(".nan", "nan"))
    return None if tag == "null" else value


def write(folder: Path, text: str = BASE, sources: bool = True) -> Path:
    """A registry in a folder, with empty files for its kernels."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "registry.yaml"
    path.write_text(text, encoding="utf-8")
    if sources:
        registry = good(text)
        cells = [cell for op in registry.ops for cell in op.cells if not cell.planned]
        builders = [cell for component in registry.components for cell in component.cells if not cell.planned]
        for source in {cell.source for cell in (*cells, *builders)}:
            (folder / source).parent.mkdir(parents=True, exist_ok=True)
            (folder / source).touch()
    return path
