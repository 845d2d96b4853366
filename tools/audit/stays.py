"""The life of one value: everything that stood at a place of a record, since which step, and who confirmed it.

The place is followed backwards through the log: an item of a list that was inserted before it, or taken out, moves
it. What a list was replaced with as a whole has no items that could be followed; its places are taken as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tools.audit.entry import ABSENT, AUDIT, CREATED, AuditEntry, Change, Slot
from tools.audit.history import Timeline, heading
from tools.audit.page import Page, Style, cited_in, count, plain
from tools.audit.replay import Content, Replay, undo
from tools.audit.values import same, shown
from tools.errors import ToolsError
from tools.records import pointer as pointers
from tools.records.parse import Json
from tools.records.pointer import PointerError

CONFIRMATION = "confirmation"

_LISTED = 12
_EXAMPLE = "name a place in the record, such as /results/0/value; / and ~ inside a key are written ~1 and ~0"


@dataclass(frozen=True, slots=True)
class Stay:
    """A value and the place where it came to stand; ABSENT where nothing stood there any more.

    `since` is the entry that put it there, None for what was there before the log begins; `confirmed` are the entries
    that found it right.
    """

    value: Slot
    pointer: str
    since: AuditEntry | None
    confirmed: tuple[AuditEntry, ...] = ()


def stays(story: Replay, pointer: str) -> tuple[Stay, ...]:
    """All that stood at a place of the record as it is now, oldest first.

    Raises `ToolsError` for a pointer that is malformed, leads into the log, or where nothing ever stood.
    """
    places = _places(story, _tokens(pointer))
    filed = story.entries[0] if story.entries and story.entries[0].action == CREATED else None
    found: list[Stay] = []
    for number, place in enumerate(places):
        value = ABSENT if place is None else _at(story.contents[number], place)
        entry = story.entries[number - 1] if number else filed
        if not found or not same(found[-1].value, value):
            if found or value is not ABSENT:
                found.append(Stay(value, pointers.join(place or ()), entry))
        elif entry is not None and entry.action == CONFIRMATION:
            found[-1] = replace(found[-1], confirmed=(*found[-1].confirmed, entry))
    if not found:
        raise ToolsError(f"nothing ever stood at {pointer}", _what_is(story.contents[-1], pointer))
    # Where nothing stands any more, the place is that of the value which was taken away.
    return tuple(
        replace(stay, pointer=found[index - 1].pointer) if not stay.pointer and index else stay
        for index, stay in enumerate(found)
    )


def _tokens(pointer: str) -> tuple[str, ...]:
    try:
        tokens = pointers.split(pointer)
    except PointerError as error:
        raise ToolsError(f"`{pointer}` is not a JSON Pointer: {error}", _EXAMPLE) from error
    if not tokens:
        raise ToolsError("an empty pointer means the whole record", "leave it out for the life of the record")
    if tokens[0] == AUDIT:
        raise ToolsError("the log is only added to", "leave the pointer out to see what was added")
    return tokens


def _places(story: Replay, tokens: tuple[str, ...]) -> list[tuple[str, ...] | None]:
    """Where the value stood after each number of entries; None before it was inserted into a list."""
    place: tuple[str, ...] | None = tokens
    places = [place]
    content = story.contents[-1]
    for entry in reversed(story.entries):
        for change in reversed(entry.changes):
            if place is not None:
                place = _before(content, place, change)
            content = undo(content, replace(entry, changes=(change,))).content
        places.append(place)
    return places[::-1]


def _before(content: Content, place: tuple[str, ...], change: Change) -> tuple[str, ...] | None:
    """Where something stood before a change, from where it stands in the content after it."""
    try:
        *above, last = pointers.split(change.path)
    except PointerError:
        return place
    depth = len(above)
    if len(place) <= depth or list(place[:depth]) != above:
        return place
    changed, here = pointers.list_index(last), pointers.list_index(place[depth])
    if changed is None or here is None or not isinstance(_at(content, tuple(above)), list):
        return place
    if change.from_value is ABSENT:
        if here == changed:
            return None
        here -= here > changed
    elif change.to_value is ABSENT and here >= changed:
        is_the_removed = here == changed and _at(content, place[: depth + 1]) is ABSENT
        here += not is_the_removed
    return (*place[:depth], str(here), *place[depth + 1 :])


def _at(content: Json, place: tuple[str, ...]) -> Slot:
    try:
        return pointers.get(content, pointers.join(place))
    except PointerError:
        return ABSENT


def _what_is(content: Json, pointer: str) -> str:
    """What there is on the way to a place where nothing is."""
    way: list[str | int] = []
    for token in pointers.split(pointer):
        below = _at(content, (token,))
        if below is ABSENT:
            break
        content = below
        way.append(token)
    place = pointers.join(way) or "the record"
    if isinstance(content, dict):
        keys = [key for key in content if key != AUDIT]
        more = f" and {len(keys) - _LISTED} more" if len(keys) > _LISTED else ""
        return f"{place} has {', '.join(keys[:_LISTED])}{more}"
    if isinstance(content, list):
        return f"{place} has {count(len(content), 'item')}, counted from 0"
    return f"{place} is a single value: {shown(content, 60)}"


def render_stays(
    told: Timeline, pointer: str, found: tuple[Stay, ...], width: int, style: Style = plain
) -> str:
    """The life of a value as text, wrapped to a width in columns."""
    return "\n".join(_lines(told, pointer, found, Page.of_width(width, style))) + "\n"


def _lines(told: Timeline, pointer: str, found: tuple[Stay, ...], page: Page) -> Iterator[str]:
    *head, empty = heading(told, page)
    yield from head
    yield from page.wrapped(pointer, role="strong")
    yield empty
    before: Slot = ABSENT
    for stay in found:
        if stay.since is None:
            yield f"{page.style('●', 'info')} {page.style('before the log begins', 'strong')}"
        else:
            yield from page.entry(stay.since)
        yield from _value(before, stay, page)
        if stay.pointer != pointer:
            yield from page.labelled("then at", "dim", stay.pointer)
        for item in stay.since.evidence if stay.since else ():
            yield from page.labelled("evidence", "dim", cited_in(item, told.record_id))
        for entry in stay.confirmed:
            yield from page.labelled("confirmed", "good", signed(entry))
        yield page.rail("")
        before = stay.value
    yield f"{page.style('○', 'dim')} as it stands"
    yield from page.wrapped(shown(found[-1].value), "  ", role="strong")
    yield from page.wrapped(told.verdict, "  ", role="error" if told.faults else "dim")


def _value(before: Slot, stay: Stay, page: Page) -> Iterator[str]:
    if stay.value is ABSENT:
        yield from page.labelled("removed", "warning", shown(before))
    elif before is ABSENT:
        is_filed = stay.since is None or stay.since.action == CREATED
        yield from page.labelled("filed" if is_filed else "added", "good", shown(stay.value))
    else:
        yield from page.labelled("changed", "warning", f"{shown(before)} → {shown(stay.value)}")


def signed(entry: AuditEntry) -> str:
    """Who made an entry and when, on one line."""
    day = entry.day.isoformat() if entry.day else "day not recorded"
    return f"{day} by {entry.by or 'somebody not recorded'}"
