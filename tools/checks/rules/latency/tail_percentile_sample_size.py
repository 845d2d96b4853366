"""A tail percentile of too few samples to have one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tools.checks.point import Figure, OperatingPoint, operating_point
from tools.checks.quantity import Quantity, number, shown
from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.checks.rules.latency.distribution import STATISTICS, ranks
from tools.finding import Level

_NO_SAMPLE, _FEW = 1.0, 5.0
_FAR = 5.0
"""Per cent of the samples: nearer the middle than p5 and p95 a thin percentile is still one."""

_GAPS = ("itl_ms", "inter_chunk_ms")


class _Group(NamedTuple):
    statistic: str
    samples: Quantity


def check(record: Record, _: Ledger) -> Iterator[Fault | Skip]:
    point = operating_point(record)
    groups: dict[_Group, list[Figure]] = {}
    unknown: Figure | None = None
    for figure in point.figures:
        rank = ranks().get(figure.statistic)
        if rank is None or rank in (0, 100) or 25 <= rank <= 75:
            continue
        samples = _samples(point, figure)
        if samples is None:
            unknown = unknown or figure
        elif samples.value * _tail(figure.statistic) / 100 < _FEW:
            key = _Group(figure.statistic, samples._replace(pointer=""))
            groups.setdefault(key, []).append(figure)
    for group, figures in groups.items():
        yield from _judge(group, figures)
    if unknown:
        yield Skip(unknown.quantity.pointer, "how many samples it rests on (samples, or counts.completed)")


def _tail(statistic: str) -> float:
    """Per cent of the samples that lie beyond a percentile, on its nearer side."""
    rank = ranks()[statistic]
    return min(rank, 100 - rank)


def _samples(point: OperatingPoint, figure: Figure) -> Quantity | None:
    """What the statistic rests on: its own samples, else one per completed request, or one per gap between tokens."""
    own = number(figure.result.get("samples"))
    if own is not None:
        return Quantity("samples", own, f"{figure.result['samples']} samples", figure.pointer)
    if figure.definition.scope != "user":
        return None
    requests = point.count("completed") or point.count("requests")
    if requests is None or requests.value <= 0:
        return None
    if figure.metric not in _GAPS or figure.result.get("definition_variant") == "per_request_mean":
        return requests._replace(text=f"{requests.text} requests")
    length = point.measured_length("output")
    if length is None:
        return None
    gaps = requests.value * max(length.value - 1, 0)
    return Quantity("gaps", gaps, f"{shown(gaps)} gaps between tokens", requests.pointer)


def _judge(group: _Group, figures: list[Figure]) -> Iterator[Fault]:
    tail = _tail(group.statistic)
    beyond = group.samples.value * tail / 100
    if beyond >= _NO_SAMPLE and tail > _FAR:
        return
    metrics = ", ".join(dict.fromkeys(figure.metric for figure in figures))
    end = "max" if ranks()[group.statistic] > 50 else "min"
    yield Fault(
        figures[0].quantity.pointer,
        f"{group.samples.text} x {shown(tail)} % = {shown(beyond)} samples lie beyond {group.statistic} of {metrics}",
        f"file it as {end} if that is what it is, or leave it out"
        if beyond < _NO_SAMPLE
        else "it rests on a handful of requests: do not compare it closely",
        level=None if beyond < _NO_SAMPLE else Level.INFO,
    )


RULE = Rule(
    name="tail-percentile-sample-size",
    level=Level.WARNING,
    summary="A tail percentile rests on too few samples.",
    why=(
        "One per cent of 24 requests is a quarter of a request, so the p99 of 24 requests is their maximum, or, "
        "with an interpolating formula, something a little below it that nobody measured. One tool returned the "
        "middle of three samples as p99. Such a figure says what the slowest request took and nothing about the "
        "next thousand. Gaps between tokens are many more than requests, so their percentiles hold longer."
    ),
    reference="harvard-edge/cs249r_book#1936, locustio/locust#254",
    formula=(
        "n x min(p, 100 - p) / 100 < 1 is a warning; from p95 (and below p5) fewer than 5 is told as information. n: "
        "results[].samples, else counts.completed; for itl_ms and inter_chunk_ms completed x (n_out - 1)"
    ),
    tolerance=(
        "1 sample, and 5 for the information. Of 198 InferenceX client files that print a p99, 159 rest on fewer "
        "than 500 requests and 77 on fewer than 100."
    ),
    kinds=("benchmark",),
    other_levels=(Level.INFO,),
    needs=(STATISTICS,),
    check=check,
)
