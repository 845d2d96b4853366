"""A printed number as the interval it stands for, and the quotient of two such intervals.

A source that prints 1.9 may have measured anything from 1.85 to 1.95, so a ratio can be held against its operands only
as far as their digits reach.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from tools.checks.quantity import Quantity, number, rounding, shown
from tools.records.parse import Json


class Span(NamedTuple):
    """A positive number as printed: its ends, its value, the number in words, and the unit if one is said."""

    low: float
    high: float
    value: float
    text: str
    unit: str | None = None

    def over(self, other: Span) -> Span:
        """The quotient of this and another; its text is the division."""
        return Span(
            self.low / other.high,
            self.high / other.low,
            self.value / other.value,
            f"{self.text} / {other.text}",
        )

    def distance(self, value: float) -> float:
        """How far outside the interval a value lies; 0 inside."""
        return max(self.low - value, value - self.high, 0.0)


def printed_span(said: dict[str, Json]) -> Span | None:
    """The figure of a mapping that has `printed`, or else `value`, and perhaps `unit`; None unless it is positive."""
    printed, value, unit = said.get("printed"), number(said.get("value")), said.get("unit")
    if isinstance(printed, str):
        try:
            digits = float(Decimal(printed.strip().replace(",", "")))
        except (InvalidOperation, ValueError):
            digits = 0.0
        if digits > 0:
            return _span(digits, rounding(printed), printed.strip(), unit)
    if value is None:
        return None
    exact = said["value"]
    assert isinstance(exact, (int, float))
    return _span(value, rounding(exact), str(exact), unit)


def quantity_span(quantity: Quantity) -> Span | None:
    """A result as an interval, in the base unit of its dimension; None unless it is positive."""
    return _span(quantity.value, quantity.slack * abs(quantity.value), quantity.text, None)


def _span(value: float, half_digit: float, text: str, unit: Json) -> Span | None:
    if not value - half_digit > 0:
        return None
    said = unit if isinstance(unit, str) else None
    return Span(value - half_digit, value + half_digit, value, text, said)


GAIN_TOLERANCE = 0.03
"""Share of a gain that a number may miss it by and still be taken for it."""


def gain_of(value: float, ratios: list[Span]) -> Span | None:
    """The ratio of which a number is the gain (ratio - 1); None where the number is one of the ratios itself."""
    if any(ratio.distance(value) <= GAIN_TOLERANCE * ratio.value for ratio in ratios):
        return None
    fits = (
        ratio
        for ratio in ratios
        if ratio.value > 1 and ratio.distance(1 + value) <= GAIN_TOLERANCE * (ratio.value - 1)
    )
    return next(fits, None)


def in_words(span: Span) -> str:
    """A quotient with the range that the digits of its operands allow."""
    if shown(span.low) == shown(span.high):
        return f"{span.text} = {shown(span.value)}"
    return (
        f"{span.text} = {shown(span.value)}, {shown(span.low)} to {shown(span.high)} with the digits printed"
    )
