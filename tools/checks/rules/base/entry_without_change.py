"""A new entry that claims what was not done."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.finding import Level

RULE = Rule(
    name="entry-without-change",
    level=Level.ERROR,
    summary="A new audit entry claims a change that is not there.",
    why=(
        "An entry that tells of a change nobody made sends the next reader after the wrong number, and every "
        "earlier state that is rebuilt with it is wrong. The new entries, applied one after the other to the "
        "record of the base, must give the record as it stands. Two branches that each changed the same "
        "value meet here when they are merged: each entry sets out from the value of the base, so whichever "
        "comes second no longer fits. The finding names both; one of them has to give way, or to set out "
        "from what the other left."
    ),
    against_base=True,
)
