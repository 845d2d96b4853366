"""A number that lost its first digit: which one it may have been."""

from __future__ import annotations

_MOST_DIGITS = 15
"""Digits of a whole number that a float holds exactly."""

_COPIED_DIGITS = 10
"""Most digits of a throughput in the printed tables that the ledger was filled from; in files that programs wrote
nearly all have twelve and more."""

LEAST = 0.8
"""Share of the best rate at a smaller load that a rate at a larger one reaches at least."""


def restored(value: float, smaller: float, times: float, following: float | None) -> float | None:
    """The value with the least digit in front that lifts it above the smaller load's, where load can have done that.

    A rate grows at most in proportion to the load, and the next larger load does not fall short of it either. A number
    of more digits than people copy came out of a program whole.
    """
    digits = len(str(int(value)))
    if digits > _MOST_DIGITS or len(repr(value).replace(".", "").strip("0")) > _COPIED_DIGITS:
        return None
    unit = 10.0**digits
    for digit in range(1, 10):
        lifted = digit * unit + value
        if lifted > smaller:
            plausible = lifted <= smaller * times and (following is None or following >= LEAST * lifted)
            return lifted if plausible else None
    return None
