"""Speculative decoding: how many draft tokens were accepted, as a rate, a length, by position and in counters."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.checks.rules.speculation import (
    acceptance_does_not_recompute,
    acceptance_length_out_of_range,
    acceptance_product_mismatch,
    acceptance_rate_length_mismatch,
    acceptance_sum_mismatch,
    unconditional_acceptance_rises,
)

RULES: tuple[Rule, ...] = (
    acceptance_length_out_of_range.RULE,
    acceptance_rate_length_mismatch.RULE,
    acceptance_does_not_recompute.RULE,
    unconditional_acceptance_rises.RULE,
    acceptance_product_mismatch.RULE,
    acceptance_sum_mismatch.RULE,
)
