"""`tools compare`: whether two benchmarks may be compared."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from tools.cli.options import Root, Warehouse, warehouse_file
from tools.cli.output import styler


class Format(StrEnum):
    """How the comparison is printed."""

    TEXT = "text"
    JSON = "json"


def compare(
    a: Annotated[
        str, typer.Argument(metavar="A", help="Benchmark that is put over the other.", show_default=False)
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="Benchmark that it is put over.", show_default=False)],
    output_format: Annotated[
        Format, typer.Option("--format", help="How the comparison is printed.")
    ] = Format.TEXT,
    warehouse: Warehouse = None,
    root: Root = None,
) -> None:
    """Tell whether two benchmarks are comparable, after which conversion, or not, and in which conditions they differ.

    The ratio of their figures is printed only where it means something.

    Example: tools compare sd-medusa-batch1-speedup sd-medusa-batch32-degradation
    """
    from tools.records.json_text import json_text
    from tools.warehouse.compare import compare as compare_benchmarks
    from tools.warehouse.compare import compare_json, compare_text
    from tools.warehouse.sandbox import reading

    with reading(warehouse_file(warehouse, root)) as connection:
        found = compare_benchmarks(connection, a, b)
    if output_format is Format.JSON:
        typer.echo(json_text(compare_json(found)))
    else:
        typer.echo(compare_text(found, styler(sys.stdout)), nl=False)
