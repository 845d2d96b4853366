"""Lengths asked for beside lengths that were run, and what a difference between them is a sign of.

Several rules name one difference each; they share these questions, so that a swapped pair is not also called a drift.
"""

from __future__ import annotations

from typing import NamedTuple

from tools.checks.point import OperatingPoint
from tools.checks.quantity import Quantity
from tools.checks.remembered import remembered

DRIFT = 0.05
"""Share by which a measured length may differ from the one asked for."""

_SYNTHETIC_NAMES = ("random", "random-ids", "synthetic")
_SIDES = ("input", "output")
_REAL = ("natural", "trace")


def is_synthetic(point: OperatingPoint) -> bool:
    """Whether the prompts were made up; the name of a generator counts where the kind is not stated."""
    kind = point.record.get("/conditions/dataset_kind")
    if kind is not None:
        return kind == "synthetic"
    name = point.record.text("/conditions/dataset")
    return name is not None and name.casefold() in _SYNTHETIC_NAMES


def is_cap(point: OperatingPoint, side: str) -> bool:
    """Whether the nominal length of a side is only an upper limit or the upper end of a range."""
    return point.record.get(f"/conditions/{side}_length/kind") in ("cap", "upper")


@remembered(2)
def over_nominal(point: OperatingPoint, side: str) -> float | None:
    """Measured mean length over the nominal one; None where either is missing or 0."""
    nominal, measured = point.nominal_length(side), point.measured_length(side)
    if nominal is None or measured is None or nominal.value <= 0 or measured.value <= 0:
        return None
    return measured.value / nominal.value


def is_one_token(point: OperatingPoint) -> bool:
    """Whether every answer had one token although more were asked for, and not a word that ends by itself."""
    if (over_nominal(point, "output") or 1) >= 1:
        return False
    measured = point.measured_length("output")
    if measured is None or measured.value != 1:
        return False
    return not (is_cap(point, "output") and point.record.get("/conditions/dataset_kind") in _REAL)


class Lengths(NamedTuple):
    """The four lengths of a run."""

    asked_input: Quantity
    asked_output: Quantity
    input: Quantity
    output: Quantity


def swapped(point: OperatingPoint) -> Lengths | None:
    """The lengths, where both measured ones fit the nominal length of the other side, and not their own."""
    if over_nominal(point, "input") is None or over_nominal(point, "output") is None:
        return None
    asked = [point.nominal_length(side) for side in _SIDES]
    measured = [point.measured_length(side) for side in _SIDES]
    found = Lengths(*(quantity for quantity in (*asked, *measured) if quantity))
    straight = _near(found.input, found.asked_input) and _near(found.output, found.asked_output)
    crossed = _near(found.input, found.asked_output) and _near(found.output, found.asked_input)
    return found if crossed and not straight else None


def stopped_early(point: OperatingPoint) -> bool:
    """Whether answers to made-up prompts ended before the length asked for, the end token not being ignored.

    Lengths drawn below the nominal one are no such stop: then the inputs are short by the same share.
    """
    output = over_nominal(point, "output")
    if output is None or output >= 1 - DRIFT or not is_synthetic(point):
        return False
    length = point.record.get("/conditions/output_length")
    assert isinstance(length, dict)
    if point.record.get("/conditions/ignore_eos") is True or length.get("kind") == "upper":
        return False
    if length.get("distribution", "fixed") != "fixed":
        return False
    inputs = over_nominal(point, "input")
    return inputs is None or inputs >= 1 - DRIFT or abs(output - inputs) > DRIFT


def _near(measured: Quantity, nominal: Quantity) -> bool:
    return abs(measured.value - nominal.value) <= DRIFT * nominal.value
