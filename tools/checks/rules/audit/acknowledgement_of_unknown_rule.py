"""An acknowledgement that names no rule."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.finding import Level

RULE = Rule(
    name="acknowledgement-of-unknown-rule",
    level=Level.WARNING,
    summary="A rule is acknowledged that does not exist.",
    why=(
        "A slip in the name of the rule accepts nothing, and the warning that was meant goes on counting with no sign "
        "of why. Names that a rule had before are known and count as its name. `tools acknowledge` only writes the "
        "name of a rule that warns of the record."
    ),
    about_findings=True,
)
