"""A record of the base that is gone."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.finding import Level

RULE = Rule(
    name="record-removed",
    level=Level.ERROR,
    summary="A record of the base was deleted, or renamed without a `moved` entry.",
    why=(
        "Others cite a record by its id: simulations, articles, other records. A record that no longer holds "
        "stays, with a status that says so: `tools retract` where it is wrong, `tools supersede` where a "
        "better one took its place. A record that must have another id or kind carries its log along, with "
        "a `moved` entry whose change of /id (or /kind) says what it was before."
    ),
    against_base=True,
)
