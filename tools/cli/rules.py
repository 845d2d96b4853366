"""`tools rules`: the list of rules."""

from __future__ import annotations

from typing import Annotated

import typer


def rules(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List every rule with its level.

    Example: tools rules
    """
    from tools.checks.explain import list_rules, list_rules_json
    from tools.checks.rules import RULES

    typer.echo(list_rules_json(RULES) if as_json else list_rules(RULES), nl=False)
