"""`tools gaps`: what the ledger lacks, and what of it is cheap to mend."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from tools.cli.options import Root, ledger_root
from tools.cli.output import progress, styler


class Format(StrEnum):
    """How the report is printed."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"


class By(StrEnum):
    """What absent conditions are grouped by."""

    CONDITION = "condition"
    SOURCE = "source"
    ACCELERATOR = "accelerator"
    MODEL = "model"


def gaps(
    by: Annotated[
        By | None,
        typer.Option(
            "--by", help="Only the absent conditions, grouped by this; none means all.", show_default=False
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
    source: Annotated[
        str | None,
        typer.Option(
            "--source", metavar="ID", help="Records that cite this source, or are it.", show_default=False
        ),
    ] = None,
    top: Annotated[
        int, typer.Option("--top", metavar="N", min=1, help="Rows of each table; JSON has them all.")
    ] = 10,
    output_format: Annotated[
        Format, typer.Option("--format", help="How the report is printed.")
    ] = Format.TEXT,
    root: Root = None,
) -> None:
    """Tell what the ledger lacks: absent conditions, records nothing was measured on, facts that a roofline needs,
    dates, second looks; and which look-up would complete most records.

    Records that are superseded or retracted are not counted.

    Example: tools gaps --by source --top 5
    """
    from datetime import date

    from tools.gaps.forms import gaps_json, gaps_markdown, gaps_text
    from tools.gaps.scope import Scope, check
    from tools.gaps.sections import sections
    from tools.gaps.survey import survey
    from tools.records.catalog import Catalog

    scope = Scope(accelerator, model, source)
    catalog = Catalog(ledger_root(root))
    check(catalog, scope)
    with progress(len(catalog.files()), "reading") as advance:
        found = survey(catalog, scope, advance)
    parts = sections(found, date.today(), None if by is None else by.value)
    if output_format is Format.JSON:
        typer.echo(gaps_json(found, parts), nl=False)
    elif output_format is Format.MARKDOWN:
        typer.echo(gaps_markdown(found, parts, top), nl=False)
    else:
        typer.echo(gaps_text(found, parts, top, styler(sys.stdout)), nl=False)
