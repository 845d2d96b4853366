"""The workload that was really run: lengths, token counts, tokenizers, caches."""

from __future__ import annotations

from tools.checks.rule import Rule

RULES: tuple[Rule, ...] = ()
