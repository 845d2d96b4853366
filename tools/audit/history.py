"""The life of a record as a timeline that a person enjoys: what, from, to, who, when, why, on what evidence.

Two halves: `timeline` says what there is to tell, `render` writes it as text (`tools.audit.page` has its look).
The life of one value is told by `tools.audit.stays`; other forms than text are in `tools.audit.history_forms`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tools.audit.entry import ABSENT, CREATED, AuditEntry, Change
from tools.audit.page import Page, Style, cited_in, clean, count, plain
from tools.audit.replay import Content, Replay, ReplayFault, replay
from tools.audit.values import same, shown
from tools.records.parse import Json

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
        told = f"{count(len(self.steps), 'entry', 'entries')}, {count(changes, 'change')}"
        if self.faults:
            return f"{told}: the log does not replay, {count(self.faults, 'fault')} above"
        if not changes:
            return f"{count(len(self.steps), 'entry', 'entries')}, nothing was ever changed"
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


def render(told: Timeline, width: int, style: Style = plain) -> str:
    """The timeline as text, wrapped to a width in columns."""
    return "\n".join(_lines(told, Page.of_width(width, style))) + "\n"


def heading(told: Timeline, page: Page) -> Iterator[str]:
    """Id, title and standing of the record, and an empty line."""
    yield page.style(clean(told.record_id), "strong")
    for text in filter(None, (told.title, told.summary)):
        yield from page.wrapped(text)
    yield ""


def _lines(told: Timeline, page: Page) -> Iterator[str]:
    yield from heading(told, page)
    for step in told.steps:
        yield from _step_lines(step, told.record_id, page)
        yield page.rail("")
    yield f"{page.style('○', 'dim')} as it stands"
    for result in told.standing:
        yield from page.wrapped(result, "  ", role="strong")
    yield from page.wrapped(told.verdict, "  ", role="error" if told.faults else "dim")


def _step_lines(step: Step, record_id: str, page: Page) -> Iterator[str]:
    entry = step.entry
    yield from page.entry(entry)
    for result in step.filed:
        yield from page.labelled("filed", "good", result)
    for change in entry.changes:
        yield from _change(change, page)
    if step.unchanged:
        yield from page.labelled("unchanged", "dim", step.unchanged)
    if entry.rule:
        yield from page.labelled("rule", "dim", entry.rule)
    for item in entry.evidence:
        yield from page.labelled("evidence", "dim", cited_in(item, record_id))
    for fault in step.faults:
        yield from page.labelled("FAULT", "error", f"{fault.message} ({fault.pointer})")


def _change(change: Change, page: Page) -> Iterator[str]:
    if change.from_value is ABSENT:
        yield from page.value("added", "good", change.path, change.to_value)
    elif change.to_value is ABSENT:
        yield from page.value("removed", "warning", change.path, change.from_value)
    else:
        told = f"{change.path}  {shown(change.from_value)} → {shown(change.to_value)}"
        yield from page.labelled("changed", "warning", told)
