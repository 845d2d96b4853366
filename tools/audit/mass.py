"""What a broken script looks like: many records touched at once, or one metric shifted in all of them.

Two signs, both read from the changed records alone, so that the size of the ledger does not matter:

* more than a set number of records differ from the base in anything but formatting, or are gone;
* in at least `FEWEST` records the values of one metric changed, and the median of new over old lies further than
  `SHIFT` from 1: a unit slip, a column too far.

New records count for neither. A value is compared with that of the same metric and statistic in the same record,
in the same unit; what was reclassified, or has no counterpart, is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Final

from tools.audit.replay import Content
from tools.audit.values import same
from tools.audit.versions import Pair
from tools.records.parse import Json
from tools.schema.vocabulary import UnitError, convert

LIMIT: Final = 50
"""Records that may change at once without a word."""
FEWEST: Final = 10
"""Records from which a common shift of a metric is told."""
SHIFT: Final = 1.2
"""The factor, up or down, beyond which it is told."""

_LARGEST: Final = 1e300


@dataclass(frozen=True, slots=True)
class Shift:
    """A metric whose values moved together: in how many records, and by which median factor."""

    metric: str
    records: int
    factor: float


def touched(pairs: Iterable[Pair]) -> list[Pair]:
    """The records of the base that are gone or differ in more than formatting."""
    return [
        pair
        for pair in pairs
        if pair.before is not None
        and (pair.after is None or pair.after.value is None or not same(pair.before.value, pair.after.value))
    ]


def shifts(pairs: Iterable[Pair]) -> list[Shift]:
    """The metrics that moved in many records at once, by name."""
    factors: dict[str, list[float]] = {}
    for pair in pairs:
        before = pair.before.value if pair.before is not None else None
        after = pair.after.value if pair.after is not None else None
        for metric, factor in _factors(before or {}, after or {}).items():
            factors.setdefault(metric, []).append(factor)
    found = [Shift(metric, len(each), median(each)) for metric, each in sorted(factors.items())]
    return [shift for shift in found if shift.records >= FEWEST and not 1 / SHIFT <= shift.factor <= SHIFT]


def _factors(before: Content, after: Content) -> dict[str, float]:
    """By metric, the median of new over old of the values that changed in one record."""
    now = dict(_values(after))
    found: dict[str, list[float]] = {}
    for key, (value, unit) in _values(before):
        new, new_unit = now.get(key, (value, unit))
        try:
            changed = new if new_unit == unit else convert(new, new_unit, unit)
        except UnitError:
            continue
        if value != 0 and changed != value:
            found.setdefault(key[0], []).append(changed / value)
    return {metric: median(each) for metric, each in found.items()}


def _values(record: Mapping[str, Json]) -> Iterator[tuple[tuple[str, str], tuple[float, str]]]:
    results = record.get("results")
    for result in results if isinstance(results, list) else ():
        if not isinstance(result, dict):
            continue
        metric, unit, value = result.get("metric"), result.get("unit"), result.get("value")
        if not isinstance(value, (int, float)) or isinstance(value, bool) or abs(value) > _LARGEST:
            continue
        if isinstance(metric, str) and isinstance(unit, str):
            yield (metric, str(result.get("statistic"))), (float(value), unit)
