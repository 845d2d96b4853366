"""Which saved questions change their answer between two states of a ledger.

Both states are built into temporary warehouses, and every question that needs no parameter is asked of each.
Simulations are left out on both sides: they are made by programs, not by a change of records."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.warehouse.build import build
from tools.warehouse.query import Answer, answer
from tools.warehouse.query_file import Query, queries
from tools.warehouse.query_parameter import bound
from tools.warehouse.sandbox import reading

_COUNT = re.compile(r"\b[0-9][0-9,.]*\b")
Progress = Callable[[int, str], AbstractContextManager[Callable[[int], None]]]


@dataclass(frozen=True, slots=True)
class ChangedAnswer:
    """A question with another answer now: how many rows came, went and stayed, and what it cannot say any more."""

    query: str
    new_rows: int
    gone_rows: int
    same_rows: int
    cannot_say: tuple[str, ...]
    can_say_now: tuple[str, ...]


def changed_answers(before: Path, after: Path, progress: Progress) -> list[ChangedAnswer]:
    """The saved questions that two ledgers answer differently, by name."""
    asked = [
        query for query in queries().values() if all(each.default is not None for each in query.parameters)
    ]
    first, second = (_answers(root, asked, progress) for root in (before, after))
    return [change for name in first if (change := _change(first[name], second[name])) is not None]


def _answers(root: Path, asked: list[Query], progress: Progress) -> dict[str, Answer]:
    with _records_alone(root) as ledger:
        place = ledger / "warehouse.duckdb"
        build(ledger, place, progress, allow_errors=True)
        with reading(place) as connection:
            return {query.name: answer(connection, query, bound(query.parameters, {})) for query in asked}


@contextmanager
def _records_alone(root: Path) -> Iterator[Path]:
    """A folder with the records of a ledger and nothing else, so that its simulations do not count."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "data").symlink_to(root / "data")
        yield Path(folder)


def _change(before: Answer, after: Answer) -> ChangedAnswer | None:
    rows = [Counter(map(repr, found.rows)) for found in (before, after)]
    new, gone = rows[1] - rows[0], rows[0] - rows[1]
    # How many records a reason counts is no part of it: with each one that is filed, counts change.
    reasons = [{_COUNT.sub("#", reason): reason for reason in found.cannot_say} for found in (before, after)]
    cannot_say, can_say_now = (
        tuple(sorted(one[key] for key in one.keys() - other.keys()))
        for one, other in (reversed(reasons), reasons)
    )
    if not new and not gone and not cannot_say and not can_say_now:
        return None
    return ChangedAnswer(
        before.query.name,
        new.total(),
        gone.total(),
        (rows[0] & rows[1]).total(),
        cannot_say,
        can_say_now,
    )


def changes_text(changes: list[ChangedAnswer]) -> str:
    """The changes as lines, one question each, with what it cannot say indented below."""
    lines = ["answers of saved questions that change:" if changes else "no saved question changes its answer"]
    for change in changes:
        lines.append(
            f"  {change.query}: {change.new_rows:,} new rows, {change.gone_rows:,} gone, {change.same_rows:,} as before"
        )
        lines += [f"    can say now, before not because {reason}" for reason in change.can_say_now]
        lines += [f"    cannot say any more, because {reason}" for reason in change.cannot_say]
    return "\n".join(lines) + "\n"


def changes_markdown(changes: list[ChangedAnswer]) -> str:
    """The same for a pull request."""
    head, *lines = changes_text(changes).splitlines()
    listed = (f"{'  ' if line.startswith('    ') else ''}- {line.strip()}" for line in lines)
    return "\n".join(["### Answers", "", head, *([""] if lines else []), *listed]) + "\n"
