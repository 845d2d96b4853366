"""A gain (ratio - 1) or a percentage, filed as a speedup ratio."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tools.checks.point import Figure, operating_point
from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.comparison.operands import SPEEDUP, operands_of_speedups
from tools.checks.sides import comparisons
from tools.checks.span import Span, gain_of, in_words
from tools.finding import Level
from tools.records import pointer
from tools.records.parse import Json

SMALLEST = 0.2
CERTAIN = 0.5
TOLERANCE = 0.03
_PERCENTAGE = re.compile(r"(-?[0-9]+(?:\.[0-9]+)?) ?(?:%|percent\b|per cent\b)(?! of\b)", re.IGNORECASE)
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_PERCENT_UNITS = ("%", "percent", "per cent", "pct")


def check(record: Record, ledger: Ledger) -> Iterator[Fault]:
    speedups = [figure for figure in operating_point(record).of(SPEEDUP) if figure.quantity.value > 0]
    if not speedups:
        return
    pairs = {place: spans for place, _, spans in operands_of_speedups(record, comparisons(record, ledger))}
    for figure in speedups:
        found = pairs.get(figure.pointer, [])
        fault = _recomputed(figure, found) or _printed_as_percentage(figure) or _tiny(figure, found)
        if fault is not None:
            yield fault


def _recomputed(figure: Figure, quotients: list[Span]) -> Fault | None:
    """Told only where the number is the gain of a quotient, and none of them itself."""
    value, ratio = figure.quantity.value, gain_of(figure.quantity.value, quotients)
    if ratio is None:
        return None
    return _fault(figure, f"{in_words(ratio)}, and {shown(value)} is that less 1", ratio.value)


def _printed_as_percentage(figure: Figure) -> Fault | None:
    value = figure.quantity.value
    for text, percentage in _percentages(figure.result):
        size, ratio = abs(percentage), 1 + percentage / 100
        if size and abs(value / size - 1) <= TOLERANCE:
            return _fault(figure, f"the source prints {text}, and the ratio is {shown(value)} too", ratio)
        if 0 < size < 100 and abs(value * 100 / size - 1) <= TOLERANCE:
            # 85 % may also say that the new rate is 85 % of the old one.
            level = None if value < CERTAIN or "-" in text or "+" in text else Level.WARNING
            return _fault(figure, f"the source prints {text}, filed as {shown(value)}", ratio, level)
    return None


def _percentages(result: dict[str, Json]) -> Iterator[tuple[str, float]]:
    """The percentages that the source prints for this number, as it prints them."""
    unit = pointer.find(result, "/derived_from/original/unit")
    is_percent = isinstance(unit, str) and unit.strip().casefold() in _PERCENT_UNITS
    for place in ("/derived_from/original/printed", "/derived_from/original/value", "/printed"):
        text = pointer.find(result, place)
        if isinstance(text, bool) or not isinstance(text, (str, int, float)):
            continue
        plain = str(text).strip().replace("\u2212", "-")
        found = _PERCENTAGE.search(plain)
        if found is not None:
            yield plain, float(found[1])
        elif is_percent and place != "/printed" and (number := _NUMBER.search(plain)) is not None:
            yield f"{plain} {unit}", float(number[0])


def _tiny(figure: Figure, quotients: list[Span]) -> Fault | None:
    """Asks where nothing in the record bears the ratio out."""
    value = figure.quantity.value
    if value >= SMALLEST or any(span.distance(value) <= TOLERANCE * span.value for span in quotients):
        return None
    asked = f"a speedup of {shown(value)} says that the new side is {shown(1 / value)} times slower"
    return _fault(figure, asked, 1 + value, Level.WARNING)


def _fault(figure: Figure, found: str, ratio: float, level: Level | None = None) -> Fault:
    return Fault(
        figure.quantity.pointer,
        f"this looks like a gain and not a ratio: {found}",
        f"break-even of a ratio is 1: a change of {shown((ratio - 1) * 100)} % is a ratio of {shown(ratio)}; "
        "see what the source means, and keep its own number in `derived_from.original`",
        level=level,
    )


RULE = Rule(
    name="gain-filed-as-ratio",
    level=Level.ERROR,
    summary="A gain or a percentage is filed as a speedup ratio.",
    why=(
        "`33 % faster` is a ratio of 1.33. Stored as 0.33 it reads as a threefold slowdown, and stored as 33 as a "
        "wonder; both go into averages without an error. Where the two rates are known, or the source's own "
        "percentage is kept, the slip is certain. A bare ratio below 0.2 is only asked about: speculation that makes "
        "decoding five times slower is possible, but nobody publishes it as a speedup."
    ),
    formula=(
        "fires if speedup_ratio = new / old - 1 and not new / old (old / new for times), from "
        "baseline.value or the baseline record; if it equals the printed percentage, or that / 100; warns below 0.2"
    ),
    tolerance=(
        "3 % and the printed digits; 0.2 asks, as the smallest of 762 published speedups of speculative decoding is "
        "0.49. A percentage of 50 or more filed as a share may be one of the baseline, so it warns"
    ),
    kinds=("benchmark",),
    other_levels=(Level.WARNING,),
    needs=((SPEEDUP,),),
    check=check,
)
