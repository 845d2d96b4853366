"""Speedup over batch size with the critical batch: a panel for each setting and context, a line for each q."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.sweep.plots import style
from tools.sweep.roofline.tables import Tables

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAME = "speedup_vs_batch"


def data(tables: Tables) -> dict[str, Any]:
    """For each curve the speedup at each batch size's best gamma, its interval, and B*."""
    panels: dict[str, dict[str, Any]] = {}
    at = {
        (point.choice, *(point.figures[name] for name in ("context", "quality", "batch_size", "gamma"))): (
            point.figures
        )
        for point in tables.points
    }
    for curve in tables.curves:
        found = [
            at[curve.choice, curve.context, curve.quality, best.batch_size, best.gamma] for best in curve.best
        ]
        choice = curve.choice
        title = f"{choice.model}, {choice.proposal.label}\n{choice.accelerator}, context {curve.context:,}"
        critical = curve.last if math.isfinite(curve.last) and curve.last > 0 else None
        panels.setdefault(title, {})[f"q = {curve.quality:g}"] = {
            "speedup": [figures["speedup"] for figures in found],
            "low": [figures["speedup_low"] for figures in found],
            "high": [figures["speedup_high"] for figures in found],
            "critical": critical,
        }
    return {"batch_size": list(tables.axes.places.batch_sizes), "panels": panels}


def draw(data: dict[str, Any]) -> Figure:
    """Lines with their bands; a star where a line falls to 1."""
    count = len(data["panels"])
    columns = min(2, count)
    rows = -(-count // columns)
    figure, panels = style.sheet(rows, columns, width=1.2 + 3.6 * columns, height=0.6 + 2.9 * rows)
    for panel, (title, lines) in zip(panels, data["panels"].items(), strict=False):
        style.break_even(panel)
        for number, (label, series) in enumerate(lines.items()):
            critical = series["critical"]
            star = "" if critical is None else f", B* = {critical:,.0f}"
            colour = style.COLOURS[number % len(style.COLOURS)]
            panel.fill_between(
                data["batch_size"], series["low"], series["high"], color=colour, alpha=0.12, linewidth=0
            )
            style.line(panel, number, data["batch_size"], series["speedup"], label + star)
            if critical is not None and critical <= 2 * data["batch_size"][-1]:
                panel.plot([critical], [1], marker="*", markersize=11, color=colour, linestyle="")
        style.batch_axis(panel, data["batch_size"])
        panel.set_title(title, fontsize=8.5)
        panel.legend(loc="upper right")
    for panel in panels[count:]:
        panel.set_visible(False)
    for panel in panels[::columns]:
        panel.set_ylabel("speedup over plain decoding")
    figure.suptitle("Speedup at the best gamma; bands are the 95 % interval of q, stars the critical batch")
    return figure


def fingerprint(data: dict[str, Any]) -> str:
    """A digest of the numbers and of the code that draws them."""
    found = hashlib.sha256(json.dumps(data, sort_keys=True).encode())
    for path in (Path(__file__), Path(style.__file__)):
        found.update(path.read_bytes())
    return found.hexdigest()
