# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a registry, and where: every finding of a run, printed as compilers print theirs."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Iterable, NamedTuple


_LONGEST = 400  # of a message: a registry may hold any text


class Mark(NamedTuple):
    """A place in the registry file, both counted from 1."""

    line: int
    column: int


@dataclass(frozen=True)
class Note:
    mark: Mark
    text: str


@dataclass(frozen=True)
class Error:
    mark: Mark
    text: str
    notes: tuple[Note, ...] = ()


class RegistryError(Exception):
    """Nothing further can be checked: what was found stands in the Diagnostics."""


class Diagnostics:
    """Collects errors; one finding per (place, text)."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._errors: dict[tuple[Mark, str], Error] = {}

    def error(self, mark: Mark, text: str, *notes: tuple[Mark, str]) -> None:
        if len(text) > _LONGEST:
            text = text[:_LONGEST] + "..."
        self._errors.setdefault((mark, text), Error(mark, text, tuple(Note(*note) for note in notes)))

    def __len__(self) -> int:
        return len(self._errors)

    @property
    def errors(self) -> list[Error]:
        return sorted(self._errors.values(), key=lambda error: (error.mark, error.text))

    def text(self) -> str:
        lines = []
        for error in self.errors:
            lines.append(f"{self.path}:{error.mark.line}:{error.mark.column}: error: {error.text}")
            for note in error.notes:
                lines.append(f"{self.path}:{note.mark.line}:{note.mark.column}: note: {note.text}")
        return "".join(line + "\n" for line in lines)

    def records(self) -> list[dict[str, object]]:
        """The same for programs."""
        return [
            {
                "file": self.path,
                "line": error.mark.line,
                "column": error.mark.column,
                "error": error.text,
                "notes": [
                    {"line": note.mark.line, "column": note.mark.column, "note": note.text} for note in error.notes
                ],
            }
            for error in self.errors
        ]


def close(name: str, known: Iterable[str]) -> list[str]:
    """The known name that is nearest to this one, if any is near."""
    return difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.6)


def nearest(name: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` when a known name is close, else the empty string."""
    found = close(name, known)
    return f"; did you mean '{found[0]}'?" if found else ""
