"""`tools move`: give a record another id."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from tools.cli.amending import By, Day, DryRun, MoreEvidence, Reason, tell
from tools.cli.options import RecordId, Root, ledger_root


def move(
    record_id: RecordId,
    new_id: Annotated[str, typer.Argument(metavar="NEW", help="Its id to be.", show_default=False)],
    *,
    reason: Reason,
    evidence: MoreEvidence = None,
    by: By = None,
    date: Day = None,
    dry_run: DryRun = False,
    root: Root = None,
) -> int:
    """Give a record another id, and its file the name; refused while other records refer to it.

    Example: tools move sd-medusa-batch1-speedup sd-medusa-batch-1-speedup \
    --reason "Named as the others are." --by reviewer --dry-run
    """
    from datetime import date as day

    from tools.audit.evidence import read_evidence
    from tools.audit.move import destination
    from tools.audit.move import move as moved
    from tools.audit.signing import sign
    from tools.checks.proposal import judging
    from tools.records.catalog import Catalog

    started = time.perf_counter()
    place = ledger_root(root)
    catalog, today = Catalog(place), day.today()
    entry, target = catalog.require(record_id), destination(catalog, record_id, new_id)
    cited = [read_evidence(text, catalog, catalog.record(record_id)) for text in evidence or ()]
    signed = sign(place, by, date, reason, cited, today)
    judge = judging(Catalog(place, [target]), today)
    written = moved(catalog, entry, target, signed, judge, dry_run=dry_run)
    return tell(written, place, dry_run, time.perf_counter() - started, earlier=entry.path)
