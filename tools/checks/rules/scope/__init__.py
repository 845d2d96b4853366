"""What a number is counted per: accelerator, pool, deployment, user, watt."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.checks.rules.scope import (
    aggregate_above_user_bound,
    count_fields_disagree,
    energy_power_throughput_identity,
    parallelism_vs_count,
    per_accelerator_filed_as_system,
    per_user_rate_times_load,
    pool_and_cluster_normalisation_mixed,
    power_basis_missing,
    power_scope,
    rate_does_not_recompute,
)

RULES: tuple[Rule, ...] = (
    per_accelerator_filed_as_system.RULE,
    pool_and_cluster_normalisation_mixed.RULE,
    rate_does_not_recompute.RULE,
    parallelism_vs_count.RULE,
    count_fields_disagree.RULE,
    per_user_rate_times_load.RULE,
    aggregate_above_user_bound.RULE,
    power_scope.RULE,
    power_basis_missing.RULE,
    energy_power_throughput_identity.RULE,
)
