"""The numbers that a ratio was made of, wherever a record holds them.

A claim names its two sides. A speedup has its baseline's figure beside it, or beside the rate that it belongs to, or
in the record of the baseline; which of several rates a source divided is not said, so all candidates are given and
one that fits is enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tools.checks.point import Figure, operating_point
from tools.checks.quantity import number
from tools.checks.rule import Record
from tools.checks.sides import Comparison, Side
from tools.checks.span import Span, printed_span, quantity_span
from tools.schema.vocabulary import UnitError, vocabulary

SPEEDUP = "speedup_ratio"
_SPEEDS = frozenset({"token rate", "request rate", "sample rate", "time", "time per token"})
_MOST_SPEEDS = 64
"""Speeds of one record that a ratio is held against; a run has a dozen, and every pair of a long list would take
minutes."""
RECORD_SLACK = 0.03
"""Share that the figures of two records may miss a ratio by: they were rounded on their own."""


def operands_of_claim(comparison: Comparison) -> tuple[Span, Span] | None:
    """The figures of both sides in one unit; None when one is missing, or they cannot be divided."""
    first, second = (_figure_of(side, comparison.metric) for side in (comparison.first, comparison.second))
    if first is None or second is None:
        return None
    if first.unit and second.unit and first.unit != second.unit:
        try:
            factor = vocabulary().convert(1.0, second.unit, first.unit)
        except UnitError:
            return None
        second = Span(
            second.low * factor, second.high * factor, second.value * factor, f"{second.text} {second.unit}"
        )
        first = first._replace(text=f"{first.text} {first.unit}")
    return first, second


def _figure_of(side: Side, metric: str | None) -> Span | None:
    """What is said of the side where it is named, else the result of its run."""
    said = printed_span(side.said)
    if said is not None or side.point is None or metric is None:
        return said
    figures = side.point.of(metric)
    if len(figures) != 1 or "value" in side.said:
        return None
    unit = figures[0].result.get("unit")
    return printed_span({**figures[0].result, "unit": unit})


def operands_of_speedups(
    record: Record, compared: Iterable[Comparison]
) -> Iterator[tuple[str, float, list[Span]]]:
    """(pointer, printed ratio, candidate quotients) for each exact speedup of a record."""
    point = operating_point(record)
    speedups = point.of(SPEEDUP)
    if not speedups:
        return
    sides = list(compared)
    by_result = {id(side.result): side for side in sides if side.result is not None}
    speeds = [figure for figure in point.figures if _is_speed(figure)][:_MOST_SPEEDS]
    for speedup in speedups:
        own = by_result.get(id(speedup.result))
        pairs = [*_beside(speeds, own)] if own else []
        if own and not pairs:
            pairs = [*_of_records(speeds, own)]
        if not pairs and len(speedups) == 1:
            filed = {id(figure.result): figure for figure in point.figures}
            others = [side for side in sides if side.metric != SPEEDUP and id(side.result) in filed]
            pairs = [pair for side in others for pair in _beside([filed[id(side.result)]], side)]
        printed = number(speedup.result.get("value"))
        if printed is not None and not speedup.approximate:
            yield speedup.pointer, printed, pairs


def _beside(figures: list[Figure], comparison: Comparison) -> Iterator[Span]:
    """Quotients of those figures that fit with the figure that a baseline states."""
    baseline = printed_span(comparison.second.said)
    if baseline is None:
        return
    for figure in figures:
        unit = figure.result["unit"]
        own = printed_span(figure.result)
        if own is not None and (baseline.unit or unit) == unit:
            yield own.over(baseline) if figure.definition.direction == "higher" else baseline.over(own)


def _of_records(figures: list[Figure], comparison: Comparison) -> Iterator[Span]:
    """Quotients of the speeds that both runs have, each allowed the slack of two records."""
    other = comparison.second.point
    if other is None:
        return
    for figure in figures:
        same = other.figure(figure.metric, figure.statistic)
        own = quantity_span(figure.quantity)
        theirs = quantity_span(same.quantity) if same else None
        if own is not None and theirs is not None:
            ratio = own.over(theirs) if figure.definition.direction == "higher" else theirs.over(own)
            yield ratio._replace(low=ratio.low * (1 - RECORD_SLACK), high=ratio.high * (1 + RECORD_SLACK))


def _is_speed(figure: Figure) -> bool:
    return (
        figure.definition.direction != "neither"
        and vocabulary().units[figure.definition.units[0]].dimension in _SPEEDS
    )
