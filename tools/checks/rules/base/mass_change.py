"""More records changed at once than a person changes."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.finding import Level

RULE = Rule(
    name="mass-change",
    level=Level.ERROR,
    summary="Many records changed at once, or one metric shifted in many records.",
    why=(
        "A script with a column too far or a factor of 1,000 writes entries as neat as anybody's. So a change "
        "of more than 50 records (`--max-changed`) needs a word, and so does one in which the values of a "
        "metric change in ten records or more and the median of new over old lies more than a fifth off. "
        "Changed are records that differ from the base in more than formatting, or are gone; new ones do not "
        "count. If it is meant, `--allow-mass-change` is the word; in a pull request, the label of that name."
    ),
    against_base=True,
)
