"""An entry whose changes do not fit the record as it stands."""

from __future__ import annotations

from collections.abc import Iterator

from tools.audit.replay import replay_faults
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    if not any("changes" in entry for _, entry in record.mappings("/audit")):
        return
    for fault in replay_faults(record.value):
        yield Fault(fault.pointer, fault.message, fault.hint)


RULE = Rule(
    name="audit-replay-mismatch",
    level=Level.ERROR,
    summary="The audit log does not replay.",
    why=(
        "Walking the entries backwards from the record as it stands undoes one change after the other, and "
        "each `to` must be what is found there. Where it is not, somebody changed a value without an entry, "
        "or wrote an entry that says something else than what was done; the earlier states of the record are "
        "then a story. `tools history ID` shows the steps."
    ),
    reference="https://www.rfc-editor.org/rfc/rfc6901",
    check=check,
)
