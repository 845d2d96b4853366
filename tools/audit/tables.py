"""Tables of what happened to records, as Markdown for a pull request and as text for a terminal.

The cells quote records, and a record may come from anybody: in Markdown nothing of it may become a heading, a
link, a mention or HTML, and on a terminal nothing may move the cursor.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from tools.audit.step import Step, change_in_words, cited
from tools.records.characters import UNWRITABLE

Cell: TypeAlias = tuple[str, ...]
"""The lines of a cell."""
Style: TypeAlias = Callable[[str, str], str]
"""(text, name of its role) to styled text."""

MOST_ROWS: Final = 100
"""Rows of a Markdown table: GitHub cuts off a summary of more than 1 MiB."""
WIDTH: Final = 100

_MOST_CHANGES = 8
_QUOTED = 160
_WHITE = re.compile(r"\s+")
_ACTIVE = re.compile(r"[\\`*_{}\[\]|~$&<>@#]")
_NAMED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "@<!-- -->", "#": "#<!-- -->"}
"""GitHub looks for mentions and issue numbers in the finished page; an empty comment cuts them apart."""


@dataclass(frozen=True, slots=True)
class Table:
    """A title, the names of the columns, and rows of as many cells."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


STEP_COLUMNS: Final = ("record", "change", "reason", "by", "evidence")


def step_cells(step: Step) -> tuple[Cell, ...]:
    """A step in the columns `STEP_COLUMNS`."""
    entry = step.entry
    changes = [
        " ".join(filter(None, (change.path, f"({change.about})" if change.about else "")))
        + f": {change_in_words(change, _QUOTED)}"
        for change in step.changes[:_MOST_CHANGES]
    ]
    left = len(step.changes) - _MOST_CHANGES
    if left > 0:
        changes.append(f"and {left} more")
    if entry.rule:
        changes.append(f"rule {entry.rule}")
    signed = ", ".join(filter(None, (entry.by, entry.day.isoformat() if entry.day else "")))
    return (step.place.record,), tuple(changes), (entry.reason,), (signed,), (cited(entry.evidence),)


def markdown(table: Table) -> str:
    """A heading and the table; beyond `MOST_ROWS` rows, the last line says how many there are."""
    lines = [
        f"### {table.title}",
        "",
        f"| {' | '.join(table.columns)} |",
        f"|{' --- |' * len(table.columns)}",
    ]
    for row in table.rows[:MOST_ROWS]:
        cells = ("<br>".join(escaped(line) for line in cell) for cell in row)
        lines.append(f"| {' | '.join(cells)} |")
    left = len(table.rows) - MOST_ROWS
    if left > 0:
        lines += ["", f"… and {left:,} more; `--format json` has them all"]
    return "\n".join([*lines, ""])


def escaped(text: str) -> str:
    """The text as Markdown that shows it, on one line."""
    return _ACTIVE.sub(lambda match: _NAMED.get(match[0], f"\\{match[0]}"), flat(text))


def text(table: Table, style: Style) -> str:
    """A heading and, for each row, its first cell with the others below it, each under its column's name."""
    return "\n".join([style(table.title, "strong"), *_text_lines(table, style), ""])


def _text_lines(table: Table, style: Style) -> Iterator[str]:
    for first, *others in table.rows:
        yield f"  {style(flat(' '.join(first)), 'info')}"
        for column, cell in zip(table.columns[1:], others, strict=True):
            for line in filter(None, map(flat, cell)):
                label = f"    {column}: "
                wrapped = textwrap.wrap(
                    label + line,
                    WIDTH,
                    subsequent_indent=" " * 6,
                    break_long_words=False,
                    break_on_hyphens=False,
                )
                yield style(label, "dim") + wrapped[0][len(label) :]
                yield from wrapped[1:]


def flat(text: str) -> str:
    """The text on one line, without characters that would move the cursor or turn the reading direction."""
    return _WHITE.sub(" ", UNWRITABLE.sub("\ufffd", text)).strip()
