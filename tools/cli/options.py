"""Options that several verbs share, spelled once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Root = Annotated[
    Path | None,
    typer.Option(
        "--root",
        envvar="TOOLS_ROOT",
        metavar="DIR",
        help="The ledger to work on; by default the one this folder lies in.",
        show_default=False,
    ),
]

RecordId = Annotated[
    str, typer.Argument(metavar="ID", help="Id of a record, of any kind.", show_default=False)
]

Paths = Annotated[
    list[Path] | None,
    typer.Argument(metavar="PATH", help="Files or folders; none means the whole ledger.", show_default=False),
]


def ledger_root(root: Path | None) -> Path:
    """The ledger that a call means, as an absolute path."""
    if root is not None:
        return root.absolute()
    from tools.records.catalog import find_root

    return find_root(Path.cwd())
