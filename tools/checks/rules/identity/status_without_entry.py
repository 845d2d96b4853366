"""A status that the audit log does not lead to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from tools.audit.entry import CREATED, AuditEntry, Change, read_entries
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level
from tools.records.parse import Json

_ACTION_FOR = {"retracted": "retraction", "superseded": "supersession"}
_STATUS_BY = {action: status for status, action in _ACTION_FOR.items()}
_FILED_ONLY = "draft"

_Step: TypeAlias = tuple[AuditEntry, Change]


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    status = record.text("/status")
    if status not in _ACTION_FOR and all(_only_files(entry) for _, entry in record.mappings("/audit")):
        return
    entries = read_entries(record.value)
    steps = [(entry, change) for entry in entries for change in entry.changes if change.path == "/status"]
    wrong = [*_wrong_steps(steps), *_idle_entries(entries)]
    yield from wrong or _standing(status, steps)


def _only_files(entry: dict[str, Json]) -> bool:
    return entry.get("action") == CREATED and "changes" not in entry


def _wrong_steps(steps: list[_Step]) -> Iterator[Fault]:
    for entry, change in steps:
        status = change.to_value
        if not isinstance(status, str):
            continue
        needed = _ACTION_FOR.get(status)
        if needed is not None and entry.action != needed:
            yield Fault(
                f"{entry.pointer()}/action",
                f"this entry makes the record {status}, which only a `{needed}` does",
                f"write `action: {needed}`, with the reason",
            )
        elif status == _FILED_ONLY:
            yield Fault(
                f"{entry.pointer(change)}/to",
                "a record is a draft only when it is filed",
                "`contested` is the word for one that is in doubt again",
            )
    if steps and isinstance(before := steps[0][1].from_value, str) and before in _ACTION_FOR:
        yield Fault(
            f"{steps[0][0].pointer(steps[0][1])}/from",
            f"the record was {before} before this entry, but no `{_ACTION_FOR[before]}` says since when",
            "add the missing entry above this one",
        )


def _idle_entries(entries: tuple[AuditEntry, ...]) -> Iterator[Fault]:
    for entry in entries:
        status = _STATUS_BY.get(entry.action)
        reached = [change.to_value for change in entry.changes if change.path == "/status"]
        if status is not None and not reached:
            yield Fault(
                entry.pointer(),
                f"this {entry.action} does not change the status",
                f"add the change of /status to `{status}`",
            )


def _standing(status: str | None, steps: list[_Step]) -> Iterator[Fault]:
    if status is None:
        return
    if not steps:
        if status in _ACTION_FOR:
            yield Fault(
                "/status",
                f"the record is {status}, but no `{_ACTION_FOR[status]}` in its audit log says since when",
                f"add an entry `action: {_ACTION_FOR[status]}` that changes /status",
            )
        return
    entry, change = steps[-1]
    if isinstance(change.to_value, str) and change.to_value != status:
        yield Fault(
            "/status",
            f"the status is {status}, but the last entry that changed it ({entry.pointer()}) made it "
            f"{change.to_value}",
            "add the entry that says why it changed, or put the status back",
        )


RULE = Rule(
    name="status-without-entry",
    level=Level.ERROR,
    summary="The status of a record does not follow from its audit log.",
    why=(
        "A status is reached in these ways only. `draft`: when the record is filed, and never again. "
        "`verified` and `contested`: when it is filed, or by a later entry that changes /status. "
        "`retracted`: by a `retraction` that changes /status. `superseded`: by a `supersession` that changes "
        "/status (the schema asks for `superseded_by`). The status that stands is the one the last such "
        "entry gave; so a retracted record is verified again only by an entry that says why, and nobody's "
        "withdrawal disappears."
    ),
    check=check,
)
