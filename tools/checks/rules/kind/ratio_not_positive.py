"""A measured speedup at or below zero."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import operating_point
from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    for figure in operating_point(record).of("speedup_ratio"):
        value = figure.quantity.value
        if value > 0:
            continue
        says = "that nothing came out at all" if value == 0 else "a rate below zero"
        as_gain = f"; as a gain, {shown(value)} is a ratio of {shown(1 + value)}" if value > -1 else ""
        yield Fault(
            figure.quantity.pointer,
            f"a speedup of {shown(value)} says {says}: break-even is 1, and a slowdown lies between 0 and 1",
            "if the source gives a change (ratio - 1), file the ratio it prints or declare what is meant"
            f"{as_gain}; if it gives only the limit of a range, say so with `bound`",
        )


RULE = Rule(
    name="ratio-not-positive",
    level=Level.ERROR,
    summary="A measured speedup is 0 or less.",
    why=(
        "A speedup is new rate over old rate. At 1 nothing changed, 0.8 is a fifth slower, and 0 would mean that the "
        "new side produced nothing. Sources that say that an effect `may be negative` speak of the gain, ratio - 1. "
        "The one honest 0 is the lower limit of a documented range, which `bound` marks as a limit; such a value "
        "is no measurement and stays out of averages."
    ),
    formula="fires if speedup_ratio <= 0 and the result has no bound",
    tolerance=(
        "none: of 762 published speedups of speculative decoding, collected from papers and pull requests, the "
        "smallest is 0.49"
    ),
    kinds=("benchmark",),
    needs=(("speedup_ratio",),),
    check=check,
)
