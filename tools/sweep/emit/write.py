"""All files of a run, written into one folder."""

from __future__ import annotations

from pathlib import Path

from tools.sweep.emit.manifest import NAME, RECORDS, manifest
from tools.sweep.emit.output import Drawing, Output
from tools.sweep.emit.records import records
from tools.sweep.emit.tables import COLUMNS, results_csv, synchronisation_csv, write_parquet
from tools.sweep.grid import Results
from tools.sweep.plots import PLOTS, fingerprint
from tools.sweep.plots.style import save, styled
from tools.sweep.published import Comparison
from tools.sweep.summary import summary


def study_output(results: Results, comparison: Comparison | None) -> Output:
    """What a study writes."""
    drawings = []
    for plot in PLOTS:
        data = plot.data(results)
        drawings.append(Drawing(plot.name, data, plot.draw, fingerprint(data)))
    marks = {drawing.name: drawing.fingerprint for drawing in drawings}
    texts = {
        "results/results.csv": results_csv(results),
        "results/summary.txt": summary(results, comparison),
        "results/synchronisation.csv": synchronisation_csv(results),
        **{f"{RECORDS}/{name}": text for name, text in records(results)},
    }
    return Output(texts, tuple(drawings), COLUMNS, lambda folder: manifest(results.study, folder, marks))


def write_output(output: Output, folder: Path) -> None:
    """Fills an empty folder with tables, records, plots and manifest."""
    for name, text in output.texts.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())
    write_parquet(folder / "results" / "results.csv", folder / "results.parquet", output.columns)
    plots = folder / "plots"
    plots.mkdir()
    with styled():
        for drawing in output.drawings:
            save(drawing.draw(drawing.data), plots / drawing.name)
    (folder / NAME).write_text(output.manifest(folder), encoding="utf-8")
