"""`tools show`: a record, as it stands or as it stood on a day."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from tools.cli.options import RecordId, Root, ledger_root


class Format(StrEnum):
    """How a record is printed."""

    YAML = "yaml"
    JSON = "json"


def show(
    record_id: RecordId,
    as_of: Annotated[
        str | None,
        typer.Option("--as-of", metavar="DATE", help="The end of this day (YYYY-MM-DD).", show_default=False),
    ] = None,
    output_format: Annotated[
        Format, typer.Option("--format", help="How the record is printed.")
    ] = Format.YAML,
    root: Root = None,
) -> None:
    """Print a record in its canonical form, as it stands or as it stood at the end of a day.

    Example: tools show sd-medusa-batch32-degradation --as-of 2026-10-03
    """
    from tools.audit.entry import parse_day
    from tools.audit.replay import as_of as state_as_of
    from tools.audit.subject import find_subject

    day = None if as_of is None else parse_day(as_of)
    subject = find_subject(ledger_root(root), record_id)
    value = subject.value if day is None else state_as_of(subject.value, day)
    if output_format is Format.JSON:
        from tools.records.json_text import json_text

        typer.echo(json_text(value))
    else:
        from tools.records.layout import render
        from tools.schema.load import key_order

        typer.echo(render(value, key_order(subject.kind)), nl=False)
