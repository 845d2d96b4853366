"""How the results of a record stood on earlier days, by replay of its log.

A state counts from the day of its last step, at the end of that day, until the day of the next one; an entry without
a day counts as made together with the one before it. This is what `tools show --as-of` does
(`tools.audit.replay.as_of`), for all days at once. States that a fault of the log lies before cannot be told and are
left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from tools.audit.entry import CREATED, AuditEntry, read_entries
from tools.audit.replay import replay
from tools.records.parse import Json
from tools.warehouse.fields import mappings
from tools.warehouse.rows.result import Kept, kept_of


class Past(NamedTuple):
    """A result that stands no more; `since` is None where the log begins without a day."""

    place: int
    version: int
    since: date | None
    until: date
    kept: Kept


class History(NamedTuple):
    """Since when each result stands as it does, by its place, and what stood before; no log, no history."""

    since: dict[int, date | None]
    past: list[Past]
    is_replayable: bool


def history_of(record: dict[str, Json]) -> History:
    """The history of the results of a record."""
    entries = read_entries(record)
    if not entries:
        return History({}, [], False)
    if not any(entry.changes for entry in entries):
        since = _days(entries)[1 if entries[0].action == CREATED else 0]
        places = (index for index, _ in mappings(record.get("results")))
        return History(dict.fromkeys(places, since), [], True)
    standing: dict[int, tuple[Kept, date | None, int]] = {}
    past: list[Past] = []
    next_version: Counter[int] = Counter()
    for day, state in _states(record, entries):
        now = kept_of(state)
        for index, (kept, since, version) in list(standing.items()):
            if now.get(index) != kept:
                assert day is not None
                past.append(Past(index, version, since, day, kept))
                next_version[index] += 1
                del standing[index]
        for index, kept in now.items():
            if index not in standing:
                standing[index] = (kept, day, next_version[index])
    return History({index: since for index, (_, since, _) in standing.items()}, past, True)


def _days(entries: tuple[AuditEntry, ...]) -> list[date | None]:
    """The day from which the state after each number of entries counts; None is from ever."""
    days: list[date | None] = [None]
    for entry in entries:
        last = days[-1]
        days.append(last if entry.day is None or (last is not None and last > entry.day) else entry.day)
    return days


def _states(
    record: dict[str, Json], entries: tuple[AuditEntry, ...]
) -> Iterator[tuple[date | None, dict[str, Json]]]:
    """(day, content) of each state that stood at the end of a day and can be rebuilt, oldest first."""
    story = replay(record)
    days = _days(entries)
    faulty = {fault.entry for fault in story.faults}
    first = 1 if entries[0].action == CREATED else 0
    for steps in range(first, len(entries) + 1):
        is_last = steps == len(entries)
        # A state is rebuilt by taking back the steps after it; one that does not fit spoils all before it.
        is_known = all(entry.index not in faulty for entry in entries[steps:])
        if is_known and (is_last or days[steps] != days[steps + 1]):
            yield days[steps], story.contents[steps]
