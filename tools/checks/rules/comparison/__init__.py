"""Two numbers set against each other: whether they may be divided, and whether the quotient is theirs."""

from __future__ import annotations

from tools.checks.rule import Rule

RULES: tuple[Rule, ...] = ()
