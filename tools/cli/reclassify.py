"""`tools reclassify`: change what kind of number something is."""

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


def reclassify(
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
    """Change what kind of number something is (metric, unit, scope, point or bound); no value changes.

    Several changes may share the entry. All pointers mean the record as it stands.

    Example: tools reclassify sd-medusa-batch1-speedup /results/0/approximate true \
    --reason "Read off a curve." --evidence "sd-medusa-paper:Appendix G.3" --by reviewer --dry-run
    """
    from tools.audit.actions import reclassification

    call = Call(ledger_root(root), record_id, reason, by, date, dry_run, evidence)
    steps = steps_of(pointer, value, change, insert, remove)
    return carry_out(call, lambda signed: reclassification(signed, steps))
