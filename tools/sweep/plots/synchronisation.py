"""What each way to wait does to the speedup: a panel for each quality mode, a line for each synchronisation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tools.sweep.grid import Results
from tools.sweep.plots import style
from tools.sweep.speculative import SYNCHRONISATIONS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ACROSS = 2


def data(results: Results) -> dict[str, Any]:
    """For each quality mode and synchronisation the speedup at each batch size, at that batch's best gamma."""
    study = results.study
    return {
        "batch_size": list(study.batch_sizes),
        "panels": {
            quality: {
                name: [results.best(quality, name, size).speedup for size in study.batch_sizes]
                for name in SYNCHRONISATIONS
            }
            for quality in study.qualities
        },
    }


def draw(data: dict[str, Any]) -> Figure:
    """A line for each synchronisation."""
    rows = -(-len(data["panels"]) // _ACROSS)
    figure, panels = style.sheet(rows, _ACROSS, width=8.4, height=0.6 + 2.7 * rows)
    for panel, (title, lines) in zip(panels, data["panels"].items(), strict=False):
        style.break_even(panel)
        for number, (name, values) in enumerate(lines.items()):
            style.line(panel, number, data["batch_size"], values, name)
        panel.set_title(title)
    for panel in panels[len(data["panels"]) :]:
        panel.set_visible(False)
    for panel in panels[-_ACROSS:]:
        style.batch_axis(panel, data["batch_size"])
    for panel in panels[::_ACROSS]:
        panel.set_ylabel("speedup over plain decoding")
    panels[0].set_ylim(bottom=0)
    panels[0].legend(loc="lower left", ncols=2)
    figure.suptitle("How a batch waits: speedup at the best gamma of each batch size")
    return figure
