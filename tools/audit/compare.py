"""A record against its base: every difference has its entry, and every new entry its difference.

The content of the base, with the entries applied that were added since, must be the content of the candidate. What
is free to change without a word is named in `FREE`; formatting is no content. Old entries stay as they are. Where
two branches met and a new entry stands before an old one, both are replayed in the order in which they stand,
from the state before the first of them.

Whether the log alone makes sense (its order, its end, its first entry) is left to the rules of the record.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Final

from tools.audit import divergence
from tools.audit.difference import difference
from tools.audit.divergence import Divergence, Names
from tools.audit.entry import ABSENT, AUDIT, CREATED, AuditEntry, Change, log_of, read_entries
from tools.audit.replay import Content, ReplayFault, apply, undo
from tools.audit.trail import Trail, compare_logs
from tools.audit.values import same
from tools.records import pointer

FREE: Final = ("/title", "/notes")
"""Fields that may change without an entry: words about the record, on which no number rests."""

MOST: Final = 50
"""Divergences of one record that are told one by one."""


def compare(before: Content, after: Content, names: Names) -> list[Divergence]:
    """What the log of the candidate `after` does not account for, against the record `before` at the base."""
    trail = compare_logs(log_of(before), log_of(after))
    entries = {entry.index: entry for entry in read_entries(after)}
    added = [entries[index] for index in trail.added if index in entries]
    return _cut(
        [
            *(divergence.rewritten(rewriting, before, after, names) for rewriting in trail.rewritten),
            *_backdated(before, added),
            *_unaccounted(before, after, trail, added, names),
        ]
    )


def added_entries(before: Content, after: Content) -> tuple[AuditEntry, ...]:
    """The entries of a record that its log at the base does not have."""
    added = set(compare_logs(log_of(before), log_of(after)).added)
    return tuple(entry for entry in read_entries(after) if entry.index in added)


def content_of(record: Content) -> Content:
    """A record without its log."""
    return {key: value for key, value in record.items() if key != AUDIT}


def _cut(found: list[Divergence]) -> list[Divergence]:
    left = len(found) - MOST
    if left <= 0:
        return found
    return [
        *found[:MOST],
        replace(found[MOST], message=f"{left:,} more differences from the base are not listed"),
    ]


def _backdated(before: Content, added: list[AuditEntry]) -> Iterator[Divergence]:
    old = read_entries(before)
    last = max((entry.day for entry in old if entry.day is not None), default=date.min)
    was_filed = any(entry.action == CREATED for entry in old)
    for entry in added:
        # The filing of a record that was kept without one is told afterwards, and is older than all the rest.
        is_filing = entry.action == CREATED and not was_filed
        if entry.day is not None and entry.day < last and not is_filing:
            yield divergence.backdated(entry, last)


def _unaccounted(
    before: Content, after: Content, trail: Trail, added: list[AuditEntry], names: Names
) -> Iterator[Divergence]:
    start, steps = _walk(before, after, trail, added)
    walked = apply(start, steps)
    faults = {(fault.entry, fault.change): fault for fault in walked.faults}
    undone: dict[tuple[int, int], Change] = {}
    unsaid: list[Change] = []
    for left in difference(walked.content, content_of(after)):
        claim = _claim(left.path, steps)
        if claim is not None:
            undone.setdefault(claim, left)
        elif not _is_free(left.path):
            unsaid.append(left)
    for entry in steps:
        for change in entry.changes:
            key = (entry.index, change.index)
            if key in undone:
                yield divergence.not_done(entry, change, undone[key])
            elif key in faults:
                yield _misfit(entry, change, faults[key], steps)
            elif change.from_value is not ABSENT and same(change.from_value, change.to_value):
                yield divergence.no_change(entry, change)
    for left in unsaid:
        yield divergence.without_entry(left, names)


def _walk(
    before: Content, after: Content, trail: Trail, added: list[AuditEntry]
) -> tuple[Content, list[AuditEntry]]:
    """Where to start and what to apply: the new entries, and the old ones that a new one stands before."""
    start = content_of(before)
    old = [entry for entry in read_entries(before) if entry.index >= trail.shared]
    if trail.rewritten or not old:
        return start, added
    state = start
    for entry in reversed(old):
        state, faults = undo(state, entry)
        if faults:
            return start, added
    return state, [entry for entry in read_entries(after) if entry.index >= trail.shared]


def _claim(path: str, steps: list[AuditEntry]) -> tuple[int, int] | None:
    """The last change that speaks of this place, of what holds it or of what it holds."""
    for entry in reversed(steps):
        for change in reversed(entry.changes):
            if _is_within(path, change.path) or _is_within(change.path, path):
                return entry.index, change.index
    return None


def _misfit(entry: AuditEntry, change: Change, fault: ReplayFault, steps: list[AuditEntry]) -> Divergence:
    """A change that does not fit; where an entry above it touched the same place, the two are in conflict."""
    for other in steps:
        if other is entry:
            break
        if any(_touches(earlier, change.path) for earlier in other.changes):
            return divergence.in_conflict(change, fault, other)
    return divergence.not_from_base(fault)


def _touches(change: Change, path: str) -> bool:
    """Whether a change moves what stands at a path: its value, or its place in a list that grew or shrank."""
    if _is_within(path, change.path) or _is_within(change.path, path):
        return True
    parent, _, token = change.path.rpartition("/")
    is_shift = change.from_value is ABSENT or change.to_value is ABSENT
    return is_shift and pointer.list_index(token) is not None and path.startswith(f"{parent}/")


def _is_within(path: str, place: str) -> bool:
    return path == place or path.startswith(f"{place}/")


def _is_free(path: str) -> bool:
    return any(_is_within(path, place) for place in FREE)
