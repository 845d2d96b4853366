"""Speedup over batch size: a panel for each serving mode, each quality mode at its best gamma."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tools.sweep.grid import Results
from tools.sweep.plots import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def data(results: Results) -> dict[str, Any]:
    """For each serving and quality mode the speedup at each batch size, at that batch's best gamma."""
    study = results.study
    return {
        "batch_size": list(study.batch_sizes),
        "panels": {
            f"{serving} ({name})": {
                quality: {
                    "speedup": [results.best(quality, name, size).speedup for size in study.batch_sizes],
                    "gamma": sorted({results.best_gamma(quality, name, size) for size in study.batch_sizes}),
                }
                for quality in study.qualities
            }
            for serving, name in study.serving.items()
        },
    }


def draw(data: dict[str, Any]) -> Figure:
    """A line for each quality mode."""
    count = len(data["panels"])
    figure, panels = style.sheet(1, count, width=1.2 + 3.6 * count, height=3.9)
    for panel, (title, lines) in zip(panels, data["panels"].items(), strict=True):
        style.break_even(panel)
        for number, (quality, series) in enumerate(lines.items()):
            gammas = " or ".join(map(str, series["gamma"]))
            style.line(panel, number, data["batch_size"], series["speedup"], f"{quality}, gamma {gammas}")
        style.batch_axis(panel, data["batch_size"])
        panel.set_title(title)
        panel.legend(loc="center right", bbox_to_anchor=(1, 0.74))
    panels[0].set_ylabel("speedup over plain decoding")
    panels[0].set_ylim(bottom=0.8)
    figure.suptitle("Speedup at the best gamma; verifying is assumed to cost the same at any batch")
    return figure
