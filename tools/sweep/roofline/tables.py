"""A small grid computed whole: its points, its curves over the batch, and its populations, as rows.

Figures are rounded to six significant digits, fewer than differ between two machines and more than the model has.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tools.records.catalog import Catalog
from tools.sweep.config import Population
from tools.sweep.grid import Place
from tools.sweep.metrics import Figures
from tools.sweep.roofline.axes import Axes
from tools.sweep.roofline.choice import Choice, setting
from tools.sweep.roofline.config import Requests
from tools.sweep.roofline.critical import critical_batch, largest_batch
from tools.sweep.roofline.monte_carlo import drawn, timed
from tools.sweep.roofline.points import COLUMNS, columns
from tools.sweep.roofline.shape import Shape
from tools.sweep.roofline.speedup import Setting
from tools.sweep.totals import Totals

DIGITS = 6


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the grid: the names, and the figures by column."""

    choice: Choice
    figures: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Best:
    """The gamma of the largest speedup at one batch size."""

    batch_size: int
    gamma: int
    speedup: float
    chance_pays: float


@dataclass(frozen=True, slots=True)
class Curve:
    """Speedup over batch size at one setting, context and q.

    `critical` is B* for each gamma (0 where no batch gains, infinity where all do), `largest` the largest batch that
    fits in memory (NaN where the capacity is not stated), `best` the best gamma of each batch size of the grid.
    """

    choice: Choice
    context: int
    quality: float
    critical: Mapping[int, float]
    largest: float
    best: tuple[Best, ...]

    @property
    def last(self) -> float:
        """B* with the gamma that lasts longest."""
        return max(self.critical.values())


@dataclass(frozen=True, slots=True)
class Mixed:
    """A population at one setting and context: its figures, and the speedup if all had its mean q."""

    choice: Choice
    context: int
    name: str
    population: Population
    place: Place
    figures: Figures
    at_mean: float


@dataclass(frozen=True)
class Tables:
    """All of a grid."""

    axes: Axes
    points: tuple[Point, ...]
    curves: tuple[Curve, ...]
    mixed: tuple[Mixed, ...]


def compute(axes: Axes, requests: Requests | None, catalog: Catalog) -> Tables:
    """The tables of a grid. Raises `ToolsError` for an unknown name or a missing fact."""
    points: list[Point] = []
    curves: list[Curve] = []
    mixed: list[Mixed] = []
    totals = {} if requests is None else _drawn(axes, requests)
    settings = [(choice, setting(catalog, choice)) for choice in axes.choices()]
    for choice, made in settings:
        own = [Point(choice, figures) for figures in _points(axes, made)]
        points += own
        curves += _curves(axes, choice, made, own)
        # Batches are simulated with chains; what a tree accepts is another draw.
        for name, (population, found) in (totals if made.shape == Shape() else {}).items():
            for context in axes.places.contexts:
                for place, figures in timed(found, made, context).items():
                    at_mean = made.speedup(*_arrays(place.batch_size, place.gamma, context, population.mean))
                    mixed.append(
                        Mixed(choice, context, name, population, place, figures, rounded(float(at_mean)))
                    )
    return Tables(axes, tuple(points), tuple(curves), tuple(mixed))


def _drawn(axes: Axes, requests: Requests) -> dict[str, tuple[Population, Mapping[Place, Totals]]]:
    """The batches of each population; the same ones for every setting."""
    places = axes.places
    return {
        name: (population, drawn(name, population, requests, places.batch_sizes, places.gammas))
        for name, population in requests.populations.items()
    }


def _arrays(*values: float) -> tuple[Any, ...]:
    return tuple(np.array(float(value)) for value in values)


def _points(axes: Axes, made: Setting) -> Iterator[dict[str, Any]]:
    for block in axes.places.blocks(2**16):
        table = columns(made, axes.places, block, axes.quality_sd)
        for row in zip(*(table[name].tolist() for name in COLUMNS), strict=True):
            figures = {
                name: rounded(value) if isinstance(value, float) else value
                for name, value in zip(COLUMNS, row, strict=True)
            }
            fits = figures["fits"]
            figures["fits"] = None if math.isnan(fits) else fits > 0
            yield figures


def _curves(axes: Axes, choice: Choice, made: Setting, points: list[Point]) -> Iterator[Curve]:
    places = axes.places
    at = {
        tuple(point.figures[name] for name in ("context", "quality", "batch_size", "gamma")): point.figures
        for point in points
    }
    gammas = np.array(places.gammas, dtype=np.float64)
    for context in places.contexts:
        where = np.array(float(context))
        largest = float(largest_batch(made, where))
        for quality in places.qualities:
            emitted = made.shape.emitted(np.array(quality), gammas)
            found = critical_batch(made, gammas, where, emitted)
            best = []
            for size in places.batch_sizes:
                of = {gamma: at[context, rounded(quality), size, gamma] for gamma in places.gammas}
                gamma = max(of, key=lambda gamma: of[gamma]["speedup"])
                best.append(Best(size, gamma, of[gamma]["speedup"], of[gamma]["chance_pays"]))
            critical = {
                gamma: rounded(float(value)) for gamma, value in zip(places.gammas, found, strict=True)
            }
            yield Curve(choice, context, quality, critical, largest, tuple(best))


def rounded(value: float) -> float:
    """To `DIGITS` significant digits."""
    return float(f"{value:.{DIGITS}g}")
