"""An entry of the base that was edited, moved or taken out."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.finding import Level

RULE = Rule(
    name="entry-rewritten",
    level=Level.ERROR,
    summary="An audit entry of the base was edited, reordered or removed.",
    why=(
        "A log that can be edited proves nothing. Entries that were published stay as they are, with their "
        "mistakes, and in their order; what was wrong with one is said in a new one. Formatting, the order "
        "of its keys and the spelling of its numbers may change."
    ),
    against_base=True,
)
