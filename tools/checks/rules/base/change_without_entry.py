"""A value that differs from the base without an entry."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.finding import Level

RULE = Rule(
    name="change-without-entry",
    level=Level.ERROR,
    summary="A value differs from the base, and no audit entry says so.",
    why=(
        "Somebody may have planned a cluster with the number that stood here. Whoever changes it says who, "
        "when, why and on what evidence, in an entry that replays. Everything is protected except `title`, "
        "`notes` and formatting: numbers, units, conditions, references, status. A number that is only "
        "spelled differently (24525 and 24525.0) is no change; a number that became text is one. After an "
        "edit by hand, `tools audit explain --base REF` writes the entry and asks for reason and evidence."
    ),
    against_base=True,
)
