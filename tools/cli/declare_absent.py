"""`tools declare-absent`: say that a source does not state a condition."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from tools.cli.amending import By, Call, Day, DryRun, MoreEvidence, carry_out
from tools.cli.options import RecordId, Root, ledger_root


class Absence(StrEnum):
    """Why a condition is not in a record; the vocabulary has the words, and a test compares the two."""

    NOT_STATED = "not_stated"
    UNRECOVERABLE = "unrecoverable"
    NOT_APPLICABLE = "not_applicable"
    WITHHELD = "withheld"


def declare_absent(
    record_id: RecordId,
    condition: Annotated[
        str, typer.Argument(metavar="CONDITION", help="Name of the condition.", show_default=False)
    ],
    *,
    reason: Annotated[Absence, typer.Option("--reason", help="Why it is absent.", show_default=False)],
    would_need: Annotated[
        str | None,
        typer.Option(
            "--would-need",
            metavar="TEXT",
            help="What would recover it; needed where it is unrecoverable.",
            show_default=False,
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option("--source", metavar="ID", help="The source that lacks it.", show_default=False),
    ] = None,
    why: Annotated[
        str | None,
        typer.Option(
            "--why",
            metavar="TEXT",
            help="What was looked at, for the audit entry; by default it says what is declared.",
            show_default=False,
        ),
    ] = None,
    evidence: MoreEvidence = None,
    by: By = None,
    date: Day = None,
    dry_run: DryRun = False,
    root: Root = None,
) -> int:
    """Say that a source does not state a condition of a benchmark, why, and what would recover it.

    Example: tools declare-absent sd-medusa-batch1-speedup scenario \
    --reason not_stated --by reviewer --dry-run
    """
    from tools.audit.actions import absence, told_absence

    told = why or told_absence(condition, reason.value, would_need, source)
    call = Call(ledger_root(root), record_id, told, by, date, dry_run, evidence or [])
    return carry_out(call, lambda signed: absence(signed, condition, reason.value, would_need, source))
