"""The eight conditions of a benchmark: each one stated, or declared absent, never both and never neither."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.checks.rules.conditions import absent_and_present, absent_twice, condition_missing

RULES: tuple[Rule, ...] = (condition_missing.RULE, absent_and_present.RULE, absent_twice.RULE)
