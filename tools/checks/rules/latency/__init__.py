"""The arithmetic of latencies and streams: TTFT, TPOT, ITL and the end-to-end latency of one run."""

from __future__ import annotations

from tools.checks.rule import Rule

RULES: tuple[Rule, ...] = ()
