"""The figures of one distribution side by side: percentiles with their ranks, mean, spread, extremes.

Figures belong together when they are of one metric and agree in everything that would make them figures of something
else: the window, the client's definition, the draft position, the kind of tokens, the basis of power.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from tools.checks.point import Figure, operating_point
from tools.checks.quantity import Quantity, number
from tools.checks.remembered import remembered
from tools.checks.rule import Record
from tools.schema.vocabulary import vocabulary

STATISTICS = ("/results/*/statistic",)
"""What a record has to have so that figures of one distribution can be told from one another."""

_SETS_APART = frozenset(
    {"window", "definition_variant", "definition", "position", "token_kind", "power_basis"}
)


class Distribution(NamedTuple):
    """The figures of one distribution by their statistic, in the order of the record; values marked as about are
    left out."""

    metric: str
    figures: dict[str, Figure]

    @property
    def ranked(self) -> list[tuple[float, Figure]]:
        """(percentile, figure) by rising percentile; the smallest sample is 0, the largest 100."""
        known = ranks()
        found = [(known[name], figure) for name, figure in self.figures.items() if name in known]
        return sorted(found, key=lambda pair: pair[0])

    def quantity(self, statistic: str) -> Quantity | None:
        """The quantity of a statistic, or None."""
        found = self.figures.get(statistic)
        return found.quantity if found else None


@cache
def ranks() -> dict[str, float]:
    """Percentile of each statistic that has one; 0 for the smallest sample, 100 for the largest."""
    stated = {
        name: float(statistic.percentile)
        for name, statistic in vocabulary().statistics.items()
        if statistic.percentile is not None
    }
    return {"min": 0.0, **stated, "max": 100.0}


@cache
def opposite(rank: float) -> str:
    """The statistic on the other side of the median, which a reciprocal turns a percentile into: p10 for 90."""
    by_rank = {other: name for name, other in ranks().items()}
    return by_rank.get(100 - rank, f"p{100 - rank:g}")


@remembered()
def distributions(record: Record) -> tuple[Distribution, ...]:
    """The distributions of a record of which at least two figures are filed."""
    groups: dict[tuple[object, ...], dict[str, Figure]] = {}
    for figure in operating_point(record).figures:
        if figure.statistic and not figure.approximate:
            key = (figure.metric, *_sets_apart(figure))
            groups.setdefault(key, {}).setdefault(figure.statistic, figure)
    return tuple(Distribution(str(key[0]), found) for key, found in groups.items() if len(found) > 1)


def _sets_apart(figure: Figure) -> list[str]:
    """What the result says of itself beyond metric and statistic, in one order."""
    if _SETS_APART.isdisjoint(figure.result):
        return []
    return sorted(f"{name} {figure.result[name]}" for name in _SETS_APART & figure.result.keys())


def samples_of(record: Record, figure: Figure) -> float | None:
    """Samples behind a figure: as stated, else one per completed request; None where a request gives several."""
    stated = number(figure.result.get("samples"))
    if stated is not None:
        return stated
    if figure.definition.scope != "user" or figure.metric in ("itl_ms", "inter_chunk_ms"):
        return None
    completed = operating_point(record).count("completed")
    return completed.value if completed else None


def reach(quantity: Quantity) -> float:
    """How far the printed digits let the true value lie from the filed one, in base units."""
    return quantity.slack * abs(quantity.value)
