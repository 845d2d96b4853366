"""`tools supersede`: put another record in the place of one."""

from __future__ import annotations

from typing import Annotated

import typer

from tools.cli.amending import By, Call, Day, DryRun, MoreEvidence, Reason, carry_out
from tools.cli.options import RecordId, Root, ledger_root


def supersede(
    record_id: RecordId,
    successor: Annotated[
        str, typer.Option("--with", metavar="ID", help="The record that takes its place.", show_default=False)
    ],
    *,
    reason: Reason,
    evidence: MoreEvidence = None,
    by: By = None,
    date: Day = None,
    dry_run: DryRun = False,
    root: Root = None,
) -> int:
    """Put another record in the place of one, which stays in the ledger and names its successor.

    Example: tools supersede sd-medusa-batch1-speedup --with sd-medusa-batch32-degradation \
    --reason "Measured again." --by reviewer --dry-run
    """
    from tools.audit.actions import supersession
    from tools.audit.bearings import check_successor

    call = Call(ledger_root(root), record_id, reason, by, date, dry_run, evidence or [])
    check_successor(call.root, record_id, successor)
    return carry_out(call, lambda signed: supersession(signed, successor))
