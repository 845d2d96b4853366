"""The kind of a number: its unit, what it counts, what it is measured against, and what tells it from its siblings."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.checks.rules.kind import (
    count_filed_as_rate,
    dimensionless_in_rate_unit,
    duplicate_result,
    gain_filed_as_ratio,
    memory_unit_gib,
    metric_unit_incompatible,
    mixed_phase_rate,
    prefill_rate_missing_length,
    ratio_not_positive,
    seconds_labelled_milliseconds,
    speedup_without_baseline,
    total_tokens_filed_as_output,
)

RULES: tuple[Rule, ...] = (
    metric_unit_incompatible.RULE,
    total_tokens_filed_as_output.RULE,
    seconds_labelled_milliseconds.RULE,
    prefill_rate_missing_length.RULE,
    count_filed_as_rate.RULE,
    dimensionless_in_rate_unit.RULE,
    mixed_phase_rate.RULE,
    memory_unit_gib.RULE,
    speedup_without_baseline.RULE,
    ratio_not_positive.RULE,
    gain_filed_as_ratio.RULE,
    duplicate_result.RULE,
)
