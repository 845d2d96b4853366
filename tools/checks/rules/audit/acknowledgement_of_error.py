"""An acknowledgement of something that is refused."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.finding import Level

RULE = Rule(
    name="acknowledgement-of-error",
    level=Level.ERROR,
    summary="A rule is acknowledged whose finding in this record is an error.",
    why=(
        "A warning asks a question, and an acknowledgement is its answer. An error says that the record cannot be "
        "right: a reference that leads nowhere, a log that does not replay, more tokens than the memory could "
        "deliver. No reason makes it right, so the error stands, and the entry is named as well, lest somebody take it "
        "for permission. A rule may warn of one place and refuse another; acknowledged is then what it warns of."
    ),
    about_findings=True,
)
