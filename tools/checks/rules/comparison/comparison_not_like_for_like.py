"""Two runs that are compared and differ in a condition nobody declared."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.sides import COMPARED, comparisons, differences
from tools.finding import Level

_SPEEDUP = "speedup_ratio"


def check(record: Record, ledger: Ledger) -> Iterator[Fault]:
    for comparison in comparisons(record, ledger):
        level = Level.ERROR if comparison.result and comparison.metric == _SPEEDUP else Level.WARNING
        undeclared = level is Level.ERROR and "varied" not in comparison.said
        for found in differences(comparison):
            if undeclared and found.field.startswith("technique."):
                continue  # What a speedup varies is asked for by speedup-without-baseline.
            yield Fault(
                comparison.second.pointer,
                f"`{found.field}` differs: {found.first} for {comparison.first.name}, "
                f"{found.second} for {comparison.second.name}",
                f"add `{found.field}` to `varied` if it is what the comparison is about; otherwise compare with a "
                "run that shares it",
                level=level,
            )


RULE = Rule(
    name="comparison-not-like-for-like",
    level=Level.WARNING,
    summary="Two compared runs differ in a condition that is not declared as varied.",
    why=(
        "A ratio of two runs is the effect of whatever differs between them. Where the load, the lengths, the "
        "model or the engine's version change along with the one thing the claim is about, the ratio measures "
        "the mixture. So a comparison lists in `varied` the fields that are meant to differ, and every other "
        "condition that both records state has to be the same. For a speedup that is an error, because the "
        "quotient is itself filed as a result; for other comparisons it asks. A claimed speedup shows no run, so "
        "there is nothing to set beside its baseline."
    ),
    reference="vllm-project/vllm#10318, vllm-project/vllm#35301, snowflakedb/ArcticInference#47",
    formula=(
        "for each condition that both runs state and `varied` does not cover: equal; mean lengths within 15 %, "
        "`concurrency` against `batch_size` by the number in flight"
    ),
    tolerance=(
        "15 % for mean lengths: runs of one model and data set in the load-generator logs of MLPerf Inference "
        "v4.1 to v6.0 spread by 3 to 11 % (one model 27 %); everything else exact"
    ),
    kinds=("benchmark",),
    other_levels=(Level.ERROR,),
    needs=(COMPARED,),
    check=check,
)
