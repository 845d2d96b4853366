"""The records of accelerators and models themselves: do their figures agree with one another?"""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.checks.rules.datasheet import (
    active_above_total,
    attention_shape,
    bandwidth_implausible,
    bandwidth_vs_bus_width,
    duplicate_peak,
    factor_two_unexplained,
    link_both_directions,
    parameters_do_not_recompute,
    precision_ratio,
    ridge_point_implausible,
    same_name,
    shader_peak_as_matrix,
    sparse_peak_as_dense,
)

RULES: tuple[Rule, ...] = (
    sparse_peak_as_dense.RULE,
    duplicate_peak.RULE,
    precision_ratio.RULE,
    shader_peak_as_matrix.RULE,
    factor_two_unexplained.RULE,
    bandwidth_vs_bus_width.RULE,
    bandwidth_implausible.RULE,
    ridge_point_implausible.RULE,
    link_both_directions.RULE,
    parameters_do_not_recompute.RULE,
    active_above_total.RULE,
    attention_shape.RULE,
    same_name.RULE,
)
