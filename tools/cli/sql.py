"""`tools sql`: the warehouse in SQL, which can do nothing but read it."""

from __future__ import annotations

import math
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tools.cli.options import Root, Warehouse, warehouse_file
from tools.cli.output import say, say_error, styler
from tools.errors import ToolsError

if TYPE_CHECKING:
    from tools.warehouse.sandbox import Rows


MOST_ROWS = 10_000_000
"""Rows that may be asked for; all of them are held in memory before they are printed."""


class Format(StrEnum):
    """How rows are printed."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    MARKDOWN = "markdown"


def sql(
    statement: Annotated[
        str | None,
        typer.Argument(
            metavar="[STATEMENT]",
            help="SQL, or - for the standard input; none asks for it.",
            show_default=False,
        ),
    ] = None,
    file: Annotated[
        Path | None, typer.Option("-f", "--file", metavar="FILE", help="SQL from a file.", show_default=False)
    ] = None,
    output_format: Annotated[Format, typer.Option("--format", help="How rows are printed.")] = Format.TABLE,
    most: Annotated[
        int, typer.Option("--rows", min=1, max=MOST_ROWS, metavar="N", help="Rows of an answer at most.")
    ] = 1000,
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds", min=0.01, max=86_400.0, metavar="N", help="Seconds that a statement may take."
        ),
    ] = 30.0,
    warehouse: Warehouse = None,
    root: Root = None,
) -> None:
    """Ask the warehouse in SQL: SELECT, FROM, DESCRIBE, SUMMARIZE, SHOW, EXPLAIN.

    It reads this one file and nothing else: no other file, no network, no extension, no setting, at most 1 GB of
    memory. docs/data-dictionary.md says which tables and views there are. Called bare on a terminal it asks for
    statements, with a history and completion by the tab key.

    Example: tools sql "SELECT metric, count(*) FROM results GROUP BY metric"
    """
    from tools.warehouse.sandbox import ask, bounded_process, open_warehouse
    from tools.warehouse.sql_prompt import converse

    if math.isnan(seconds):
        raise ToolsError("--seconds takes a number", "write it as in --seconds 30")
    text = _text(statement, file)
    with bounded_process(), open_warehouse(warehouse_file(warehouse, root)) as connection:

        def answer(asked: str) -> None:
            for found in ask(connection, asked, most=most, seconds=seconds):
                _show(found, output_format, most)

        if text is None:
            converse(connection, input, answer, lambda error: say_error(error.message, error.hint))
        else:
            answer(text)


def _text(statement: str | None, file: Path | None) -> str | None:
    """The SQL that was given; None where it is to be asked for."""
    if statement is not None and file is not None:
        raise ToolsError("SQL is given twice", "give either a statement or -f FILE")
    if file is not None:
        try:
            return file.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise ToolsError(f"{file} is no UTF-8 text", "name a file with SQL") from error
    if statement == "-" or (statement is None and not sys.stdin.isatty()):
        return sys.stdin.read()
    return statement


def _show(found: Rows, output_format: Format, most: int) -> None:
    from tools.records.json_text import json_text
    from tools.warehouse import table_text

    if output_format is Format.CSV:
        typer.echo(table_text.csv_text(found.columns, found.rows), nl=False)
    elif output_format is Format.JSON:
        rows = [dict(zip(found.columns, map(table_text.as_json, row), strict=True)) for row in found.rows]
        twice = sorted({name for name in found.columns if found.columns.count(name) > 1})
        if twice:
            raise ToolsError(
                f"two columns are called `{twice[0]}`, and JSON keeps one of them", "give names with AS"
            )
        typer.echo(json_text(rows))
    elif output_format is Format.MARKDOWN:
        typer.echo("\n".join(table_text.markdown(found.columns, found.rows)))
    else:
        typer.echo("\n".join(table_text.table(found.columns, found.rows, styler(sys.stdout))))
    if found.more:
        say(f"cut after {most:,} rows; --rows N allows more")
