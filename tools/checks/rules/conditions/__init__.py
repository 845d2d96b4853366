"""The eight conditions of a benchmark: each one stated, or declared absent, never both and never neither.

What is stated as a range has its ends in order.
"""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.checks.rules.conditions import absent_and_present, absent_twice, condition_missing, range_reversed

RULES: tuple[Rule, ...] = (
    condition_missing.RULE,
    absent_and_present.RULE,
    absent_twice.RULE,
    range_reversed.RULE,
)
