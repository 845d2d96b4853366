"""The value every room shares: one thing that is wrong, or worth saying, about the data.

A finding is made in one place (a parser, a schema, a rule) and printed in another (a report). It is about the
*data*; trouble with the call or the machine is a `tools.errors.ToolsError`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Level(StrEnum):
    """What a finding asks of its reader: `error` refuses, `warning` asks for an answer, `info` tells."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Location(NamedTuple):
    """A place in a file; line and column count from 1, columns in characters."""

    line: int
    column: int


START = Location(1, 1)


class Acknowledgement(NamedTuple):
    """Why a finding is accepted: the reason, who wrote it, and on which day (YYYY-MM-DD, or empty)."""

    reason: str
    by: str
    day: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault or remark, with the place it is about.

    `file` is the path as the reader knows it (relative to the ledger when it lies inside), `pointer` a JSON
    Pointer into the record ("" is the whole record), `record` the record's id where it is known, `hint` what to
    look at or do, and `excerpt` the text of the line at `location`. `acknowledged` is there where the record says
    that the finding was seen and is accepted; it is then told, and counts no more.
    """

    rule: str
    level: Level
    file: str
    location: Location
    message: str
    hint: str = ""
    pointer: str = ""
    record: str = ""
    excerpt: str = ""
    acknowledged: Acknowledgement | None = None
