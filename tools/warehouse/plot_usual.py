"""The usual drawings: a frontier, speedups over the batch beside the curves of cost models, Server against Offline.

At most seven series have a colour and a marker that can be told apart; the title says which of how many are drawn.
What all of them share stands in the title, so that a label has what tells them apart."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tools.sweep.plots import style
from tools.warehouse.query import Answer

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST = len(style.COLOURS)
_CURVES = 4
"""Curves of sweeps: as many as there are dashes; half of them where predictions for the very records are drawn."""
_WIDEST = 52
"""Letters in a line of the legend."""
_APART = 0.06
"""Doublings of the batch between the points of two series, so that they do not hide one another."""

_MEASURED = """
SELECT [s.technique, s.model_id, s.engine_id, s.engine_version, s.dataset, s.draft_label,
        CASE WHEN s.gamma IS NOT NULL THEN format('gamma {}', s.gamma) END,
        CASE WHEN any_value(p.tree_nodes) IS NOT NULL THEN format('{} nodes', any_value(p.tree_nodes)) END,
        any_value(p.weights), array_to_string(s.accelerator_ids, ', '),
        CASE WHEN any_value(p.temperature) IS NOT NULL THEN format('T {:g}', any_value(p.temperature)) END,
        s.source_id] AS told,
    list(p.load ORDER BY p.load, p.record_id) AS loads, list(p.speedup ORDER BY p.load, p.record_id) AS speedups,
    list(t.speedup ORDER BY p.load, p.record_id) AS predicted
FROM (SELECT *, unnest(record_ids) AS record_id, row_number() OVER () AS number FROM series) s
JOIN (
    FROM speedups WHERE load IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY record_id ORDER BY way, result_index) = 1
) p ON p.record_id = s.record_id
LEFT JOIN simulated t ON t.twin_of = s.record_id AND t.cost_model = $cost_model
GROUP BY s.number, s.technique, s.model_id, s.engine_id, s.engine_version, s.dataset, s.draft_label, s.gamma,
    s.accelerator_ids, s.source_id, s.outcome
ORDER BY s.outcome <> 'crosses', count(*) DESC, told
"""
_TWINS = "SELECT cost_model FROM simulated WHERE twin_of IS NOT NULL GROUP BY 1 ORDER BY cost_model <> 'calibrated', 1"
_CURVE = """
WITH best AS (
    SELECT cost_model, sweep_id, model_id, coalesce(quality, format('q {:.2g}', acceptance)) AS acceptance, batch_size,
        max(speedup) AS speedup
    FROM simulated
    WHERE speedup IS NOT NULL AND batch_size IS NOT NULL AND twin_of IS NULL
        AND (model_id IS NULL OR list_contains($models, model_id))
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
    at = {name: number for number, name in enumerate(found.columns)}
    lines: list[tuple[list[str | None], list[tuple[float, float]]]] = []
    for row in found.rows:
        # A frontier begins with its rank 1 and has the rows that follow.
        if row[at["rank"]] == 1:
            lengths = [
                _length(row[at[name]], what) for name, what in (("isl_mean", "in"), ("osl_mean", "out"))
            ]
            told = [row[at[name]] for name in ("model_id", "accelerator_id", "workload", "scenario")]
            lines.append(([*told, *lengths], []))
        lines[-1][1].append((row[at["speed"]], row[at["output_per_accelerator"]]))
    drawn = sorted(lines, key=lambda line: (-len(line[1]), str(line[0])))[:_MOST]
    labels, shared = _labels([told for told, __ in drawn])
    figure, (panel,) = style.sheet(1, 1, width=9.5, height=4.8)
    for number, (label, (__, points)) in enumerate(zip(labels, drawn, strict=True)):
        x, y = zip(*sorted(points), strict=True)
        style.line(panel, number, x, y, label)
    panel.set_yscale("log")
    _plain_numbers(panel)
    panel.set_xlabel("median speed of a user (output tok/s)")
    panel.set_ylabel("output tok/s per accelerator")
    _titled(panel, "Throughput against interactivity", shared, len(lines), "with most points")
    return figure


def speedup(connection: DuckDBPyConnection, _: Answer) -> Figure:
    """Measured speedups as points over the batch; as lines what a cost model predicts for these records, and sweeps."""
    judged = connection.execute(_TWINS).fetchone()
    cost_model = judged[0] if judged else None
    measured = connection.execute(_MEASURED, {"cost_model": cost_model}).fetchall()
    drawn = measured[:_MOST]
    labels, shared = _labels([told for told, *_ in drawn])
    figure, (panel,) = style.sheet(1, 1, width=10, height=5.2)
    has_twins = False
    for number, (label, (__, loads, speedups, predicted)) in enumerate(zip(labels, drawn, strict=True)):
        shift = 2 ** ((number - (len(drawn) - 1) / 2) * _APART)
        colour, marker = style.COLOURS[number], style.MARKERS[number]
        panel.plot(
            [load * shift for load in loads],
            speedups,
            linestyle="none",
            color=colour,
            marker=marker,
            label=label,
        )
        twins = [
            (load * shift, value) for load, value in zip(loads, predicted, strict=True) if value is not None
        ]
        if twins:
            has_twins = True
            panel.plot(*zip(*twins, strict=True), color=colour, linestyle=":", linewidth=1)
    if has_twins:
        panel.plot(
            [],
            [],
            color="#000000",
            linestyle=":",
            linewidth=1,
            label=f"{cost_model} model of the same records",
        )
    models = sorted({told[1] for told, *_ in drawn if told[1] is not None})
    curves = connection.execute(_CURVE, {"models": models}).fetchall()
    for number, (label, batches, values) in enumerate(curves[: _CURVES // 2 if has_twins else _CURVES]):
        dash = style.DASHES[number]
        panel.plot(batches, values, color="#777777", linestyle=dash, linewidth=1.2, label=f"model: {label}")
    style.break_even(panel)
    panel.set_xscale("log", base=2)
    panel.xaxis.set_major_formatter("{x:g}")
    panel.set_xlabel("batch size or requests in flight (series stand a little apart)")
    panel.set_ylabel("speedup over plain decoding")
    title = "Speculative decoding: measured speedups beside cost models"
    _titled(panel, title, shared, len(measured), "that cross 1, then with most points")
    return figure


def server_share(connection: DuckDBPyConnection, _: Answer) -> Figure:
    """Server throughput as a share of Offline, by round and model; above the line Offline is the slower one."""
    models = connection.execute(_PAIRS).fetchall()
    rounds = sorted({name for _, names, _ in models for name in names})
    figure, (panel,) = style.sheet(1, 1, width=8.5, height=4.8)
    for number, (model, names, shares) in enumerate(models[:_MOST]):
        # Models stand side by side within a round, so that their points do not hide one another.
        shift = (number - (min(len(models), _MOST) - 1) / 2) * 0.1
        panel.plot(
            [rounds.index(name) + shift for name in names],
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
    _titled(panel, "Server beside Offline on one system", [], len(models), "with most points")
    return figure


def _labels(told: Sequence[Sequence[str | None]]) -> tuple[list[str], list[str]]:
    """What tells series apart, for each of them, and what all of them share."""
    alike = [len(told) > 1 and len(set(values)) == 1 for values in zip(*told, strict=True)]
    labels = [
        textwrap.fill(
            ", ".join(v for v, same in zip(one, alike, strict=True) if v is not None and not same), _WIDEST
        )
        for one in told
    ]
    shared = (
        [value for value, same in zip(told[0], alike, strict=True) if value is not None and same]
        if told
        else []
    )
    return labels, shared


def _length(tokens: float | None, what: str) -> str | None:
    return None if tokens is None else f"{tokens:.0f} {what}"


def _titled(panel: Axes, title: str, shared: Sequence[str], series: int, chosen: str) -> None:
    """Title and legend; the latter beside the panel, where it hides no point."""
    lines = [title, ", ".join(shared), f"(the {_MOST} of {series} series {chosen})" if series > _MOST else ""]
    panel.set_title("\n".join(line for line in lines if line), fontsize=10)
    panel.legend(fontsize=6.5, loc="upper left", bbox_to_anchor=(1.0, 1.0))


def _plain_numbers(panel: Axes) -> None:
    """Numbers along the upright axis as people write them, also between powers of ten."""
    panel.yaxis.set_major_formatter("{x:,g}")
    panel.yaxis.set_minor_formatter("{x:,g}")
