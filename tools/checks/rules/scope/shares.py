"""Rates per accelerator and per pool, held against the rate of the deployment that they are a share of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tools.checks.identities import Sum
from tools.checks.point import Figure, OperatingPoint
from tools.checks.quantity import Quantity, shown
from tools.checks.recount import PER_ACCELERATOR, accelerators, expected, tolerance_of, window

_PREFILL, _DECODE, _ALL = "prefill accelerators", "decode accelerators", "accelerators"

_SHARES = (
    *((share, rate, _ALL) for rate, share in PER_ACCELERATOR.items()),
    ("input_tok_s_per_prefill_accelerator", "input_tok_s", _PREFILL),
    ("output_tok_s_per_decode_accelerator", "tps_aggregate", _DECODE),
)


class ShareOff(NamedTuple):
    """A share that is not its rate over its denominator; it may be that rate over the denominator of another."""

    figure: Figure
    message: str
    hint: str
    fits_another_pool: bool


def is_split(point: OperatingPoint) -> bool:
    """Whether prefill and decode ran in pools of their own."""
    return isinstance(point.record.get("/disaggregation"), dict)


def shares_off(point: OperatingPoint) -> Iterator[ShareOff]:
    """Every rate per accelerator or per pool that disagrees with the rate of the deployment."""
    for share, rate, denominator in _SHARES:
        figure = point.figure(share)
        if figure is None:
            continue
        whole = _whole(point, figure, rate)
        parts = _denominators(point)
        by = parts.pop(denominator, None)
        if whole is None or by is None or whole.value <= 0:
            continue
        allowed = tolerance_of(figure)
        wanted = _over(whole, by)
        if wanted.agrees(figure.quantity, allowed):
            continue
        other = next(
            (part for part in parts.values() if _over(whole, part).agrees(figure.quantity, allowed)), None
        )
        is_whole = Sum(whole.value, "", whole.slack).agrees(figure.quantity, allowed)
        hint = "see which of the two the source has otherwise, and how many accelerators it divides by"
        if other:
            hint = f"looks like the rate divided by {other.text}: name the denominator in the metric"
        elif is_whole:
            hint = f"looks like the rate of the whole deployment: if it is, file it as `{rate}`"
        yield ShareOff(
            figure,
            f"{wanted.text}, but {share} says {figure.quantity.text}",
            hint,
            other is not None,
        )


def _whole(point: OperatingPoint, share: Figure, rate: str) -> Quantity | None:
    filed = point.figure(rate)
    if filed:
        return filed.quantity if window(point, filed) == window(point, share) else None
    totals = expected(point, rate) if window(point, share) == "full_run" else None
    return Quantity(rate, totals.value, f"{shown(totals.value)} tok/s", "", totals.slack) if totals else None


def _denominators(point: OperatingPoint) -> dict[str, Quantity]:
    pools = {
        _ALL: accelerators(point),
        _PREFILL: point.number("/disaggregation/prefill_accelerators", _PREFILL, _PREFILL),
        _DECODE: point.number("/disaggregation/decode_accelerators", _DECODE, _DECODE),
    }
    return {name: pool for name, pool in pools.items() if pool and pool.value > 0}


def _over(whole: Quantity, by: Quantity) -> Sum:
    value = whole.value / by.value
    return Sum(value, f"{whole.text} / {by.text} = {shown(value)} tok/s each", whole.slack)
