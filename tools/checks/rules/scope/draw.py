"""The power of a deployment and of one accelerator, held against what the parts are rated for.

A part's rated power (TDP) is what its cooling is made for; averaged over a run it is not exceeded, and a part that
serves draws more than a quarter of it. What lies outside is mostly the other scope.
"""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.limits import Lack, parts
from tools.checks.point import Figure, OperatingPoint
from tools.checks.quantity import shown
from tools.checks.recount import accelerators, tolerance_of, window
from tools.checks.rule import Fault, Ledger, Skip

EACH, WHOLE = "power_w_per_accelerator", "power_w"

_OF_THE_PARTS = (None, "measured_accelerator", "nameplate_tdp")
"""Bases that leave host, fans and network out, so that rated power is a limit."""

_OVER = 1.1
_UNDER = 1.2
_SEVERAL = 4


def draw_faults(point: OperatingPoint, ledger: Ledger) -> Iterator[Fault | Skip]:
    """Power that is of another scope than its metric says, one fault at most; a skip for each rating that lacks."""
    each, whole, count = point.figure(EACH), point.figure(WHOLE), accelerators(point)
    filed = each or whole
    if filed is None:
        return
    rated: list[float] = []
    taken_part = parts(point, ledger)
    if isinstance(taken_part, Lack):
        yield Skip(filed.quantity.pointer, taken_part.what)
    else:
        for part in taken_part:
            if part.tdp is None:
                yield Skip(
                    filed.quantity.pointer, f"the rated power of `{part.id}`: /power/tdp of its record"
                )
        stated = [part.tdp for part in taken_part if part.tdp is not None]
        rated = stated if len(stated) == len(taken_part) else []
    fault = _outside(point, each, whole, rated) if rated else None
    if fault is None and each and whole and count:
        wanted = each.quantity.value * count.value
        same = _basis(each) == _basis(whole) and window(point, each) == window(point, whole)
        allowed = tolerance_of(each, whole) + each.quantity.slack + whole.quantity.slack
        if same and wanted and abs(whole.quantity.value / wanted - 1) > allowed:
            fault = Fault(
                each.quantity.pointer,
                f"{each.quantity.text} x {count.text} = {shown(wanted)} W, but {WHOLE} says {whole.quantity.text}",
                "one of them is of another scope, basis or window",
            )
    if fault:
        yield fault


def _outside(
    point: OperatingPoint, each: Figure | None, whole: Figure | None, rated: list[float]
) -> Fault | None:
    count = accelerators(point)
    most, least = max(rated), min(rated)
    limit = point.number("/hardware/power_limit_w")
    if limit and limit.value < least:
        least = limit.value
    if each and _basis(each) in _OF_THE_PARTS and each.quantity.value > _OVER * most:
        return Fault(
            each.quantity.pointer,
            f"{each.quantity.text} on one accelerator rated for {shown(most)} W",
            f"looks like the power of several: if it is of the whole deployment, file it as `{WHOLE}`",
        )
    if whole is None or count is None:
        return None
    power = whole.quantity
    if count.value >= _SEVERAL and power.value < _UNDER * least:
        return Fault(
            power.pointer,
            f"{power.text} for {count.text} of {shown(least)} W each: {shown(power.value / count.value)} W on one",
            f"looks like the average over accelerators: if it is, file it as `{EACH}`",
        )
    if _basis(whole) in _OF_THE_PARTS and power.value > _OVER * count.value * most:
        return Fault(
            power.pointer,
            f"{power.text} for {count.text} rated for {shown(most)} W each: {shown(count.value * most)} W in all",
            "accelerators alone do not draw that: see the basis (the whole node at its plug?), the unit and the count",
        )
    return None


def _basis(figure: Figure) -> object:
    return figure.result.get("power_basis")
