"""How plots look: colours that the colour-blind can tell apart, markers and dashes for print without colour.

Colours: Okabe and Ito, "Color Universal Design" (2008).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES = ("-", "--", "-.", ":")
DPI = 110

_SETTINGS: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.grid": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "lines.markersize": 4.5,
    "svg.fonttype": "none",
    "svg.hashsalt": "inference-ledger",
}


@contextmanager
def styled() -> Iterator[None]:
    """Our settings on top of the library's own; whatever a user has set up for themselves is out."""
    import matplotlib
    from matplotlib import style

    with style.context("default"), matplotlib.rc_context(_SETTINGS):
        yield


def sheet(rows: int, columns: int, *, width: float, height: float) -> tuple[Figure, list[Axes]]:
    """An empty sheet in inches, and its panels row by row, all with the same axes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    return figure, [panel for row in panels for panel in row]


def line(panel: Axes, number: int, x: Sequence[float], y: Sequence[float], label: str) -> None:
    """The line of a series, with the colour, marker and dash of its number."""
    panel.plot(
        x,
        y,
        label=label,
        color=COLOURS[number % len(COLOURS)],
        marker=MARKERS[number % len(MARKERS)],
        linestyle=DASHES[number % len(DASHES)],
    )


def batch_axis(panel: Axes, batch_sizes: Sequence[int]) -> None:
    """Batch sizes on a scale on which a doubling is a step."""
    panel.set_xscale("log", base=2)
    panel.set_xticks(batch_sizes, [str(size) for size in batch_sizes])
    panel.minorticks_off()
    panel.set_xlabel("batch size B")


def break_even(panel: Axes) -> None:
    """The line above which speculation pays."""
    panel.axhline(1, color="#555555", linewidth=0.9)


def save(figure: Figure, stem: Path) -> None:
    """Writes `stem`.png and `stem`.svg, with no day and no program in them."""
    figure.savefig(stem.with_suffix(".png"), dpi=DPI, metadata={"Software": None})
    # The panels have their places now; finding them takes longer than drawing.
    figure.set_layout_engine("none")
    figure.savefig(stem.with_suffix(".svg"), metadata={"Date": None, "Creator": None})
