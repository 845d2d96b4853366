"""What a record says of the findings about it: which rules its log acknowledges, and what changed afterwards.

It is kept as a small fact of the record, in plain JSON values, because it has to outlive the record: a finding of a
survey is known only when every record was read, some of them by other processes or on another day.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tools.audit.entry import ABSENT, AUDIT, AuditEntry, Change, read_entries
from tools.audit.replay import Content, undo
from tools.checks.rule import Ledger, Record
from tools.finding import Acknowledgement, Location
from tools.records import pointer as pointers
from tools.records.parse import Json
from tools.records.pointer import PointerError

ACTION = "acknowledgement"

_FALLEN = ("retracted", "superseded")
_CHANGED, _CORRECTED, _INSERTED, _TAKEN = "changed", "corrected", "inserted", "taken"

_RUN = frozenset(
    ("results", "counts", "conditions", "hardware", "parallelism", "disaggregation", "technique", "precision")
)
"""Where the numbers of a run stand. A rule holds several of them against each other and points at one, so that a
correction of any makes another fault of it."""


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """One acknowledgement: the index of its entry, the place of its rule's name, that name, and the words."""

    index: int
    location: Location
    rule: str
    words: Acknowledgement

    @property
    def pointer(self) -> str:
        """JSON Pointer of the rule's name."""
        return f"/{AUDIT}/{self.index}/rule"


@dataclass(frozen=True, slots=True)
class Later:
    """A change that stands in the log below an acknowledgement: its entry, its path, and whether it replaced a
    value, put an item into a list or took one out."""

    entry: int
    path: tuple[str, ...]
    how: str


@dataclass(frozen=True, slots=True)
class Remarks:
    """All that a record says: its acknowledgements, oldest first, and the later changes, newest first.

    `is_fallen` tells a record that is retracted or superseded.
    """

    acknowledged: tuple[Acknowledged, ...]
    changes: tuple[Later, ...]
    is_fallen: bool

    def changed_since(self, pointer: str, index: int) -> Later | None:
        """The newest change after the entry at `index` of a place, of what is in it or what holds it; or None.

        For a place among the numbers of a run, a correction of any of them counts. The place is followed backwards:
        an item that was put into a list before it, or taken out, moved it.
        """
        place = pointers.split(pointer)
        for change in self.changes:
            if change.entry <= index:
                return None
            if change.how == _TAKEN:
                place = _moved(place, change.path, 1)
            if _touches(change.path, place) or (change.how == _CORRECTED and _of_run(change.path, place)):
                return change
            if change.how == _INSERTED:
                place = _moved(place, change.path, -1)
        return None


def _of_run(*places: tuple[str, ...]) -> bool:
    return all(place and place[0] in _RUN for place in places)


def _touches(path: tuple[str, ...], place: tuple[str, ...]) -> bool:
    shorter = min(len(path), len(place))
    return path[:shorter] == place[:shorter]


def _moved(place: tuple[str, ...], path: tuple[str, ...], by: int) -> tuple[str, ...]:
    """A place with its index in the list that an item of a path entered or left, where it lies behind that item."""
    *above, last = path
    depth = len(above)
    if len(place) <= depth or list(place[:depth]) != above:
        return place
    here, there = pointers.list_index(place[depth]), pointers.list_index(last)
    if here is None or there is None or here < there:
        return place
    return (*place[:depth], str(here + by), *place[depth + 1 :])


def gather(record: Record, _: Ledger) -> Json:
    """What a record says, as plain values; None for one that acknowledges nothing."""
    if not any(entry.get("action") == ACTION for _, entry in record.mappings(f"/{AUDIT}")):
        return None
    entries = read_entries(record.value)
    made = [entry for entry in entries if entry.action == ACTION and entry.rule is not None]
    if not made:
        return None
    later = [entry for entry in entries if entry.index > made[0].index]
    return {
        "acknowledged": [_plain(record, entry) for entry in made],
        "changes": [[number, path, how] for number, path, how in _later(record.value, later)],
        "is_fallen": record.value.get("status") in _FALLEN,
    }


def _plain(record: Record, entry: AuditEntry) -> list[Json]:
    line, column = record.document.locate(f"{entry.pointer()}/rule")
    day = entry.day.isoformat() if entry.day else ""
    return [entry.index, line, column, entry.rule, entry.reason, entry.by or "", day]


def _later(record: Content, entries: list[AuditEntry]) -> Iterator[tuple[int, str, str]]:
    """(entry, path, how) of every change in some entries, the newest first."""
    content: Content = {key: value for key, value in record.items() if key != AUDIT}
    for entry in reversed(entries):
        for change in reversed(entry.changes):
            how = _how(content, change)
            if how:
                yield entry.index, change.path, how
            content = undo(content, replace(entry, changes=(change,))).content


def _how(content: Content, change: Change) -> str:
    """What a change did, in the content after it: whether it replaced a value, or moved the items of a list.

    Empty for a path that is none; the replay speaks of it.
    """
    try:
        above = pointers.join(pointers.split(change.path)[:-1])
    except PointerError:
        return ""
    if change.from_value is not ABSENT and change.to_value is not ABSENT:
        return _CORRECTED
    if not isinstance(pointers.find(content, above), list):
        return _CHANGED
    return _INSERTED if change.from_value is ABSENT else _TAKEN


def remarks(fact: Json) -> Remarks:
    """What `gather` kept of a record."""
    assert isinstance(fact, Mapping)
    made, changes = fact["acknowledged"], fact["changes"]
    assert isinstance(made, list)
    assert isinstance(changes, list)
    return Remarks(
        tuple(_acknowledged(item) for item in made),
        tuple(_change(item) for item in changes),
        fact["is_fallen"] is True,
    )


def _acknowledged(item: Json) -> Acknowledged:
    match item:
        case [int(index), int(line), int(column), str(rule), str(reason), str(by), str(day)]:
            return Acknowledged(index, Location(line, column), rule, Acknowledgement(reason, by, day))
    raise ValueError(f"no acknowledgement: {item}")


def _change(item: Json) -> Later:
    match item:
        case [int(entry), str(path), str(how)]:
            return Later(entry, pointers.split(path), how)
    raise ValueError(f"no change: {item}")
