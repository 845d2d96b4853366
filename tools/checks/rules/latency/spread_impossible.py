"""A standard deviation that cannot belong to the mean and the range beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tools.checks.quantity import number, shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.latency.distribution import STATISTICS, Distribution, distributions, reach, samples_of
from tools.finding import Level

_TOLERANCE = 0.01
_HINT = (
    "look up the row: the spread of another metric or unit, a column shifted by one, or zeros where nothing was "
    "measured"
)


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    for distribution in distributions(record):
        figure = distribution.figures.get("std")
        if figure is None:
            continue
        said = _flat(distribution) or _too_wide(record, distribution)
        if said:
            yield Fault(
                figure.quantity.pointer,
                f"{figure.metric} has a spread of {figure.quantity.text}, {said}",
                _HINT,
            )


def _flat(distribution: Distribution) -> str:
    """Zero on one side only: no spread between unlike samples, or spread around a mean of nothing."""
    spread, mean = distribution.figures["std"].quantity, distribution.quantity("mean")
    if spread.value > 0:
        is_empty = mean is not None and mean.value == 0 and distribution.metric != "quality"
        return "but a mean of 0: then every sample is 0 and nothing spreads" if is_empty else ""
    ranked = distribution.ranked
    if len(ranked) < 2:
        return ""
    (_, first), (_, last) = ranked[0], ranked[-1]
    low, high = first.quantity, last.quantity
    if high.value - low.value <= reach(low) + reach(high) + 1e-9 * abs(high.value):
        return ""
    return f"but {first.statistic} {low.text} and {last.statistic} {high.text} differ"


def _too_wide(record: Record, distribution: Distribution) -> str:
    """Wider than samples between the extremes can spread around the mean (Bhatia and Davis)."""
    figure = distribution.figures["std"]
    mean, low, high = (distribution.quantity(name) for name in ("mean", "min", "max"))
    if mean is None or low is None or high is None or not low.value <= mean.value <= high.value:
        return ""
    samples = samples_of(record, figure)
    # The estimate from n samples divides by n - 1; two samples are the worst case where n is not known.
    estimate = samples / (samples - 1) if samples and samples > 1 else 2.0
    widest = math.sqrt((high.value - mean.value) * (mean.value - low.value) * estimate)
    slack = reach(figure.quantity) + reach(mean) + reach(low) + reach(high)
    if figure.quantity.value <= widest * (1 + _TOLERANCE) + slack:
        return ""
    text = f"sqrt(({high.text} - {mean.text}) x ({mean.text} - {low.text}))"
    scale = figure.quantity.value / (number(figure.result["value"]) or 1.0)
    return f"but between these extremes it is at most {text} = {shown(widest / scale)}"


RULE = Rule(
    name="spread-impossible",
    level=Level.ERROR,
    summary="A standard deviation cannot belong to the mean and the range beside it.",
    why=(
        "Samples that lie between a minimum and a maximum can only spread so far: with mean m the variance is at "
        "most (max - m) x (m - min). A spread of 0 says that all samples are alike, and a mean of 0 that all of "
        "them are 0. A figure that breaks one of these belongs to another column, to another unit, or is the "
        "reciprocal of something, as in exports that print 1 / (std of the time per token) as the std of the rate."
    ),
    reference="https://en.wikipedia.org/wiki/Bhatia%E2%80%93Davis_inequality, SemiAnalysisAI/InferenceX result exports",
    formula=(
        "std <= sqrt((max - mean) x (mean - min) x n / (n - 1)); std = 0 only where the percentiles are equal; "
        "mean = 0 only with std = 0 (n: samples, else completed requests, else 2)"
    ),
    tolerance="1 % and the printed digits; the limit itself is exact for any samples",
    kinds=("benchmark",),
    needs=(STATISTICS,),
    check=check,
)
