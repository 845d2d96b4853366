"""Rows as text: a table for a person, CSV, Markdown, and values as JSON has them.

What a record holds may come from anybody, so that nothing in it can steer a terminal or break a cell.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from tools.checks.reports.words import Style, flat

_WIDEST = 44
"""Columns of the terminal that one cell takes at most; CSV and JSON have the whole value."""
_GAP, _INDENT = "  ", "    "
"""Between two cells, and before what goes on with a row that is too wide for one line."""
_MARKING = re.compile(r"[\\|]")
_MOST_LINES = 2
"""Lines that the columns of a table are spread over at most."""

Rows = Sequence[tuple[Any, ...]]


def cell(value: Any) -> str:
    """A value on one line; empty for none. Numbers have six significant digits at most."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.0f}" if value.is_integer() and abs(value) < 1e15 else f"{value:.6g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(cell, value))
    return flat(str(value))


def table(
    columns: Sequence[str],
    rows: Rows,
    style: Style,
    *,
    width: int | None = None,
    whole: Collection[str] = (),
) -> Iterable[str]:
    """The lines of a table, numbers to the right; cells that are too wide end in an ellipsis.

    With a width, a row that is wider goes on in a second line, as the head does; where two do not do, each value stands
    behind its name, and what is empty is left out. The columns named in `whole` keep their cells as long as they are.
    """
    columns = [cell(name) for name in columns]
    shown = [
        [
            cell(value) if name in whole else _cut(cell(value))
            for name, value in zip(columns, row, strict=True)
        ]
        for row in rows
    ]
    widths = [max(len(name), *(len(row[index]) for row in shown), 0) for index, name in enumerate(columns)]
    right = [all(isinstance(row[i], int | float | None) for row in rows) for i in range(len(columns))]
    # What stands last may stick out: it is the same to a reader whether this program or the terminal breaks it.
    lines = _lines([*widths[:-1], min(widths[-1], _WIDEST)], width)
    if len(lines) > _MOST_LINES:
        for row in shown:
            yield from _named(columns, row, style, width)
        return
    yield from _laid_out([style(n.ljust(w), "strong") for n, w in zip(columns, widths, strict=True)], lines)
    for row in shown:
        aligned = zip(row, widths, right, strict=True)
        yield from _laid_out([text.rjust(w) if left else text.ljust(w) for text, w, left in aligned], lines)


def _lines(widths: Sequence[int], most: int | None) -> list[list[int]]:
    """Which cells stand in which line of a row, each line filled as far as it goes."""
    lines: list[list[int]] = [[]]
    taken = 0
    for index, width in enumerate(widths):
        needed = width + len(_GAP) if lines[-1] else width
        if most is not None and lines[-1] and taken + needed > most:
            lines.append([])
            taken, needed = len(_INDENT), width
        taken += needed
        lines[-1].append(index)
    return lines


def _laid_out(cells: Sequence[str], lines: Sequence[Sequence[int]]) -> Iterable[str]:
    for number, line in enumerate(lines):
        text = _GAP.join(cells[index] for index in line).rstrip()
        if text or not number:
            yield f"{_INDENT if number else ''}{text}"


def _named(columns: Sequence[str], row: Sequence[str], style: Style, width: int | None) -> Iterable[str]:
    """A row as names and values."""
    pairs = [(name, text) for name, text in zip(columns, row, strict=True) if text]
    lines = _lines([len(name) + 1 + len(text) for name, text in pairs], width)
    return _laid_out([f"{style(name, 'dim')} {text}" for name, text in pairs], lines)


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"


def csv_text(columns: Sequence[str], rows: Rows) -> str:
    """The rows as CSV with full precision; items of a list have a bar between them."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_csv_cell(value) for value in row] for row in rows)
    return out.getvalue()


def _csv_cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "|".join(str(_csv_cell(item)) for item in value)
    return value


def markdown(columns: Sequence[str], rows: Rows) -> Iterable[str]:
    """The lines of a Markdown table."""
    yield f"| {' | '.join(map(_markdown_cell, columns))} |"
    yield f"| {' | '.join('---' for _ in columns)} |"
    for row in rows:
        yield f"| {' | '.join(map(_markdown_cell, row))} |"


def _markdown_cell(value: Any) -> str:
    # A backslash before the bar would take away the meaning of the one that is put there.
    return _MARKING.sub(lambda found: f"\\{found[0]}", cell(value)).replace("&", "&amp;").replace("<", "&lt;")


def as_json(value: Any) -> Any:
    """A value as JSON has it: days as text, and null for what is no number."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, date | datetime):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)
