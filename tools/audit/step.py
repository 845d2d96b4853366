"""One entry of a log beside the record it belongs to: what a reader of many records needs to see of it.

A pointer such as /results/0/value says little to somebody who does not have the file open, so each change tells
what it is about (the metric, the condition) and in which unit its numbers are, as the record had them then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any

from tools.audit.entry import ABSENT, AuditEntry, Change, Evidence, Slot
from tools.audit.replay import Content, Replay
from tools.audit.values import shown
from tools.records import pointer
from tools.records.parse import Json

_SUBJECTS = (("metric", "statistic"), ("condition",), ("precision",), ("source_id",))
"""Members that say what an item of a list is about; the first that are there."""


@dataclass(frozen=True, slots=True)
class Place:
    """The record of a step: id, kind, and file in the ledger."""

    record: str
    kind: str
    file: str


@dataclass(frozen=True, slots=True)
class StepChange:
    """One change; `about` and `unit` are empty where the record does not say, `factor` is None where numbers
    were not replaced by numbers."""

    path: str
    before: Slot
    after: Slot
    about: str
    unit: str
    factor: float | None


@dataclass(frozen=True, slots=True)
class Step:
    """One entry, its record and its changes."""

    place: Place
    entry: AuditEntry
    changes: tuple[StepChange, ...]


def steps(place: Place, story: Replay, indices: Iterable[int] | None = None) -> Iterator[Step]:
    """The entries of a record, oldest first: all of them, or those at some indices of its log."""
    wanted = None if indices is None else set(indices)
    for number, entry in enumerate(story.entries):
        if wanted is None or entry.index in wanted:
            before, after = story.contents[number], story.contents[number + 1]
            yield Step(place, entry, tuple(_change(change, before, after) for change in entry.changes))


def _change(change: Change, before: Content, after: Content) -> StepChange:
    state = before if change.to_value is ABSENT else after
    about, unit = _subject(state, change.path)
    old, new = change.from_value, change.to_value
    return StepChange(change.path, old, new, about, unit, _factor(old, new))


def _subject(state: Content, path: str) -> tuple[str, str]:
    """What the mapping that holds a value is about, and the unit of its numbers."""
    holder, _, key = path.rpartition("/")
    try:
        found = pointer.get(state, holder)
    except LookupError:
        return "", ""
    if not isinstance(found, dict):
        return "", ""
    about = next(
        (
            " ".join(words)
            for names in _SUBJECTS
            if isinstance(found.get(names[0]), str)
            and (words := [word for name in names if isinstance(word := found.get(name), str)])
        ),
        "",
    )
    unit = found.get("unit")
    return about, unit if key == "value" and isinstance(unit, str) else ""


def _factor(before: Slot, after: Slot) -> float | None:
    old, new = _number(before), _number(after)
    if old is None or new is None or old == 0:
        return None
    factor = new / old
    return factor if isfinite(factor) else None


def _number(value: Slot) -> float | None:
    """The value as a float; None for what is no number, or too large for one."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def change_in_words(change: StepChange, limit: int | None = None) -> str:
    """`1998.05 → 2001.5 tok/s (×1.002)`, `added 3`, `removed [a, b]`."""
    unit = f" {change.unit}" if change.unit else ""
    if change.before is ABSENT:
        return f"added {shown(change.after, limit)}{unit}"
    if change.after is ABSENT:
        return f"removed {shown(change.before, limit)}"
    factor = "" if change.factor is None else f" ({factor_in_words(change.factor)})"
    return f"{shown(change.before, limit)} → {shown(change.after, limit)}{unit}{factor}"


def factor_in_words(factor: float) -> str:
    """New over old, with four digits: `×1.002`."""
    return f"×{factor:.4g}"


def cited(evidence: Iterable[Evidence]) -> str:
    """What a step rests on, on one line; empty where nothing is named."""
    named = (" ".join(filter(None, (item.source_id or item.record_id, item.locator))) for item in evidence)
    return "; ".join(filter(None, named))


def step_json(step: Step) -> dict[str, Any]:
    """A step as plain values; what is not stated is null, and a change has `from` and `to` where the log has them."""
    entry = step.entry
    return {
        "record": step.place.record,
        "kind": step.place.kind,
        "file": step.place.file,
        "index": entry.index,
        "date": entry.day.isoformat() if entry.day else None,
        "by": entry.by,
        "action": entry.action,
        "reason": entry.reason,
        "rule": entry.rule,
        "evidence": [
            {
                "source_id": item.source_id,
                "record_id": item.record_id,
                "locator": item.locator,
                "note": item.note,
            }
            for item in entry.evidence
        ],
        "changes": [_change_json(change) for change in step.changes],
    }


def _change_json(change: StepChange) -> dict[str, Json]:
    told: dict[str, Json] = {
        "path": change.path,
        "about": change.about,
        "unit": change.unit,
        "factor": change.factor,
    }
    if change.before is not ABSENT:
        told["from"] = change.before
    if change.after is not ABSENT:
        told["to"] = change.after
    return told
