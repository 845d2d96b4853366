"""`tools sweep twin`: simulate measured speculative records at their own conditions."""

from __future__ import annotations

from typing import Annotated

import typer

from tools.cli.options import Root, ledger_root
from tools.cli.output import say
from tools.errors import EXIT_CLEAN, EXIT_FINDINGS, ToolsError


def twin(
    ids: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ID",
            help="Records to simulate and print; none means all, into generated/twins.",
            show_default=False,
        ),
    ] = None,
    *,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; fail if something is out of date.")
    ] = False,
    root: Root = None,
) -> int:
    """Simulate measured speculative records under each cost model, and list what had to be assumed for each.

    Example: tools sweep twin sd-medusa-batch32-degradation
    """
    from tools.sweep.libraries import require_libraries

    require_libraries()
    from tools.sweep import twins

    place = ledger_root(root)
    if ids:
        if check:
            raise ToolsError("--check is of all twins", "leave out the ids")
        typer.echo(twins.printed(place, ids), nl=False)
        return EXIT_CLEAN
    done = twins.check(place) if check else twins.write(place)
    for name in done.changed:
        typer.echo(f"{'out of date' if check else 'written'} {name}")
    for reason, count in done.without.items():
        say(f"no twin: {count}, {reason}")
    say(
        f"{done.records:,} records, {done.rows:,} twins" + ("" if done.changed else "; everything is current")
    )
    return EXIT_FINDINGS if check and done.changed else EXIT_CLEAN
