"""Offered and achieved load: whether the requests that were said to be in flight were."""

from __future__ import annotations

from tools.checks.rule import Rule

RULES: tuple[Rule, ...] = ()
