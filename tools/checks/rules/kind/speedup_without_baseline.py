"""A speedup that does not say over what, or what was varied against it."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level


def check(record: Record, ledger: Ledger) -> Iterator[Fault]:
    for pointer, result in record.mappings("/results"):
        if result.get("metric") != "speedup_ratio":
            continue
        baseline = result.get("baseline")
        if baseline is None:
            yield Fault(
                f"{pointer}/metric",
                "this speedup does not say over what",
                "add `baseline`: the record it was divided by, its technique, or the source's words for it",
            )
        elif isinstance(baseline, dict) and "varied" not in baseline:
            other = baseline.get("record_id")
            # A claim is held as a claim: its source mostly does not say what it held fixed.
            if isinstance(other, str) and ledger.kinds(other) and record.value.get("evidence") != "claimed":
                yield Fault(
                    f"{pointer}/baseline",
                    f"this speedup over {other} does not say what was varied",
                    "add `varied`, the fields that are meant to differ (`technique`); all others are held to be equal",
                    at_key=True,
                )


RULE = Rule(
    name="speedup-without-baseline",
    level=Level.ERROR,
    summary="A speedup does not name its baseline, or what was varied against it.",
    why=(
        "A speedup is a new rate over an old one, and the old one is half of it: 2.2 over plain decoding of the same "
        "engine and 2.2 over another library on another part are different claims. Published factors could not be "
        "reproduced because the batch limit behind them was never stated, and a speedup over n-gram drafting has been "
        "read as one over plain decoding. `baseline` names the other side, by a benchmark record where there is one, "
        "else by its decoding technique or the source's own words. Beside a record, `varied` lists what may differ; "
        "that all else is equal is then held by comparison-not-like-for-like and that the ratio follows from both "
        "records by ratio-does-not-recompute. A claim needs no `varied`."
    ),
    reference="vllm-project/vllm#10318, vllm-project/vllm#35301, snowflakedb/ArcticInference#47",
    formula=(
        "fires if speedup_ratio has no baseline, or names a record in baseline.record_id without baseline.varied  "
        "while its evidence is not `claimed`"
    ),
    tolerance="none",
    kinds=("benchmark",),
    needs=(("speedup_ratio",),),
    check=check,
)
