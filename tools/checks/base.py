"""The findings that need a base: what a change does to the records that were there before it.

The comparison itself is the audit room's; here it gets the files of the call, its places in them, and its level.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from tools.audit import divergence
from tools.audit.compare import compare
from tools.audit.divergence import Divergence, Names
from tools.audit.mass import LIMIT, shifts, touched
from tools.audit.versions import Pair, Version, since
from tools.checks.inspect import excerpt
from tools.checks.reports.words import counted
from tools.checks.rule import Rule
from tools.checks.rules.base import RULES, base_not_readable, mass_change
from tools.checks.select import Selection
from tools.errors import ToolsError
from tools.finding import START, Finding
from tools.records.catalog import FOLDERS, SUFFIX, Entry
from tools.records.revision import FOLDER

_BY_NAME = {rule.name: rule for rule in RULES}


def against_base(
    selection: Selection, ref: str | None, most_changed: int | None = None, *, any_number: bool = False
) -> Callable[[], list[Finding]]:
    """What asks for the findings against a git revision, for a run; without a revision there are none.

    Raises `ToolsError` for a limit that has nothing to count.
    """
    if ref is None:
        if any_number or most_changed is not None:
            raise ToolsError("what may change at once is counted against a base", "name one with --base REF")
        return list
    limit = None if any_number else LIMIT if most_changed is None else most_changed
    return partial(base_findings, selection, ref, limit)


def base_findings(selection: Selection, ref: str, most_changed: int | None = LIMIT) -> list[Finding]:
    """What the files of a call change without saying so, against a git revision.

    Records that are gone, and the number of those that changed, are told when the call means the whole ledger.
    `most_changed` None means that any number may. Raises `ToolsError` when git does not know the revision.
    """
    catalog = selection.catalog
    inside = f"{catalog.root}{os.sep}"
    entries = () if selection.whole else selection.entries
    chosen = {_place(entry, inside): entry.path for entry in entries}
    elsewhere = {place: path for place, path in chosen.items() if not path.startswith(inside)}
    changes = since(catalog.root, ref, {place: Path(path) for place, path in elsewhere.items()})
    found: list[Finding] = []
    for pair in changes.pairs:
        if selection.whole or pair.file in chosen:
            found += _of_pair(pair, ref, changes.commit, elsewhere.get(pair.file, pair.file))
    if selection.whole and most_changed is not None:
        found += _mass(changes.pairs, ref, most_changed)
    return found


def _place(entry: Entry, inside: str) -> str:
    """Where in the ledger a file lies; for one from elsewhere, where it would."""
    if entry.path.startswith(inside):
        return entry.path[len(inside) :].replace(os.sep, "/")
    return f"{FOLDER}/{FOLDERS.get(entry.kind, '')}/{entry.id}{SUFFIX}"


def _of_pair(pair: Pair, ref: str, commit: str, shown: str) -> Iterator[Finding]:
    before, after = pair.before, pair.after
    if before is None:
        return
    names = Names(before.id, ref, commit, before.file)
    if after is None:
        yield _finding(divergence.removed(names, pair.follows), shown, before)
    elif before.value is None:
        yield _plain(base_not_readable.RULE, shown, _not_compared(before, ref), after.id)
    elif after.value is not None:
        for diverging in compare(before.value, after.value, names):
            yield _finding(diverging, shown, after)


def _finding(diverging: Divergence, file: str, version: Version) -> Finding:
    rule = _BY_NAME[diverging.kind]
    document = version.document if diverging.kind != divergence.RECORD_REMOVED else None
    location = document.locate(diverging.pointer, key=diverging.at_key) if document is not None else START
    return Finding(
        rule.name,
        rule.level,
        file,
        location,
        diverging.message,
        diverging.hint,
        diverging.pointer,
        version.id,
        excerpt(document, location),
    )


def _not_compared(before: Version, ref: str) -> tuple[str, str]:
    problems = before.document.problems if before.document is not None else []
    why = f": {problems[0].message} (line {problems[0].location.line})" if problems else ""
    return (
        f"at {ref} the file cannot be read as a record{why}; nothing was compared",
        "check the record against its sources: what it was before cannot be told",
    )


def _mass(pairs: Sequence[Pair], ref: str, most: int) -> Iterator[Finding]:
    hint = (
        "a broken script looks like this: read the changes; if they are meant, `--allow-mass-change` says so"
    )
    changed = touched(pairs)
    if len(changed) > most:
        gone = sum(pair.after is None for pair in changed)
        told = f"{counted(len(changed), 'record')} of {ref} changed" + (
            f", {gone:,} of them gone" if gone else ""
        )
        yield _plain(mass_change.RULE, FOLDER, (f"{told}; without a word, at most {most:,} may be", hint))
    for shift in shifts(pairs):
        told = (
            f"`{shift.metric}` changed in {shift.records:,} records, by a median factor of {shift.factor:.4g}"
        )
        yield _plain(mass_change.RULE, FOLDER, (told, hint))


def _plain(rule: Rule, file: str, told: tuple[str, str], record: str = "") -> Finding:
    return Finding(rule.name, rule.level, file, START, *told, record=record)
