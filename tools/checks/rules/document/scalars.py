"""Words with more than one meaning, and numbers that are no quantity; `tools.records.scalars` finds them."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.finding import Level

RULES = (
    Rule(
        name="ambiguous-scalar",
        level=Level.ERROR,
        summary="An unquoted word is a different value to different readers.",
        why=(
            "`010` is 8 to one YAML reader, 10 to another and text to a third; the commit `0123456` becomes "
            "42798; `1_000`, `.5`, `+1` and `0x1F` are no better, and `1e-999` becomes 0 where it is too small "
            "to be held. A ledger whose numbers depend on the program that reads them is none. Quote the word "
            "if it is a name or a code; write the plain decimal number if it is a number."
        ),
        reference="https://yaml.org/spec/1.2.2/#103-core-schema",
    ),
    Rule(
        name="non-finite-number",
        level=Level.ERROR,
        summary="A number is infinite, not a number, or too large to be held.",
        why=(
            "`.inf` and `.nan` are what a program prints when a division failed; `1e999` becomes infinite as "
            "it is read. None of them was measured. Leave the value out and declare its absence. The one "
            "place where infinity is meant, a request rate without limit, has the word `inf`."
        ),
    ),
)
