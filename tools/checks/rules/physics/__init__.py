"""What hardware and models allow a run: limits computed from their records."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.checks.rules.physics import (
    decode_above_roofline,
    flops_above_peak,
    memory_above_capacity,
    memory_vs_sku,
    power_above_limit,
    prefill_above_peak,
)

RULES: tuple[Rule, ...] = (
    decode_above_roofline.RULE,
    flops_above_peak.RULE,
    prefill_above_peak.RULE,
    memory_above_capacity.RULE,
    memory_vs_sku.RULE,
    power_above_limit.RULE,
)
