"""A small grid from its configuration to its folder: tables, records, plot, manifest; or a check of that folder."""

from __future__ import annotations

import hashlib
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tools.errors import ToolsError
from tools.records.catalog import Catalog
from tools.records.parse import parse
from tools.sweep.emit.check import out_of_date
from tools.sweep.emit.folder import whole_folder
from tools.sweep.emit.manifest import LIBRARIES, RECORDS, manifest_text
from tools.sweep.emit.output import Drawing, Output
from tools.sweep.emit.tables import csv_text
from tools.sweep.emit.write import write_output
from tools.sweep.roofline import plot
from tools.sweep.roofline.choice import Choice, setting
from tools.sweep.roofline.config import Grid
from tools.sweep.roofline.points import COLUMNS
from tools.sweep.roofline.records import records
from tools.sweep.roofline.summary import summary
from tools.sweep.roofline.tables import Tables, compute

MOST_RECORDS = 20_000
"""Points that are written as records, files of about 3 KB."""

_NAMES = {
    "accelerator": "VARCHAR",
    "model": "VARCHAR",
    "draft": "VARCHAR",
    "engine": "VARCHAR",
    "tensor_parallel": "INTEGER",
    "precision": "VARCHAR",
    "cache_precision": "VARCHAR",
}
TYPES = {**_NAMES, **{name: kind.replace("FLOAT", "DOUBLE") for name, (kind, _) in COLUMNS.items()}}
"""Columns of results.csv, and their types in Parquet."""


def default_folder(root: Path, grid: Grid) -> Path:
    """Where the output of a grid lies in a ledger."""
    return root / "generated" / "sweeps" / grid.id


def run(grid: Grid, root: Path, out: Path | None) -> None:
    """Computes a grid and writes its folder."""
    with whole_folder(out or default_folder(root, grid)) as folder:
        write_output(output(grid, root), folder)


def check(grid: Grid, root: Path, out: Path | None) -> tuple[str, ...]:
    """What of the folder is not current, a line each."""
    target = out or default_folder(root, grid)
    if not target.is_dir():
        raise ToolsError(f"there is no folder {target}", "run it without --check to write it")
    return tuple(out_of_date(output(grid, root), target))


def output(grid: Grid, root: Path) -> Output:
    """What a grid writes. Raises `ToolsError` for one of too many points."""
    if grid.axes.points > MOST_RECORDS:
        raise ToolsError(
            f"the grid has {grid.axes.points:,} points, which would become as many records of about 3 KB "
            f"({grid.axes.points * 3 / 1024:,.0f} MB)",
            f"up to {MOST_RECORDS:,} points are written as records; for more say --format parquet --out DIR",
        )
    catalog = Catalog(root)
    tables = compute(grid.axes, grid.requests, catalog)
    settings = {choice: setting(catalog, choice) for choice in grid.axes.choices()}
    numbers = plot.data(tables)
    drawing = Drawing(plot.NAME, numbers, plot.draw, plot.fingerprint(numbers))
    head = {
        "grid": grid.id,
        "points": grid.axes.points,
        "config": parse(grid.content).value,
        "inputs": {"config_sha256": hashlib.sha256(grid.content).hexdigest()},
        "constants": {made.engine: asdict(settings[made].constants) for made in settings},
    }
    return Output(
        {
            "results/results.csv": results_csv(tables),
            "results/curves.csv": curves_csv(tables),
            **({"results/populations.csv": populations_csv(tables)} if tables.mixed else {}),
            "results/summary.txt": summary(grid, tables),
            **{f"{RECORDS}/{name}": text for name, text in records(grid, tables, settings)},
        },
        (drawing,),
        TYPES,
        lambda folder: manifest_text(head, folder, {plot.NAME: drawing.fingerprint}, [*LIBRARIES, "scipy"]),
    )


def results_csv(tables: Tables) -> str:
    """A row for each point."""
    rows = (
        [*_named(point.choice), *(_written(point.figures[name]) for name in COLUMNS)]
        for point in tables.points
    )
    return csv_text(list(TYPES), rows)


def curves_csv(tables: Tables) -> str:
    """A row for each curve and batch size: the best gamma there, and what is true of the whole curve."""
    head = [
        *_NAMES,
        *("context", "quality", "batch_size", "best_gamma", "speedup", "chance_pays"),
        *("critical_batch_of_best_gamma", "critical_batch", "largest_batch_that_fits"),
    ]
    rows = (
        [
            *_named(curve.choice),
            *(curve.context, curve.quality, best.batch_size, best.gamma, best.speedup, best.chance_pays),
            *(_written(value) for value in (curve.critical[best.gamma], curve.last, curve.largest)),
        ]
        for curve in tables.curves
        for best in curve.best
    )
    return csv_text(head, rows)


def populations_csv(tables: Tables) -> str:
    """A row for each population, synchronisation and place, with the sampling interval."""
    head = [*_NAMES, "context", "population", "synchronisation", "batch_size", "gamma"]
    head += ["speedup", "half_width", "acceptance_length", "speedup_at_mean_q"]
    rows = (
        [
            *_named(one.choice),
            *(one.context, one.name, *one.place[1:], one.figures.speedup, one.figures.half_width),
            *(one.figures.acceptance_length, one.at_mean),
        ]
        for one in tables.mixed
    )
    return csv_text(head, rows)


def _named(choice: Choice) -> list[object]:
    return [
        choice.accelerator,
        choice.model,
        choice.proposal.label,
        choice.engine,
        choice.tensor_parallel,
        choice.precision,
        choice.cache_precision,
    ]


def _written(value: Any) -> object:
    """A figure in CSV: empty where it is not known, `inf` where there is no end."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return str(value).lower() if isinstance(value, bool) else value
