"""`tools diff`: what a change does to the data, for its reviewer."""

from __future__ import annotations

import sys
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tools.cli.options import Root, ledger_root
from tools.cli.output import progress, styler

if TYPE_CHECKING:
    from tools.warehouse.query_diff import ChangedAnswer


class Format(StrEnum):
    """How the summary is printed."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"


def diff(
    base: Annotated[
        str, typer.Argument(metavar="BASE", help="Git revision to compare with.", show_default=False)
    ],
    head: Annotated[
        str | None,
        typer.Argument(
            metavar="[HEAD]",
            help="Git revision that is compared; none means the folder as it lies here.",
            show_default=False,
        ),
    ] = None,
    output_format: Annotated[
        Format, typer.Option("--format", help="How the summary is printed.")
    ] = Format.TEXT,
    queries: Annotated[
        bool,
        typer.Option(
            "--queries",
            help="Tell too which saved questions change their answer; builds both sides, which takes time.",
        ),
    ] = False,
    root: Root = None,
) -> None:
    """Tell what a change does to the data: records added, corrected, reclassified, back-filled, retracted, and
    conditions stated or declared absent.

    As in a pull request, the comparison is with the commit where HEAD left BASE. Warnings that the change brings are
    those of the rules that look at one record, beside the ledger of HEAD.

    Example: tools diff HEAD --format markdown
    """
    from datetime import date

    from tools.audit.summary import summarize, summary_json
    from tools.audit.summary_pages import summary_markdown, summary_text
    from tools.audit.versions import between, since
    from tools.checks.new_warnings import catalog_at, new_warnings
    from tools.records.json_text import json_text

    place = ledger_root(root)
    changes = since(place, base) if head is None else between(place, base, head)
    with catalog_at(place, head) as catalog:
        warnings = new_warnings(catalog, changes.pairs, date.today())
        summary = summarize(changes, base, head, warnings)
        answers = _answers(place, summary.commit, catalog.root) if queries else None
    if output_format is Format.JSON:
        told = summary_json(summary)
        if answers is not None:
            told["answers"] = [asdict(change) for change in answers]
        typer.echo(json_text(told))
        return
    if output_format is Format.MARKDOWN:
        typer.echo(summary_markdown(summary), nl=False)
    else:
        typer.echo(summary_text(summary, styler(sys.stdout)), nl=False)
    if answers is not None:
        from tools.warehouse.query_diff import changes_markdown, changes_text

        told_of = changes_markdown if output_format is Format.MARKDOWN else changes_text
        typer.echo(f"\n{told_of(answers)}", nl=False)


def _answers(root: Path, base: str, head: Path) -> list[ChangedAnswer]:
    from tools.checks.new_warnings import catalog_at
    from tools.warehouse.query_diff import changed_answers

    with catalog_at(root, base) as catalog:
        return changed_answers(catalog.root, head, progress)
