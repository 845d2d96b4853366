"""Speedup over gamma and batch size, with its number in every cell: a panel for each quality mode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tools.sweep.grid import Place, Results
from tools.sweep.plots import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ACROSS = 2


def data(results: Results) -> dict[str, Any]:
    """For each quality mode a row of speedups for each batch size, in the first serving mode."""
    study = results.study
    serving, name = next(iter(study.serving.items()))
    return {
        "title": f"Speedup over plain decoding: {serving} ({name}); below 1 speculation loses",
        "batch_size": list(study.batch_sizes),
        "gamma": list(study.gammas),
        "panels": {
            quality: [
                [results.at[Place(quality, name, size, gamma)].speedup for gamma in study.gammas]
                for size in study.batch_sizes
            ]
            for quality in study.qualities
        },
    }


def draw(data: dict[str, Any]) -> Figure:
    """Cells from dark (slow) to light (fast) in a scale that also works in grey."""
    rows = -(-len(data["panels"]) // _ACROSS)
    figure, panels = style.sheet(rows, _ACROSS, width=9, height=0.9 + 3.1 * rows)
    everything = [value for table in data["panels"].values() for row in table for value in row]
    low, high = min(everything), max(everything)
    for panel, (title, table) in zip(panels, data["panels"].items(), strict=False):
        cells = panel.pcolormesh(
            table, cmap="cividis", vmin=low, vmax=high, edgecolors="white", linewidth=0.5
        )
        for across_row, row in enumerate(table):
            for column, value in enumerate(row):
                dark = (value - low) / (high - low or 1) < 0.5
                panel.text(
                    column + 0.5,
                    across_row + 0.5,
                    f"{value:.2f}",
                    ha="center",
                    va="center",
                    fontsize=7.5,
                    color="white" if dark else "black",
                    fontweight="normal" if value >= 1 else "bold",
                )
        panel.set_title(title)
        panel.grid(visible=False)
        panel.set_xticks([n + 0.5 for n in range(len(data["gamma"]))], [str(n) for n in data["gamma"]])
        panel.set_yticks([n + 0.5 for n in range(len(table))], [str(n) for n in data["batch_size"]])
    for panel in panels[len(data["panels"]) :]:
        panel.set_visible(False)
    for panel in panels[-_ACROSS:]:
        panel.set_xlabel("gamma")
    for panel in panels[::_ACROSS]:
        panel.set_ylabel("batch size B")
    figure.colorbar(cells, ax=panels, label="speedup", shrink=0.8)
    figure.suptitle(data["title"])
    return figure
