"""The audit log: it begins with the filing, is in order, says nothing twice, and replays."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.checks.rules.audit import (
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
)
