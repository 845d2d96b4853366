"""`tools query`: the planner's questions, asked of the warehouse."""

from __future__ import annotations

import shutil
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tools.cli.options import Root, Warehouse, given_parameters, warehouse_file
from tools.cli.output import say, styler
from tools.errors import ToolsError

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


class Format(StrEnum):
    """How an answer is printed."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    MARKDOWN = "markdown"
    PARQUET = "parquet"


@app.command(
    "query",
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    options_metavar="[OPTIONS] [--PARAMETER VALUE]...",
)
def query(
    context: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="Saved question; none lists them.", show_default=False),
    ] = None,
    output_format: Annotated[
        Format, typer.Option("--format", help="How the answer is printed.")
    ] = Format.TABLE,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Where to write the answer.", show_default=False),
    ] = None,
    describe: Annotated[
        bool, typer.Option("--describe", help="Tell what the question takes and gives; ask nothing.")
    ] = False,
    warehouse: Warehouse = None,
    root: Root = None,
) -> None:
    """Ask a saved question: its rows, the records they rest on, what was left out and why, and what cannot be said.

    Parameters are written as options of their own and are bound, never pasted into SQL. docs/queries.md has every
    question.

    Example: tools query gaps
    """
    from tools.warehouse.query_file import queries, query_named
    from tools.warehouse.query_report import listed

    if name is None:
        if context.args:
            raise ToolsError(
                f"what is `{context.args[0]}`?", "name a question first; `tools query` lists them"
            )
        width = max(map(len, queries()))
        typer.echo("\n".join(f"{each.name:<{width}}  {each.title}" for each in queries().values()))
        return
    asked = query_named(name)
    if describe:
        if context.args:
            raise ToolsError(
                f"--describe tells of the question and takes no parameters: `{context.args[0]}`",
                "leave out one of the two",
            )
        typer.echo(listed(asked))
        return
    _ask(name, given_parameters(context.args), output_format, out, warehouse_file(warehouse, root))


def _ask(name: str, given: dict[str, str], output_format: Format, out: Path | None, path: Path) -> None:
    from tools.records.edit import replace_file
    from tools.warehouse import query_report as report
    from tools.warehouse.query import answer
    from tools.warehouse.query_file import query_named
    from tools.warehouse.query_parameter import bound
    from tools.warehouse.sandbox import reading

    asked = query_named(name)
    values = bound(asked.parameters, given)
    if output_format is Format.PARQUET and out is None:
        raise ToolsError("Parquet is not printed", "name a file with --out FILE")
    with reading(path) as connection:
        found = answer(connection, asked, values)
        if output_format is Format.PARQUET and out is not None:
            report.write_parquet(connection, found, out)
            say(report.foot(found, styler(sys.stderr)))
            return
    text = {
        Format.TABLE: lambda: report.text_report(
            found, *((styler(sys.stdout), _width()) if out is None else (_plain, None))
        ),
        Format.CSV: lambda: report.csv_report(found),
        Format.JSON: lambda: report.json_report(found),
        Format.MARKDOWN: lambda: report.markdown_report(found),
    }[output_format]()
    if out is None:
        typer.echo(text, nl=False)
    else:
        replace_file(out, text)
    if output_format is Format.CSV:
        say(report.foot(found, styler(sys.stderr)))


def _width() -> int | None:
    """Columns of the terminal; None where the standard output is none."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _plain(text: str, _: str) -> str:
    return text
