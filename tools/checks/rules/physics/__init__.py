"""What hardware and models allow: limits computed from the accelerator and model records, and those records themselves."""

from __future__ import annotations

from tools.checks.rule import Rule

RULES: tuple[Rule, ...] = ()
