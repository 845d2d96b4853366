"""A record that could not be compared, because the base holds no readable one."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.finding import Level

RULE = Rule(
    name="base-not-readable",
    level=Level.INFO,
    summary="The file of the base cannot be read as a record, so nothing was compared.",
    why=(
        "Where the base holds a file that is no YAML, or no record, nothing says what its values were, and "
        "mending it is not held against anybody. It is told so that a reviewer looks at the whole record "
        "instead of at its changes."
    ),
    against_base=True,
)
