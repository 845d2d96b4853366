"""What can be wrong with a file before anybody looks at its meaning.

The parser and the schema find these faults; the rules here carry the words that explain them.
"""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.checks.rules.document import characters, limits, scalars, schema, structure

RULES: tuple[Rule, ...] = (
    *limits.RULES,
    *characters.RULES,
    *structure.RULES,
    *scalars.RULES,
    *schema.RULES,
)
