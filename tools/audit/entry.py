"""The audit log as types: entries, their changes and their evidence.

Reading is tolerant. A log that breaks the schema is reported by the schema; here whatever can be understood
is kept, with its index in the file, and the rest is passed over, so that nothing else in this room meets a
malformed log.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Final, Literal, TypeAlias

from tools.errors import ToolsError
from tools.records.parse import Json

AUDIT: Final = "audit"
"""The key of the log in a record."""

CREATED: Final = "created"
"""The action that files a record; the only one that may lack day and author."""


class Absent(Enum):
    """Nothing stands here, as opposed to a null."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT
Slot: TypeAlias = "Json | Literal[Absent.ABSENT]"
"""A value, or the absence of one."""

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True)
class Change:
    """One change of the record; without `from_value` the field was added, without `to_value` removed."""

    index: int
    path: str
    from_value: Slot
    to_value: Slot


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a step rests on: a place in a source, or in a record. None where it is not stated."""

    source_id: str | None
    record_id: str | None
    locator: str | None
    note: str | None


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One step in the life of a record; `index` is its place in the file. None where it is not stated."""

    index: int
    day: date | None
    by: str | None
    action: str
    reason: str
    rule: str | None
    evidence: tuple[Evidence, ...]
    changes: tuple[Change, ...]

    def pointer(self, change: Change | None = None) -> str:
        """The JSON Pointer of the entry in its record, or of one of its changes."""
        place = f"/{AUDIT}/{self.index}"
        return place if change is None else f"{place}/changes/{change.index}"


def parse_day(text: str) -> date:
    """The day of a YYYY-MM-DD; raises `ToolsError` when there is no such day."""
    day = _day(text)
    if day is None:
        raise ToolsError(f"`{text}` is not a day", "write it as YYYY-MM-DD, such as 2026-10-05")
    return day


def log_of(record: Json) -> list[Json]:
    """The log of a record as it stands in the file; empty when there is none."""
    log = record.get(AUDIT) if isinstance(record, dict) else None
    return log if isinstance(log, list) else []


def read_entries(record: Json) -> tuple[AuditEntry, ...]:
    """The entries of a record's log, oldest first."""
    return tuple(
        AuditEntry(
            index=index,
            day=_day(item.get("date")),
            by=_text(item, "by"),
            action=_text(item, "action") or "",
            reason=_text(item, "reason") or "",
            rule=_text(item, "rule"),
            evidence=tuple(_evidence(piece) for _, piece in _mappings(item.get("evidence"))),
            changes=tuple(_changes(item.get("changes"))),
        )
        for index, item in _mappings(log_of(record))
    )


def _changes(changes: Json) -> list[Change]:
    return [
        Change(index, path, item.get("from", ABSENT), item.get("to", ABSENT))
        for index, item in _mappings(changes)
        if isinstance(path := item.get("path"), str)
        and path.startswith("/")
        and ("from" in item or "to" in item)
    ]


def _evidence(item: dict[str, Json]) -> Evidence:
    return Evidence(*(_text(item, key) for key in ("source_id", "record_id", "locator", "note")))


def _mappings(items: Json) -> list[tuple[int, dict[str, Json]]]:
    if not isinstance(items, list):
        return []
    return [(index, item) for index, item in enumerate(items) if isinstance(item, dict)]


def _text(item: dict[str, Json], key: str) -> str | None:
    found = item.get(key)
    return found if isinstance(found, str) else None


def _day(text: Json) -> date | None:
    if not isinstance(text, str) or not _DAY.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
