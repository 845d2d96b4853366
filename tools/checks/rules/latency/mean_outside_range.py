"""A mean that no samples with the stated percentiles can have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tools.checks.point import Figure
from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.latency import zero_latency
from tools.checks.rules.latency.distribution import STATISTICS, Distribution, distributions, reach, samples_of
from tools.finding import Level

_TOLERANCE = 0.01
_FEWEST = 20
"""Samples that percentiles of an unknown number are taken to rest on."""

_SIGNED = ("quality",)
"""Metrics whose values may be negative, so that 0 is no lower end."""


class _Limit(NamedTuple):
    value: float
    text: str


def check(record: Record, ledger: Ledger) -> Iterator[Fault]:
    for distribution in distributions(record):
        if (figure := distribution.figures.get("mean")) is None:
            continue
        mean = figure.quantity
        if not mean.value and mean.pointer in {fault.pointer for fault in zero_latency.check(record, ledger)}:
            continue
        slack = reach(mean) + _TOLERANCE * abs(mean.value)
        # Formulas differ by up to one sample in what they call a percentile.
        one = 100 / (samples_of(record, figure) or _FEWEST)
        low, high = _lowest(distribution, one), _highest(distribution, one)
        said = ""
        if low is not None and mean.value + slack < low.value:
            said = f"but with {low.text} the mean is at least {shown(low.value / _scale(figure))}"
        elif high is not None and mean.value - slack > high.value:
            said = f"but with {high.text} the mean is at most {shown(high.value / _scale(figure))}"
        if said:
            yield Fault(
                mean.pointer,
                f"{figure.metric} has a mean of {mean.text}, {said} {figure.result['unit']}",
                "look whether all are of the same requests and in one unit, or mean and median were exchanged",
            )


def _scale(figure: Figure) -> float:
    """Base units in one unit of the record."""
    written = figure.result["value"]
    assert isinstance(written, (int, float))
    return figure.quantity.value / written if written else 1.0


def _lowest(distribution: Distribution, one: float) -> _Limit | None:
    """The smallest mean: 100 - p per cent of the samples, less `one`, are at least the p-th percentile, the rest at
    least the minimum (Markov's inequality; 0 where no minimum is filed)."""
    least = distribution.quantity("min")
    if least is None and distribution.metric in _SIGNED:
        return None
    floor = least.value - reach(least) if least else 0.0
    limits = [_Limit(floor, f"a minimum of {least.text}")] if least else []
    for rank, figure in distribution.ranked:
        if 0 < rank < 100:
            found = figure.quantity
            above = max(found.value - reach(found) - floor, 0.0)
            share = max(100 - rank - one, 0.0)
            text = f"{shown(share)} % of them at {found.text} or more"
            limits.append(_Limit(floor + share / 100 * above, text))
    return max(limits, key=lambda limit: limit.value, default=None)


def _highest(distribution: Distribution, one: float) -> _Limit | None:
    """The largest mean: p per cent of the samples, less `one`, are at most the p-th percentile, the rest at most the
    maximum."""
    most = distribution.quantity("max")
    if most is None:
        return None
    ceiling = most.value + reach(most)
    limits = [_Limit(ceiling, f"a maximum of {most.text}")]
    for rank, figure in distribution.ranked:
        if 0 < rank < 100:
            found = figure.quantity
            below = max(ceiling - found.value - reach(found), 0.0)
            share = max(rank - one, 0.0)
            text = f"{shown(share)} % of them at {found.text} or less and none above {most.text}"
            limits.append(_Limit(ceiling - share / 100 * below, text))
    return min(limits, key=lambda limit: limit.value)


RULE = Rule(
    name="mean-outside-range",
    level=Level.ERROR,
    summary="A mean lies where no samples with the stated percentiles can have it.",
    why=(
        "A mean lies between the smallest and the largest sample, and percentiles narrow that further: when half "
        "of the requests took 400 ms or more, the mean is at least 200 ms, whatever the other half did. A mean "
        "outside comes from another set of requests (the failed ones counted as 0), from another unit, or from two "
        "columns exchanged; one release of a well-known client wrote the median under the name of the mean and "
        "the mean under that of the median. A mean above p99 is merely unusual: a few stalled requests do that."
    ),
    reference="https://en.wikipedia.org/wiki/Markov%27s_inequality, vllm-project/vllm benchmark_serving of 0.6.3",
    formula=(
        "max over p of min + (1 - p/100 - 1/n) x (percentile p - min) <= mean <= min over p of max - (p/100 - 1/n) x "
        "(max - percentile p); without a min, 0 takes its place; without a max there is no upper limit"
    ),
    tolerance=(
        "1 % of the mean, the printed digits, and one of the n samples (of 20 where n is not known): tools differ by "
        "a sample in what they call a percentile. 20,000 drawn sets of 1 to 200 samples under five formulas keep it "
        "with n known; the 328 MLPerf server runs with mean and percentiles keep it, the mean above p99 among them "
        "as well."
    ),
    kinds=("benchmark",),
    needs=(STATISTICS,),
    check=check,
)
