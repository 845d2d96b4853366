"""Figures that a source prints, beside ours: data in a file with its source, never typed into code."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tools.errors import ToolsError
from tools.sweep.acceptance import expected_emitted
from tools.sweep.config import HERE, read_config
from tools.sweep.grid import Place, Results

SCHEMA = HERE / "published.schema.json"


@dataclass(frozen=True, slots=True)
class Compared:
    """A printed figure and ours; `batch_size` is None where the source does not say.

    A peak has no `gamma`; the source sees it at `peak_gammas`, we at `our_peak`.
    """

    locator: str
    quality: str
    gamma: int | None
    batch_size: int | None
    published: float
    ours: float
    peak_gammas: tuple[int, ...] = ()
    our_peak: int | None = None

    @property
    def error(self) -> float:
        """Ours over the printed figure, minus 1."""
        return self.ours / self.published - 1


@dataclass(frozen=True, slots=True)
class BreakEven:
    """Where the speedup of a quality mode falls to 1, as gamma: as stated, as the printed table has it, and ours."""

    quality: str
    stated: float
    printed: float | None
    ours: float | None
    closed_form: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """All figures of a source beside ours, which are those of one synchronisation.

    `tolerance` is the error up to which a figure counts as reproduced.
    """

    source_id: str
    synchronisation: str
    tolerance: float
    figures: tuple[Compared, ...]
    break_even: BreakEven | None

    @property
    def largest_error(self) -> float:
        """Largest relative error, without sign."""
        return max(abs(figure.error) for figure in self.figures)

    @property
    def rms_error(self) -> float:
        """Root mean square of the relative errors."""
        return math.sqrt(sum(figure.error**2 for figure in self.figures) / len(self.figures))

    @property
    def reproduced(self) -> int:
        """Figures within the tolerance."""
        return sum(abs(figure.error) <= self.tolerance for figure in self.figures)


def compare(results: Results) -> Comparison | None:
    """The published figures of a study beside ours; None for a study without.

    Ours are those of the static batch. A figure printed without a batch size is compared with the mean over
    those of the grid, a peak with the largest speedup of the grid. Raises `ToolsError` for a figure that the grid
    does not have.
    """
    study = results.study
    if study.published is None:
        return None
    document, _ = read_config(study.published, SCHEMA)
    value: Any = document.value
    synchronisation = study.serving.get("static_batch", next(iter(study.serving.values())))
    compared = []
    for number, figure in enumerate(value["figures"]):
        try:
            for gamma in figure.get("gammas", ()):
                study.gammas.index(gamma)
            compared.append(
                _compare_peak(results, synchronisation, figure)
                if figure["kind"] == "peak"
                else _compare_point(results, synchronisation, figure)
            )
        except (KeyError, ValueError):
            line = document.locate(f"/figures/{number}").line
            raise ToolsError(
                f"{study.published}:{line}: the grid of `{study.id}` has no such point",
                "name a quality mode, gamma and batch size that the study computes",
            ) from None
    stated = value.get("break_even")
    return Comparison(
        value["source_id"],
        synchronisation,
        value["tolerance"],
        tuple(compared),
        _break_even(results, synchronisation, stated, compared) if stated else None,
    )


def _compare_point(results: Results, synchronisation: str, figure: dict[str, Any]) -> Compared:
    quality, gamma, batch_size = figure["quality"], figure["gamma"], figure.get("batch_size")
    ours = _mean_speedup(results, quality, synchronisation, gamma, batch_size)
    return Compared(figure["locator"], quality, gamma, batch_size, figure["speedup"], ours)


def _compare_peak(results: Results, synchronisation: str, figure: dict[str, Any]) -> Compared:
    peak = results.peak(figure["quality"], synchronisation)
    return Compared(
        figure["locator"],
        figure["quality"],
        None,
        None,
        figure["speedup"],
        results.at[peak].speedup,
        tuple(figure["gammas"]),
        peak.gamma,
    )


def _mean_speedup(
    results: Results, quality: str, synchronisation: str, gamma: int, batch_size: int | None
) -> float:
    sizes = results.study.batch_sizes if batch_size is None else (batch_size,)
    found = [results.at[Place(quality, synchronisation, size, gamma)].speedup for size in sizes]
    return sum(found) / len(found)


def _break_even(
    results: Results, synchronisation: str, stated: dict[str, Any], compared: Sequence[Compared]
) -> BreakEven:
    quality = stated["quality"]
    printed = [
        (figure.gamma, figure.published)
        for figure in compared
        if figure.quality == quality and figure.gamma is not None and figure.batch_size is None
    ]
    gammas = results.study.gammas
    ours = [(gamma, _mean_speedup(results, quality, synchronisation, gamma, None)) for gamma in gammas]
    return BreakEven(
        quality, stated["gamma_about"], fall_to_one(printed), fall_to_one(ours), exact_fall(results, quality)
    )


def fall_to_one(curve: Sequence[tuple[int, float]]) -> float | None:
    """The gamma at which a speedup falls to 1, on straight lines between points; None where it does not."""
    for (left, high), (right, low) in pairwise(curve):
        if high >= 1 > low:
            return left + (right - left) * (high - 1) / (high - low)
    return None


def exact_fall(results: Results, quality: str) -> float | None:
    """The gamma at which the closed form falls to 1, by bisection; None for several q, or outside the grid."""
    q = results.study.qualities[quality].single
    gammas, batch_size = results.study.gammas, results.study.batch_sizes[0]
    if q is None:
        return None

    def gain(gamma: float) -> float:
        plain = results.cost.plain_step(batch_size)
        return expected_emitted(q, gamma) * plain / results.cost.speculative_step(batch_size, gamma) - 1

    low, high = float(gammas[0]), float(gammas[-1])
    if not gain(low) >= 0 > gain(high):
        return None
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if gain(middle) >= 0 else (low, middle)
    return low
