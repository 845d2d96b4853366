"""`tools audit explain`: write the entry of changes that were made by hand."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from tools.cli.amending import By, Day, DryRun, MoreEvidence, list_changes, tell
from tools.cli.options import Root, ledger_root
from tools.cli.output import say

app = typer.Typer(name="audit", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def audit() -> None:
    """Work on the audit log itself.

    Example: tools audit explain --base HEAD --reason "Read again." --by reviewer --dry-run
    """


@app.command()
def explain(
    record_ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ID]...", help="Records; none means all that differ.", show_default=False),
    ] = None,
    *,
    base: Annotated[
        str, typer.Option("--base", metavar="REF", help="Git revision to compare with.")
    ] = "HEAD",
    reason: Annotated[
        str | None,
        typer.Option(
            "--reason",
            metavar="TEXT",
            help="Why, in a sentence that a stranger understands; without it nothing is written.",
            show_default=False,
        ),
    ] = None,
    evidence: MoreEvidence = None,
    action: Annotated[
        str | None,
        typer.Option(
            "--action",
            metavar="ACTION",
            help="What it was: backfill where it only adds, else correction, unless told.",
            show_default=False,
        ),
    ] = None,
    by: By = None,
    date: Day = None,
    dry_run: DryRun = False,
    root: Root = None,
) -> int:
    """Find what was changed by hand without an audit entry, and write the entry that says so.

    You give reason and evidence; the changes are found. Without a reason they are only listed.

    Example: tools audit explain --base HEAD --reason "Read again." --by reviewer --dry-run
    """
    from datetime import date as day

    from tools.audit.evidence import read_evidence
    from tools.audit.explained import explain as explained
    from tools.audit.explained import natural_action, unexplained
    from tools.audit.signing import sign
    from tools.checks.proposal import judging
    from tools.errors import EXIT_CLEAN, EXIT_FINDINGS
    from tools.records.catalog import Catalog

    started = time.perf_counter()
    place = ledger_root(root)
    catalog, today = Catalog(place), day.today()
    for record_id in record_ids or ():
        catalog.require(record_id)
    found = unexplained(place, base, record_ids or ())
    if not found:
        say(f"nothing differs from {base} without an entry that says so")
        return EXIT_CLEAN
    if reason is None:
        for one in found:
            list_changes(one.entry.id, one.changes)
        say("`tools audit explain --reason TEXT --evidence SOURCE:LOCATOR` writes the entry")
        return EXIT_FINDINGS
    codes = []
    for one in found:
        cited = [read_evidence(text, catalog, catalog.record(one.entry.id)) for text in evidence or ()]
        signed = sign(place, by, date, reason, cited, today)
        named = action or natural_action(one.changes)
        written = explained(place, one, named, signed, judging(catalog, today), dry_run=dry_run)
        codes.append(tell(written, place, dry_run, time.perf_counter() - started))
    return max(codes)
