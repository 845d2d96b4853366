"""`tools retract`: take a record out of use."""

from __future__ import annotations

from tools.cli.amending import By, Call, Day, DryRun, MoreEvidence, Reason, carry_out
from tools.cli.options import RecordId, Root, ledger_root


def retract(
    record_id: RecordId,
    *,
    reason: Reason,
    evidence: MoreEvidence = None,
    by: By = None,
    date: Day = None,
    dry_run: DryRun = False,
    root: Root = None,
) -> int:
    """Take a record out of use. It stays in the ledger, with its status and its history.

    Example: tools retract sd-medusa-batch1-speedup \
    --reason "The authors withdrew it." --by reviewer --dry-run
    """
    from tools.audit.actions import retraction

    call = Call(ledger_root(root), record_id, reason, by, date, dry_run, evidence or [])
    return carry_out(call, retraction)
