"""What a record says about accepted draft tokens: lengths, rates, shares by position, as one view for these rules."""

from __future__ import annotations

from typing import NamedTuple

from tools.checks.point import WHOLE_RUN, Figure, OperatingPoint
from tools.checks.quantity import Quantity

CONDITIONAL, UNCONDITIONAL = "acceptance_rate_conditional", "acceptance_rate_unconditional"
CHAINS = frozenset(
    {
        "draft_model",
        "mtp",
        "p_eagle",
        "parallel_draft",
        "ngram",
        "prompt_lookup",
        "self_speculative",
        "early_exit",
    }
)
"""Techniques whose draft is a chain unless the record says otherwise; the others may be either."""

ALWAYS_FULL = frozenset(
    {"draft_model", "mtp", "p_eagle", "parallel_draft", "medusa", "hydra", "eagle", "eagle2", "eagle3"}
)
"""Techniques that propose a whole draft in every step; those that look text up may propose nothing."""


LENGTHS = ("acceptance_length", "/technique/acceptance_length")
RATES = ("acceptance_rate", "/technique/acceptance_rate")
"""Where a record says either: as a result, or with the technique."""


class Depth(NamedTuple):
    """Longest draft of a step, and what says so."""

    tokens: float
    text: str


def depth_of(point: OperatingPoint) -> Depth | None:
    """Draft tokens that one step can accept at most: gamma, else one per extra head."""
    gamma = point.number("/technique/gamma", "gamma")
    if gamma:
        return Depth(gamma.value, f"gamma {gamma.text}")
    heads = point.number("/technique/heads", "heads")
    return Depth(heads.value, f"{heads.text} heads") if heads else None


def lengths_of(point: OperatingPoint) -> list[Quantity]:
    """Every acceptance length of the whole run, filed as a result or with the technique; one that a definition of its
    own counts otherwise (without the target's token) is left out."""
    return _both(point, "acceptance_length")


def rates_of(point: OperatingPoint) -> list[Quantity]:
    """Every acceptance rate of the whole run, likewise."""
    return _both(point, "acceptance_rate")


def _both(point: OperatingPoint, metric: str) -> list[Quantity]:
    filed = [figure.quantity for figure in point.of(metric) if _whole(figure)]
    stated = point.number(f"/technique/{metric}")
    return [*filed, stated] if stated else filed


def _whole(figure: Figure) -> bool:
    own = figure.result.get("definition_variant") == "other" or "position" in figure.result
    return figure.statistic in WHOLE_RUN and not own and not figure.approximate


def by_position(point: OperatingPoint, metric: str) -> dict[int, Quantity]:
    """Acceptance by draft position, from 1, in rising order."""
    found: dict[int, Quantity] = {}
    for figure in point.of(metric):
        position = figure.result.get("position")
        if isinstance(position, int) and figure.statistic in WHOLE_RUN and not figure.approximate:
            found.setdefault(position, figure.quantity)
    return dict(sorted(found.items()))


def reach(quantity: Quantity) -> float:
    """How far the printed digits let the true value lie from the filed one."""
    return quantity.slack * abs(quantity.value)
