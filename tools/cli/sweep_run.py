"""`tools sweep run`: compute a study and write its records, tables and plots."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from tools.cli.options import Root, ledger_root
from tools.cli.output import progress, say


def run(
    name: Annotated[
        str,
        typer.Argument(
            metavar="STUDY", help="A study of ours (`study`), or a configuration file.", show_default=False
        ),
    ],
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Where to write; by default generated/sweeps/STUDY of the ledger.",
            show_default=False,
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; fail if something is out of date.")
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            min=0,
            max=2**64 - 1,
            metavar="N",
            help="Another seed than the study's.",
            show_default=False,
        ),
    ] = None,
    root: Root = None,
) -> int:
    """Compute a study and write its records, tables and plots; the same seed gives the same bytes.

    docs/sweep.md says what is computed, and how far it can be trusted.

    Example: tools sweep run study --check
    """
    from tools.errors import EXIT_CLEAN, EXIT_FINDINGS
    from tools.sweep.config import find_config, load_study
    from tools.sweep.libraries import require_libraries

    started = time.perf_counter()
    study = load_study(find_config(name)).seeded(seed)
    require_libraries()
    from tools.sweep import run as studies

    # A ledger is only needed where the output belongs into one.
    place = ledger_root(root) if out is None else Path.cwd()
    done = (studies.check if check else studies.run)(study, place, out, progress)
    for line in done.stale:
        typer.echo(line)
    took = f"{study.points} points ({time.perf_counter() - started:.1f} s)"
    if done.comparison is not None:
        took += (
            f"; {done.comparison.reproduced} of {len(done.comparison.figures)} published figures reproduced"
        )
    say(f"{took}; {'everything is current' if check and not done.stale else _what(check, len(done.stale))}")
    return EXIT_FINDINGS if done.stale else EXIT_CLEAN


def _what(check: bool, stale: int) -> str:
    return f"{stale} not current: run it without --check, and review the change" if check else "written"
