"""What a benchmark says about each condition: where it states it, where it declares it absent."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tools.checks.rule import Record
from tools.records.parse import Json
from tools.records.pointer import split
from tools.schema.vocabulary import Condition


def stated_at(record: Record, condition: Condition) -> str | None:
    """The first place that states a condition, or None; a null states nothing."""
    return next((place for place in condition.stated_by if _standing(record.value, place) is not None), None)


def _standing(value: Json, place: str) -> Json:
    for key in _keys(place):
        value = value.get(key) if isinstance(value, dict) else None
    return value


@cache
def _keys(place: str) -> tuple[str, ...]:
    return split(place)


def absences(record: Record) -> Iterator[tuple[str, str]]:
    """(JSON Pointer, condition) of each absence that names a condition, in the order of the record."""
    for place, absence in record.mappings("/absent"):
        name = absence.get("condition")
        if isinstance(name, str):
            yield f"{place}/condition", name
