"""`tools build`: the ledger and its simulations as one DuckDB file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tools.cli.options import Root, ledger_root
from tools.cli.output import progress, say


def build(
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Where to write; by default generated/ledger.duckdb of the ledger.",
            show_default=False,
        ),
    ] = None,
    allow_errors: Annotated[
        bool,
        typer.Option(
            "--allow-errors", help="Build from a ledger with errors too; lint_level marks the rows."
        ),
    ] = False,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=0, metavar="N", help="Processes; 0 means one per core.")
    ] = 0,
    root: Root = None,
) -> None:
    """Build the warehouse: one DuckDB file with the records, their findings, their history and the simulations.

    Any DuckDB from 1.1 on opens it. docs/data-dictionary.md says what stands in which column. A file that is current
    is left as it is; of an older one the rows of unchanged records are taken over.

    Example: tools build
    """
    from tools.warehouse.build import build as build_warehouse
    from tools.warehouse.storage import PLACE

    place = ledger_root(root)
    target = (place / PLACE if out is None else out).absolute()
    done = build_warehouse(place, target, progress, allow_errors=allow_errors, jobs=jobs)
    if done.is_current:
        say(f"{target} is up to date ({done.seconds:.1f} s)")
        return
    taken_over = done.records - done.changed
    reused = f"; {done.changed:,} records new or changed" if taken_over else ""
    marked = f"; {done.errors:,} errors, see lint_level and findings" if done.errors else ""
    say(
        f"{done.records:,} records, {done.results:,} results ({done.seconds:.1f} s){reused}{marked}; written {target}"
    )
