"""What a benchmark says of its conditions: where it states each, where it declares one absent.

Malformed parts say nothing here; that they are malformed is the schema's to tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from tools.errors import ToolsError
from tools.records.parse import Json
from tools.records.pointer import split
from tools.schema.vocabulary import Condition, vocabulary


@dataclass(frozen=True, slots=True)
class Declared:
    """One absence: its index in `absent`, the condition it names, and all that is said of it."""

    index: int
    condition: str
    said: Mapping[str, Json]

    @property
    def pointer(self) -> str:
        """Where the condition is named."""
        return f"/absent/{self.index}/condition"


def require_condition(name: str) -> Condition:
    """The condition of a name; raises `ToolsError` with all names when there is none."""
    conditions = vocabulary().conditions
    if name not in conditions:
        raise ToolsError(f"there is no condition `{name}`", f"the conditions are {', '.join(conditions)}")
    return conditions[name]


def stated_at(record: Json, condition: Condition) -> str | None:
    """The first place that states a condition, or None; a null states nothing."""
    for place in condition.stated_by:
        value = record
        for key in _keys(place):
            value = value.get(key) if isinstance(value, dict) else None
        if value is not None:
            return place
    return None


def stated(record: Json) -> list[str]:
    """The conditions that a record states, in the order of the vocabulary: the n of completeness, n of 8."""
    conditions = vocabulary().conditions.values()
    return [condition.name for condition in conditions if stated_at(record, condition) is not None]


def absences(record: Mapping[str, Json]) -> list[Declared]:
    """The absences that a record declares and that name a condition, in its order."""
    listed = record.get("absent")
    return [
        Declared(index, name, item)
        for index, item in enumerate(listed if isinstance(listed, list) else ())
        if isinstance(item, dict) and isinstance(name := item.get("condition"), str)
    ]


@cache
def _keys(place: str) -> tuple[str, ...]:
    return split(place)
