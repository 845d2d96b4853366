"""`tools confirm`: record that a value was checked and is right."""

from __future__ import annotations

from typing import Annotated

import typer

from tools.cli.amending import By, Call, Day, DryRun, Evidence, Reason, carry_out
from tools.cli.options import RecordId, Root, ledger_root


def confirm(
    record_id: RecordId,
    pointers: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[POINTER]...", help="What was checked; by default the whole record.", show_default=False
        ),
    ] = None,
    *,
    reason: Reason,
    evidence: Evidence,
    by: By = None,
    date: Day = None,
    dry_run: DryRun = False,
    root: Root = None,
) -> int:
    """Record that values were checked against evidence and are right; nothing else changes.

    Example: tools confirm sd-medusa-batch1-speedup /results/0/value \
    --reason "Read again." --evidence "sd-medusa-paper:Appendix G.3" --by reviewer --dry-run
    """
    from tools.audit.actions import confirmation

    call = Call(ledger_root(root), record_id, reason, by, date, dry_run, evidence)
    return carry_out(call, lambda signed: confirmation(signed, pointers or []))
