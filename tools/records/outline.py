"""Where the values and keys of a text stand, and how its numbers are written: all that a finding asks of the text.

The outline is read only when a position is asked for, from text that `tools.records.parse` has followed to its end. It
keeps the events of libyaml as they come and makes a place of one when somebody asks: of the hundreds of values of a
record, one or two are told of. It takes every departure from the subset as the parser does (of a key given twice the
last counts, a refused word is text), so that a pointer into the value finds its place here. What an editor of the text
needs beyond that is in `tools.records.tree`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

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
from tools.records.tree import NextEvent, mark_of, unnamed_key

if TYPE_CHECKING:
    from typing import TypeAlias

    Outlined: TypeAlias = "Event | _Collection"


@dataclass(slots=True)
class _Collection:
    """A mapping, with the event of each key beside its value, or a list; `start` is the event that opened it."""

    start: Event
    keys: dict[str, tuple[Event | None, Outlined]] = field(default_factory=dict)
    items: list[Outlined] = field(default_factory=list)


class Outline:
    """The places of one text."""

    def __init__(self, text: str) -> None:
        next_event = CParser(text).get_event
        next_event()
        next_event()
        with uncollected():
            self._root = _outlined(next_event(), next_event)

    def locate(self, pointer: str, key: bool) -> Location:
        """Where the value at a pointer starts, or its key; for none, the nearest existing ancestor's."""
        node, key_event, _ = self._nearest(pointer)
        start = key_event if key and key_event is not None else _opening(node)
        return mark_of(start.start_mark).location

    def spelling(self, pointer: str) -> str:
        """How the text has the number at a pointer; empty for anything else."""
        node, _, is_there = self._nearest(pointer)
        if not is_there or not isinstance(node, ScalarEvent) or node.style:
            return ""
        text: str = node.value
        if text[:1] not in FIRST_CHARACTERS:
            return ""
        try:
            value = plain_value(text)
        except ScalarError:
            return ""
        return text if isinstance(value, (int, float)) and not isinstance(value, bool) else ""

    def _nearest(self, pointer: str) -> tuple[Outlined, Event | None, bool]:
        """The node at a pointer, its key and True, or its nearest existing ancestor, the key of that and False."""
        node, key = self._root, None
        try:
            tokens = pointers.split(pointer)
        except pointers.PointerError:
            return node, key, False
        for token in tokens:
            inner = _child(node, token)
            if inner is None:
                return node, key, False
            key, node = inner
        return node, key, True


def _opening(node: Outlined) -> Event:
    return node.start if isinstance(node, _Collection) else node


def _child(node: Outlined, token: str) -> tuple[Event | None, Outlined] | None:
    """The key, for a mapping, and the node that one token of a JSON Pointer names; None for none."""
    if not isinstance(node, _Collection):
        return None
    if isinstance(node.start, MappingStartEvent):
        return node.keys.get(token)
    index = pointers.list_index(token)
    return (None, node.items[index]) if index is not None and index < len(node.items) else None


def _outlined(event: Event | None, next_event: NextEvent) -> Outlined:
    assert event is not None
    if not isinstance(event, CollectionStartEvent):
        return event
    node = _Collection(event)
    if isinstance(event, MappingStartEvent):
        keys = node.keys
        while not isinstance(key := next_event(), CollectionEndEvent):
            name = key.value if isinstance(key, ScalarEvent) else _awkward_name(key, next_event)
            keys[name] = (key, _outlined(next_event(), next_event))
    else:
        items = node.items
        while not isinstance(item := next_event(), CollectionEndEvent):
            items.append(_outlined(item, next_event))
    return node


def _awkward_name(event: Event | None, next_event: NextEvent) -> str:
    """The name under which a key that is an alias or a collection is known; reads it to its end."""
    node = _outlined(event, next_event)
    if isinstance(node, _Collection):
        return unnamed_key(mark_of(node.start.start_mark))
    return f"*{node.anchor}" if isinstance(node, AliasEvent) else ""
