"""`tools plot`: the answer of a saved question as PNG and SVG."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from tools.cli.options import Root, Warehouse, given_parameters, warehouse_file
from tools.cli.output import say, styler
from tools.errors import ToolsError

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.command(
    "plot",
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    options_metavar="[OPTIONS] [--PARAMETER VALUE]...",
)
def plot(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Saved question.", show_default=False)],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="STEM",
            help="Where to write, without .png and .svg; by default the name of the question, here.",
            show_default=False,
        ),
    ] = None,
    x: Annotated[
        str | None,
        typer.Option("--x", metavar="COLUMN", help="Column to draw to the right.", show_default=False),
    ] = None,
    y: Annotated[
        str | None, typer.Option("--y", metavar="COLUMN", help="Column to draw upwards.", show_default=False)
    ] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", metavar="COLUMN", help="Column that tells series apart.", show_default=False),
    ] = None,
    logarithmic: Annotated[
        bool, typer.Option("--log", help="Both axes by powers of ten; needs --x and --y.")
    ] = False,
    warehouse: Warehouse = None,
    root: Root = None,
) -> None:
    """Draw the answer of a saved question: fastest-at-speed, break-even and server-vs-offline in a form of their own,
    any other as points of two of its columns.

    Needs the extra `sweep`.

    Example: tools plot tokens-per-watt --x power_w --y output_tok_s --by power_basis --out build/watts
    """
    from tools.warehouse.plot import Axes
    from tools.warehouse.plot import plot as draw
    from tools.warehouse.query_file import query_named
    from tools.warehouse.query_parameter import bound
    from tools.warehouse.query_report import foot
    from tools.warehouse.sandbox import reading

    asked = query_named(name)
    values = bound(asked.parameters, given_parameters(context.args))
    if (x is None) != (y is None) or ((by is not None or logarithmic) and x is None):
        raise ToolsError("axes are named by two columns", "give both --x and --y")
    axes = None if x is None or y is None else Axes(x, y, by, logarithmic)
    stem = (Path.cwd() / name if out is None else out).absolute()
    stem = stem.with_suffix("") if stem.suffix in (".png", ".svg") else stem
    with reading(warehouse_file(warehouse, root)) as connection:
        found = draw(connection, asked, values, stem, axes)
    say(foot(found, styler(sys.stderr)))
    say(f"written {stem}.png and {stem.name}.svg")
