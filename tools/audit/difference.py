"""What leads from one content of a record to another, as the changes an audit entry would hold.

The changes are in the order in which they apply, and they replay (`tools.audit.replay`). Items of a list are
told apart by their content, so that one item more at the front is one change, not a change of every item after
it: first what is gone, from the end; then what is new, where it stands; then what changed inside the others. Every
path but that of a removal is thus a place in the later content.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import TypeAlias

from tools.audit.entry import ABSENT, Change, Slot
from tools.audit.replay import Content
from tools.audit.values import same
from tools.records import pointer
from tools.records.parse import Json

_MOST_COMPARED = 250_000
"""Pairs of items up to which two lists are aligned; longer ones are compared place by place."""

_Step: TypeAlias = tuple[str, Slot, Slot]
_Span: TypeAlias = tuple[int, int, int, int]


def difference(before: Content, after: Content) -> tuple[Change, ...]:
    """The changes that make `after` of `before`; none where nothing but spelling and order of keys differs."""
    return tuple(Change(index, *step) for index, step in enumerate(_mappings(before, after, "")))


def identity(value: Json) -> str:
    """A text that two values share exactly when they are the same (`tools.audit.values.same`)."""
    return json.dumps(_plain(value), sort_keys=True)


def _plain(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _values(before: Json, after: Json, place: str) -> Iterator[_Step]:
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _mappings(before, after, place)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _lists(before, after, place)
    elif not same(before, after):
        yield place, before, after


def _mappings(before: Content, after: Content, place: str) -> Iterator[_Step]:
    for key, value in before.items():
        if key in after:
            yield from _values(value, after[key], _below(place, key))
        else:
            yield _below(place, key), value, ABSENT
    for key, value in after.items():
        if key not in before:
            yield _below(place, key), ABSENT, value


def _lists(before: list[Json], after: list[Json], place: str) -> Iterator[_Step]:
    gone: list[int] = []
    new: list[int] = []
    kept: list[tuple[int, int]] = []
    for start, end, new_start, new_end in _spans(before, after):
        paired = min(end - start, new_end - new_start)
        kept += zip(range(start, start + paired), range(new_start, new_start + paired), strict=True)
        gone += range(start + paired, end)
        new += range(new_start + paired, new_end)
    for index in reversed(gone):
        yield _below(place, index), before[index], ABSENT
    for index in new:
        yield _below(place, index), ABSENT, after[index]
    for old_index, index in kept:
        yield from _values(before[old_index], after[index], _below(place, index))


def _spans(before: list[Json], after: list[Json]) -> Iterator[_Span]:
    """(start, end) in either list of each stretch in which they differ."""
    one, other = [identity(item) for item in before], [identity(item) for item in after]
    shortest = min(len(one), len(other))
    head = next((n for n in range(shortest) if one[n] != other[n]), shortest)
    tail = next((n for n in range(shortest - head) if one[-1 - n] != other[-1 - n]), shortest - head)
    end, new_end = len(one) - tail, len(other) - tail
    if (end - head) * (new_end - head) > _MOST_COMPARED:
        yield head, end, head, new_end
        return
    matcher = SequenceMatcher(None, one[head:end], other[head:new_end], autojunk=False)
    for tag, start, stop, new_start, new_stop in matcher.get_opcodes():
        if tag != "equal":
            yield head + start, head + stop, head + new_start, head + new_stop


def _below(place: str, token: str | int) -> str:
    return place + pointer.join((token,))
