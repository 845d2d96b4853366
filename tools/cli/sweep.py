"""`tools sweep`: the analytical generator; each of its verbs is a module of its own."""

from __future__ import annotations

import typer

from tools.cli.sweep_calibrate import calibrate
from tools.cli.sweep_run import run
from tools.cli.sweep_twin import twin
from tools.cli.sweep_validate import validate

app = typer.Typer(name="sweep", no_args_is_help=True, rich_markup_mode=None)
app.command("run")(run)
app.command("calibrate")(calibrate)
app.command("validate")(validate)
app.command("twin")(twin)


@app.callback()
def sweep() -> None:
    """Compute what speculative decoding should gain, and write it as records.

    Example: tools sweep run study --check
    """
