"""`tools sweep`: the analytical generator; each of its verbs is a module of its own."""

from __future__ import annotations

import typer

from tools.cli.sweep_run import run

app = typer.Typer(name="sweep", no_args_is_help=True, rich_markup_mode=None)
app.command("run")(run)


@app.callback()
def sweep() -> None:
    """Compute what speculative decoding should gain, and write it as records.

    Example: tools sweep run study --check
    """
