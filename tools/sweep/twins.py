"""Twins: every measured speculative record simulated at its own conditions, under each cost model.

A row for each record and cost model, for a reader to set beside what was measured. Columns of twins.csv and
twins.parquet:

| column | unit | what it is |
| --- | --- | --- |
| record_id, source_id, evidence | | the record, its source, and what kind of evidence the measured value is |
| cost_model | | `constant`, `roofline` (spec sheets), `calibrated` (the record's source left out of the fit) |
| batch_size, gamma, nodes, positions, context | 1, tokens | the operating point; nodes is empty for a chain |
| tau, tau_origin | tokens a step | acceptance length and where it is from: `curve` where it was inferred |
| speedup, interval_low, interval_high | ratio | predicted, with its 95 % interval |
| plain_ms, verify_ms, draft_ms, overhead_ms | ms | plain step, and parts of a speculative one; not for `constant` |
| bound | | what limits the verifying pass, `memory` or `compute`; not for `constant` |
| measured, is_limit | ratio | the record's own speedup, and whether it is a limit and no point |
| error_signed | 1 | predicted over measured, minus 1; empty for a limit |
| scored | | whether the record counts in the accuracy table |
| assumed | | list of (name, value): what the record does not state; `tools sweep twin ID` says why |

`calibrated` overheads hold what emitted tokens cost. T_verify and the plain step hold the overheads of any step.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tools.errors import ToolsError
from tools.records.catalog import Catalog
from tools.schema.spelling import quoted
from tools.sweep import twin_plot
from tools.sweep.accuracy import COST_MODELS, Evaluation, evaluate
from tools.sweep.calibration.store import Calibration, load
from tools.sweep.emit.manifest import NAME, digest
from tools.sweep.emit.tables import csv_text
from tools.sweep.measured.assumptions import Assumption

FOLDER = Path("generated") / "twins"
CSV, PARQUET = "twins.csv", "twins.parquet"
COLUMNS: Mapping[str, str] = {
    "record_id": "VARCHAR",
    "source_id": "VARCHAR",
    "evidence": "VARCHAR",
    "cost_model": "VARCHAR",
    "batch_size": "INTEGER",
    "gamma": "INTEGER",
    "nodes": "INTEGER",
    "positions": "DOUBLE",
    "context": "INTEGER",
    "tau": "DOUBLE",
    "tau_origin": "VARCHAR",
    "speedup": "DOUBLE",
    "interval_low": "DOUBLE",
    "interval_high": "DOUBLE",
    "plain_ms": "DOUBLE",
    "verify_ms": "DOUBLE",
    "draft_ms": "DOUBLE",
    "overhead_ms": "DOUBLE",
    "bound": "VARCHAR",
    "measured": "DOUBLE",
    "is_limit": "BOOLEAN",
    "error_signed": "DOUBLE",
    "scored": "BOOLEAN",
    "assumed": "VARCHAR",
}
"""Columns and their types; `assumed` is JSON in the CSV and a list of structures in Parquet."""

_ASSUMED = '[{"name":"VARCHAR","value":"VARCHAR"}]'
_NO_LENGTH = "no acceptance length, and no other batch size of its curve to infer it from"


@dataclass(frozen=True, slots=True)
class Done:
    """Files that were written or are out of date, how many twins there are, and records without one by reason."""

    changed: tuple[str, ...]
    records: int
    rows: int
    without: Mapping[str, int]


def twin_rows(made: Evaluation) -> Iterator[dict[str, Any]]:
    """A row for each point with a prediction and cost model, by record id."""
    for index, point in enumerate(made.bench.points):
        nodes = point.choice.proposal.nodes
        for name in COST_MODELS:
            prediction, bounds = made.predictions[name], made.intervals[name]
            predicted = float(prediction.speedup[index])
            if not np.isfinite(predicted):
                continue
            assumed = list(point.assumed)
            if point.tau is None:
                tau = f"{prediction.tau[index]:.3g}"
                assumed.append(
                    Assumption("acceptance length", tau, "that of the other batch sizes of its curve")
                )
            has_error = not point.is_limit and point.speedup > 0
            yield {
                "record_id": point.record_id,
                "source_id": point.source,
                "evidence": point.evidence,
                "cost_model": name,
                "batch_size": point.batch,
                "gamma": point.gamma,
                "nodes": "" if nodes is None else nodes,
                "positions": _rounded(1 + point.choice.proposal.fill * (nodes or point.gamma)),
                "context": point.context,
                "tau": _rounded(prediction.tau[index]),
                "tau_origin": "curve" if point.tau is None else point.tau_origin,
                "speedup": _rounded(predicted),
                "interval_low": _rounded(bounds.low[index]),
                "interval_high": _rounded(bounds.high[index]),
                **_parts(made, name, index),
                "measured": point.speedup,
                "is_limit": str(point.is_limit).lower(),
                "error_signed": _rounded(predicted / point.speedup - 1) if has_error else "",
                "scored": str(bool(made.scored[index])).lower(),
                "assumed": assumed,
            }


def _parts(made: Evaluation, name: str, index: int) -> dict[str, Any]:
    steps = made.steps.get(name)
    if steps is None:
        return dict.fromkeys(("plain_ms", "verify_ms", "draft_ms", "overhead_ms", "bound"), "")
    tau, token = made.predictions[name].tau[index], steps.token[index]
    return {
        "plain_ms": _rounded((steps.plain[index] + token) * 1e3),
        "verify_ms": _rounded(steps.verify[index] * 1e3),
        "draft_ms": _rounded(steps.draft[index] * 1e3),
        "overhead_ms": _rounded((steps.overhead[index] + tau * token) * 1e3),
        "bound": "compute" if steps.is_compute_bound[index] else "memory",
    }


def printed(root: Path, ids: Sequence[str]) -> str:
    """The twins of records for a terminal. Raises `ToolsError` for a record that is not there or has no twin."""
    catalog = Catalog(root)
    for name in ids:
        catalog.require(name)
    made = evaluate(catalog, load(root))
    rows = list(twin_rows(made))
    lines = []
    for name in ids:
        own = [row for row in rows if row["record_id"] == name]
        if not own:
            why = (
                _NO_LENGTH
                if name in {point.record_id for point in made.bench.points}
                else "see `tools sweep validate`"
            )
            raise ToolsError(f"{quoted(name)} cannot be simulated: {why}", "take another record")
        first = own[0]
        limit = " (a limit)" if first["is_limit"] == "true" else ""
        lines.append(
            f"{name}: batch {first['batch_size']}, gamma {first['gamma']}, measured {first['measured']:g}{limit}"
        )
        for row in own:
            error = f"{row['error_signed']:+.1%}" if row["error_signed"] != "" else "-"
            lines.append(
                f"  {row['cost_model']:<11}{row['speedup']:>7.3f}  {row['interval_low']:.2f} to "
                f"{row['interval_high']:.2f}  tau {row['tau']:g}  error {error}  {row['bound']}"
            )
        lines += [f"  assumed {one.name} {one.value}: {one.why}" for one in first["assumed"]]
    return "\n".join(lines) + "\n"


def write(root: Path) -> Done:
    """Writes twins.csv, twins.parquet and manifest, and the plot of the founding record."""
    catalog, calibration = Catalog(root), load(root)
    made = evaluate(catalog, calibration)
    text = _text(made)
    data = _plot_data(catalog, calibration)
    before = _state(root)
    folder = root / FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / CSV).write_bytes(text.encode())
        _write_parquet(folder)
        if data is not None:
            twin_plot.draw_to(data, root / twin_plot.STEM)
        (folder / NAME).write_text(_manifest(folder, made, data), encoding="utf-8")
    except OSError as error:
        raise ToolsError(
            f"cannot write {folder}: {error.strerror or error}", "check who may write there"
        ) from error
    after = _state(root)
    return _done(made, text, tuple(name for name in after if after[name] != before.get(name)))


def check(root: Path) -> Done:
    """What is out of date. CSV is compared byte for byte, Parquet and plot by what they were made from."""
    catalog, calibration = Catalog(root), load(root)
    made = evaluate(catalog, calibration)
    text = _text(made)
    data = _plot_data(catalog, calibration)
    folder, stale = root / FOLDER, []
    try:
        stored = json.loads((folder / NAME).read_bytes())
        files = {name: digest(folder / name) for name in (CSV, PARQUET)}
    except (OSError, ValueError):
        return _done(made, text, (str(FOLDER),))
    if (folder / CSV).read_bytes() != text.encode():
        stale.append(str(FOLDER / CSV))
    if stored.get("files") != files:
        stale.append(str(FOLDER / NAME))
    if data is not None and (
        stored.get("plots", {}).get(twin_plot.NAME) != twin_plot.fingerprint(data)
        or not all((root / twin_plot.STEM).with_suffix(end).is_file() for end in (".png", ".svg"))
    ):
        stale.append(str(twin_plot.STEM))
    return _done(made, text, tuple(stale))


def _text(made: Evaluation) -> str:
    rows, plain = twin_rows(made), [name for name in COLUMNS if name != "assumed"]
    return csv_text(list(COLUMNS), [[*(row[name] for name in plain), _pairs(row["assumed"])] for row in rows])


def _pairs(assumed: Sequence[Assumption]) -> str:
    return json.dumps([{"name": one.name, "value": one.value} for one in assumed], ensure_ascii=False)


def _done(made: Evaluation, text: str, changed: tuple[str, ...]) -> Done:
    lost = Counter(_NO_LENGTH for value in made.predictions["roofline"].speedup if not np.isfinite(value))
    records = len(made.bench.points) - sum(lost.values())
    return Done(changed, records, text.count("\n") - 1, {**lost, **made.left_out})


def _plot_data(catalog: Catalog, calibration: Calibration) -> dict[str, Any] | None:
    return twin_plot.data(catalog, calibration) if catalog.find(twin_plot.FOUNDING) else None


def _write_parquet(folder: Path) -> None:
    import duckdb

    with duckdb.connect(config={"threads": 1}) as connection:
        rows = connection.read_csv(str(folder / CSV), header=True, dtype=dict(COLUMNS))
        rows.project(f"* REPLACE (from_json(assumed, '{_ASSUMED}') AS assumed)").write_parquet(
            str(folder / PARQUET), compression="zstd"
        )


def _manifest(folder: Path, made: Evaluation, data: dict[str, Any] | None) -> str:
    content = {
        "points": len(made.bench.points),
        "plots": {} if data is None else {twin_plot.NAME: twin_plot.fingerprint(data)},
        "files": {name: digest(folder / name) for name in (CSV, PARQUET)},
    }
    return json.dumps(content, indent=2) + "\n"


def _state(root: Path) -> dict[str, str]:
    paths = [root / FOLDER / name for name in (CSV, PARQUET, NAME)]
    paths += [(root / twin_plot.STEM).with_suffix(end) for end in (".png", ".svg")]
    return {str(path.relative_to(root)): digest(path) for path in paths if path.is_file()}


def _rounded(value: float) -> float:
    """Four digits: more than any prediction has."""
    return float(f"{value:.4g}")
