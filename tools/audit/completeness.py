"""How much a benchmark states of what a number needs to be compared: n of the eight conditions."""

from __future__ import annotations

from collections.abc import Iterator

from tools.audit.replay import Content
from tools.records import pointer
from tools.records.parse import Json
from tools.schema.vocabulary import vocabulary


def stated(record: Content) -> list[str]:
    """The conditions that a record states, in the order of the vocabulary; a null states nothing."""
    conditions = vocabulary().conditions.values()
    return [term.name for term in conditions if any(_stands(record, place) for place in term.stated_by)]


def absences(record: Content) -> Iterator[tuple[str, dict[str, Json]]]:
    """(condition, what is said of it) of each absence that a record declares."""
    declared = record.get("absent")
    for absence in declared if isinstance(declared, list) else ():
        if isinstance(absence, dict) and isinstance(condition := absence.get("condition"), str):
            yield condition, absence


def _stands(record: Content, place: str) -> bool:
    try:
        return pointer.get(record, place) is not None
    except LookupError:
        return False
