"""Rows as text: a table for a person, CSV, Markdown, and values as JSON has them.

What a record holds may come from anybody, so that nothing in it can steer a terminal or break a cell.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any

from tools.checks.reports.words import Style, flat

_WIDEST = 44
"""Columns of the terminal that one cell takes at most; CSV and JSON have the whole value."""

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


def table(columns: Sequence[str], rows: Rows, style: Style) -> Iterable[str]:
    """The lines of a table, numbers to the right; cells that are too wide end in an ellipsis."""
    shown = [[_cut(cell(value)) for value in row] for row in rows]
    widths = [max(len(name), *(len(row[index]) for row in shown), 0) for index, name in enumerate(columns)]
    right = [all(isinstance(row[i], int | float | None) for row in rows) for i in range(len(columns))]
    yield "  ".join(
        style(name.ljust(width), "strong") for name, width in zip(columns, widths, strict=True)
    ).rstrip()
    for row in shown:
        cells = zip(row, widths, right, strict=True)
        yield "  ".join(
            text.rjust(width) if left else text.ljust(width) for text, width, left in cells
        ).rstrip()


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
    yield f"| {' | '.join(columns)} |"
    yield f"| {' | '.join('---' for _ in columns)} |"
    for row in rows:
        yield f"| {' | '.join(cell(value).replace('|', chr(92) + '|').replace('<', '&lt;') for value in row)} |"


def as_json(value: Any) -> Any:
    """A value as JSON has it: days as text."""
    if isinstance(value, date | datetime):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)
