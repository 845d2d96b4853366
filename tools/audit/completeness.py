"""How much a benchmark states of what a number needs to be compared: n of the eight conditions."""

from __future__ import annotations

from collections.abc import Iterator

from tools.audit.conditions import stated_at
from tools.audit.replay import Content
from tools.records.parse import Json
from tools.schema.vocabulary import vocabulary


def stated(record: Content) -> list[str]:
    """The conditions that a record states, in the order of the vocabulary; a null states nothing."""
    conditions = vocabulary().conditions.values()
    return [condition.name for condition in conditions if stated_at(record, condition) is not None]


def absences(record: Content) -> Iterator[tuple[str, dict[str, Json]]]:
    """(condition, what is said of it) of each absence that a record declares."""
    declared = record.get("absent")
    for absence in declared if isinstance(declared, list) else ():
        if isinstance(absence, dict) and isinstance(condition := absence.get("condition"), str):
            yield condition, absence
