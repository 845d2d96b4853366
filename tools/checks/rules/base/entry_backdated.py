"""A new entry dated before the last one of the base."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.finding import Level

RULE = Rule(
    name="entry-backdated",
    level=Level.ERROR,
    summary="A new audit entry is dated before the last one that was there.",
    why=(
        "`tools show ID --as-of DAY` answers what the ledger said on a day. An entry that joins the log today "
        "under an earlier date changes that answer after the fact. The date of an entry is the day on which "
        "it joins the log, so a branch that was merged late brings its entries up to date; when the mistake "
        "was made, or found, belongs into the reason. Several entries may bear one day."
    ),
    against_base=True,
)
