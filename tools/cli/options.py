"""Options that several verbs share, spelled once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from tools.errors import ToolsError

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

Warehouse = Annotated[
    Path | None,
    typer.Option(
        "--warehouse",
        metavar="FILE",
        help="The warehouse to ask; by default generated/ledger.duckdb of the ledger.",
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


def warehouse_file(warehouse: Path | None, root: Path | None) -> Path:
    """The warehouse that a call means. Says so where the ledger has changed since its own one was built.

    Of a file that is named nobody knows which ledger it was built from.
    """
    if warehouse is not None:
        return warehouse.absolute()
    from tools.cli.output import named, say
    from tools.warehouse.newer import newer_than
    from tools.warehouse.storage import PLACE

    ledger = ledger_root(root)
    newer = newer_than(ledger / PLACE, ledger)
    if newer is not None:
        changed = named(newer, ledger)
        say(
            f"note: the ledger has changed since its warehouse was built ({changed}); `tools build` renews it"
        )
    return ledger / PLACE


def given_parameters(arguments: Sequence[str]) -> dict[str, str]:
    """Words of the form `--name value` and `--name=value`. Raises `ToolsError` for anything else."""
    given: dict[str, str] = {}
    words = iter(arguments)
    for word in words:
        name, mark, value = word.removeprefix("--").partition("=")
        if not word.startswith("--") or not name:
            raise ToolsError(f"what is `{word}`?", "parameters are written as --NAME VALUE")
        if name in given:
            raise ToolsError(f"--{name} is given twice", "give each parameter once")
        following = value if mark else next(words, None)
        if following is None:
            raise ToolsError(f"--{name} has no value", "parameters are written as --NAME VALUE")
        given[name] = following
    return given
