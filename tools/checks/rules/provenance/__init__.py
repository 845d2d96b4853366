"""Where a number comes from: whether somebody measured it, read it off a picture, or copied it from the next row."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.checks.rules.provenance import (
    accelerator_variant_ambiguous,
    chart_read_precision,
    copied_value,
    extrapolated_as_measured,
    load_monotonicity,
    unstable_runs,
)

RULES: tuple[Rule, ...] = (
    accelerator_variant_ambiguous.RULE,
    extrapolated_as_measured.RULE,
    copied_value.RULE,
    load_monotonicity.RULE,
    chart_read_precision.RULE,
    unstable_runs.RULE,
)
