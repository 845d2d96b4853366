"""What a number is counted per: accelerator, pool, deployment, user, watt."""

from __future__ import annotations

from tools.checks.rule import Rule

RULES: tuple[Rule, ...] = ()
