"""A number as the rules reckon with it: its value in base units, where it stands, and how finely it was printed.

A source prints 0.8 J/tok where it measured 0.834, so an identity can only be asked to hold as far as the digits of
its operands reach. `slack` is that reach: half a unit of the last digit, as a share of the value.
"""

from __future__ import annotations

import math
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

_MOST_ZEROS = 300
"""Decimal places up to which a power of ten is a float."""


class Quantity(NamedTuple):
    """One number of a record. `name` is what the record calls it, `value` its size in the base unit of its dimension
    (seconds, tokens per second, watts, bytes), `text` the number with its unit as the record has it, `pointer` its
    JSON Pointer, `slack` half a unit of its last digit as a share of it."""

    name: str
    value: float
    text: str
    pointer: str
    slack: float = 0.0


def number(value: object) -> float | None:
    """A finite number as a float; None for anything else, booleans included."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        plain = float(value)
    except OverflowError:
        return None
    return plain if math.isfinite(plain) else None


def rounding(printed: float | str) -> float:
    """Half a unit of the last printed digit, in the unit of the number: 0.05 for 4.1, 0.5 for 120.

    0 for a text that is no number, or none of a size that anything has.
    """
    if isinstance(printed, float) and math.isfinite(printed):
        places = repr(printed).partition(".")[2]
        if places.isdecimal():
            # A float of a whole number is written 24525.0; its last digit is the 5.
            return 0.5 * 10.0 ** (0 if printed.is_integer() else -len(places))
    try:
        digits = Decimal(str(printed).strip().replace(",", ""))
    except InvalidOperation:
        return 0.0
    exponent = digits.as_tuple().exponent
    if not isinstance(exponent, int) or abs(exponent) > _MOST_ZEROS:
        return 0.0
    # A float of a whole number is written 24525.0; its last digit is the 5.
    whole = isinstance(printed, float) and printed.is_integer()
    return 0.5 * 10.0 ** (0 if whole else exponent)


def shown(value: float) -> str:
    """A number in four significant digits, with separators of thousands: 2,637 or 0.8342."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    if abs(value) >= 1000:
        return f"{value:,.0f}" if abs(value) < 1e15 else f"{value:.3e}"
    return f"{value:.4g}"
