"""What the schema of a kind refuses; `tools.schema.validate` finds it and says it in a sentence."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.finding import Level

RULES = (
    Rule(
        name="schema-violation",
        level=Level.ERROR,
        summary="The record does not fit the schema of its kind.",
        why=(
            "The schema says which fields a kind of record has, what type each one is, which words an "
            "enumeration knows, and which units a metric is measured in: seconds under a metric in "
            "milliseconds are refused here, with the value converted; a unit of another kind of number, such "
            "as a ratio under a rate, is told by metric-unit-incompatible. Objects are closed, so that a "
            "misspelled key is a finding instead of a value nobody reads. docs/schema.md describes every field."
        ),
        reference="docs/schema.md",
    ),
)
