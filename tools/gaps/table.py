"""One table of the report: its rows as values for a program and as cells for a reader."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from tools.records.parse import Json

Cell: TypeAlias = str | int
Row: TypeAlias = tuple[dict[str, Json], tuple[Cell, ...]]
"""A row as values by name, and as cells in the order of the columns."""
NONE: Final = "(none)"
"""Stands for an id where there is none."""


@dataclass(frozen=True, slots=True)
class Section:
    """A title, what to do about the rows, the columns, the cells, and the rows as plain values."""

    key: str
    title: str
    remark: str
    columns: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]
    rows: tuple[dict[str, Json], ...]


def section(
    key: str,
    title: str,
    remark: str,
    columns: tuple[str, ...],
    rows: Iterable[Row],
) -> Section:
    """The section of these rows."""
    pairs = tuple(rows)
    return Section(
        key, title, remark, columns, tuple(cells for _, cells in pairs), tuple(row for row, _ in pairs)
    )


def share(part: int, whole: int) -> str:
    """A part in per cent of the whole."""
    return f"{part / whole:.0%}" if whole else "-"


def ranked(counts: Counter[str]) -> list[str]:
    """What was counted, the most frequent first."""
    return sorted(counts, key=lambda item: (-counts[item], item))


def counted(name: str, counts: Counter[str]) -> list[Json]:
    """What was counted as values, each under `name` with the number of benchmarks."""
    return [{name: item, "benchmarks": counts[item]} for item in ranked(counts)]


def few(words: Sequence[str], most: int, between: str = ", ") -> str:
    """The first words, and how many more there are."""
    left = len(words) - most
    return between.join([*words[:most], *([f"and {left:,} more"] if left > 0 else [])])
