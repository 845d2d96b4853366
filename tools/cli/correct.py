"""`tools correct`: replace what is wrong, with the entry that says so."""

from __future__ import annotations

from tools.cli.amending import (
    By,
    Call,
    Changes,
    Day,
    DryRun,
    Evidence,
    Inserts,
    Pointer,
    Reason,
    Removals,
    Value,
    carry_out,
    steps_of,
)
from tools.cli.options import RecordId, Root, ledger_root


def correct(
    record_id: RecordId,
    pointer: Pointer = None,
    value: Value = None,
    *,
    reason: Reason,
    evidence: Evidence,
    change: Changes = None,
    insert: Inserts = None,
    remove: Removals = None,
    by: By = None,
    date: Day = None,
    dry_run: DryRun = False,
    root: Root = None,
) -> int:
    """Replace what is wrong in a record: the value and the audit entry are written together, or not at all.

    Several changes may share the entry. All pointers mean the record as it stands; the rest of the file does not move.

    Example: tools correct sd-medusa-batch1-speedup /results/0/value 2.25 \
    --reason "The figure says 2.25." --evidence "sd-medusa-paper:Appendix G.3" --by reviewer --dry-run
    """
    from tools.audit.actions import correction

    call = Call(ledger_root(root), record_id, reason, by, date, dry_run, evidence)
    steps = steps_of(pointer, value, change, insert, remove)
    return carry_out(call, lambda signed: correction(signed, steps))
