"""A record's earlier states, from the record as it stands and its log.

Walking backwards, each change is undone: what it put there (`to`) must be what stands there, and gives way to
what was there before (`from`). Any other value is a fault, and the walk goes on as if it had been the right
one, so that one wrong entry is reported once. A walk without faults is made forwards again, from the first
state.

States share their unchanged parts with the record and with each other: they are for reading. Whether every
difference between two versions of a file has its entry is left to the comparison with a base.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, TypeAlias

from tools.audit.entry import ABSENT, AUDIT, CREATED, AuditEntry, Change, Slot, log_of, read_entries
from tools.audit.values import same, shown
from tools.errors import ToolsError
from tools.records import pointer
from tools.records.parse import Json
from tools.records.pointer import PointerError

Content: TypeAlias = dict[str, Json]
"""A record without its log."""

_QUOTED = 120
"""Characters of a value that a message quotes."""

_WRONG_VALUE = (
    "a step is missing from the log, or this entry does not say what was done: "
    "add the missing entry, or write here what really changed"
)
_WRONG_PATH = "compare the path with the record; the items of a list count from 0"


@dataclass(frozen=True, slots=True)
class ReplayFault:
    """A change that does not fit: indices of entry and change, and the JSON Pointer of the part at fault."""

    entry: int
    change: int
    pointer: str
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class Replay:
    """The states of a record: `contents[n]` is its content after its first n entries."""

    entries: tuple[AuditEntry, ...]
    contents: tuple[Content, ...]
    faults: tuple[ReplayFault, ...]
    log: tuple[Json, ...]

    def state(self, steps: int) -> dict[str, Json]:
        """The whole record after its first `steps` entries; its log holds those and no later ones."""
        written = self.entries[steps - 1].index + 1 if steps else 0
        return {**self.contents[steps], AUDIT: list(self.log[:written])}


_Own: TypeAlias = dict[int, Content | list[Json]]
"""The collections that one walk copied, by identity: it changes those in place and copies each other one once."""


class Walked(NamedTuple):
    """Content at the end of a walk, and what did not fit on the way."""

    content: Content
    faults: list[ReplayFault]


def replay(record: Json) -> Replay:
    """The states of a record and the faults of its log, in the order of the log. Never raises."""
    entries = read_entries(record)
    content = _content_of(record)
    contents = [content]
    for entry in reversed(entries):
        content = undo(content, entry).content
        contents.append(content)
    return Replay(entries, tuple(reversed(contents)), replay_faults(record), tuple(log_of(record)))


def replay_faults(record: Json) -> tuple[ReplayFault, ...]:
    """The faults of a log alone, in its order: the same walks as `replay`, without keeping a state. Never raises."""
    entries = read_entries(record)
    backwards = ((entry, change) for entry in reversed(entries) for change in reversed(entry.changes))
    first, faults = _walk(_content_of(record), backwards, forwards=False)
    if not faults:
        faults = apply(first, entries).faults
    return tuple(sorted(faults, key=lambda fault: (fault.entry, fault.change)))


def _content_of(record: Json) -> Content:
    return {k: v for k, v in record.items() if k != AUDIT} if isinstance(record, dict) else {}


def undo(content: Content, entry: AuditEntry) -> Walked:
    """The content before an entry, from the content after it, which stays as it is."""
    return _walk(content, ((entry, change) for change in reversed(entry.changes)), forwards=False)


def apply(content: Content, entries: Iterable[AuditEntry]) -> Walked:
    """The content after some entries, from the content before them, which stays as it is."""
    return _walk(content, ((entry, change) for entry in entries for change in entry.changes), forwards=True)


def as_of(record: Json, day: date) -> dict[str, Json]:
    """The record as it stood at the end of a day; its log holds the entries up to then.

    An entry without a day counts as made together with the one before it. Raises `ToolsError` when the record
    was filed later, when it has no log, or when the entries to take back do not fit it.
    """
    story = replay(record)
    if not story.entries:
        raise ToolsError("the record has no audit log, so nothing says how it stood on an earlier day")
    steps = _steps_until(story.entries, day)
    if steps == 0 and story.entries[0].action == CREATED:
        raise ToolsError(f"there was no such record on {day}: it was filed on {story.entries[0].day}")
    taken_back = {entry.index for entry in story.entries[steps:]}
    for fault in story.faults:
        if fault.entry in taken_back:
            raise ToolsError(
                f"the record as of {day} cannot be rebuilt: {fault.message} ({fault.pointer})",
                "mend the log first; `tools validate` names every entry that does not fit",
            )
    return story.state(steps)


def _steps_until(entries: tuple[AuditEntry, ...], day: date) -> int:
    for step, entry in enumerate(entries):
        if entry.day is not None and entry.day > day:
            return step
    return len(entries)


def _walk(content: Content, steps: Iterable[tuple[AuditEntry, Change]], *, forwards: bool) -> Walked:
    content = dict(content)
    own: _Own = {id(content): content}
    faults = []
    for entry, change in steps:
        here = entry.pointer(change)
        expected, new = change.from_value, change.to_value
        member, when = "from", "before"
        if not forwards:
            expected, new = new, expected
            member, when = "to", "after"
        try:
            standing = _exchange(content, change.path, expected, new, own)
        except PointerError as error:
            faults.append(ReplayFault(entry.index, change.index, f"{here}/path", str(error), _WRONG_PATH))
            continue
        if not same(standing, expected):
            place = f"{here}/{'path' if expected is ABSENT else member}"
            message = (
                f"{when} this entry {shown(expected, _QUOTED)} should stand at {change.path}, "
                f"but there is {shown(standing, _QUOTED)}"
            )
            faults.append(ReplayFault(entry.index, change.index, place, message, _WRONG_VALUE))
    return Walked(content, faults)


def _exchange(content: Content, path: str, expected: Slot, new: Slot, own: _Own) -> Slot:
    """Puts `new` at `path` and gives what stood there; nothing did where a list made room for it.

    Raises `PointerError` where the path leads nowhere.
    """
    tokens = pointer.split(path)
    if tokens[0] == AUDIT:
        raise PointerError(f"the log itself is not changed by its entries: {path}")
    parent = _own_parent(content, tokens, own)
    if isinstance(parent, list) and expected is ABSENT:
        if new is not ABSENT:
            pointer.put(content, path, new)
        return ABSENT
    standing = _standing(parent, tokens[-1])
    if new is ABSENT:
        if standing is not ABSENT:
            pointer.remove(content, path)
    elif standing is not ABSENT:
        pointer.replace(content, path, new)
    elif isinstance(parent, dict):
        pointer.put(content, path, new)
    return standing


def _own_parent(content: Content, tokens: tuple[str, ...], own: _Own) -> Content | list[Json]:
    """The collection that holds the last token, and each on the way to it, as copies that the walk may change."""
    parent: Content | list[Json] = content
    for depth, token in enumerate(tokens[:-1], start=1):
        below = _standing(parent, token)
        if not isinstance(below, (dict, list)):
            what = "there is nothing at" if below is ABSENT else "there is nothing below the single value at"
            raise PointerError(f"{what} {pointer.join(tokens[:depth])}")
        if id(below) not in own:
            below = below.copy()
            own[id(below)] = below
            if isinstance(parent, dict):
                parent[token] = below
            else:
                parent[int(token)] = below
        parent = below
    return parent


def _standing(parent: Content | list[Json], token: str) -> Slot:
    if isinstance(parent, dict):
        return parent.get(token, ABSENT)
    index = pointer.list_index(token)
    return ABSENT if index is None or index >= len(parent) else parent[index]
