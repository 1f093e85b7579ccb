# SPDX-License-Identifier: Apache-2.0
"""The output folder: compare with what was rendered, or bring it up to date without touching what is right already."""

from __future__ import annotations

import difflib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Iterable, Mapping

from codegen import manifest

_OURS = b"by codegen from "  # in the banner of every output


@dataclass(frozen=True)
class Difference:
    """What would have to happen to a file of the output folder."""

    path: str
    kind: str  # "missing", "differs", "stray"
    old: bytes
    new: bytes


def compare(folder: Path, files: Mapping[str, bytes]) -> list[Difference]:
    found = []
    for path in sorted(files):
        try:
            old = _read(folder, path)
        except FileNotFoundError:
            found.append(Difference(path, "missing", b"", files[path]))
            continue
        if old != files[path]:
            found.append(Difference(path, "differs", old, files[path]))
    present = set(_present(folder))
    found += [Difference(path, "stray", _read_stray(folder, path), b"") for path in sorted(present - set(files))]
    return found


def _read_stray(folder: Path, path: str) -> bytes:
    """What is no file, as a dangling link or a pipe, is not read."""
    return _read(folder, path) if os.path.isfile(f"{folder}/{path}") else b""


def _read(folder: Path, path: str) -> bytes:
    with open(f"{folder}/{path}", "rb") as stream:
        return stream.read()


def _present(folder: Path) -> Iterable[str]:
    """The files of the folder. A hidden one is nobody's output, unless a run that was killed left it there."""
    for at, _, names in os.walk(folder):
        inside = Path(at).relative_to(folder).as_posix()
        prefix = "" if inside == "." else f"{inside}/"
        yield from (prefix + name for name in names if not name.startswith(".") or _left_over(name))


def _left_over(name: str) -> bool:
    """Whether this is a name of _beside's, of a process that no longer runs: another's run may be under way."""
    staged = re.fullmatch(r"\..+\.([1-9][0-9]{0,8})", name)
    if not staged:
        return False
    try:
        os.kill(int(staged[1]), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return False


def unified(differences: Iterable[Difference]) -> str:
    """The differences as a patch from what is there to what should be."""
    text = []
    for difference in differences:
        old = "/dev/null" if difference.kind == "missing" else f"a/{difference.path}"
        new = "/dev/null" if difference.kind == "stray" else f"b/{difference.path}"
        lines = difflib.unified_diff(_lines(difference.old), _lines(difference.new), old, new, lineterm="")
        text += list(lines) or [f"--- {old}", f"+++ {new}"]
    return "".join(line + "\n" for line in text)


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8", "replace").splitlines()


def foreign(differences: Iterable[Difference]) -> list[str]:
    """Strays that do not say that they were generated: the generator does not remove what is not its own."""
    return [found.path for found in differences if found.kind == "stray" and _OURS not in found.old[:2000]]


def update(folder: Path, differences: Iterable[Difference]) -> int:
    """Writes and removes what differs, and returns how many files that was.

    Everything is written beside its place before anything is put there, and the manifest comes last: whatever fails
    on the way, no file is ever half there, and the manifest never vouches for what is not.
    """
    todo = list(differences)
    keep = set(foreign(todo))
    written = [difference for difference in todo if difference.kind != "stray"]
    written.sort(key=lambda difference: difference.path == manifest.NAME)
    removed = [difference.path for difference in todo if difference.kind == "stray" and difference.path not in keep]
    staged: list[str] = []
    try:
        for parent in sorted({os.path.dirname(f"{folder}/{difference.path}") for difference in written}):
            os.makedirs(parent, exist_ok=True)
        for difference in written:
            name = _beside(f"{folder}/{difference.path}")
            with open(name, "xb") as stream:
                staged.append(name)
                stream.write(difference.new)
        for path in removed:
            (folder / path).unlink(missing_ok=True)
            _remove_empty(folder, (folder / path).parent)
        for difference in written:
            place = f"{folder}/{difference.path}"
            os.replace(_beside(place), place)
        staged.clear()
    finally:
        for name in staged:
            if os.path.exists(name):
                os.unlink(name)
    return len(written) + len(removed)


def _beside(place: str) -> str:
    """A name in the same folder that no other process uses."""
    head, tail = os.path.split(place)
    return f"{head}/.{tail}.{os.getpid()}"


def _remove_empty(top: Path, folder: Path) -> None:
    while folder != top and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
