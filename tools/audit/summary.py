"""What a change does to the data, for the person who reviews it: records and values, not lines of text.

What happened is taken from the entries that were added to the logs; what happened without one is listed apart, so
that nothing hides in a summary. Records of which only formatting, title or notes changed are counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from tools.audit.compare import added_entries, compare
from tools.audit.divergence import Names
from tools.audit.replay import Content, replay
from tools.audit.step import Place, Step, step_json, steps
from tools.audit.values import shown
from tools.audit.versions import Changes, Pair, Version
from tools.finding import Finding
from tools.schema.conditions import absences, stated
from tools.schema.vocabulary import vocabulary

_RESULTS = 4
"""Results of a new record that are told; of more, the rest are counted."""


@dataclass(frozen=True, slots=True)
class Filed:
    """A new record: its title, its results in words, and how many conditions it states (None: not a benchmark)."""

    record: str
    kind: str
    file: str
    title: str
    results: tuple[str, ...]
    stated: int | None


@dataclass(frozen=True, slots=True)
class Gone:
    """A record that is no longer where it was: gone, or under another id or kind in the file `now`."""

    record: str
    kind: str
    file: str
    now: str


@dataclass(frozen=True, slots=True)
class Absence:
    """A condition that a record newly declares absent."""

    record: str
    condition: str
    reason: str
    would_need: str


@dataclass(frozen=True, slots=True)
class Completeness:
    """How many conditions a record stated, and states."""

    record: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Unexplained:
    """A difference that the log does not account for; `rule` is what `tools validate --base` calls it."""

    record: str
    file: str
    rule: str
    pointer: str
    message: str


@dataclass(slots=True)
class Summary:
    """All of it.

    `head` is None for the folder as it lies there. `conditions` is how many conditions there are, `rewritten` the
    records in which only formatting, title or notes changed, and `unread` the files that could not be compared.
    """

    base: str
    commit: str
    head: str | None
    conditions: int = 0
    added: list[Filed] = field(default_factory=list)
    gone: list[Gone] = field(default_factory=list)
    moved: list[Gone] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    absences: list[Absence] = field(default_factory=list)
    completeness: list[Completeness] = field(default_factory=list)
    unexplained: list[Unexplained] = field(default_factory=list)
    rewritten: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    warnings: Sequence[Finding] = ()

    def steps_of(self, *actions: str) -> list[Step]:
        """The added entries that did one of some things."""
        return [step for step in self.steps if step.entry.action in actions]


def summarize(changes: Changes, base: str, head: str | None, warnings: Iterable[Finding] = ()) -> Summary:
    """The summary of what differs between a base and a head, both as the reader named them."""
    summary = Summary(
        base, changes.commit, head, conditions=len(vocabulary().conditions), warnings=tuple(warnings)
    )
    for pair in changes.pairs:
        before, after = pair.before, pair.after
        if after is None:
            if before is not None:
                summary.gone.append(Gone(before.id, before.kind, before.file, pair.follows))
        elif after.value is None or (before is not None and before.value is None):
            summary.unread.append(after.file)
        elif before is None or before.value is None:
            summary.added.append(_filed(after, after.value))
        else:
            _compared(summary, pair, before, after, before.value, after.value)
    return summary


def _filed(version: Version, record: Content) -> Filed:
    told = [_result(result) for result in _mappings(record.get("results"))]
    left = len(told) - _RESULTS
    results = (*told[:_RESULTS], f"and {left} more") if left > 0 else tuple(told)
    title = record.get("title") or record.get("name")
    count = len(stated(record)) if version.kind == "benchmark" else None
    return Filed(
        version.id, version.kind, version.file, title if isinstance(title, str) else "", results, count
    )


def _result(result: Content) -> str:
    return " ".join(shown(result[key]) for key in ("metric", "statistic", "value", "unit") if key in result)


def _mappings(items: object) -> list[Content]:
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def _compared(
    summary: Summary, pair: Pair, before: Version, after: Version, was: Content, now: Content
) -> None:
    if pair.before is not None and before.file != after.file:
        summary.moved.append(Gone(before.id, before.kind, before.file, after.file))
    place = Place(after.id, after.kind, after.file)
    added = [entry.index for entry in added_entries(was, now)]
    summary.steps += steps(place, replay(now), added)
    unexplained = compare(was, now, Names(before.id, summary.base, summary.commit, before.file))
    summary.unexplained += (
        Unexplained(after.id, after.file, found.kind, found.pointer, found.message) for found in unexplained
    )
    if not added and not unexplained:
        summary.rewritten.append(after.id)
    if after.kind != "benchmark":
        return
    declared = {absence.condition for absence in absences(was)}
    for absence in absences(now):
        if absence.condition not in declared:
            words = (absence.said.get(key) for key in ("reason", "would_need"))
            summary.absences.append(
                Absence(
                    after.id, absence.condition, *(word if isinstance(word, str) else "" for word in words)
                )
            )
    counts = len(stated(was)), len(stated(now))
    if counts[0] != counts[1]:
        summary.completeness.append(Completeness(after.id, *counts))


def summary_json(summary: Summary) -> dict[str, Any]:
    """The summary as plain values; `schemas/output/diff.schema.json` describes them."""
    return {
        "base": {"ref": summary.base, "commit": summary.commit},
        "head": summary.head,
        "conditions": summary.conditions,
        "added": [{**asdict(filed), "results": list(filed.results)} for filed in summary.added],
        "gone": [asdict(gone) for gone in summary.gone],
        "moved": [asdict(moved) for moved in summary.moved],
        "steps": [step_json(step) for step in summary.steps],
        "absences": [asdict(absence) for absence in summary.absences],
        "completeness": [asdict(change) for change in summary.completeness],
        "unexplained": [asdict(found) for found in summary.unexplained],
        "rewritten": summary.rewritten,
        "unread": summary.unread,
        "warnings": [
            {
                "rule": warning.rule,
                "record": warning.record,
                "file": warning.file,
                "line": warning.location.line,
                "pointer": warning.pointer,
                "message": warning.message,
            }
            for warning in summary.warnings
        ],
    }
