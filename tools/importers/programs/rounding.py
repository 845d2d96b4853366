"""Numbers that a file prints beside what they were computed of, each rounded for itself.

A rate of 307.20 beside 2.500 s says no more than its digits hold: the count lies in a range, and whether the two agree
is a question of that range and not of one tolerance for all files.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from tools.importers.printed import Printed


def half_unit(number: Printed) -> Fraction:
    """Half a unit of the last digit that is printed: how far the number may be from what was measured."""
    digits = Decimal((number.printed or number.spelling or repr(number.value)).replace(",", ""))
    exponent = digits.as_tuple().exponent
    return Fraction(10) ** exponent / 2 if isinstance(exponent, int) else Fraction(0)


def is_rate(rate: Printed, count: int, time: Fraction, error: Fraction, slack: Fraction) -> bool:
    """Whether a rate is a count over a time that may be off by `error`; `slack` is a share of the rate."""
    low, high = (Fraction(count) / (time + side) for side in (error, -min(error, time / 2)))
    room = half_unit(rate) + rate.exact * slack
    return low - room <= rate.exact <= high + room
