"""What a change does to records that were there before it; `tools.checks.base` compares them with a git revision."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.checks.rules.base import (
    base_not_readable,
    change_without_entry,
    entry_backdated,
    entry_rewritten,
    entry_without_change,
    mass_change,
    record_removed,
)

RULES: tuple[Rule, ...] = (
    change_without_entry.RULE,
    entry_without_change.RULE,
    entry_rewritten.RULE,
    entry_backdated.RULE,
    record_removed.RULE,
    mass_change.RULE,
    base_not_readable.RULE,
)
