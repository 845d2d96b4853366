"""`tools export`: the warehouse as Parquet and CSV with metadata for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tools.cli.options import Root, Warehouse, warehouse_file
from tools.cli.output import say


def export(
    out: Annotated[
        Path, typer.Argument(metavar="DIR", help="A new folder, or an earlier export.", show_default=False)
    ],
    url: Annotated[
        str | None,
        typer.Option(
            "--url",
            metavar="URL",
            help="Where the export will be found, for its metadata.",
            show_default=False,
        ),
    ] = None,
    warehouse: Warehouse = None,
    root: Root = None,
) -> None:
    """Write every table as Parquet and CSV, with datapackage.json (Frictionless), croissant.json (Croissant), a dataset
    card for the Hugging Face hub and the changes of values.

    An earlier export is replaced as a whole; a folder with anything else in it is left alone.

    Example: tools export build/export
    """
    from tools.warehouse.export import export as export_warehouse

    done = export_warehouse(warehouse_file(warehouse, root), out.absolute(), url)
    say(f"{done.tables} tables, {done.rows:,} rows; written {out}")
