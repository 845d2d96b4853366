"""Speedups that a cost model predicts at measured points, with intervals.

Where no source states an acceptance length, that of a point is inferred from the other points of its curve (the same
technique on the same data at other batch sizes), never from the point itself.

An interval joins two things: what the acceptance length leaves open, and how far the model was off elsewhere. The
first is the sampling error of a mean over a data set, or the spread over the curve; the second is the 95 % quantile
of the model's errors at points of all other sources, a source weighing as the square root of its points: neither the
largest nor the smallest alone decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tools.sweep.calibration.fit import curves
from tools.sweep.calibration.steps import Bench
from tools.sweep.roofline.network import Array

LEVEL = 0.95
Z = 1.96
REQUEST_SPREAD = 0.3
"""Standard deviation of the acceptance length of single requests: 0.2 to 0.4 tokens at gamma 3 with EAGLE."""
REQUESTS = 80
"""Requests behind a stated acceptance length, as MT-Bench has them; data sets are of this size or larger."""
LEAST = 20
"""Points of other sources from which errors with and without a stated acceptance length are told apart."""


class Cost(Protocol):
    """A speedup from an acceptance length, and back."""

    def speedup(self, tau: Array) -> Array:
        """The speedup at each point."""

    def tau(self, speedup: Array) -> Array:
        """The acceptance length at which a speedup would come out."""


@dataclass(frozen=True, slots=True)
class ConstantSteps:
    """1 + c gamma plain steps for a speculative one, whatever the batch; `cost` at each point."""

    cost: Array

    def speedup(self, tau: Array) -> Array:
        """tau over the cost."""
        return tau / self.cost

    def tau(self, speedup: Array) -> Array:
        """The speedup times the cost; NaN where the speedup is no point but a limit of 0."""
        return np.where(speedup > 0, speedup * self.cost, np.nan)


@dataclass(frozen=True, slots=True)
class Prediction:
    """Speedup and acceptance length at each point, NaN where neither is known; `spread` is the standard deviation of
    ln tau."""

    speedup: Array
    tau: Array
    spread: Array


def constant(bench: Bench, ratio: float) -> ConstantSteps:
    """The study's cost model at measured points, with its cost of a proposed token."""
    proposed = [point.choice.proposal.fill * point.gamma for point in bench.points]
    return ConstantSteps(1 + ratio * np.array(proposed, dtype=np.float64))


def predict(bench: Bench, cost: Cost) -> Prediction:
    """The speedup at each point from its acceptance length, stated or of the rest of its curve."""
    tau = bench.tau.copy()
    spread = REQUEST_SPREAD / REQUESTS**0.5 / tau
    needed = np.log(cost.tau(bench.speedup))
    for curve in curves(bench):
        for index in curve:
            others = needed[curve[curve != index]]
            others = others[np.isfinite(others)]
            if len(others):
                tau[index] = np.exp(others.mean())
                spread[index] = others.std(ddof=1) / len(others) ** 0.5 if len(others) > 1 else 0.0
    # No acceptance length is below 1 or above all that was proposed.
    most = [1 + (point.choice.proposal.nodes or point.gamma) for point in bench.points]
    tau = np.clip(tau, 1.0, np.array(most, dtype=np.float64))
    return Prediction(cost.speedup(tau), tau, spread)


def combined(parts: Mapping[str, Prediction], sources: NDArray[np.str_]) -> Prediction:
    """For each point the prediction that is of its source; `""` stands for sources without one of their own."""
    rows = np.full((3, len(sources)), np.nan)
    for source in sorted(set(sources.tolist())):
        part = parts.get(source, parts[""])
        at = sources == source
        rows[:, at] = np.stack([part.speedup, part.tau, part.spread])[:, at]
    return Prediction(*rows)


@dataclass(frozen=True, slots=True)
class Intervals:
    """Bounds of the speedup at each point."""

    low: Array
    high: Array


def intervals(bench: Bench, made: Prediction, scored: NDArray[np.bool_]) -> Intervals:
    """The 95 % interval of every prediction, from the errors at scored points of other sources."""
    sources = np.array([point.source for point in bench.points])
    stated = np.isfinite(bench.tau)
    with np.errstate(divide="ignore", invalid="ignore"):
        errors = np.abs(np.log(made.speedup / bench.speedup))
    known = scored & np.isfinite(errors)
    radius = np.full(len(sources), np.nan)
    for source in sorted(set(sources.tolist())):
        for is_stated in (True, False):
            at = (sources == source) & (stated == is_stated)
            alike = known & (sources != source) & (stated == is_stated)
            used = alike if alike.sum() >= LEAST else known & (sources != source)
            if at.any() and used.any():
                radius[at] = _quantile(errors[used], sources[used])
    half = np.hypot(radius, Z * made.spread)
    return Intervals(made.speedup * np.exp(-half), made.speedup * np.exp(half))


def _quantile(errors: Array, sources: Sequence[str] | NDArray[np.str_]) -> float:
    """The 95 % quantile, each source weighted by the square root of its points."""
    _, places, counts = np.unique(sources, return_inverse=True, return_counts=True)
    weight = counts[places] ** -0.5
    weight /= weight.sum()
    order = np.argsort(errors, kind="stable")
    place = int(np.searchsorted(np.cumsum(weight[order]), LEVEL))
    return float(errors[order][min(place, len(errors) - 1)])
