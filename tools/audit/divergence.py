"""What a comparison with a base can find, in words: a sentence with the values, and the command that mends it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Final

from tools.audit.entry import ABSENT, AUDIT, AuditEntry, Change, Slot, log_of
from tools.audit.replay import Content, ReplayFault
from tools.audit.trail import Rewriting
from tools.audit.values import shown
from tools.records.parse import Json

CHANGE_WITHOUT_ENTRY: Final = "change-without-entry"
ENTRY_WITHOUT_CHANGE: Final = "entry-without-change"
ENTRY_REWRITTEN: Final = "entry-rewritten"
ENTRY_BACKDATED: Final = "entry-backdated"
RECORD_REMOVED: Final = "record-removed"

_QUOTED = 100
"""Characters of a value that a message quotes."""


@dataclass(frozen=True, slots=True)
class Divergence:
    """One difference that the log does not account for.

    `kind` is the name of the rule, `pointer` a place in the candidate; `at_key` means the key there.
    """

    kind: str
    pointer: str
    message: str
    hint: str
    at_key: bool = False


@dataclass(frozen=True, slots=True)
class Names:
    """What a hint needs to name: the record, the base as the caller named it, its commit, and the file there."""

    record_id: str
    ref: str
    commit: str
    file: str

    @property
    def showing(self) -> str:
        """The command that shows the file as it is at the base."""
        return f"git show {shlex.quote(f'{self.commit[:12]}:./{self.file}')}"


def without_entry(change: Change, names: Names) -> Divergence:
    """A change that nobody wrote down."""
    old, new = shown(change.from_value, _QUOTED), shown(change.to_value, _QUOTED)
    if change.from_value is ABSENT:
        told = f"{change.path} is new ({new})"
    elif change.to_value is ABSENT:
        told = f"{change.path} is gone (it was {old})"
    else:
        told = f"{change.path} was {old} and is {new}"
    hint = f"`tools audit explain --base {shlex.quote(names.ref)}` writes the entry of a change made by hand"
    if _is_scalar(change.from_value) and _is_scalar(change.to_value):
        value = json.dumps(change.to_value, ensure_ascii=False)
        call = shlex.join([names.record_id, change.path, value])
        hint += f"; or take it back and call `tools correct {call} --reason TEXT --evidence SOURCE:LOCATOR`"
    return Divergence(
        CHANGE_WITHOUT_ENTRY,
        change.path,
        f"{told}, and no entry of the audit log says so",
        hint,
        at_key=change.to_value is ABSENT,
    )


def not_done(entry: AuditEntry, change: Change, left: Change) -> Divergence:
    """An entry whose outcome is not in the record; `left` is what stands between the two."""
    return Divergence(
        ENTRY_WITHOUT_CHANGE,
        f"{entry.pointer(change)}/{'path' if change.to_value is ABSENT else 'to'}",
        f"after this entry {shown(left.from_value, _QUOTED)} should stand at {left.path}, "
        f"but there is {shown(left.to_value, _QUOTED)}",
        "let the entry say what was really changed, or make the change it tells of",
    )


def not_from_base(fault: ReplayFault) -> Divergence:
    """An entry that does not set out from what the base holds."""
    return Divergence(
        ENTRY_WITHOUT_CHANGE,
        fault.pointer,
        f"this entry does not set out from the base: {fault.message}",
        "let the entry say what was really changed; `from` is the value that the base holds",
    )


def in_conflict(change: Change, fault: ReplayFault, earlier: AuditEntry) -> Divergence:
    """An entry that another one, made elsewhere at the same time, leaves nothing to set out from."""
    signed = ", ".join(filter(None, (earlier.by, earlier.day.isoformat() if earlier.day else "")))
    return Divergence(
        ENTRY_WITHOUT_CHANGE,
        fault.pointer,
        f"this entry and {earlier.pointer()} ({signed}) are in conflict over {change.path}: {fault.message}",
        "decide which one holds, and let the later entry set out from what the earlier one left",
    )


def no_change(entry: AuditEntry, change: Change) -> Divergence:
    """An entry that replaces a value by itself."""
    return Divergence(
        ENTRY_WITHOUT_CHANGE,
        entry.pointer(change),
        f"this entry changes {change.path} from {shown(change.from_value, _QUOTED)} to the same",
        "take the change out; that a value was checked and left as it is, `tools confirm` says",
    )


def rewritten(rewriting: Rewriting, before: Content, after: Content, names: Names) -> Divergence:
    """An old entry that is not as it was."""
    old = log_of(before)[rewriting.old]
    hint = f"put it back as it was, `{names.showing}` shows it; what is wrong with it, a new entry can say"
    if rewriting.new is None:
        message = f"an entry of the base is gone: {_signature(old)}"
        return Divergence(ENTRY_REWRITTEN, f"/{AUDIT}", message, hint, at_key=True)
    place = f"/{AUDIT}/{rewriting.new}"
    new = log_of(after)[rewriting.new]
    if not rewriting.members or not isinstance(old, dict) or not isinstance(new, dict):
        message = f"this entry of the base stands in another place than it did: {_signature(old)}"
        hint = f"put the old entries back in their order (`{names.showing}`), new ones below them"
        return Divergence(ENTRY_REWRITTEN, place, message, hint)
    first = rewriting.members[0]
    message = (
        f"this entry of the base was edited, in {_listed(rewriting.members)}: "
        f"`{first}` was {shown(old.get(first, ABSENT), _QUOTED)}"
    )
    return Divergence(ENTRY_REWRITTEN, f"{place}/{first}" if first in new else place, message, hint)


def backdated(entry: AuditEntry, last: date) -> Divergence:
    """A new entry that is dated before the last one of the base."""
    return Divergence(
        ENTRY_BACKDATED,
        f"{entry.pointer()}/date",
        f"this entry is new and dated {entry.day}, before the last one of the base, {last}",
        f"an entry bears the day on which it joins the log: date it {last} or later and put it last; "
        "what happened earlier, `reason` can say",
    )


def removed(names: Names, follows: str = "") -> Divergence:
    """A record that is gone; `follows` is the file that carries it on without saying so."""
    restore = f"git checkout {names.commit[:12]} -- {shlex.quote(names.file)}"
    if follows:
        return Divergence(
            RECORD_REMOVED,
            "",
            f"the record was moved to {follows}, and no entry there says so",
            f"put it back (`{restore}`, and take the new file out); `tools move {names.record_id} NEW_ID "
            "--reason TEXT` gives a record another id and says so",
        )
    return Divergence(
        RECORD_REMOVED,
        "",
        "the record is gone; what was published stays, with a status that says how it stands",
        f"bring it back with `{restore}`, then `tools retract {names.record_id} --reason TEXT`, "
        f"or `tools supersede {names.record_id} --with ID --reason TEXT`",
    )


def _is_scalar(value: Slot) -> bool:
    return value is not ABSENT and not isinstance(value, (dict, list))


def _signature(entry: Json) -> str:
    if not isinstance(entry, dict):
        return shown(entry, _QUOTED)
    words = [text for key in ("date", "by", "action") if isinstance(text := entry.get(key), str)]
    return ", ".join(words) or shown(entry, _QUOTED)


def _listed(members: Iterable[str]) -> str:
    *others, last = (f"`{member}`" for member in members)
    return f"{', '.join(others)} and {last}" if others else last
