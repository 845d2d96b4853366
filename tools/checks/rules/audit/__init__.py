"""The audit log: it begins with the filing, is in order and replays, says nothing twice, accepts what there is."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.checks.rules.audit import (
    acknowledgement_of_error,
    acknowledgement_of_unknown_rule,
    acknowledgement_outdated,
    acknowledgement_without_finding,
    audit_duplicate_entry,
    audit_missing_created,
    audit_out_of_order,
    audit_replay_mismatch,
)

RULES: tuple[Rule, ...] = (
    audit_missing_created.RULE,
    audit_out_of_order.RULE,
    audit_duplicate_entry.RULE,
    audit_replay_mismatch.RULE,
    acknowledgement_without_finding.RULE,
    acknowledgement_outdated.RULE,
    acknowledgement_of_error.RULE,
    acknowledgement_of_unknown_rule.RULE,
)
