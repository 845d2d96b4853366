"""The kind of a number: what it is measured against, and what tells it from its siblings."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.checks.rules.kind import duplicate_result, speedup_without_baseline

RULES: tuple[Rule, ...] = (speedup_without_baseline.RULE, duplicate_result.RULE)
