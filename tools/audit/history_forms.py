"""The life of a record, or of one of its values, as Markdown for a pull request and as JSON for a program.

`schemas/output/history.schema.json` describes the JSON.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from tools.audit.entry import ABSENT, AuditEntry
from tools.audit.history import Timeline
from tools.audit.replay import Replay
from tools.audit.stays import Stay, signed
from tools.audit.step import Place, Step, cited, step_json, steps
from tools.audit.tables import Cell, Table, escaped, markdown, step_cells
from tools.audit.values import shown
from tools.records.json_text import json_text

_QUOTED = 160


def history_markdown(place: Place, told: Timeline, story: Replay) -> str:
    """The steps of a record as a table, and whether its log replays."""
    rows = tuple(_step_row(step) for step in steps(place, story))
    columns = ("date", "action", "change", "reason", "by", "evidence")
    title = f"{told.record_id}: {told.title}" if told.title else told.record_id
    return f"{markdown(Table(escaped(title), columns, rows))}\n{_verdict(told, story)}"


def _step_row(step: Step) -> tuple[Cell, ...]:
    _, changes, reason, _, evidence = step_cells(step)
    return (*_head(step.entry), changes, reason, (step.entry.by or "",), evidence)


def stays_markdown(told: Timeline, story: Replay, pointer: str, found: tuple[Stay, ...]) -> str:
    """The values that stood at a place as a table, and whether the log replays."""
    columns = ("since", "action", "value", "reason", "by", "evidence")
    table = Table(escaped(f"{told.record_id} {pointer}"), columns, tuple(map(_stay_row, found)))
    return f"{markdown(table)}\n{_verdict(told, story)}"


def _stay_row(stay: Stay) -> tuple[Cell, ...]:
    value: Cell = (shown(stay.value, _QUOTED), *(f"confirmed {signed(entry)}" for entry in stay.confirmed))
    entry = stay.since
    if entry is None:
        return ("before the log begins",), ("",), value, ("",), ("",), ("",)
    return (*_head(entry), value, (entry.reason,), (entry.by or "",), (cited(entry.evidence),))


def _head(entry: AuditEntry) -> tuple[Cell, Cell]:
    return (entry.day.isoformat() if entry.day else "not recorded",), (entry.action.replace("_", " "),)


def _verdict(told: Timeline, story: Replay) -> str:
    lines = [escaped(told.verdict)]
    lines += [f"- {escaped(f'{fault.message} ({fault.pointer})')}" for fault in story.faults]
    return "\n".join(lines) + "\n"


def history_json(
    place: Place, told: Timeline, story: Replay, pointer: str | None = None, found: tuple[Stay, ...] = ()
) -> str:
    """The steps of a record and, with a pointer, the values that stood there."""
    now = story.contents[-1]
    status = now.get("status")
    plain: dict[str, Any] = {
        "record": place.record,
        "kind": place.kind,
        "file": place.file,
        "title": told.title,
        "status": status if isinstance(status, str) else None,
        "pointer": pointer,
        "steps": [step_json(step) for step in steps(place, story)],
        "values": _values(place, story, found),
        "faults": [
            {"entry": fault.entry, "pointer": fault.pointer, "message": fault.message, "hint": fault.hint}
            for fault in story.faults
        ],
    }
    return json_text(plain) + "\n"


def _values(place: Place, story: Replay, found: tuple[Stay, ...]) -> list[dict[str, Any]]:
    by_index = {step.entry.index: step_json(step) for step in steps(place, story)}
    told = []
    for stay, following in zip_longest(found, found[1:]):
        until = following.since if following else None
        one: dict[str, Any] = {
            "pointer": stay.pointer,
            "since": None if stay.since is None else by_index[stay.since.index],
            "until": None if until is None else until.index,
            "confirmed": [entry.index for entry in stay.confirmed],
        }
        if stay.value is not ABSENT:
            one["value"] = stay.value
        told.append(one)
    return told
