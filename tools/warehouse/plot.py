"""Answers of saved questions as drawings: the usual ones in their own form, any other as points of two of its columns.

Each drawing says under itself how many records it rests on and how many were left out, since a picture travels
without its table. Look and colours are those of the sweep's plots."""

from __future__ import annotations

import tempfile
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.errors import ToolsError
from tools.schema.spelling import nearest
from tools.sweep.libraries import require_libraries
from tools.sweep.plots import style
from tools.warehouse.plot_usual import frontier, server_share, speedup
from tools.warehouse.query import Answer, answer
from tools.warehouse.query_file import Query
from tools.warehouse.query_parameter import Value

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from matplotlib.figure import Figure

USUAL: Mapping[str, Callable[[DuckDBPyConnection, Answer], Figure]] = {
    "fastest-at-speed": frontier,
    "break-even": speedup,
    "server-vs-offline": server_share,
}
"""Saved questions with a drawing of their own."""

_MANY = 200
"""Points from which they are drawn small and let others shine through."""


@dataclass(frozen=True, slots=True)
class Axes:
    """Columns of an answer to draw: `by` tells series apart."""

    x: str
    y: str
    by: str | None = None
    logarithmic: bool = False


def plot(
    connection: DuckDBPyConnection,
    query: Query,
    values: Mapping[str, Value],
    stem: Path,
    axes: Axes | None = None,
) -> Answer:
    """Draws the answer of a question into `stem`.png and `stem`.svg, and gives the answer.

    Raises `ToolsError` where there is nothing to draw, a column is not there or no number, or a question has no
    drawing of its own and no axes are given.
    """
    if axes is None and query.name not in USUAL:
        raise ToolsError(
            f"`{query.name}` has no drawing of its own",
            f"name two of its columns with --x and --y, or draw one of {', '.join(USUAL)}",
        )
    require_libraries()
    found = answer(connection, query, values)
    if not found.rows:
        because = "; ".join(found.cannot_say) or "the answer is empty"
        raise ToolsError(f"there is nothing to draw, because {because}", "widen the parameters")
    with style.styled():
        figure = USUAL[query.name](connection, found) if axes is None else _points(found, axes)
        figure.supxlabel("\n".join(textwrap.wrap(_rests_on(found), 110)), fontsize=7, color="#555555")
        _save(figure, stem)
    return found


def _save(figure: Figure, stem: Path) -> None:
    """Both files or none, each of them whole. The name may have dots in it."""
    try:
        stem.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=stem.parent, prefix=".", suffix=".drawing") as folder:
            style.save(figure, Path(folder) / "drawing")
            for suffix in (".png", ".svg"):
                (Path(folder) / f"drawing{suffix}").replace(stem.with_name(f"{stem.name}{suffix}"))
    except OSError as error:
        raise ToolsError(
            f"cannot write {stem}: {error.strerror or error}", "check the disk and who may write there"
        ) from error


def _rests_on(found: Answer) -> str:
    left_out = sum(item.records for item in found.dropped)
    given = ", ".join(
        f"{name} {value}" for name, value in found.values.items() if isinstance(value, str | float | int)
    )
    return f"{found.query.name}{f' ({given})' if given else ''}: {len(found.used):,} records, {left_out:,} left out"


def _points(found: Answer, axes: Axes) -> Figure:
    wanted = [axes.x, axes.y, *([axes.by] if axes.by else [])]
    for name in wanted:
        if name not in found.columns:
            near = nearest(name, found.columns)
            raise ToolsError(
                f"`{found.query.name}` has no column `{name}`",
                f"did you mean `{near}`?" if near else f"its columns: {', '.join(found.columns)}",
            )
    places = [found.columns.index(name) for name in wanted]
    series: dict[str, list[tuple[float, float]]] = {}
    for row in found.rows:
        x, y, *by = (row[place] for place in places)
        if x is None or y is None:
            continue
        for name, value in ((axes.x, x), (axes.y, y)):
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise ToolsError(f"column `{name}` holds no numbers", "draw a column that does")
        series.setdefault(_label(by), []).append((float(x), float(y)))
    if not series:
        raise ToolsError(f"no row has both {axes.x} and {axes.y}", "draw other columns")
    units = {column.name: column.unit for column in found.query.columns}
    figure, (panel,) = style.sheet(1, 1, width=8.5 if axes.by else 7.5, height=4.8)
    many = sum(map(len, series.values())) > _MANY
    for number, (label, points) in enumerate(islice(series.items(), len(style.COLOURS))):
        panel.plot(
            *zip(*points, strict=True),
            linestyle="none",
            color=style.COLOURS[number],
            marker=style.MARKERS[number],
            markersize=3 if many else 4.5,
            alpha=0.5 if many else 1,
            label=label or found.query.name,
        )
    if axes.logarithmic:
        panel.set_xscale("log")
        panel.set_yscale("log")
    panel.set_xlabel(_with_unit(axes.x, units))
    panel.set_ylabel(_with_unit(axes.y, units))
    panel.set_title(found.query.title + _cut(len(series)))
    if axes.by:
        panel.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure


def _label(by: Sequence[Any]) -> str:
    return "" if not by or by[0] is None else str(by[0])


def _with_unit(name: str, units: Mapping[str, str]) -> str:
    return name if units[name] == "-" else f"{name} ({units[name]})"


def _cut(series: int) -> str:
    most = len(style.COLOURS)
    return "" if series <= most else f"\n(the first {most} of {series} series)"
