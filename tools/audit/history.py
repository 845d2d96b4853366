"""The life of a record as a timeline that a person enjoys: what, from, to, who, when, why, on what evidence.

Two halves: `timeline` says what there is to tell, `render` writes it as text. Colour is the caller's: what
can stand out passes through a `style` function with the name of its role.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from tools.audit.entry import ABSENT, CREATED, AuditEntry, Change, Evidence, Slot
from tools.audit.replay import Content, Replay, ReplayFault, replay
from tools.audit.values import pairs, same, shown
from tools.records.characters import UNWRITABLE
from tools.records.parse import Json

Style: TypeAlias = Callable[[str, str], str]
"""(text, name of its role) to styled text; roles: strong, dim, good, info, warning, error."""

NARROWEST, WIDEST = 48, 110
"""Columns between which the text is wrapped, whatever the terminal."""

_LABEL = 11
_LISTED = 8
"""Results told one by one; of more, the rest are counted."""


@dataclass(frozen=True, slots=True)
class Step:
    """One entry as it is told: the results it filed (a `created` one), or the note that no value changed."""

    entry: AuditEntry
    filed: tuple[str, ...]
    unchanged: str
    faults: tuple[ReplayFault, ...]


@dataclass(frozen=True, slots=True)
class Timeline:
    """A record's life: its steps, oldest first, and its results as they stand."""

    record_id: str
    title: str
    summary: str
    steps: tuple[Step, ...]
    standing: tuple[str, ...]
    faults: int

    @property
    def verdict(self) -> str:
        """Whether the log replays, in one line."""
        changes = sum(len(step.entry.changes) for step in self.steps)
        told = f"{_count(len(self.steps), 'entry', 'entries')}, {_count(changes, 'change')}"
        if self.faults:
            return f"{told}: the log does not replay, {_count(self.faults, 'fault')} above"
        if not changes:
            return f"{_count(len(self.steps), 'entry', 'entries')}, nothing was ever changed"
        return f"{told}: replays backwards and forwards without a gap"


def timeline(record_id: str, record: Json) -> Timeline:
    """What there is to tell of a record; a malformed one has less to tell."""
    story = replay(record)
    now = story.contents[-1]
    words = [now.get(key) for key in ("kind", "status")]
    return Timeline(
        record_id=record_id,
        title=title if isinstance(title := now.get("title") or now.get("name"), str) else "",
        summary=", ".join(word for word in words if isinstance(word, str)),
        steps=tuple(_step(story, number) for number in range(len(story.entries))),
        standing=_results(now),
        faults=len(story.faults),
    )


def _step(story: Replay, number: int) -> Step:
    entry = story.entries[number]
    before, after = story.contents[number], story.contents[number + 1]
    filed = entry.action == CREATED
    return Step(
        entry=entry,
        filed=_results(after) if filed else (),
        unchanged="" if filed else _unchanged(_values(before), _values(after)),
        faults=tuple(fault for fault in story.faults if fault.entry == entry.index),
    )


def _unchanged(before: list[Json], after: list[Json]) -> str:
    if not after or not same(before, after):
        return ""
    return f"the value, {shown(after[0])}" if len(after) == 1 else f"all {len(after)} values"


def _values(content: Content) -> list[Json]:
    return [result["value"] for result in _mappings(content.get("results")) if "value" in result]


def _results(content: Content) -> tuple[str, ...]:
    results = [_result(result) for result in _mappings(content.get("results"))]
    left = len(results) - _LISTED
    return (*results[:_LISTED], f"and {left} more") if left > 0 else tuple(results)


def _result(result: dict[str, Json]) -> str:
    words = [shown(result[key]) for key in ("metric", "statistic", "value", "unit") if key in result]
    bound = result.get("bound")
    return " ".join(words) + (f" ({bound} bound, not a point)" if isinstance(bound, str) else "")


def _mappings(items: Json) -> list[dict[str, Json]]:
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def render(told: Timeline, width: int, style: Style = lambda text, _: text) -> str:
    """The timeline as text, wrapped to a width in columns."""
    page = _Page(max(NARROWEST, min(width, WIDEST)), style)
    return "\n".join(page.lines(told)) + "\n"


@dataclass(frozen=True, slots=True)
class _Page:
    width: int
    style: Style

    def lines(self, told: Timeline) -> Iterator[str]:
        yield self.style(told.record_id, "strong")
        for text in filter(None, (told.title, told.summary)):
            yield from self._wrapped(text)
        yield ""
        for step in told.steps:
            yield from self._step(step, told.record_id)
            yield self._rail("")
        yield f"{self.style('○', 'dim')} as it stands"
        for result in told.standing:
            yield from self._wrapped(result, "  ", role="strong")
        yield from self._wrapped(told.verdict, "  ", role="error" if told.faults else "dim")

    def _step(self, step: Step, record_id: str) -> Iterator[str]:
        entry = step.entry
        day = entry.day.isoformat() if entry.day else "day not recorded"
        action = self.style(entry.action.replace("_", " ") or "no action stated", "info")
        by = self.style(f"by: {_clean(entry.by or 'not recorded')}", "dim")
        yield f"{self.style('●', 'info')} {self.style(day, 'strong')}  {action}  {by}"
        for paragraph in entry.reason.splitlines():
            yield from map(self._rail, self._wrapped(paragraph, "  "))
        for result in step.filed:
            yield from self._labelled("filed", "good", result)
        for change in entry.changes:
            yield from self._change(change)
        if step.unchanged:
            yield from self._labelled("unchanged", "dim", step.unchanged)
        if entry.rule:
            yield from self._labelled("rule", "dim", entry.rule)
        for item in entry.evidence:
            yield from self._labelled("evidence", "dim", _cited(item, record_id))
        for fault in step.faults:
            yield from self._labelled("FAULT", "error", f"{fault.message} ({fault.pointer})")

    def _change(self, change: Change) -> Iterator[str]:
        if change.from_value is ABSENT:
            yield from self._value("added", "good", change.path, change.to_value)
        elif change.to_value is ABSENT:
            yield from self._value("removed", "warning", change.path, change.from_value)
        else:
            told = f"{change.path}  {shown(change.from_value)} → {shown(change.to_value)}"
            yield from self._labelled("changed", "warning", told)

    def _value(self, label: str, role: str, path: str, value: Slot) -> Iterator[str]:
        """A value beside its path where there is room, else below it, member by member."""
        told = f"{path}  {shown(value)}"
        if not isinstance(value, list) or len(told) <= self.width - _LABEL - 4:
            yield from self._labelled(label, role, told)
            return
        yield from self._labelled(label, role, path)
        for item in value:
            text = pairs(item) if isinstance(item, dict) else shown(item)
            indent = " " * (_LABEL + 2)
            yield from map(self._rail, self._wrapped(f"- {text}", indent, indent + "  "))

    def _labelled(self, label: str, role: str, text: str) -> Iterator[str]:
        indent = " " * (_LABEL + 2)
        first, *others = self._wrapped(text, indent, indent + "  ")
        yield self._rail(f"  {self.style(label.ljust(_LABEL), role)}{first[len(indent) :]}")
        yield from map(self._rail, others)

    def _rail(self, text: str) -> str:
        return f"{self.style('│', 'dim')}{text}".rstrip()

    def _wrapped(self, text: str, indent: str = "", hanging: str | None = None, role: str = "") -> list[str]:
        lines = textwrap.wrap(
            _clean(text),
            self.width - 1,
            initial_indent=indent,
            subsequent_indent=indent if hanging is None else hanging,
            break_long_words=False,
            break_on_hyphens=False,
        )
        return [self.style(line, role) if role else line for line in lines or [indent]]


def _cited(item: Evidence, record_id: str) -> str:
    named = item.source_id or item.record_id or "no source named"
    where = "this record" if named == record_id else named
    cited = f"{where}, {item.locator}" if item.locator else where
    return f"{cited} ({item.note})" if item.note else cited


def _clean(text: str) -> str:
    """The text without characters that would move the cursor or turn the reading direction."""
    return UNWRITABLE.sub("\ufffd", text)


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
