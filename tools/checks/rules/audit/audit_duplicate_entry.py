"""An entry that records a step a second time."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from tools.audit.entry import AuditEntry, read_entries
from tools.audit.values import same
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    log = record.get("/audit")
    if not isinstance(log, list) or len(log) < 2:
        return
    remarks: dict[Hashable, AuditEntry] = {}
    last_change: dict[str, AuditEntry] = {}
    for entry in read_entries(record.value):
        if entry.changes:
            earlier = last_change.get(entry.changes[0].path)
            repeats = earlier is not None and _same_changes(earlier, entry)
            last_change.update((change.path, entry) for change in entry.changes)
        else:
            words = (entry.day, entry.by, entry.action, entry.rule, entry.reason, entry.evidence)
            earlier = remarks.setdefault(words, entry)
            repeats = earlier is not entry
        if earlier is not None and repeats:
            yield Fault(
                entry.pointer(),
                f"this entry records again what {earlier.pointer()} says"
                + (f", by {earlier.by} on {earlier.day}" if earlier.by else ""),
                "keep the step once: take this entry out",
            )


def _same_changes(one: AuditEntry, other: AuditEntry) -> bool:
    return len(one.changes) == len(other.changes) and all(
        a.path == b.path and same(a.from_value, b.from_value) and same(a.to_value, b.to_value)
        for a, b in zip(one.changes, other.changes, strict=True)
    )


RULE = Rule(
    name="audit-duplicate-entry",
    level=Level.ERROR,
    summary="A step stands twice in the audit log.",
    why=(
        "What was done once is recorded once; the back-fill of the ledger's founding record stood in its log "
        "twice, and such a log tells of work that nobody did. An entry with changes repeats an earlier one "
        "if it makes the same changes and no entry in between touched that field, whoever signed it and "
        "whatever it is called. An entry without changes repeats one that agrees in day, author, action, "
        "reason and evidence; two people may well confirm the same value."
    ),
    check=check,
)
