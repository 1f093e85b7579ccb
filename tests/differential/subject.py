# SPDX-License-Identifier: Apache-2.0
"""The subject of these tests: the tables that codegen/ makes of a registry, compiled, and the library's answers."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Iterable, Optional

from codegen import coverage, generate, layout, load, schema, validate
from codegen.diagnostics import Diagnostics, RegistryError
from codegen.model import Registry as Model

import oracle
from oracle import Answers
from questions import Value
from registries import ROOT, Registry, text_of

HERE = Path(__file__).resolve().parent
_FLAGS = ["-std=c11", "-I", str(ROOT / "src" / "include"), "-I", str(ROOT / "src"), "-I", str(HERE)]
_STRICT = ["-Wall", "-Wextra", "-Werror", "-pedantic"]
_FAMILY_MACROS = {"x86": "__x86_64__", "aarch64": "__aarch64__"}


class Crashed(Exception):
    """The harness ended otherwise than well: what it was asked last, and what it said."""


def compiler() -> list[str]:
    return shlex.split(os.environ.get("CC", "cc"))


def read(registry: Registry) -> tuple[Optional[Model], str]:
    """What the generator makes of it, and what it finds wrong."""
    diagnostics = Diagnostics("registry.yaml")
    try:
        model = schema.build(load.parse(text_of(registry).encode(), diagnostics), "registry.yaml", diagnostics)
        validate.check(model, diagnostics, None)
    except RegistryError:
        return None, diagnostics.text()
    return (None if diagnostics.errors else model), diagnostics.text()


def generated(registry: Registry) -> dict[str, bytes]:
    """Every generated file. ValueError for a registry that the generator refuses."""
    model, errors = read(registry)
    if model is None:
        raise ValueError(errors)
    return generate.outputs(model, text_of(registry).encode())


def coverage_page(model: Model) -> str:
    """coverage.json."""
    return coverage.emit(layout.build(model))["coverage.json"]


@dataclass
class Sample:
    """A registry in a build; `namespace` sets the registry's own, so that many fit into one program."""

    registry: Registry
    build: Value
    files: Optional[dict[str, bytes]] = None


def _images(files: dict[str, bytes], unlinked: list[str]) -> list[str]:
    """Definitions of the images that a program has: references to them are weak."""
    found = re.findall(r"rung_registry_image\(IMAGE (\w+) .* ENTRIES n\d+_(\w+?)__", files["files.cmake"].decode())
    return [f"const rung_image {name} = {{0}};" for name, op in found if op not in unlinked]


def _wrapper(namespace: str, build: Value, files: dict[str, bytes]) -> str:
    """The tables as another build has them: the macros of a compiler for its family, and those of its options."""
    upper = namespace.upper()
    headers = ["<stddef.h>", "<stdint.h>", '"rung/dispatch.h"', '"rung/cpu_features.h"']
    lines = [f"#include {header}" for header in headers]
    lines += [f"#undef {macro}" for macro in _FAMILY_MACROS.values()]
    if build["family"] in _FAMILY_MACROS:
        lines.append(f"#define {_FAMILY_MACROS[build['family']]} 1")
    lines += [f"#define {upper}_WITH_{device.upper()} 1" for device in build["devices"]]
    if "cuda" in build["devices"]:
        major, _, minor = build["toolkit"].partition(".")
        lines += [f"#define {upper}_CUDA_TOOLKIT_MAJOR {major}", f"#define {upper}_CUDA_TOOLKIT_MINOR {minor}"]
        lines.append(f"#define {upper}_CUDA_TARGETS {', '.join(map(str, build['targets']))}")
    lines += [f"#define RUNG_WITH_{name.upper()} 1" for name in build["requirements"]]
    for place in build["without"]:
        lines.append(f"#define {upper}_WITHOUT_{place.replace('/', '_').replace('-', '_').upper()} 1")
    lines += ['#include "registry.c"', '#include "hashes.c"', *_images(files, build["unlinked"])]
    return "\n".join(lines) + "\n"


class Harness:
    """A compiled batch of samples."""

    def __init__(self, folder: Path, samples: list[Sample], library: Path) -> None:
        self.samples = samples
        self.program = folder / "harness"
        names = [f"n{at}" for at in range(len(samples))]
        objects = []
        for name, sample in zip(names, samples):
            sample.registry["namespace"] = name
            sample.files = generated(sample.registry)
            for path, data in sample.files.items():
                if path.startswith("tables/") or path in ("registry.c", "hashes.c") or "/include/" in f"/{path}":
                    (folder / name / path).parent.mkdir(parents=True, exist_ok=True)
                    (folder / name / path).write_bytes(data)
            (folder / name / "all.c").write_text(_wrapper(name, sample.build, sample.files), encoding="utf-8")
            include = str(folder / name / "include")
            objects.append(_compile(folder / name / "all.c", folder / f"{name}.o", *_STRICT, "-O0", "-I", include))
        table = ['#include "batch.h"', *(f"extern const rung_registry {name}_registry;" for name in names)]
        table += ["const rung_registry *const batch[] = {", *(f"    &{name}_registry," for name in names), "};"]
        table.append(f"const unsigned batch_count = {len(names)};")
        (folder / "batch.c").write_text("\n".join(table) + "\n", encoding="utf-8")
        objects.append(_compile(folder / "batch.c", folder / "batch.o"))
        harness = library.parent / "differential-harness.o"
        command = [*compiler(), "-o", str(self.program), *map(str, objects), str(harness), str(library), "-lpthread"]
        _run([*command, "-ldl", "-lm"])

    def ask(self, questions: Iterable[tuple[int, Value, Value]]) -> list[Answers]:
        """(sample, machine, question) -> answers."""
        lines: list[str] = []
        for at, machine, question in questions:
            lines += [*_machine_lines(machine), *_open_lines(at, question)]
        return self._blocks(lines)

    def listed(self) -> list[Answers]:
        """Of every sample: what is known without a platform."""
        return self._blocks([f"list\t{at}" for at in range(len(self.samples))])

    def _blocks(self, lines: list[str]) -> list[Answers]:
        done = subprocess.run(
            [str(self.program)], input="\n".join(lines).encode() + b"\n", stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, timeout=300, check=False,
        )
        if done.returncode != 0:
            raise Crashed(f"status {done.returncode}: {done.stderr.decode()}{done.stdout[-300:].decode()}")
        blocks: list[Answers] = [{}]
        for line in done.stdout.decode().split("\n"):
            if not line:
                blocks.append({})
                continue
            question, _, answer = line.partition("\t")
            assert question not in blocks[-1], f"answered twice: {question}"
            blocks[-1][question] = answer
        assert blocks[-2:] == [{}, {}], "the harness ends each answer with an empty line"
        return blocks[:-2]


def _machine_lines(machine: Value) -> list[str]:
    features, disabled = ",".join(machine["features"]), ",".join(machine["disabled"])
    lines = [f"cpu\t{machine['family']}\t{features}\t{disabled}\t{machine['amx']}"]
    for device, found in machine["found"].items():
        state = found["state"] or "available"
        lines.append(f"found\t{device}\t{state}\t{found['arch']}\t{found['count']}\t{found['driver']}")
    return lines


def _open_lines(at: int, question: Value) -> list[str]:
    def text(parts: Optional[list[str]]) -> str:
        return "-" if parts is None else "=" + ",".join(parts)

    flags = ",".join(question["flags"])
    failing = [f"fail\t{key}\t{reason}" for key, reason in question["failing"].items()]
    return [*failing, f"open\t{at}\t{flags}\t{text(question['chain'])}\t{text(question['env'])}"]


def _run(command: list[str]) -> None:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, f"{shlex.join(command)}:\n{done.stdout[-3000:]}"


def _compile(source: Path, target: Path, *options: str) -> Path:
    _run([*compiler(), *_FLAGS, *options, "-c", str(source), "-o", str(target)])
    return target


def library_in(folder: Path) -> Path:
    """Beside the harness's own object, the library: the build's, $RUNG_LIBRARY, or one compiled here."""
    library = folder / "librung.a"
    given = os.environ.get("RUNG_LIBRARY")
    if given:
        library.symlink_to(Path(given).resolve())
    else:
        objects = []
        for source in sorted((ROOT / "src").glob("*.c")):
            objects.append(_compile(source, folder / f"{source.stem}.o", "-O1", "-D_DEFAULT_SOURCE"))
        _run(["ar", "rcs", str(library), *map(str, objects)])
    _compile(HERE / "harness.c", folder / "differential-harness.o", *_STRICT, "-O1")
    return library


def comparable(judge: oracle.Oracle, places: list[oracle.Place], answers: Answers) -> Answers:
    """Where R12 moves a kernel, the place of what is not declared means nothing: it is told last, and the place of the
    winner is held against the library's own list."""
    made = dict(answers)
    moving = {op for op, items in judge.ops.items() if any(item.after for item in items.values())}
    chains = {place.device: place.chain for place in places}
    for question, answer in answers.items():
        words = question.split()
        if words[-3:-2] == ["explain"] and words[-2] in moving:
            told = answer.split("; ") if answer else []
            undeclared = sorted(step for step in told if step.endswith(f"={oracle.NOT_DECLARED}"))
            made[question] = "; ".join([step for step in told if step not in undeclared] + undeclared)
        elif "resolve" in words and words[-3] in moving and answer != "no kernel":
            where, rung, *rest = answer.split(" ")
            explain = " ".join([*words[:-4], "explain", words[-3], words[-2]])
            steps = [step.partition("=")[0] for step in answers[explain].split("; ")]
            inside = [step for step in steps if step.split("/")[1] in chains[step.split("/")[0]]]
            if int(rung) < len(inside) and inside[int(rung)] == where:
                made[question] = " ".join([where, "?", *rest])
    return made
