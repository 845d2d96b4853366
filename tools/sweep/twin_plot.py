"""The founding record beside its twin: Medusa heads on a 7B model, batch 1 to 64, as stated and as simulated.

The paper simulated too: from timed operators, taking for each batch the number of candidates with the highest
speedup. So do the curves here. Its statements in words are drawn as what they are: a lower limit at batch 1, and a
range without a number from batch 33 on.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tools.records.catalog import Catalog
from tools.sweep.accuracy import spec_sheets
from tools.sweep.calibration.efficiencies import ByHand, Efficiencies, Layers
from tools.sweep.calibration.predict import constant
from tools.sweep.calibration.steps import Bench
from tools.sweep.calibration.store import Calibration
from tools.sweep.calibration.terms import Terms
from tools.sweep.config import CONFIGS, load_study
from tools.sweep.measured.acceptance import modelled
from tools.sweep.measured.assumptions import assumptions
from tools.sweep.measured.points import Point, measured
from tools.sweep.plots import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FOUNDING = "sd-medusa-batch32-degradation"
SOURCE = "sd-medusa-paper"
NAME = "medusa-batch-dilution"
STEM = Path("docs") / "img" / NAME
BATCHES = (1, 2, 4, 8, 16, 32, 64)
CANDIDATES = (4, 8, 16, 32, 64)


def data(catalog: Catalog, calibration: Calibration) -> dict[str, Any]:
    """The three curves, the values of the source, and its two statements."""
    points = [point for point in measured(catalog).points if point.source == SOURCE]
    founding = next(point for point in points if point.record_id == FOUNDING)
    ratio = load_study(CONFIGS / "study.yaml").draft_cost_ratio
    grid = [_at(founding, batch, candidates) for batch in BATCHES for candidates in CANDIDATES]
    flat = Bench(catalog, grid, ByHand())
    return {
        "batch_size": list(BATCHES),
        "curves": {
            f"constant (1 + {ratio:g} gamma)": _best(constant(flat, ratio).speedup(flat.tau)),
            "roofline, spec sheets": _curve(catalog, grid, ByHand(), spec_sheets()),
            "roofline, calibrated": _curve(catalog, grid, Layers(calibration.layers), calibration.terms),
        },
        "simulated": [[point.batch, point.speedup] for point in points if not point.is_limit],
        "limits": [[*_range(catalog, point.record_id), point.speedup] for point in points if point.is_limit],
    }


def _at(point: Point, batch: int, candidates: int) -> Point:
    """The founding record at another batch, with the paper's acceptance for so many candidates."""
    form = assumptions().acceptance[SOURCE, "medusa"]
    proposal = replace(point.choice.proposal, nodes=candidates)
    return replace(
        point,
        batch=batch,
        choice=replace(point.choice, proposal=proposal),
        speedup=1.0,
        tau=modelled(form, candidates).tau,
    )


def _curve(catalog: Catalog, grid: list[Point], efficiencies: Efficiencies, terms: Terms) -> list[float]:
    bench = Bench(catalog, grid, efficiencies)
    return _best(bench.steps(terms).speedup(bench.tau))


def _best(speedups: Any) -> list[float]:
    """For each batch that of the best number of candidates."""
    rows = np.asarray(speedups).reshape(len(BATCHES), len(CANDIDATES))
    return [float(f"{value:.4g}") for value in rows.max(axis=1)]


def _range(catalog: Catalog, record_id: str) -> tuple[int, int]:
    record: Any = catalog.record(record_id)
    batch = record["conditions"]["batch_size"]
    return (batch["min"], batch["max"]) if isinstance(batch, dict) else (batch, batch)


def draw(data: dict[str, Any]) -> Figure:
    """Curves, points, a limit as an arrow and a range as a band."""
    figure, (panel,) = style.sheet(1, 1, width=6.6, height=4.2)
    style.break_even(panel)
    for number, (label, values) in enumerate(data["curves"].items()):
        style.line(panel, number, data["batch_size"], values, label)
    x, y = zip(*sorted(data["simulated"]), strict=True) if data["simulated"] else ((), ())
    panel.plot(x, y, "kx", label="the paper's simulation (Figure 22)")
    for low, high, value in data["limits"]:
        if low == high:
            panel.annotate("", (low, value + 0.4), (low, value), arrowprops={"arrowstyle": "->"})
            panel.text(low, value - 0.3, f"stated: more than {value:g}", fontsize=8)
            panel.plot([low], [value], "k_", markersize=14)
        else:
            panel.axvspan(low, high, color="#DDDDDD", alpha=0.6, linewidth=0)
            panel.text(
                (low * high) ** 0.5,
                0.08,
                f"stated for {low} to {high}:\nfalls, may be\nbelow 1; recorded\nas a lower limit of {value:g}",
                ha="center",
                fontsize=7,
            )
    style.batch_axis(panel, data["batch_size"])
    panel.set_ylabel("speedup over plain decoding")
    panel.set_ylim(0, 3.2)
    panel.legend(loc="lower left", bbox_to_anchor=(0.0, 0.0))
    figure.suptitle("Medusa heads, 7B, context 1024, A100 80GB PCIe: the gain thins out with the batch")
    return figure


def draw_to(data: dict[str, Any], stem: Path) -> None:
    """Writes the plot as PNG and SVG."""
    stem.parent.mkdir(parents=True, exist_ok=True)
    with style.styled():
        style.save(draw(data), stem)


def fingerprint(data: dict[str, Any]) -> str:
    """A digest of the numbers shown and of the code that draws them."""
    found = hashlib.sha256(json.dumps(data, sort_keys=True).encode())
    for path in (Path(__file__), Path(style.__file__)):
        found.update(path.read_bytes())
    return found.hexdigest()
