"""The days a record names, for the rules that judge them."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from tools.checks.remembered import remembered
from tools.checks.rule import Record
from tools.checks.rules.identity.places import values_of
from tools.records.parse import Json

_WRITTEN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class NamedDay(NamedTuple):
    """A day as written at a place, and as a date; None when the calendar has no such day."""

    pointer: str
    text: str
    day: date | None


@remembered()
def days_of(record: Record) -> list[NamedDay]:
    """Every day in a field that the schema defines as a date; what is not written YYYY-MM-DD is left out."""
    return [
        NamedDay(pointer, text, _calendar_day(text))
        for pointer, text in values_of(record, "date")
        if isinstance(text, str) and _WRITTEN.fullmatch(text)
    ]


def day_of(text: Json) -> date | None:
    """The day written as YYYY-MM-DD, or None for anything else."""
    return _calendar_day(text) if isinstance(text, str) and _WRITTEN.fullmatch(text) else None


@lru_cache(maxsize=4096)
def _calendar_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
