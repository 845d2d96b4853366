"""Offered and achieved load: whether what was said to be in flight was, in a run long and warm enough."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.checks.rules.load import (
    cold_first_run,
    infinite_rate_latency,
    littles_law,
    offered_load_not_sustained,
    too_few_requests_for_load,
)

RULES: tuple[Rule, ...] = (
    offered_load_not_sustained.RULE,
    infinite_rate_latency.RULE,
    littles_law.RULE,
    too_few_requests_for_load.RULE,
    cold_first_run.RULE,
)
