"""What hardware and models allow: limits computed from their records, and those records themselves."""

from __future__ import annotations

from tools.checks.rule import Rule

RULES: tuple[Rule, ...] = ()
