"""A higher percentile that is smaller than a lower one."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import Figure
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.latency.distribution import STATISTICS, distributions, reach
from tools.finding import Level

_SLOWEST = (
    "a source's p99 of a rate is often that of its slowest requests; by value that is p1. Look whether the "
    "tool turned the percentiles round, and file what it computed"
)
_SHIFTED = (
    "look up the row in the source: samples that were not sorted, columns shifted by one, or the 1st and 10th "
    "percentile under the names p99 and p90. The whole set is in doubt, so do not just sort it"
)


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    for distribution in distributions(record):
        ranked = distribution.ranked
        if len(ranked) < 2:
            continue
        highest = ranked[0][1]
        for _rank, figure in ranked[1:]:
            found, before = figure.quantity, highest.quantity
            if found.value + reach(found) < before.value - reach(before):
                yield Fault(found.pointer, _said(highest, figure), _hint(figure))
                break
            if found.value > before.value:
                highest = figure


def _said(before: Figure, figure: Figure) -> str:
    return (
        f"{figure.metric} {figure.statistic} is {figure.quantity.text}, below its {before.statistic} of "
        f"{before.quantity.text}"
    )


def _hint(figure: Figure) -> str:
    return _SLOWEST if figure.definition.direction == "higher" else _SHIFTED


RULE = Rule(
    name="percentile-order",
    level=Level.ERROR,
    summary="Of one distribution, a higher percentile is smaller than a lower one.",
    why=(
        "The 99th percentile lies above the 90th by definition. Where it does not, the samples were never "
        "sorted, the columns of a table slipped, or the tool counted from the other end and called the 1st and "
        "10th percentile p99 and p90. Rates are turned round most often: a tool that takes the reciprocal of the "
        "p99 of the time per token and calls it the p99 of the rate has the slowest one per cent, not the "
        "fastest. The order goes by the number in the name, so p99.9 stands above p99; the smallest and the "
        "largest sample are the two ends. A mean has no place in it: a heavy tail pulls it above p90."
    ),
    reference="pytorch/serve#636, kvcache-ai/Mooncake#2080, scalative/haas#159",
    formula="min <= p1 <= p5 <= ... <= p99 <= p99.9 <= max, of one metric, window and definition",
    tolerance=(
        "half a unit of the last printed digit of both. No row of 838 ML.ENERGY runs, 1,154 MLPerf logs and 245 "
        "InferenceX results breaks the order of its latencies; the interactivity columns of InferenceX exports do."
    ),
    kinds=("benchmark",),
    needs=(STATISTICS,),
    check=check,
)
