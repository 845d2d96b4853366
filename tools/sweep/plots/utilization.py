"""Slot utilisation over batch size: a panel for each way to wait, each quality mode at one gamma."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tools.sweep.grid import Place, Results
from tools.sweep.plots import style
from tools.sweep.speculative import SYNCHRONISATIONS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def data(results: Results) -> dict[str, Any]:
    """For each synchronisation and quality mode the utilisation at each batch size, at one gamma."""
    study = results.study
    best = {
        quality: results.best_gamma(quality, SYNCHRONISATIONS[0], study.batch_sizes[0])
        for quality in study.qualities
    }
    return {
        "batch_size": list(study.batch_sizes),
        "panels": {
            name: {
                f"{quality}, gamma {gamma}": [
                    results.at[Place(quality, name, size, gamma)].slot_utilization
                    for size in study.batch_sizes
                ]
                for quality, gamma in best.items()
            }
            for name in SYNCHRONISATIONS
        },
    }


def draw(data: dict[str, Any]) -> Figure:
    """A line for each quality mode."""
    figure, panels = style.sheet(2, 2, width=8.4, height=6)
    for panel, (title, lines) in zip(panels, data["panels"].items(), strict=True):
        for number, (quality, values) in enumerate(lines.items()):
            style.line(panel, number, data["batch_size"], values, quality)
        panel.set_title(title)
    for panel in panels[2:]:
        style.batch_axis(panel, data["batch_size"])
    for panel in panels[::2]:
        panel.set_ylabel("slot utilisation")
    panels[0].set_ylim(0.6, 1.03)
    panels[0].legend(loc="lower left")
    figure.suptitle("Slots whose request has not yet emitted L tokens, over all slots")
    return figure
