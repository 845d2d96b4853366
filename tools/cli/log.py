"""`tools log`: the audit logs of all records as one."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from tools.cli.options import Root, ledger_root
from tools.cli.output import progress, styler


class Format(StrEnum):
    """How the steps are printed."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"


def log(
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="DATE", help="From this day (YYYY-MM-DD) on.", show_default=False),
    ] = None,
    by: Annotated[
        str | None, typer.Option("--by", metavar="NAME", help="Steps of one author.", show_default=False)
    ] = None,
    action: Annotated[
        str | None,
        typer.Option(
            "--action", metavar="ACTION", help="Steps of one kind, such as correction.", show_default=False
        ),
    ] = None,
    accelerator: Annotated[
        str | None,
        typer.Option(
            "--accelerator",
            metavar="ID",
            help="Records that name this accelerator, or are it.",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model", metavar="ID", help="Records that name this model, or are it.", show_default=False
        ),
    ] = None,
    output_format: Annotated[
        Format, typer.Option("--format", help="How the steps are printed.")
    ] = Format.TEXT,
    root: Root = None,
) -> None:
    """Tell what was done to the whole ledger, the newest first: what changed since a day, by whom, about what.

    Example: tools log --since 2026-10-01 --action reclassification
    """
    from tools.audit.entry import parse_day
    from tools.audit.ledger_log import Filter, check, ledger_log, log_json, log_markdown, log_text
    from tools.records.catalog import Catalog

    asked = Filter(None if since is None else parse_day(since), by, action, accelerator, model)
    catalog = Catalog(ledger_root(root))
    check(catalog, asked)
    with progress(len(catalog.files()), "reading") as advance:
        found = ledger_log(catalog, asked, advance)
    if output_format is Format.JSON:
        typer.echo(log_json(found), nl=False)
    elif output_format is Format.MARKDOWN:
        typer.echo(log_markdown(found), nl=False)
    else:
        typer.echo(log_text(found, styler(sys.stdout)), nl=False)
