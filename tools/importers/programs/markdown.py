"""Tables of Markdown in a text: programs print them, and people paste them between other lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tools.importers.programs.content import Content

_RULE = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")


class Row(NamedTuple):
    """A row: its line, from 1, and its cells."""

    line: int
    cells: tuple[str, ...]


def is_row(line: str) -> bool:
    """Whether a line is part of a table."""
    return line.lstrip().startswith("|")


def tables(content: Content) -> Iterator[tuple[tuple[str, ...], list[Row]]]:
    """Every table: the cells of its head, and its rows. A row that is cut off has fewer cells, or no last |."""
    above, head = "", None
    rows: list[Row] = []
    for number, line in enumerate(content.lines, 1):
        if not is_row(line):
            if head is not None:
                yield head, rows
            head = None
        elif is_row(above) and _RULE.fullmatch(line.strip()):
            if head is not None:
                # The last row of a table that nothing parts from the next one is the head of that.
                yield head, rows[:-1]
            head, rows = _cells(above), []
        elif head is not None:
            rows.append(Row(number, _cells(line)))
        above = line
    if head is not None:
        yield head, rows


def _cells(line: str) -> tuple[str, ...]:
    cells = tuple(cell.strip() for cell in line.strip().removeprefix("|").split("|"))
    return cells[:-1]
