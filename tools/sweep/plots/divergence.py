"""Divergence penalty over batch size: a panel for a short and one for a long draft."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tools.sweep.grid import Place, Results
from tools.sweep.plots import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def data(results: Results) -> dict[str, Any]:
    """For some gammas and each quality mode the penalty at each batch size, in the first serving mode."""
    study = results.study
    serving, name = next(iter(study.serving.items()))
    middle = (len(study.gammas) - 1) // 2
    shown = sorted({study.gammas[middle // 2], study.gammas[middle], study.gammas[-1]})
    return {
        "title": f"1 - mean / maximum of the tokens accepted in a step: {serving} ({name})",
        "batch_size": list(study.batch_sizes),
        "panels": {
            f"gamma {gamma}": {
                quality: [
                    results.at[Place(quality, name, size, gamma)].divergence_penalty
                    for size in study.batch_sizes
                ]
                for quality in study.qualities
            }
            for gamma in shown
        },
    }


def draw(data: dict[str, Any]) -> Figure:
    """A line for each quality mode."""
    count = len(data["panels"])
    figure, panels = style.sheet(1, count, width=1.2 + 2.8 * count, height=3.7)
    for panel, (title, lines) in zip(panels, data["panels"].items(), strict=True):
        for number, (quality, values) in enumerate(lines.items()):
            style.line(panel, number, data["batch_size"], values, quality)
        style.batch_axis(panel, data["batch_size"])
        panel.set_title(title)
    panels[0].set_ylabel("divergence penalty")
    panels[0].set_ylim(0, 1)
    panels[0].legend(loc="upper left")
    figure.suptitle(data["title"])
    return figure
