"""The arithmetic of latencies and streams: TTFT, TPOT, ITL and the end-to-end latency of one run."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.checks.rules.latency import (
    e2e_identity,
    interactivity_not_reciprocal,
    itl_tpot_gap,
    mean_outside_range,
    peak_below_mean,
    percentile_order,
    spread_impossible,
    tail_percentile_sample_size,
    ttft_equals_e2e,
    zero_latency,
)

RULES: tuple[Rule, ...] = (
    e2e_identity.RULE,
    itl_tpot_gap.RULE,
    interactivity_not_reciprocal.RULE,
    zero_latency.RULE,
    ttft_equals_e2e.RULE,
    peak_below_mean.RULE,
    percentile_order.RULE,
    mean_outside_range.RULE,
    spread_impossible.RULE,
    tail_percentile_sample_size.RULE,
)
