"""What the totals of a run say of its filed rates, and whether a filed rate bears them out.

Several rules name faults of one rate (a count never divided by time, a share filed as the whole, input tokens counted
in). Each of them asks here first what the rate should have been, and the later ones keep quiet about a rate
that another rule speaks of, so that one fault is told once.
"""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.identities import (
    Sum,
    requests_over_time,
    requests_times_length,
    tokens_over_time,
)
from tools.checks.point import TOKEN_RATES, Figure, OperatingPoint
from tools.checks.quantity import Quantity, shown
from tools.checks.remembered import remembered

TOLERANCE = 0.03
"""How far a rate may be from its totals. Tools divide by slightly different clocks (first send or first byte, last
token or last response); 198 runs of the InferenceX repository recompute to all digits."""

APPROXIMATE = 0.1
"""What is allowed besides where the source says "about"."""

KIND_OF = {metric: kind for kind, metric in TOKEN_RATES.items()}
"""Token kind of each wall-clock token rate of the deployment."""

REQUEST_RATE = "requests_per_s"

SYSTEM_RATES = (*KIND_OF, REQUEST_RATE)
"""Rates of the whole deployment that the totals of a run determine."""

PER_ACCELERATOR = {
    "tps_aggregate": "output_tok_s_per_accelerator",
    "input_tok_s": "input_tok_s_per_accelerator",
    "total_tok_s": "total_tok_s_per_accelerator",
    "decode_tok_s": "decode_tok_s_per_accelerator",
}
"""The same rate divided by all accelerators of the deployment."""

_WHOLE_OF = {share: whole for whole, share in PER_ACCELERATOR.items()}

RATES = (
    *SYSTEM_RATES,
    "samples_per_s",
    "decode_tok_s",
    *PER_ACCELERATOR.values(),
    "input_tok_s_per_prefill_accelerator",
    "output_tok_s_per_decode_accelerator",
)
"""Rates that can be held against totals, or against one another."""


def tolerance_of(*figures: Figure, base: float = TOLERANCE) -> float:
    """The relative tolerance for an identity between filed figures; wider where one is about."""
    return base + (APPROXIMATE if any(figure.approximate for figure in figures) else 0)


def window(point: OperatingPoint, figure: Figure) -> str:
    """The part of the run that a figure covers; what is not stated counts as the full run."""
    conditions = point.record.value.get("conditions")
    common = conditions.get("window") if isinstance(conditions, dict) else None
    found = figure.result.get("window") or common
    return found if isinstance(found, str) and found != "unstated" else "full_run"


@remembered()
def accelerators(point: OperatingPoint) -> Quantity | None:
    """Accelerators of the deployment: as stated, else those of one machine times the machines."""
    if point.accelerators:
        return point.accelerators
    each = point.number("/hardware/accelerators_per_node")
    nodes = point.number("/hardware/nodes")
    if each is None or nodes is None:
        return None
    count = each.value * nodes.value
    return Quantity("accelerators", count, f"{shown(count)} accelerators", each.pointer)


def can_be_held(point: OperatingPoint) -> bool:
    """Whether a record has totals, or two rates, so that a rate can be held against something; quick to tell."""
    return "counts" in point.record.value or sum(map(len, map(point.of, RATES))) > 1


@remembered(8)
def expected(point: OperatingPoint, metric: str) -> Sum | None:
    """What a rate of the deployment should be: totals / duration, else request rate x measured mean length.

    A request rate that its own totals contradict says nothing about the others.
    """
    if metric == REQUEST_RATE:
        return requests_over_time(point)
    kind = KIND_OF.get(metric)
    if kind is None:
        return None
    counted = tokens_over_time(point, kind)
    if counted:
        return counted
    sides = ("input", "output") if kind == "total" else (kind,)
    if any((length := point.length(side)) is None or not length.measured for side in sides):
        return None
    return None if contradicted(point, REQUEST_RATE) else requests_times_length(point, kind)


@remembered(8)
def against_totals(point: OperatingPoint, metric: str) -> tuple[Figure, Sum] | None:
    """A filed rate of the full run and what it should be, where the two disagree."""
    figure = point.figure(metric)
    if figure is None or window(point, figure) != "full_run":
        return None
    wanted = expected(point, metric)
    if wanted is None or wanted.value <= 0 or wanted.agrees(figure.quantity, tolerance_of(figure)):
        return None
    return figure, wanted


def contradicted(point: OperatingPoint, metric: str) -> bool:
    """Whether the totals of the run disagree with a filed rate, whatever the reason."""
    return against_totals(point, metric) is not None


def told_by_totals(point: OperatingPoint, metric: str) -> bool:
    """Whether the totals speak against a rate, or against the one of the whole that it is a share of.

    What is then above a limit is that for a reason that another rule names.
    """
    return contradicted(point, _WHOLE_OF.get(metric, metric))


def borne_out(point: OperatingPoint, *metrics: str) -> list[Figure]:
    """Figures of the whole run against which no totals speak, in the order of the metrics."""
    found = (point.figure(metric) for metric in metrics)
    return [figure for figure in found if figure and not told_by_totals(point, figure.metric)]


@remembered(8)
def share_filed_as_whole(point: OperatingPoint, metric: str) -> tuple[Figure, Sum] | None:
    """A rate of the deployment that is the rate of one accelerator: times their number it is what the run says.

    The run says it by its totals, else by the same rate per accelerator, else by the other token rates
    (total = input + output).
    """
    figure, count = point.figure(metric), accelerators(point)
    if figure is None or count is None or count.value <= 1 or window(point, figure) != "full_run":
        return None
    allowed = tolerance_of(figure)
    whole = figure.quantity._replace(value=figure.quantity.value * count.value)
    for wanted in _said_of(point, metric, count):
        if wanted.value > 0 and wanted.agrees(whole, allowed):
            return None if wanted.agrees(figure.quantity, allowed) else (figure, wanted)
    return None


def _said_of(point: OperatingPoint, metric: str, count: Quantity) -> Iterator[Sum]:
    totals = expected(point, metric)
    if totals:
        yield totals
        return
    each = point.whole(PER_ACCELERATOR.get(metric, ""))
    if each:
        value = each.value * count.value
        yield Sum(value, f"{each.text} x {count.text} = {shown(value)} tok/s", each.slack)
    rates = {kind: point.whole(name) for kind, name in TOKEN_RATES.items()}
    first, second, total = rates["input"], rates["output"], rates["total"]
    if metric == TOKEN_RATES["output"] and total and first:
        yield _difference(total, first)
    elif metric == TOKEN_RATES["input"] and total and second:
        yield _difference(total, second)
    elif metric == TOKEN_RATES["total"] and first and second:
        value = first.value + second.value
        yield Sum(value, f"{first.text} + {second.text} = {shown(value)} tok/s")


def _difference(total: Quantity, part: Quantity) -> Sum:
    value = total.value - part.value
    slack = (total.slack * total.value + part.slack * part.value) / value if value > 0 else 0.0
    return Sum(value, f"{total.text} - {part.text} = {shown(value)} tok/s", slack)
