"""Two numbers set against each other: whether they may be divided, and whether the quotient is theirs."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.checks.rules.comparison import (
    comparison_not_like_for_like,
    cross_tool_itl,
    precision_mismatch_comparison,
    ratio_does_not_recompute,
    scenario_mismatch_comparison,
    server_exceeds_offline,
    stale_baseline,
    unit_outlier_across_scenarios,
    varied_field_unknown,
)

RULES: tuple[Rule, ...] = (
    ratio_does_not_recompute.RULE,
    comparison_not_like_for_like.RULE,
    varied_field_unknown.RULE,
    scenario_mismatch_comparison.RULE,
    precision_mismatch_comparison.RULE,
    cross_tool_itl.RULE,
    stale_baseline.RULE,
    server_exceeds_offline.RULE,
    unit_outlier_across_scenarios.RULE,
)
