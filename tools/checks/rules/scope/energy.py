"""The energies of a run, each with the rate it is multiplied by and the power it has to come to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tools.checks.point import TOKEN_RATES, Figure, OperatingPoint
from tools.checks.quantity import Quantity
from tools.checks.recount import REQUEST_RATE, accelerators, contradicted, share_filed_as_whole, window
from tools.checks.rules.scope.draw import EACH, WHOLE

PER_TOKEN, PER_ENERGY = "joules_per_token", "tokens_per_joule"


class Energy(NamedTuple):
    """Joules per token or request, and the metric of the rate it is multiplied by."""

    figure: Figure
    joules: Quantity
    rate: str


def energies(point: OperatingPoint) -> Iterator[Energy]:
    """Energy per token and per request; tokens per joule only where no like energy per token says the same."""
    per_token, per_energy = point.figure(PER_TOKEN), point.figure(PER_ENERGY)
    if per_token and (rate := TOKEN_RATES.get(str(per_token.result.get("token_kind")))):
        yield Energy(per_token, per_token.quantity, rate)
    if per_energy and per_energy.quantity.value > 0 and not same_kind(point, per_token, per_energy):
        rate = TOKEN_RATES.get(str(per_energy.result.get("token_kind")))
        if rate:
            value = 1 / per_energy.quantity.value
            text = f"1 / {per_energy.quantity.text}"
            yield Energy(per_energy, per_energy.quantity._replace(value=value, text=text), rate)
    per_request = point.figure("joules_per_request")
    if per_request:
        yield Energy(per_request, per_request.quantity, REQUEST_RATE)


def same_kind(point: OperatingPoint, first: Figure | None, second: Figure) -> bool:
    """Whether two figures of power or energy are on one basis and of one window and token kind."""
    if first is None or window(point, first) != window(point, second):
        return False
    return all(first.result.get(key) == second.result.get(key) for key in ("power_basis", "token_kind"))


def power_of(point: OperatingPoint, energy: Figure) -> tuple[Figure, Quantity] | None:
    """The power of the deployment on the basis and over the window of an energy."""
    for metric in (WHOLE, EACH):
        figure, count = point.figure(metric), accelerators(point)
        if figure is None or figure.result.get("power_basis") != energy.result.get("power_basis"):
            continue
        if window(point, figure) != window(point, energy):
            continue
        if metric == WHOLE:
            return figure, figure.quantity
        if count:
            value, text = figure.quantity.value * count.value, f"{figure.quantity.text} x {count.text}"
            return figure, figure.quantity._replace(value=value, text=text)
    return None


def sound_rate(point: OperatingPoint, metric: str) -> Figure | None:
    """A rate of the deployment that nothing in the record contradicts."""
    figure = point.figure(metric)
    if figure is None or contradicted(point, metric) or share_filed_as_whole(point, metric):
        return None
    return figure
