"""The usual drawings: a frontier, speedups over the batch beside the curves of cost models, Server against Offline.

At most seven series have a colour and a marker that can be told apart; those with most points are drawn, and the
title says of how many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tools.sweep.plots import style
from tools.warehouse.query import Answer

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from matplotlib.figure import Figure

_MOST = len(style.COLOURS)
_CURVES = 4
"""Curves of cost models: as many as there are dashes."""

_MEASURED = """
SELECT concat_ws(', ', s.technique, s.model_id, s.engine_id, s.dataset,
        CASE WHEN s.gamma IS NOT NULL THEN format('gamma {}', s.gamma) END) AS label,
    list(s.load ORDER BY s.load, s.record_id), list(s.speedup ORDER BY s.load, s.record_id)
FROM speedups s
JOIN used u ON u.record_id = s.record_id
WHERE s.load IS NOT NULL
GROUP BY label, s.source_id, s.accelerator_ids, s.temperature
ORDER BY count(*) DESC, label, s.source_id, s.temperature
"""
_CURVE = """
WITH best AS (
    SELECT cost_model, sweep_id, model_id, coalesce(quality, format('q {:.2g}', acceptance)) AS acceptance, batch_size,
        max(speedup) AS speedup
    FROM simulated
    WHERE speedup IS NOT NULL AND batch_size IS NOT NULL AND twin_of IS NULL
        AND (model_id IS NULL OR $model IS NULL OR model_id = $model)
    GROUP BY ALL
)
SELECT concat_ws(', ', cost_model || ' (' || sweep_id || ')', model_id, acceptance) AS label,
    list(batch_size ORDER BY batch_size), list(speedup ORDER BY batch_size)
FROM best
GROUP BY label, cost_model, acceptance
-- One curve of each cost model first, so that none is missing where not all can be drawn.
ORDER BY row_number() OVER (PARTITION BY cost_model ORDER BY acceptance DESC, label), label
"""
_PAIRS = """
SELECT model_id, list(round ORDER BY round, record_id), list(share_of_offline ORDER BY round, record_id)
FROM pairs
WHERE round <> ''
GROUP BY model_id
ORDER BY count(*) DESC, model_id
"""


def frontier(_: DuckDBPyConnection, found: Answer) -> Figure:
    """Throughput per accelerator against speed of a user, one line for each frontier."""
    names = ("model_id", "accelerator_id", "workload", "scenario", "isl_mean", "osl_mean")
    at = {name: found.columns.index(name) for name in (*names, "speed", "output_per_accelerator")}
    series: dict[tuple[object, ...], list[tuple[float, float]]] = {}
    for row in found.rows:
        key = tuple(row[at[name]] for name in names[:4])
        series.setdefault(key, []).append((row[at["speed"]], row[at["output_per_accelerator"]]))
    ordered = sorted(series.items(), key=lambda item: (-len(item[1]), str(item[0])))
    figure, (panel,) = style.sheet(1, 1, width=7.5, height=4.8)
    for number, (key, points) in enumerate(ordered[:_MOST]):
        x, y = zip(*sorted(points), strict=True)
        style.line(panel, number, x, y, ", ".join(str(part) for part in key if part is not None))
    panel.set_yscale("log")
    panel.set_xlabel("median speed of a user (output tok/s)")
    panel.set_ylabel("output tok/s per accelerator")
    panel.set_title("Throughput against interactivity" + _of(len(ordered)))
    panel.legend(fontsize=6.5)
    return figure


def speedup(connection: DuckDBPyConnection, found: Answer) -> Figure:
    """Measured speedups as points, and the best gamma of each cost model as a line, over the batch."""
    measured = connection.execute(_MEASURED).fetchall()
    curves = connection.execute(_CURVE, {"model": found.values.get("model")}).fetchall()[:_CURVES]
    figure, (panel,) = style.sheet(1, 1, width=8.5, height=5.2)
    for number, (label, loads, speedups) in enumerate(measured[:_MOST]):
        panel.plot(
            loads,
            speedups,
            linestyle="none",
            color=style.COLOURS[number],
            marker=style.MARKERS[number],
            label=label,
        )
    for number, (label, batches, speedups) in enumerate(curves):
        panel.plot(
            batches,
            speedups,
            color="#777777",
            linestyle=style.DASHES[number],
            linewidth=1.2,
            label=f"model: {label}",
        )
    style.break_even(panel)
    panel.set_xscale("log", base=2)
    panel.set_xlabel("batch size or requests in flight")
    panel.set_ylabel("speedup over plain decoding")
    panel.set_title("Speculative decoding: measured speedups beside cost models" + _of(len(measured)))
    panel.legend(fontsize=6.5, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure


def server_share(connection: DuckDBPyConnection, _: Answer) -> Figure:
    """Server throughput as a share of Offline, by round and model; above the line Offline is the slower one."""
    models = connection.execute(_PAIRS).fetchall()
    rounds = sorted({name for _, names, _ in models for name in names})
    figure, (panel,) = style.sheet(1, 1, width=7.5, height=4.8)
    for number, (model, names, shares) in enumerate(models[:_MOST]):
        # Models stand side by side within a round, so that their points do not hide one another.
        shift = (number - (min(len(models), _MOST) - 1) / 2) * 0.1
        panel.plot(
            _places(names, rounds, shift),
            shares,
            linestyle="none",
            color=style.COLOURS[number],
            marker=style.MARKERS[number],
            alpha=0.7,
            label=model,
        )
    style.break_even(panel)
    panel.set_xticks(range(len(rounds)), rounds)
    panel.set_xlabel("round")
    panel.set_ylabel("Server throughput / Offline throughput")
    panel.set_title("Server beside Offline on one system" + _of(len(models)))
    panel.legend(fontsize=7)
    return figure


def _places(names: Sequence[str], rounds: Sequence[str], shift: float) -> list[float]:
    return [rounds.index(name) + shift for name in names]


def _of(series: int) -> str:
    return "" if series <= _MOST else f"\n(the {_MOST} of {series} series with most points)"
