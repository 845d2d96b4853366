"""Numbers with the digits of their file: what a cell says, and how a record has to spell it to lose nothing.

A record keeps the digits of a number in its text (`2.20` stays `2.20`). A reader of the value alone has 53 bits;
where the file has more digits than those hold, or spells the number as no record may (`1,234.5`), the digits are
kept beside the value, in `printed`.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from tools.records.scalars import ScalarError, plain_value

_GROUPED = re.compile(r"[-+]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_LOOSE = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


_LARGEST = int(sys.float_info.max)
"""Quotients are taken of all numbers, so that an integer is as large as a float can be."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A number as a file prints it.

    `spelling` is how a record may write it, empty where the file's way is none; `printed` are the digits that the
    value alone would lose, empty where it loses none.
    """

    value: int | float
    spelling: str = ""
    printed: str = ""

    @property
    def exact(self) -> Fraction:
        """The number that the digits say, which its value may be the nearest binary neighbour of."""
        digits = (self.printed or self.spelling).replace(",", "")
        return Fraction(Decimal(digits)) if digits else Fraction(self.value)


def read_number(text: str) -> Printed | None:
    """The number a cell holds, or None for anything else; what is not finite, or too large for that, is no number."""
    text = text.strip()
    try:
        value = plain_value(text) if text else None
    except ScalarError:
        value = None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if abs(value) > _LARGEST:
            return None
        exact = isinstance(value, int) or Decimal(text) == Decimal(repr(value))
        return Printed(value, text, "" if exact else text)
    bare = text.replace(",", "") if _GROUPED.fullmatch(text) else text
    if not _LOOSE.fullmatch(bare):
        return None
    number = float(bare)
    if number in (float("inf"), float("-inf")) or (
        number == 0 and re.search("[1-9]", bare.lower().split("e")[0])
    ):
        return None
    whole = re.fullmatch(r"[-+]?[0-9]+", bare)
    return Printed(int(bare) if whole and len(bare) < 100 else number, "", text)
