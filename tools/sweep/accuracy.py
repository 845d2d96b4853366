"""How far each cost model is off at measured speedups, source by source.

Error is predicted over measured, minus 1. The three cost models:

* `constant`: 1 + c gamma, the study's;
* `roofline`: spec sheets and the constants tried by hand, nothing fitted;
* `calibrated`: layer measurements and fitted overheads, the source that is scored left out of the fit.

All get the same acceptance length: the source's own where it states one (`stated`); otherwise that of the rest of the
curve (`curve`), which tests the shape over the batch and not the level.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.records.catalog import Catalog
from tools.sweep.calibration.efficiencies import ByHand, Layers
from tools.sweep.calibration.predict import (
    Intervals,
    Prediction,
    combined,
    constant,
    intervals,
    predict,
)
from tools.sweep.calibration.steps import Bench, Steps
from tools.sweep.calibration.store import Calibration
from tools.sweep.calibration.terms import POOLED, Overheads, Terms
from tools.sweep.config import CONFIGS, load_study
from tools.sweep.measured.points import Point, measured
from tools.sweep.roofline.parameters import ENGINES

COST_MODELS = ("constant", "roofline", "calibrated")
UNSOUND = 1.05
"""A speedup over the acceptance length times this says that its baseline was slowed by something else."""
ALL = "all sources"


@dataclass(frozen=True, slots=True)
class Row:
    """Errors of a cost model at the points of a source; `tau` is `stated` or `curve`, or `both`."""

    cost_model: str
    source: str
    tau: str
    points: int
    median_error: float
    bias: float
    error_90: float
    coverage: float


@dataclass(frozen=True)
class Evaluation:
    """Predictions of every cost model at all measured points, and which of these are scored."""

    bench: Bench
    predictions: Mapping[str, Prediction]
    intervals: Mapping[str, Intervals]
    steps: Mapping[str, Steps]
    scored: NDArray[np.bool_]
    unscored: Mapping[str, int]
    left_out: Mapping[str, int]


def evaluate(catalog: Catalog, calibration: Calibration) -> Evaluation:
    """The predictions at all measured points of a ledger."""
    found = measured(catalog)
    points = found.points
    sources = np.array([point.source for point in points])
    hand, layered = Bench(catalog, points, ByHand()), Bench(catalog, points, Layers(calibration.layers))
    sheet = hand.steps(spec_sheets())
    ratio = load_study(CONFIGS / "study.yaml").draft_cost_ratio
    parts = {"": layered.steps(calibration.terms)}
    parts |= {source: layered.steps(terms) for source, terms in calibration.left_out.items()}
    predictions = {
        "constant": predict(hand, constant(hand, ratio)),
        "roofline": predict(hand, sheet),
        "calibrated": combined({source: predict(layered, steps) for source, steps in parts.items()}, sources),
    }
    scored, unscored = scored_points(points)
    steps = {"roofline": sheet, "calibrated": _joined(parts, sources)}
    bounds = {name: intervals(hand, made, scored) for name, made in predictions.items()}
    return Evaluation(hand, predictions, bounds, steps, scored, unscored, found.left_out)


def spec_sheets() -> Terms:
    """The constants of the sweep's own engine classes: nothing fitted, every position choosing its experts alone."""
    made = {name: Overheads(one.step_s, one.draft_s) for name, one in ENGINES.items() if name != "ideal"}
    alpha = ENGINES["vllm"].link_latency_s
    return Terms({**made, POOLED: made["vllm"]}, 1.0, alpha)


def scored_points(points: tuple[Point, ...]) -> tuple[NDArray[np.bool_], dict[str, int]]:
    """Which points are measurements that can judge a model, and why others are not, counted."""
    unsound = {
        _baseline(point) for point in points if point.tau is not None and point.speedup > UNSOUND * point.tau
    }
    reasons = [_unscored(point, unsound) for point in points]
    counts = Counter(reason for reason in reasons if reason is not None)
    return np.array([reason is None for reason in reasons]), dict(sorted(counts.items()))


def _unscored(point: Point, unsound: set[tuple[str, str, int]]) -> str | None:
    if point.evidence != "measured":
        return f"the evidence is {point.evidence}"
    if point.is_limit:
        return "the value is a limit"
    if _baseline(point) in unsound:
        return "speedups over this baseline exceed their acceptance length"
    return None


def _baseline(point: Point) -> tuple[str, str, int]:
    return point.source, point.choice.model, point.batch


def accuracy(made: Evaluation) -> list[Row]:
    """A row for each cost model, source and kind of acceptance length, and those over all sources."""
    sources = np.array([point.source for point in made.bench.points])
    stated = np.isfinite(made.bench.tau)
    kinds = {"stated": stated, "curve": ~stated, "both": np.ones_like(stated)}
    rows = []
    for name in COST_MODELS:
        for source in [*sorted(set(sources[made.scored].tolist())), ALL]:
            of = made.scored if source == ALL else made.scored & (sources == source)
            for kind, chosen in kinds.items():
                if kind == "both" and source != ALL:
                    continue
                at = of & chosen & np.isfinite(made.predictions[name].speedup)
                if at.any():
                    rows.append(_row(made, name, source, kind, at))
    return rows


def _row(made: Evaluation, name: str, source: str, kind: str, at: NDArray[np.bool_]) -> Row:
    measured_, bounds = made.bench.speedup[at], made.intervals[name]
    errors = made.predictions[name].speedup[at] / measured_ - 1
    inside = (bounds.low[at] <= measured_) & (measured_ <= bounds.high[at])
    return Row(
        name,
        source,
        kind,
        int(at.sum()),
        round(float(np.median(np.abs(errors))), 4),
        round(float(np.median(errors)), 4),
        round(float(np.quantile(np.abs(errors), 0.9)), 4),
        round(float(inside.mean()), 3),
    )


def _joined(parts: Mapping[str, Steps], sources: NDArray[np.str_]) -> Steps:
    """For each point the times of the fit that left its source out."""
    names = ("plain", "verify", "draft", "overhead", "token", "is_compute_bound")
    columns = {name: getattr(parts[""], name).copy() for name in names}
    for source, steps in parts.items():
        at = sources == source
        for name in names:
            columns[name][at] = getattr(steps, name)[at]
    return Steps(**columns)
