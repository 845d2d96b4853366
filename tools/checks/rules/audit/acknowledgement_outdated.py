"""An acknowledgement that is older than the value it accepts."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.finding import Level

RULE = Rule(
    name="acknowledgement-outdated",
    level=Level.WARNING,
    summary="A value was changed after its warning was acknowledged.",
    why=(
        "Somebody looked at a warning and gave a reason why the value is right all the same. That reason speaks of the "
        "value they saw. Once a later entry of the log changes the place the warning stands at, what is in it, or "
        "what holds it, the warning counts again until somebody looks at the new value. Items that enter or "
        "leave a list before it move the place and do not count. A newer acknowledgement of the rule takes the place "
        "of the older ones."
    ),
    about_findings=True,
)
