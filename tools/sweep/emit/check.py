"""Whether an output folder is what its run gives today, without writing anything.

Tables, summary and records are compared byte for byte. Plots and Parquet are not drawn again, because their bytes
also depend on the version of a library: a plot is current when the fingerprint of its data and drawing code is the
one in the manifest, Parquet when its rows are those of results.csv, and neither may differ from the digest that the
manifest took of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tools.sweep.emit.manifest import NAME, digest, output_files
from tools.sweep.emit.output import Output

PARQUET = "results.parquet"


def out_of_date(output: Output, folder: Path) -> Iterator[str]:
    """What is not current, a line each."""
    expected = output.texts
    binary = {f"plots/{drawing.name}.{end}" for drawing in output.drawings for end in ("png", "svg")} | {
        PARQUET
    }
    present = set(output_files(folder))
    for name in sorted((expected.keys() | binary) - present):
        yield f"missing {name}"
    for name in sorted(present - expected.keys() - binary):
        yield f"not of this study {name}"
    for name in sorted(expected.keys() & present):
        if (folder / name).read_bytes() != expected[name].encode():
            yield f"out of date {name}"
    stored = _manifest(folder)
    if stored is None:
        yield f"missing or unreadable {NAME}"
        return
    for name in sorted(binary & present):
        if digest(folder / name) != stored.get("files", {}).get(name):
            yield f"changed after the run {name}"
    for drawing in output.drawings:
        if stored.get("plots", {}).get(drawing.name) != drawing.fingerprint:
            yield f"out of date plots/{drawing.name}.png and .svg"
    if PARQUET in present and not _same_rows(folder, output.columns):
        yield f"out of date {PARQUET}"
    if not _describes(stored, output, folder):
        yield f"out of date {NAME}"


def _manifest(folder: Path) -> dict[str, Any] | None:
    try:
        value = json.loads((folder / NAME).read_bytes())
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) else None


def _describes(stored: dict[str, Any], output: Output, folder: Path) -> bool:
    """Whether a manifest is that of the run and of the text files beside it; its versions may be others."""
    if not (folder / "records").is_dir():
        return False
    today = json.loads(output.manifest(folder))
    return {**today, "versions": None} == {**stored, "versions": None}


def _same_rows(folder: Path, columns: Mapping[str, str]) -> bool:
    import duckdb

    table = folder / "results" / "results.csv"
    if not table.is_file():
        return False
    try:
        with duckdb.connect(config={"threads": 1}) as connection:
            stored = connection.read_parquet(str(folder / PARQUET)).fetchall()
            rows = connection.read_csv(str(table), header=True, dtype=dict(columns)).fetchall()
    except duckdb.Error:
        return False
    return bool(stored == rows)
