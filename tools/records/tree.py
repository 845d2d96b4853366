"""A record's text as a tree of nodes: where each value and key begins and ends, for whoever changes the text.

The tree is read only when a file is edited or laid out anew, from text that `tools.records.parse` has followed to its
end (a finding asks `tools.records.outline`, which costs less). It takes every departure from the subset as the parser
does: of a key given twice the last counts, a refused word is text. Which comment belongs to which node is told by
`tools.records.comments`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from yaml._yaml import CParser
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    Event,
    MappingStartEvent,
    ScalarEvent,
)

from tools.finding import Location
from tools.records import pointer as pointers
from tools.records.garbage import uncollected
from tools.records.scalars import FIRST_CHARACTERS, ScalarError, plain_value

if TYPE_CHECKING:
    import yaml
    from yaml._yaml import Mark as LibyamlMark


NextEvent: TypeAlias = Callable[[], Event | None]


class Mark(NamedTuple):
    """A place in the text: characters, lines and columns before it."""

    offset: int
    line: int
    column: int

    @property
    def location(self) -> Location:
        return Location(self.line + 1, self.column + 1)


NOWHERE = Mark(-1, -1, -1)
"""The place of a node that was never written."""


@dataclass(slots=True)
class Scalar:
    """One value that holds no others; `spelling` is how the text has a number, empty for the rest."""

    value: bool | int | float | str | None
    spelling: str = ""
    start: Mark = NOWHERE
    end: Mark = NOWHERE
    is_block: bool = False


@dataclass(slots=True)
class Collection:
    """A mapping (each entry has a key) or a list (none has); `tail` are comments below the last entry."""

    is_mapping: bool
    entries: list[Entry] = field(default_factory=list)
    start: Mark = NOWHERE
    end: Mark = NOWHERE
    is_flow: bool = False
    tail: list[str] = field(default_factory=list)


Node = Scalar | Collection


@dataclass(slots=True)
class Entry:
    """A node in its place, under a key or in a list; `lead` are comments above it, `note` those beside it."""

    key: str | None
    node: Node
    key_start: Mark = NOWHERE
    key_end: Mark = NOWHERE
    lead: list[str] = field(default_factory=list)
    note: list[str] = field(default_factory=list)

    @property
    def start(self) -> Mark:
        return self.node.start if self.key is None else self.key_start


@dataclass(slots=True)
class Page:
    """A whole text: the root, and the comments that belong to the file rather than to a node."""

    root: Entry
    header: list[str] = field(default_factory=list)
    footer: list[str] = field(default_factory=list)


def read_page(text: str) -> Page:
    """The tree of the first document in `text`, without comments; the parser must have followed it before."""
    next_event = CParser(text).get_event
    next_event()
    next_event()
    with uncollected():
        return Page(Entry(None, _node(next_event(), next_event)))


def mark_of(mark: yaml.Mark | LibyamlMark | None) -> Mark:
    """A place as libyaml tells it, without what it drags along."""
    return NOWHERE if mark is None else Mark(mark.index, mark.line, mark.column)


def unnamed_key(start: Mark) -> str:
    """The name under which a collection that is used as a key, and starts there, is known."""
    return f"(key in line {start.location.line}, column {start.location.column})"


def _node(event: Event | None, next_event: NextEvent) -> Node:
    if isinstance(event, ScalarEvent):
        return _scalar(event)
    if isinstance(event, AliasEvent):
        return Scalar(f"*{event.anchor}", "", mark_of(event.start_mark), mark_of(event.end_mark))
    if not isinstance(event, CollectionStartEvent):
        raise TypeError(f"no node starts with {event!r}")
    is_mapping = isinstance(event, MappingStartEvent)
    node = Collection(is_mapping, start=mark_of(event.start_mark), is_flow=bool(event.flow_style))
    while not isinstance(inner := next_event(), CollectionEndEvent):
        node.entries.append(_pair(inner, next_event) if is_mapping else Entry(None, _node(inner, next_event)))
    node.end = mark_of(inner.end_mark)
    return node


def _pair(event: Event | None, next_event: NextEvent) -> Entry:
    if isinstance(event, ScalarEvent):
        name, start, end = event.value, mark_of(event.start_mark), mark_of(event.end_mark)
    else:
        key = _node(event, next_event)
        name = str(key.value) if isinstance(key, Scalar) else unnamed_key(key.start)
        start, end = key.start, key.end
    return Entry(name, _node(next_event(), next_event), start, end)


def _scalar(event: ScalarEvent) -> Scalar:
    text, start, end = event.value, mark_of(event.start_mark), mark_of(event.end_mark)
    if event.style:
        return Scalar(text, "", start, end, event.style in "|>")
    if text[:1] not in FIRST_CHARACTERS:
        return Scalar(text, "", start, end)
    try:
        value = plain_value(text)
    except ScalarError:
        return Scalar(text, "", start, end)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return Scalar(value, text if is_number else "", start, end)


def child(node: Node, token: str) -> Entry | None:
    """The entry that one token of a JSON Pointer names, or None."""
    if isinstance(node, Scalar):
        return None
    if node.is_mapping:
        return next((entry for entry in reversed(node.entries) if entry.key == token), None)
    index = pointers.list_index(token)
    return node.entries[index] if index is not None and index < len(node.entries) else None
