"""`tools init`: start an empty ledger."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tools.cli.output import say


def init(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", help="Folder of the ledger; made if it is not there.", show_default=False
        ),
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="List what would be written and write nothing.")
    ] = False,
) -> None:
    """Start an empty ledger that validates, such as a private one beside the public one.

    Files that are there stay as they are; a folder that holds a ledger is refused.

    Example: tools init ../our-ledger --dry-run
    """
    from tools.checks.starter import start_ledger

    started = start_ledger(folder.absolute(), dry_run=dry_run)
    for name in started.written:
        typer.echo(f"{'would write' if dry_run else 'written'} {name}")
    for name in started.kept:
        say(f"{name} is there and stays as it is")
    if ".gitignore" in started.kept:
        say("add .cache/ to .gitignore: results of earlier checks are kept there")
    if not dry_run:
        say(f"next: tools new source --root {folder}")
