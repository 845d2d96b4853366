"""An acknowledgement that has nothing to accept any more."""

from __future__ import annotations

from tools.checks.acknowledgements import gather
from tools.checks.rule import Rule
from tools.finding import Level

RULE = Rule(
    name="acknowledgement-without-finding",
    level=Level.WARNING,
    summary="A rule is acknowledged that says nothing of the record.",
    why=(
        "An exception has to earn its keep. One that outlives its cause waits for the next fault of the same kind and "
        "accepts it unseen: the number was corrected, the rule learned better, and years later a true warning is "
        "waved through by a reason that was about something else. Only a rule that ran can have nothing to say: "
        "one that looks at the whole ledger is left out where a part of it is checked. Records that are retracted or "
        "superseded are left alone. An entry cannot be taken back once it is merged, so this finding is settled by "
        "acknowledging it, with the reason why nothing is left to accept."
    ),
    gather=gather,
    about_findings=True,
)
