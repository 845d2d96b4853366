"""`tools sweep validate`: how far each cost model is off at the measured speedups of the ledger."""

from __future__ import annotations

from typing import Annotated

import typer

from tools.cli.options import Root, ledger_root
from tools.cli.output import say
from tools.errors import EXIT_CLEAN, ToolsError

FORMATS = ("markdown", "csv")


def validate(
    *,
    format_: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="markdown or csv.", show_default="markdown")
    ] = "markdown",
    root: Root = None,
) -> int:
    """Print the accuracy of `constant`, `roofline` and `calibrated`, source by source, with the stored calibration.

    Example: tools sweep validate
    """
    from tools.sweep.libraries import require_libraries

    require_libraries()
    if format_ not in FORMATS:
        raise ToolsError(f"there is no format `{format_}`", f"there is {' and '.join(FORMATS)}")
    from tools.records.catalog import Catalog
    from tools.sweep.accuracy import accuracy, evaluate
    from tools.sweep.calibration.report import accuracy_csv, aims, markdown
    from tools.sweep.calibration.store import load

    place = ledger_root(root)
    calibration = load(place)
    made = evaluate(Catalog(place), calibration)
    rows = accuracy(made)
    typer.echo((accuracy_csv if format_ == "csv" else markdown)(rows), nl=False)
    for line in aims(rows):
        say(line)
    for heading, counts in (("not scored", made.unscored), ("not simulated", made.left_out)):
        for reason, count in counts.items():
            say(f"{heading}: {count}, {reason}")
    return EXIT_CLEAN
