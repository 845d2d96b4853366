"""What a format is: how it is recognised by its content, how it is read, and what its program never writes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tools.importers.draft import Draft
from tools.importers.names import Names
from tools.importers.programs.content import Content, ContentError
from tools.importers.programs.point import Point, RefusedError
from tools.importers.tree import ConflictError
from tools.schema.vocabulary import UnitError

NO_RESULT = (RefusedError, ContentError, ConflictError, UnitError, OverflowError)
"""What reading a file raises where it is no result."""


def reason_of(error: Exception) -> str:
    """Why a file is no result, in words for whoever imports it."""
    if isinstance(error, OverflowError):
        return "its numbers make one that is too large to be any"
    return str(error)


@dataclass
class Reading:
    """One file being read: its content, the companion log if there is one, and what the call asked for."""

    content: Content
    place: str
    """What messages call the file."""
    names: Names
    log: Content | None = None
    accept_failures: bool = False
    refusals: list[tuple[str, str]] = field(default_factory=list)
    """What is no operating point: where it stands, and why."""

    def point(self, place: str, values: Mapping[str, Any]) -> Point:
        """A new operating point; `place` is where it stands in the file."""
        called = f"{self.place}, {place}" if place else self.place
        return Point(place, values, self.names, Draft(called))

    def each(
        self, read: Callable[[Point], None], parts: Iterable[tuple[str, Mapping[str, Any]]]
    ) -> list[Point]:
        """A point of every part that `read` takes; those that it refuses are told with their place."""
        found = []
        for place, values in parts:
            point = self.point(place, values)
            try:
                read(point)
            except NO_RESULT as error:
                self.refusals.append((point.draft.place, reason_of(error)))
                continue
            found.append(point)
        return found


@dataclass(frozen=True)
class Format:
    """A format of a program.

    `recognise` gives the reason why a content is of this format, or None; `read` gives its operating points. `lacks`
    names what would recover each condition that the program never writes.
    """

    name: str
    recognised_by: str
    """What a file of the format has, in words that follow "it has no"."""
    recognise: Callable[[Content], str | None]
    read: Callable[[Reading], list[Point]]
    lacks: Mapping[str, str] = field(default_factory=dict)
    takes_log: bool = False
    """Whether `--log FILE` says more of a run of this format."""
    is_log_of: Callable[[Content, Content], bool] | None = None
    """Whether a text is what the program printed in the run of a content; None where that is not looked for."""
    read_from: str = "file"
    """How a citation says that its numbers were read."""
