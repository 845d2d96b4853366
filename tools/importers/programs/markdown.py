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
    lines = content.lines
    for number, line in enumerate(lines[1:], 1):
        if _RULE.fullmatch(line.strip()) and is_row(lines[number - 1]):
            rows = []
            for offset, below in enumerate(lines[number + 1 :], number + 2):
                if not is_row(below):
                    break
                rows.append(Row(offset, _cells(below)))
            yield _cells(lines[number - 1]), rows


def _cells(line: str) -> tuple[str, ...]:
    cells = tuple(cell.strip() for cell in line.strip().removeprefix("|").split("|"))
    return cells[:-1]
