"""`tools import`: outputs of others as draft records."""

from __future__ import annotations

import sys
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from tools.cli.amending import By, Day
from tools.cli.options import Root, ledger_root
from tools.cli.output import progress, say, styler
from tools.importers.programs.registry import LISTED

if TYPE_CHECKING:
    from tools.finding import Finding
    from tools.importers.batch import Batch
    from tools.importers.names import Names

FORMATS = {
    "auto": "Recognise the output of a benchmark program by its content.",
    "table": "Read a table (CSV, Parquet, XLSX) by a declarative map.",
}
"""What can be imported, by name; a format of a program goes by its own name too, with the options of `auto`."""

_SHOWN = 12
"""Reasons and unknown names that the summary lists; it says how many more there are."""


class LazyFormats(TyperGroup):
    """The formats as commands, each loaded when it is called; a call that names none means `auto`."""

    def list_commands(self, _: Any) -> list[str]:
        """The commands with options of their own."""
        return list(FORMATS)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The arguments, with `auto` before them where no format is named."""
        if args and args[0] not in (*FORMATS, *LISTED, "--help"):
            args = ["auto", *args]
        return super().parse_args(ctx, args)

    def get_command(self, _: Any, name: str) -> Any:
        """The command of a format, or None for a word that is none."""
        if (name in FORMATS or name in LISTED) and name not in self.commands:
            own = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
            function = table if name == "table" else import_module("tools.cli.import_programs").programs
            own.command(name)(function)
            command = typer.main.get_command(own)
            command.name = name
            self.commands[name] = command
        return self.commands.get(name)

    def format_commands(self, _: Any, formatter: Any) -> None:
        """The list of formats in the help text, without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([*FORMATS.items(), *((name, about) for name, (_, about) in LISTED.items())])


app = typer.Typer(name="import", cls=LazyFormats, no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def import_() -> None:
    """Turn outputs of others into draft records.

    Example: tools import table data/imports/example.csv --map data/imports/example.yaml --by reviewer --stdout
    """


def table(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The table.", show_default=False)],
    map_path: Annotated[
        Path, typer.Option("--map", metavar="MAP", help="The map of its columns.", show_default=False)
    ],
    *,
    join: Annotated[
        list[str] | None,
        typer.Option(
            "--join",
            metavar="NAME=FILE",
            help="Where a joined table lies; by default beside the table. May be repeated.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="Where to write; by default data/benchmarks.", show_default=False
        ),
    ] = None,
    stdout: Annotated[bool, typer.Option("--stdout", help="Print the records and write nothing.")] = False,
    limit: Annotated[
        int | None,
        typer.Option("--limit", min=1, metavar="N", help="Read the first N rows.", show_default=False),
    ] = None,
    reason: Annotated[
        str | None,
        typer.Option("--reason", metavar="TEXT", help="Why they are filed.", show_default=False),
    ] = None,
    by: By = None,
    date: Day = None,
    root: Root = None,
) -> int:
    """Read a table by a declarative map: columns to fields with units, constants, absences, a locator per row.

    What is no result is refused with the reason; records that stand already are left alone. A map that names what
    does not exist is told with the line, and nothing is read.

    Example: tools import table data/imports/example.csv --map data/imports/example.yaml --by reviewer --stdout
    """
    from datetime import date as day

    from tools.audit.signing import sign
    from tools.errors import EXIT_CLEAN, EXIT_FINDINGS
    from tools.importers.batch import Batch
    from tools.importers.names import Names
    from tools.importers.table import TableImport
    from tools.records.catalog import FOLDERS, Catalog

    started = time.perf_counter()
    catalog = Catalog(ledger_root(root))
    names = Names(catalog)
    reading = TableImport(file, map_path, names, _joined(join), limit)
    if reading.faults:
        _tell_faults(reading.faults)
        return EXIT_FINDINGS
    why = reason or f"Imported from {file.name} by the map {reading.map.content['name']}."
    signed = sign(catalog.root, by, date, why, [], day.today())
    folder = catalog.data / FOLDERS["benchmark"] if out is None else out.absolute()
    batch = Batch(catalog, folder, signed)
    with progress(len(reading.table.rows), "reading") as advance:
        reading.fill(batch, advance)
    if stdout:
        typer.echo("---\n".join(batch.texts.values()), nl=False)
    else:
        with progress(len(batch.texts), "writing") as advance:
            batch.write(advance)
    rows = len(reading.table.rows) - reading.passed_over
    if reading.passed_over:
        say(f"{reading.passed_over:,} rows are for other maps")
    _tell(batch, names, rows, None if stdout else folder, time.perf_counter() - started)
    return EXIT_CLEAN


def _joined(join: list[str] | None) -> dict[str, Path]:
    from tools.errors import ToolsError

    found = {}
    for text in join or ():
        name, separator, path = text.partition("=")
        if not separator:
            raise ToolsError(f"`{text}` is not NAME=FILE", "such as --join log=logs.csv")
        found[name] = Path(path)
    return found


def _tell_faults(faults: list[Finding]) -> None:
    """The faults of a map, each with its line, in the order of its text."""
    from tools.checks.reports.words import counted, told

    style = styler(sys.stdout)
    for fault in sorted(faults, key=lambda fault: fault.location):
        line, column = fault.location
        typer.echo(f"{style(fault.file, 'file')}:{line}:{column}  {style('error', 'error')}")
        for text in told(fault):
            typer.echo(f"  {text}")
    say(f"{counted(len(faults), 'fault')} of the map: mend it first; nothing was read")


def _tell(batch: Batch, names: Names, rows: int, folder: Path | None, seconds: float) -> None:
    """The summary: what came in, what was refused and why, what stood already, which names are not known."""
    from collections import Counter

    from tools.checks.reports.words import counted, plain

    where = f", written to {folder}" if folder is not None and batch.texts else ""
    say(f"{counted(rows, 'row')}: {counted(len(batch.texts), 'record')} imported{where} ({seconds:.1f} s)")
    if batch.duplicates:
        say(f"{counted(len(batch.duplicates), 'duplicate')} of records that stand already, left alone")
    reasons = Counter(refusal.reason for refusal in batch.refusals)
    first = {refusal.reason: refusal.place for refusal in reversed(batch.refusals)}
    if reasons:
        say(f"{counted(len(batch.refusals), 'refusal')}:")
    _list([f"{count} x {reason} (first: {first[reason]})" for reason, count in reasons.most_common()], plain)
    unknown = list(names.report())
    if unknown:
        say("names without a record, left out and not guessed:")
    _list(unknown, plain)


def _list(lines: list[str], plain: Any) -> None:
    for line in lines[:_SHOWN]:
        say(f"  {plain(line)}")
    if len(lines) > _SHOWN:
        say(f"  and {len(lines) - _SHOWN} more")
