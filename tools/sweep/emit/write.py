"""All files of a study, written into one folder."""

from __future__ import annotations

from pathlib import Path

from tools.sweep.emit.manifest import NAME, RECORDS, manifest
from tools.sweep.emit.records import records
from tools.sweep.emit.tables import results_csv, synchronisation_csv, write_parquet
from tools.sweep.grid import Results
from tools.sweep.plots import PLOTS, fingerprint
from tools.sweep.plots.style import save, styled
from tools.sweep.published import Comparison
from tools.sweep.summary import summary


def write_all(results: Results, comparison: Comparison | None, folder: Path) -> None:
    """Fills an empty folder with tables, records, plots and manifest."""
    write_texts(results, comparison, folder)
    write_parquet(folder / "results" / "results.csv", folder / "results.parquet")
    plots = folder / "plots"
    plots.mkdir()
    with styled():
        for plot in PLOTS:
            save(plot.draw(plot.data(results)), plots / plot.name)
    (folder / NAME).write_text(manifest(results.study, folder, fingerprints(results)), encoding="utf-8")


def write_texts(results: Results, comparison: Comparison | None, folder: Path) -> None:
    """The tables, the summary and the records: what is the same on every machine, byte for byte."""
    for name, text in texts(results, comparison).items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())


def texts(results: Results, comparison: Comparison | None) -> dict[str, str]:
    """Those files, by path below the folder."""
    return {
        "results/results.csv": results_csv(results),
        "results/summary.txt": summary(results, comparison),
        "results/synchronisation.csv": synchronisation_csv(results),
        **{f"{RECORDS}/{name}": text for name, text in records(results)},
    }


def fingerprints(results: Results) -> dict[str, str]:
    """The fingerprint of each plot, by name."""
    return {plot.name: fingerprint(plot.data(results)) for plot in PLOTS}
