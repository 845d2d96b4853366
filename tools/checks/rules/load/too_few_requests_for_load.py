"""A load that so few requests cannot have made."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import operating_point
from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level

_WAVES = 5
_ONE_BATCH = (
    "fixed_batch",
    "static_batch",
    "offline",
    "burst",
    "multi_stream",
    "prefill_only",
    "decode_only",
)
"""Patterns in which as many requests as are in flight make a whole run."""


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    if "counts" not in record.value:
        return
    point = operating_point(record)
    load = point.condition("concurrency", "in flight")
    if load is None or load.value <= 0:
        return
    completed = point.count("completed") or point.count("requests")
    if completed is None or completed.value >= _WAVES * load.value:
        return
    if completed.value < load.value:
        yield Fault(
            load.pointer,
            f"{completed.text} requests cannot keep {load.text}: the load was never reached",
            "see how many requests the run really sent; if this is right, the load was at most that many",
            level=Level.ERROR,
        )
    elif record.get("/conditions/scenario") not in _ONE_BATCH:
        yield Fault(
            load.pointer,
            f"{completed.text} requests at {load.text} are {shown(completed.value / load.value)} waves: the run mostly "
            "ramps up and drains",
            f"take a run of {shown(_WAVES * load.value)} requests or more, or acknowledge it",
        )


RULE = Rule(
    name="too-few-requests-for-load",
    level=Level.WARNING,
    summary="The run has too few requests for its load.",
    why=(
        "Ten prompts cannot keep 128 requests in flight; a value left over from debugging cut a whole sweep to ten per "
        "point, and every level above ten was the same measurement under another name. With a few "
        "waves the load is reached, but the slow start and the drain at the end are most of the run, and throughput "
        "comes out low."
    ),
    reference="SemiAnalysisAI/InferenceX#258, InternLM/lmdeploy#2928",
    formula="completed (else requests) < concurrency: error; < 5 x concurrency: warning, unless one batch is the run",
    tolerance="5 waves. Of 199 InferenceX runs with counts 198 have 10, one completed none; below 1 the load is false",
    kinds=("benchmark",),
    other_levels=(Level.ERROR,),
    needs=(("/counts",), ("/conditions/concurrency",)),
    check=check,
)
