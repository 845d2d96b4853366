"""`tools explain`: what a rule asks, why, and an example of either side."""

from __future__ import annotations

from typing import Annotated

import typer


def explain(
    rule: Annotated[str, typer.Argument(metavar="RULE", help="Name of a rule.", show_default=False)],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Teach one rule: what it asks, why, an example that fails and a near-miss that passes.

    Example: tools explain speedup-without-baseline
    """
    from tools.checks.cases import cases_of
    from tools.checks.explain import explain as explained
    from tools.checks.explain import explain_json
    from tools.checks.rules import find

    found = find(rule)
    tell = explain_json if as_json else explained
    typer.echo(tell(found, cases_of(found.name)), nl=False)
