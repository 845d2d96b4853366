"""From an amendment to the new text of a record: its changes, and the entry that says what they were.

All pointers of an amendment mean the record as it stands before it. The changes are carried out, and written down,
in an order in which none of them moves the place of another: values first, then what comes to the end of a list,
then what goes or comes in between, from the inside out and from the end to the beginning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from tools.audit.amendment import Amendment, Step, Verb
from tools.audit.entry import ABSENT, AUDIT, Change, Evidence, log_of, read_entries
from tools.audit.places import disjoint, explain_missing, tokens_of
from tools.audit.replay import replay_faults
from tools.audit.values import same, shown
from tools.errors import InternalError, ToolsError
from tools.records import pointer as pointers
from tools.records.blocks import KeyOrder
from tools.records.change import changed_text
from tools.records.graft import Edit, bare, graft, standing
from tools.records.parse import Document, Json, parse
from tools.records.revise import node_of, value_of
from tools.records.tree import Collection, Entry, Node, Scalar, child


@dataclass(frozen=True, slots=True)
class Amended:
    """A record with an amendment carried out: its text, its content, and the changes in their order."""

    text: str
    value: dict[str, Json]
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """One change that was made: the edit, and what stood there (None where nothing did)."""

    edit: Edit
    before: Node | None


def amend(document: Document, amendment: Amendment, order: KeyOrder) -> Amended:
    """The record after an amendment, with its entry at the end of the log.

    Raises `ToolsError` for a file with problems, for a step that leads nowhere or changes nothing, and for a day
    before that of the last entry.
    """
    working = _working_tree(document)
    made = list(_make(working, amendment.steps))
    return _entered(document, working, amendment, made, [change.edit for change in made], order)


def account_for(document: Document, amendment: Amendment, made: Sequence[Made], order: KeyOrder) -> Amended:
    """The record with an entry for changes that somebody made by hand; raises as `amend` does."""
    return _entered(document, _working_tree(document), amendment, made, [], order)


def _working_tree(document: Document) -> Entry:
    if document.problems or not isinstance(document.value, dict):
        raise ToolsError("the file cannot be read as a record", "`tools validate` says what is wrong with it")
    return parse(document.text.encode("utf-8")).page.root


def _entered(
    document: Document,
    working: Entry,
    amendment: Amendment,
    made: Sequence[Made],
    edits: Sequence[Edit],
    order: KeyOrder,
) -> Amended:
    """The record of a tree with the entry added; `edits` are those that the text does not have yet."""
    _check_day(document.value, amendment.signed.day)
    entry = _entry(amendment, made)
    log = child(working.node, AUDIT)
    if log is None:
        last = Edit(pointers.join((AUDIT,)), Collection(False, [Entry(None, entry)]))
    elif isinstance(log.node, Collection) and not log.node.is_mapping:
        last = Edit(pointers.join((AUDIT, len(log.node.entries))), entry, inserts=True)
    else:
        raise ToolsError("the audit log of the record is not a list", "`tools validate` says more")
    graft(working, last)
    text = changed_text(document, [*edits, last], order)
    value = value_of(working.node)
    if not isinstance(value, dict):
        raise InternalError("an amendment made something else of a record")
    _check_replay(value)
    return Amended(text, value, tuple(_changes(made)))


def _check_day(record: Json, day: date) -> None:
    last = max((entry.day for entry in read_entries(record) if entry.day is not None), default=day)
    if day < last:
        raise ToolsError(
            f"the last entry of the log is of {last}; one of {day} cannot follow it",
            "a date is the day of the step, not of the fault it mends",
        )


def _check_replay(value: dict[str, Json]) -> None:
    """The entry just written must lead back and forth; older faults are for the rules to report."""
    index = len(log_of(value)) - 1
    fault = next((fault for fault in replay_faults(value) if fault.entry == index), None)
    if fault is not None:
        raise InternalError(f"the entry written does not replay: {fault.message} ({fault.pointer})")


def _make(root: Entry, steps: Sequence[Step]) -> Iterator[Made]:
    """Carries out the steps on a tree, one after the other, and says what was done."""
    disjoint(steps)
    puts = [step for step in steps if step.verb is Verb.PUT]
    moving = [step for step in steps if step.verb is not Verb.PUT]
    for step in puts:
        if not _appends(root, step):
            yield _put(root, step)
    for step in puts:
        if _appends(root, step):
            yield _append(root, step)
    # The last first, so that of several insertions before one item the first comes out on top.
    moving.reverse()
    for step in sorted(moving, key=_from_inside_and_end):
        yield _insert(root, step) if step.verb is Verb.INSERT else _remove(root, step)


def _from_inside_and_end(step: Step) -> tuple[int, int, bool]:
    *above, last = tokens_of(step.pointer)
    index = pointers.list_index(last)
    return -len(above), 0 if index is None else -index, step.verb is Verb.INSERT


def _appends(root: Entry, step: Step) -> bool:
    holder = _holder(root, step.pointer)
    return step.pointer.endswith("/-") and isinstance(holder.node, Collection) and not holder.node.is_mapping


def _put(root: Entry, step: Step) -> Made:
    node = _node(step)
    target = standing(root, step.pointer)
    if target is None:
        holder = _holder(root, step.pointer)
        if not isinstance(holder.node, Collection) or not holder.node.is_mapping:
            raise explain_missing(root, step.pointer)
        return _carry_out(root, Edit(step.pointer, node), None)
    old, new = value_of(target.node), value_of(node)
    if same(old, new):
        raise ToolsError(
            f"{step.pointer} is {shown(old, 80)} already: that would change nothing",
            "`tools confirm` records that a value was checked and is right",
        )
    return _carry_out(root, Edit(step.pointer, node), target.node)


def _append(root: Entry, step: Step) -> Made:
    holder = _holder(root, step.pointer)
    count = len(holder.node.entries) if isinstance(holder.node, Collection) else 0
    place = pointers.join((*tokens_of(step.pointer)[:-1], count))
    return _carry_out(root, Edit(place, _node(step), inserts=True), None)


def _insert(root: Entry, step: Step) -> Made:
    if standing(root, step.pointer) is None or _in_mapping(root, step.pointer):
        raise ToolsError(
            f"nothing can be inserted before {step.pointer}",
            "name the item of a list that the new one comes before; `-` in the place of an index appends",
        )
    return _carry_out(root, Edit(step.pointer, _node(step), inserts=True), None)


def _remove(root: Entry, step: Step) -> Made:
    target = standing(root, step.pointer)
    if target is None:
        raise explain_missing(root, step.pointer)
    return _carry_out(root, Edit(step.pointer, None), target.node)


def _carry_out(root: Entry, edit: Edit, before: Node | None) -> Made:
    made = Made(edit, None if before is None else bare(before))
    graft(root, edit)
    return made


def _holder(root: Entry, pointer: str) -> Entry:
    holder = standing(root, pointers.join(tokens_of(pointer)[:-1]))
    if holder is None:
        raise explain_missing(root, pointer)
    return holder


def _in_mapping(root: Entry, pointer: str) -> bool:
    node = _holder(root, pointer).node
    return isinstance(node, Collection) and node.is_mapping


def _node(step: Step) -> Node:
    if step.node is None:
        raise TypeError(f"a step that {step.verb}s has a value")
    return step.node


def _entry(amendment: Amendment, made: Sequence[Made]) -> Node:
    signed = amendment.signed
    entry: dict[str, Json] = {"date": signed.day.isoformat(), "by": signed.by, "action": amendment.action}
    if amendment.rule is not None:
        entry["rule"] = amendment.rule
    entry["reason"] = signed.reason
    if signed.evidence:
        entry["evidence"] = [_evidence(item) for item in signed.evidence]
    node = node_of(entry)
    if made and isinstance(node, Collection):
        node.entries.append(Entry("changes", Collection(False, [Entry(None, _change(one)) for one in made])))
    return node


def _change(made: Made) -> Node:
    parts = (("path", Scalar(made.edit.pointer)), ("from", made.before), ("to", made.edit.node))
    return Collection(True, [Entry(key, node) for key, node in parts if node is not None])


def _evidence(item: Evidence) -> Json:
    parts = {
        "source_id": item.source_id,
        "record_id": item.record_id,
        "locator": item.locator,
        "note": item.note,
    }
    return {key: text for key, text in parts.items() if text is not None}


def _changes(made: Sequence[Made]) -> Iterator[Change]:
    for index, one in enumerate(made):
        before, after = one.before, one.edit.node
        yield Change(
            index,
            one.edit.pointer,
            ABSENT if before is None else value_of(before),
            ABSENT if after is None else value_of(after),
        )
