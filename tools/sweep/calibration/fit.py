"""The terms that measured speedups tell, by bounded least squares on logarithms, and the same with a source left out.

Three kinds of residual, all log(predicted / measured):

* the speedup, where the source states its acceptance length;
* where it does not, the acceptance length that each speedup would need, against the mean of its curve: what remains
  is the shape over the batch, and the unknown length cancels;
* the time of a plain step by the baseline's own rate, at less weight, because rates also hold prefill and idle ends.

Every source weighs the same, however many points it has. Each engine class has overheads of its own, drawn towards
those of all classes together, which stand for classes that nothing is measured of.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.sweep.calibration.steps import Bench
from tools.sweep.calibration.terms import SHARED, Terms, names, starting, unpacked
from tools.sweep.roofline.network import Array

PLAIN_WEIGHT = 0.3
"""Weight of a plain step's time beside that of a speedup."""
PULL = 0.25
"""A class's overhead that is e times the pooled one, or a pooled one e times its start, counts as an error of 28 %."""
SOFT = 0.15
"""Errors beyond about 15 % count linearly (soft L1), so that single bad points do not lead."""
LEAST = 5
"""Points of an engine class from which it gets overheads of its own."""

_STEPS = 40
_AT_BOUND = 1e-3


@dataclass(frozen=True, slots=True)
class Fit:
    """Terms, how many points they are from, and which terms were refused, each with the reason."""

    terms: Terms
    points: int
    refused: dict[str, str]


def curves(bench: Bench) -> list[NDArray[np.intp]]:
    """The points without an acceptance length of their own, by curve, where a curve has two points or more."""
    found: dict[object, list[int]] = defaultdict(list)
    for index, point in enumerate(bench.points):
        if point.tau is None and not point.is_limit:
            found[point.curve].append(index)
    return [np.array(indices) for indices in found.values() if len(indices) > 1]


def fit(bench: Bench, use: NDArray[np.bool_]) -> Fit:
    """The terms from the points in `use`.

    A term that ends at an end of its physical range is refused: it is set to where the search started and the others
    are fitted again.
    """
    classes = _classes(bench, use)
    start, low, high = starting(classes)
    residuals = _residuals(bench, use)
    labels = names(classes)
    free = np.ones(len(start), dtype=np.bool_)
    refused: dict[str, str] = {}
    while True:
        made = _search(residuals, classes, start, low, high, free)
        ended = free & (np.minimum(made - low, high - made) < _AT_BOUND * (high - low))
        if not ended.any():
            return Fit(unpacked(made, classes), int(use.sum()), refused)
        for place in np.flatnonzero(ended):
            side = "lower" if made[place] - low[place] < high[place] - made[place] else "upper"
            refused[labels[place]] = f"the fit ends at the {side} end of the physical range"
        free &= ~ended


def _classes(bench: Bench, use: NDArray[np.bool_]) -> tuple[str, ...]:
    counts: dict[str, int] = defaultdict(int)
    for point, used in zip(bench.points, use, strict=True):
        counts[point.choice.engine] += int(used)
    return tuple(sorted(name for name, count in counts.items() if count >= LEAST and name != "other"))


def _search(
    residuals: Callable[[Terms], Array],
    classes: tuple[str, ...],
    start: Array,
    low: Array,
    high: Array,
    free: NDArray[np.bool_],
) -> Array:
    from scipy.optimize import least_squares  # type: ignore[import-untyped]

    shared = len(SHARED)
    width = (len(start) - shared) // (len(classes) + 1)

    def whole(at: Array) -> Array:
        vector = start.copy()
        vector[free] = at
        return vector

    def errors(at: Array) -> Array:
        vector = whole(at)
        rows = vector[shared:].reshape(-1, width)
        pulled = np.concatenate(
            [
                (rows[:-1] - rows[-1]).ravel(),
                rows[-1] - start[-width:],
                # The routing exponent runs over its whole range where a time runs over a factor of e.
                (vector[:shared] - start[:shared]) * [4.0, 1.0],
            ]
        )
        found: Array = np.concatenate([residuals(unpacked(vector, classes)), PULL * pulled])
        return found

    made = least_squares(
        errors, start[free], bounds=(low[free], high[free]), loss="soft_l1", f_scale=SOFT, max_nfev=_STEPS
    )
    return whole(made.x)


def _residuals(bench: Bench, use: NDArray[np.bool_]) -> Callable[[Terms], Array]:
    weight = _weights(bench, use)
    known = use & np.isfinite(bench.tau)
    timed = use & np.isfinite(bench.plain_s)
    used = [curve[use[curve]] for curve in curves(bench)]
    used = [curve for curve in used if len(curve) > 1]

    def errors(terms: Terms) -> Array:
        steps = bench.steps(terms)
        speedup = steps.speedup(bench.tau)[known] / bench.speedup[known]
        plain = (steps.plain + steps.token)[timed] / bench.plain_s[timed]
        parts = [weight[known] * np.log(speedup), PLAIN_WEIGHT * weight[timed] * np.log(plain)]
        needed = np.log(np.nan_to_num(steps.tau(bench.speedup), nan=1e3))
        parts += [weight[curve] * (needed[curve] - needed[curve].mean()) for curve in used]
        return np.concatenate(parts)

    return errors


def _weights(bench: Bench, use: NDArray[np.bool_]) -> Array:
    """1 on average; the same sum of squares for each source."""
    sources = np.array([point.source for point in bench.points])
    weight = np.zeros(len(sources))
    present = sorted(set(sources[use]))
    for source in present:
        at = use & (sources == source)
        weight[at] = (use.sum() / len(present) / at.sum()) ** 0.5
    return weight


def left_out(bench: Bench, use: NDArray[np.bool_]) -> dict[str, Fit]:
    """For every source of the bench the fit from the points in `use` of all other sources."""
    sources = np.array([point.source for point in bench.points])
    return {source: fit(bench, use & (sources != source)) for source in sorted(set(sources))}
