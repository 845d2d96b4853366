"""`tools sweep calibrate`: fit the roofline's constants to measurements and store them with their evidence."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tools.cli.options import Root, ledger_root
from tools.cli.output import say
from tools.errors import EXIT_CLEAN, EXIT_FINDINGS


def calibrate(
    *,
    layers: Annotated[
        list[Path] | None,
        typer.Option(
            "--layers",
            metavar="FILE",
            help="A table of operator times, for e_m, e_f and p; may be repeated. Without it the stored ones are used.",
            show_default=False,
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; fail if something is out of date.")
    ] = False,
    root: Root = None,
) -> int:
    """Fit the roofline to the measured speedups of the ledger, each source left out once; writes generated/calibration.

    Example: tools sweep calibrate --check
    """
    from tools.sweep.libraries import require_libraries

    require_libraries()
    from tools.sweep.calibration.report import aims
    from tools.sweep.calibration.run import calibrate as run

    done = run(ledger_root(root), layers or [], check=check)
    for name in done.changed:
        typer.echo(f"{'out of date' if check else 'written'} {name}")
    for line in aims(done.rows):
        say(line)
    for name, why in sorted(done.refused.items()):
        say(f"refused: {name}, {why}")
    if not done.changed:
        say("everything is current")
    return EXIT_FINDINGS if check and done.changed else EXIT_CLEAN
