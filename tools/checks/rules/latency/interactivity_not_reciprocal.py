"""An interactivity that is not the reciprocal of the time per token."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import OperatingPoint, operating_point
from tools.checks.quantity import Quantity, shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.latency.distribution import opposite, ranks
from tools.checks.thousandfold import latency_slip
from tools.finding import Level

_SAME = 0.005
_MEAN_BELOW, _MEAN_ABOVE = 0.05, 1.5
_MEDIAN, _TAIL = 0.05, 0.10


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    point = operating_point(record)
    rates = [figure for figure in point.of("tok_s_per_user") if not figure.approximate]
    times = {
        figure.statistic: figure.quantity
        for figure in (point.of("tpot_ms") if rates else ())
        if not figure.approximate and figure.quantity.value > 0
    }
    if not times or latency_slip(point):
        return
    for figure in rates:
        rate, statistic = figure.quantity, figure.statistic
        rank, time = ranks().get(statistic), times.get(statistic)
        if statistic == "std":
            if time and abs(rate.value * time.value - 1) <= _SAME:
                yield _turned(rate, time, "std", "a spread does not turn over")
        elif statistic == "mean" and time:
            yield from _means(point, rate, time)
        elif rank is not None:
            other = opposite(rank)
            if partner := times.get(other):
                yield from _percentiles(rate, partner, statistic, other)
            elif time and rank != 50 and _reads_like(rate, time, times.get("p50")):
                said = f"a fast token is a high rate, so this is {other} of the rate"
                yield _turned(rate, time, statistic, said)


def _turned(rate: Quantity, time: Quantity, statistic: str, said: str) -> Fault:
    return Fault(
        rate.pointer,
        f"tok_s_per_user {statistic} {rate.text} is 1 / tpot_ms {statistic} ({time.text}): {said}",
        "file it under the statistic that it is, or leave it out",
    )


def _reads_like(rate: Quantity, time: Quantity, median: Quantity | None) -> bool:
    """The reciprocal of the same percentile, which is the percentile of the rate only where nothing varies."""
    if abs(rate.value * time.value - 1) > _SAME + rate.slack + time.slack:
        return False
    return median is None or abs(time.value / median.value - 1) > 2 * (_SAME + rate.slack + time.slack)


def _means(point: OperatingPoint, rate: Quantity, time: Quantity) -> Iterator[Fault]:
    """The mean of reciprocals is never below the reciprocal of the mean, and not far above it (Jensen)."""
    product, slack = rate.value * time.value, rate.slack + time.slack
    spread = point.figure("tpot_ms", "std")
    most = _MEAN_ABOVE * (1 + (spread.quantity.value / time.value) ** 2 if spread else 1)
    text = f"mean tok_s_per_user {rate.text} x mean tpot_ms {time.text} = {shown(product)}"
    if product < 1 - _MEAN_BELOW - slack:
        yield Fault(
            rate.pointer,
            f"{text}, but a mean of reciprocals is at least the reciprocal of the mean",
            "look whether the first token's wait is in the rate: that would be tok_s_per_user_e2e",
        )
    elif product > most + slack:
        yield Fault(
            rate.pointer,
            f"{text}, where about 1 is due",
            "look whether both are of the same requests, in the same unit, and of one user",
            level=Level.WARNING,
        )


def _percentiles(rate: Quantity, time: Quantity, statistic: str, other: str) -> Iterator[Fault]:
    product = rate.value * time.value
    tolerance = (_MEDIAN if statistic == other else _TAIL) + rate.slack + time.slack
    if abs(product - 1) > tolerance:
        yield Fault(
            rate.pointer,
            f"tok_s_per_user {statistic} {rate.text} x tpot_ms {other} {time.text} = {shown(product)}, where 1 is "
            "due",
            "look whether both are of the same requests, and whether the rate has the first token's wait in it",
            level=Level.WARNING,
        )


RULE = Rule(
    name="interactivity-not-reciprocal",
    level=Level.ERROR,
    summary="The interactivity and the time per token are not reciprocals of each other.",
    why=(
        "The speed one user sees is one token over the time per token, request by request. Percentiles change "
        "sides on the way: the slowest tenth by time is the lowest tenth by rate, so p90 of TPOT belongs to p10 of "
        "the rate. A mean of reciprocals is a little above the reciprocal of the mean, never below. A spread does "
        "not turn over at all. One public export takes the reciprocal of every column under its old name: its "
        "'p99 interactivity' is a p1, and its 'std' of 2,568 tok/s stands beside a mean of 64."
    ),
    reference="SemiAnalysisAI/InferenceX result exports, https://en.wikipedia.org/wiki/Jensen%27s_inequality",
    formula=(
        "tok_s_per_user p x tpot_ms (100 - p) = 1; mean x mean >= 1 and <= 1.5 x (1 + (std / mean of tpot_ms)^2); "
        "p x p = 1 of one name only at the median; std x std = 1 never"
    ),
    tolerance=(
        "0.5 % for a reciprocal under the same name; 5 % below 1 for means (some clients divide by n instead of "
        "n - 1 tokens), 5 % for medians, 10 % for other percentiles. In an AIPerf file of 96 requests the means "
        "give 1.0205 and the medians 1.0000."
    ),
    kinds=("benchmark",),
    other_levels=(Level.WARNING,),
    needs=(("tok_s_per_user",), ("tpot_ms",)),
    check=check,
)
