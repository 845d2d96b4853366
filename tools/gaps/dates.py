"""What lacks a day, and what has waited too long for another look."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from tools.audit.entry import read_entries
from tools.gaps.facts import doubtful_figures
from tools.gaps.survey import Survey
from tools.records.parse import Json
from tools.schema.references import references

MOST_DAYS: Final = 365
"""Days after which an open question counts as forgotten: the ledger's choice, not a figure of the field."""
_OPEN: Final = ("draft", "contested")


@dataclass(frozen=True, slots=True)
class Undated:
    """A source without a day or year of publication: the records that cite it, the day it was read, and whether a
    commit is pinned, whose day can be looked up."""

    id: str
    cited_by: int
    accessed: str | None
    is_pinned: bool


@dataclass(frozen=True, slots=True)
class Stale:
    """A record that needs another look, why, and the benchmarks on it (0 for a benchmark)."""

    id: str
    kind: str
    why: str
    benchmarks: int


def undated(survey: Survey) -> list[Undated]:
    """Sources without a day or a year of publication, the most cited first."""
    found = [
        Undated(name, survey.cited[name], _text(record, "accessed"), _text(record, "commit") is not None)
        for name, record in survey.records["source"].items()
        if record.get("published") is None and record.get("published_year") is None
    ]
    return sorted(found, key=lambda one: (-one.cited_by, one.id))


def stale(survey: Survey, today: date) -> list[Stale]:
    """Records that rest on a withdrawn one, keep figures of an announcement after the year of the sale, or are draft
    or contested without an entry for `MOST_DAYS` days."""
    rows = [
        Stale(name, kind, why, survey.runs[kind, name])
        for kind, records in survey.records.items()
        for name, record in records.items()
        for why in (*_forgotten(record, today), *_resting_on(survey, kind, record))
    ]
    for one in doubtful_figures(survey):
        year = survey.records["accelerator"][one.id].get("release_year")
        if one.ground == "announced" and isinstance(year, int) and year < today.year:
            why = f"on sale since {year}, and still as announced: {', '.join(one.figures)}"
            rows.append(Stale(one.id, "accelerator", why, one.benchmarks))
    return sorted(rows, key=lambda row: (-row.benchmarks, row.kind, row.id, row.why))


def _forgotten(record: dict[str, Json], today: date) -> Iterator[str]:
    status = record.get("status")
    if status not in _OPEN:
        return
    days = [entry.day for entry in read_entries(record) if entry.day is not None]
    if days and (today - max(days)).days > MOST_DAYS:
        yield f"{status}, and nobody has touched it since {max(days)}"


def _resting_on(survey: Survey, kind: str, record: dict[str, Json]) -> Iterator[str]:
    if survey.withdrawn:
        named = dict.fromkeys(reference.id for reference in references(kind, record))
        for name in named:
            if name in survey.withdrawn:
                yield f"names {name}, which is {survey.withdrawn[name]}"


def _text(record: dict[str, Json], key: str) -> str | None:
    value = record.get(key)
    return value if isinstance(value, str) else None
