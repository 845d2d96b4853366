"""`tools acknowledge`: say that a warning was seen and is accepted."""

from __future__ import annotations

from typing import Annotated

import typer

from tools.cli.amending import By, Call, Day, DryRun, MoreEvidence, Reason, carry_out
from tools.cli.options import RecordId, Root, ledger_root


def acknowledge(
    record_id: RecordId,
    rule: Annotated[str, typer.Argument(metavar="RULE", help="Name of the rule.", show_default=False)],
    *,
    reason: Reason,
    evidence: MoreEvidence = None,
    by: By = None,
    date: Day = None,
    dry_run: DryRun = False,
    root: Root = None,
) -> int:
    """Say that the warning of a rule was seen on a record, and why the record is right all the same.

    Example: tools acknowledge sd-medusa-batch1-speedup retracted-reference \
    --reason "The number does not rest on it." --by reviewer --dry-run
    """
    from datetime import date as day

    from tools.audit.actions import acknowledgement
    from tools.checks.proposal import require_warning

    call = Call(ledger_root(root), record_id, reason, by, date, dry_run, evidence or [])
    name = require_warning(call.root, record_id, rule, day.today())
    return carry_out(call, lambda signed: acknowledgement(signed, name))
