"""After an edit by hand: what the log does not account for, and the entry that does.

The changes are those that lead from the base, with the entries added since, to the record as it lies there. Whoever
made them says why and on what evidence; nothing but the log is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.audit import divergence
from tools.audit.amend import Made, account_for
from tools.audit.amendment import Amendment, Signature
from tools.audit.compare import FREE, added_entries, compare, content_of
from tools.audit.difference import difference
from tools.audit.divergence import Names
from tools.audit.entry import ABSENT, Change, Slot
from tools.audit.replay import apply
from tools.audit.values import same
from tools.audit.versions import Pair, Version, since
from tools.audit.write import Judge, Written, read_document
from tools.errors import ToolsError
from tools.records.catalog import Entry
from tools.records.edit import remove_leftovers, replace_file
from tools.records.graft import Edit, bare, standing
from tools.records.lock import only_writer
from tools.records.parse import Document, parse
from tools.records.pointer import PointerError
from tools.records.revise import node_of, value_of
from tools.records.tree import Node
from tools.schema.load import key_order

_RETRACTED, _SUPERSEDED = "retracted", "superseded"


@dataclass(frozen=True, slots=True)
class Unexplained:
    """A record with changes that no entry accounts for, in the order in which they apply."""

    entry: Entry
    before: Version
    after: Version
    changes: tuple[Change, ...]


def unexplained(root: Path, ref: str, record_ids: Iterable[str] = ()) -> list[Unexplained]:
    """What was changed without an entry since the history left that of `ref`; in some records, or in all.

    Raises `ToolsError` when git does not know the revision, and for a record whose log must be mended first.
    """
    wanted = set(record_ids)
    changed = since(root, ref)
    found = []
    for pair in changed.pairs:
        if pair.before is not None and pair.after is not None and (not wanted or pair.after.id in wanted):
            one = _unexplained(root, pair, ref, changed.commit)
            if one is not None:
                found.append(one)
    return found


def _unexplained(root: Path, pair: Pair, ref: str, commit: str) -> Unexplained | None:
    before, after = pair.before, pair.after
    if before is None or after is None or before.value is None or after.value is None:
        return None
    diverging = compare(before.value, after.value, Names(after.id, ref, commit, before.file))
    for one in diverging:
        if one.kind != divergence.CHANGE_WITHOUT_ENTRY:
            raise ToolsError(f"{after.file}: {one.message} ({one.pointer})", f"first of all: {one.hint}")
    if not diverging:
        return None
    walked = apply(content_of(before.value), added_entries(before.value, after.value))
    left = difference(walked.content, content_of(after.value))
    changes = tuple(change for change in left if not _is_free(change.path))
    return Unexplained(Entry(after.id, after.kind, str(root / after.file)), before, after, changes)


def _is_free(path: str) -> bool:
    return any(path == place or path.startswith(f"{place}/") for place in FREE)


def natural_action(changes: Iterable[Change]) -> str:
    """The action that some changes look like; whoever made them may call them something else."""
    changes = tuple(changes)
    for change in changes:
        if change.path == "/status" and change.to_value in (_RETRACTED, _SUPERSEDED):
            return "retraction" if change.to_value == _RETRACTED else "supersession"
        if change.path == "/id":
            return "moved"
    return "backfill" if all(change.from_value is ABSENT for change in changes) else "correction"


def explain(
    root: Path, found: Unexplained, action: str, signed: Signature, judge: Judge, *, dry_run: bool = False
) -> Written:
    """Writes the entry of changes that were made by hand; with `dry_run` only says what would be written.

    Raises `ToolsError` where the file has changed since it was compared, or cannot be read or written.
    """
    entry = found.entry
    with only_writer(root / "data"):
        document = read_document(entry)
        if document.text.encode("utf-8") != found.after.content:
            raise ToolsError(f"{entry.path} has changed meanwhile", "call again")
        made = list(_made(found, document))
        amended = account_for(document, Amendment(action, signed), made, key_order(entry.kind))
        findings = tuple(judge(entry, amended.text.encode("utf-8")))
        written = Written(entry, document.text, amended.text, amended.changes, findings)
        if not (dry_run or written.is_refused):
            remove_leftovers(Path(entry.path))
            replace_file(Path(entry.path), amended.text)
    return written


def _made(found: Unexplained, document: Document) -> Iterator[Made]:
    """The changes with the digits that their numbers have in either text."""
    before = found.before.document
    old = _spelling(before) if before is not None else _as_program_writes
    new = _spelling(document)
    for change in found.changes:
        node = new(change.path, change.to_value)
        yield Made(Edit(change.path, node), old(change.path, change.from_value))


def _as_program_writes(_: str, value: Slot) -> Node | None:
    """The node of a value, without regard to how a text has it."""
    return None if value is ABSENT else node_of(value)


def _spelling(document: Document) -> Callable[[str, Slot], Node | None]:
    root = parse(document.text.encode("utf-8")).page.root

    def node(path: str, value: Slot) -> Node | None:
        try:
            there = standing(root, path)
        except PointerError:
            there = None
        if there is not None and value is not ABSENT and same(value_of(there.node), value):
            return bare(there.node)
        return _as_program_writes(path, value)

    return node
