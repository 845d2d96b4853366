"""What a benchmark says of its conditions: which it states, which it declares absent.

The rules report what is contradictory; here it is what an amendment has to know before it is made.
"""

from __future__ import annotations

from tools.errors import ToolsError
from tools.records import pointer as pointers
from tools.records.parse import Json
from tools.records.pointer import PointerError
from tools.schema.vocabulary import Condition, vocabulary


def require_condition(name: str) -> Condition:
    """The condition of a name; raises `ToolsError` with all names when there is none."""
    conditions = vocabulary().conditions
    if name not in conditions:
        raise ToolsError(f"there is no condition `{name}`", f"the conditions are {', '.join(conditions)}")
    return conditions[name]


def stated_at(record: dict[str, Json], condition: Condition) -> str | None:
    """The first place that states a condition, or None; a null states nothing."""
    return next((place for place in condition.stated_by if value_at(record, place) is not None), None)


def value_at(record: Json, place: str) -> Json:
    """What stands at a JSON Pointer; None where nothing does."""
    try:
        return pointers.get(record, place)
    except PointerError:
        return None


def absences(record: dict[str, Json]) -> dict[str, int]:
    """The conditions a record declares absent, each with its index in `absent`."""
    listed = record.get("absent")
    return {
        name: index
        for index, item in enumerate(listed if isinstance(listed, list) else [])
        if isinstance(item, dict) and isinstance(name := item.get("condition"), str)
    }
