"""`tools backfill`: add what is missing, from evidence."""

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
    Value,
    carry_out,
    steps_of,
)
from tools.cli.options import RecordId, Root, ledger_root


def backfill(
    record_id: RecordId,
    pointer: Pointer = None,
    value: Value = None,
    *,
    reason: Reason,
    evidence: Evidence,
    change: Changes = None,
    insert: Inserts = None,
    by: By = None,
    date: Day = None,
    dry_run: DryRun = False,
    root: Root = None,
) -> int:
    """Add what is missing in a record; what stands there is not touched.

    A condition that becomes stated is taken out of the absent ones, in the same audit entry.

    Example: tools backfill sd-medusa-batch1-speedup /conditions/scenario offline \
    --reason "The appendix names it." --evidence "sd-medusa-paper:Appendix G.3" --by reviewer --dry-run
    """
    from tools.audit.actions import backfill as backfilling

    call = Call(ledger_root(root), record_id, reason, by, date, dry_run, evidence)
    steps = steps_of(pointer, value, change, insert)
    return carry_out(call, lambda signed: backfilling(signed, steps))
