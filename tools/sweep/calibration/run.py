"""The whole calibration of a ledger: its files, written or compared with those that are there."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.errors import ToolsError
from tools.records.catalog import Catalog
from tools.sweep.accuracy import Row, accuracy, evaluate, scored_points
from tools.sweep.calibration.efficiencies import Layers
from tools.sweep.calibration.fit import fit, left_out
from tools.sweep.calibration.layers import fit_layers, read_table
from tools.sweep.calibration.report import accuracy_csv, summary, with_table
from tools.sweep.calibration.steps import Bench
from tools.sweep.calibration.store import (
    FOLDER,
    LAYERS,
    RESULT,
    layers_text,
    load_layers,
    result_text,
    stored,
)
from tools.sweep.measured.points import measured
from tools.sweep.page import PAGE

LEAST = 10
"""Measured points from which a calibration can tell anything."""


@dataclass(frozen=True, slots=True)
class Done:
    """What a calibration wrote, or found out of date, and its accuracy."""

    changed: tuple[str, ...]
    rows: tuple[Row, ...]
    refused: Mapping[str, str]


def calibrate(root: Path, tables: Sequence[Path], *, check: bool) -> Done:
    """Fits and writes; with `check` it only compares. Raises `ToolsError` for a ledger with too few measurements."""
    catalog = Catalog(root)
    if tables:
        layers = fit_layers(catalog, [read_table(path) for path in tables])
        digests = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in tables}
        text = layers_text(layers, digests)
    else:
        layers = load_layers(root)
        text = (root / FOLDER / LAYERS).read_text(encoding="utf-8")
    if not layers:
        raise ToolsError("no row of the tables is of an accelerator of this ledger", "name other tables")
    points = measured(catalog).points
    scored, _ = scored_points(points)
    if scored.sum() < LEAST:
        raise ToolsError(
            f"{scored.sum()} measured speedups of speculative decoding can be simulated; a calibration needs {LEAST}",
            "import measured records first",
        )
    bench = Bench(catalog, points, Layers(layers))
    whole, parts = fit(bench, scored), left_out(bench, scored)
    made = evaluate(catalog, stored(whole, parts, layers))
    rows = accuracy(made)
    texts = {
        FOLDER / LAYERS: text,
        FOLDER / RESULT: result_text(whole, parts, points, text),
        FOLDER / "accuracy.csv": accuracy_csv(rows),
        FOLDER / "summary.txt": summary(whole, layers, made, rows),
    }
    if (root / PAGE).is_file():
        texts[PAGE] = with_table((root / PAGE).read_text(encoding="utf-8"), rows)
    changed = tuple(str(name) for name, content in texts.items() if _differs(root / name, content))
    if not check:
        for name in changed:
            _write(root / name, texts[Path(name)])
    return Done(changed, tuple(rows), whole.refused)


def _differs(path: Path, content: str) -> bool:
    try:
        return path.read_bytes() != content.encode()
    except OSError:
        return True


def _write(path: Path, content: str) -> None:
    """The file whole or not at all."""
    fresh = path.with_name(f".{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_bytes(content.encode())
        fresh.replace(path)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise ToolsError(
            f"cannot write {path}: {error.strerror or error}", "check who may write there"
        ) from error
