"""The results as tables: CSV, and Parquet of the same rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from tools.sweep.analysis import closed_form
from tools.sweep.grid import Place, Results
from tools.sweep.metrics import DECIMALS, Figures

_FIGURES = (
    "speedup",
    "speedup_low",
    "speedup_high",
    "speedup_closed_form",
    "step_cost",
    "acceptance_length",
    "acceptance_rate",
    "slot_utilization",
    "divergence_penalty",
)
COLUMNS = {
    "quality": "VARCHAR",
    "serving": "VARCHAR",
    "synchronisation": "VARCHAR",
    "batch_size": "INTEGER",
    "gamma": "INTEGER",
    **dict.fromkeys(_FIGURES, "DOUBLE"),
}
"""The columns of results.csv, and their types in Parquet; `speedup_closed_form` is empty where none is exact."""


def results_csv(results: Results) -> str:
    """A row for each point of the study."""
    rows = (
        (place.quality, serving, *place[1:], *_values(results, place, figures))
        for serving, place, figures in results.served()
    )
    return csv_text(list(COLUMNS), rows)


def synchronisation_csv(results: Results) -> str:
    """A row for each quality mode, synchronisation, batch size and gamma, whether a serving mode uses it or not."""
    rows = ((*place, *_values(results, place, figures)) for place, figures in results.at.items())
    return csv_text([name for name in COLUMNS if name != "serving"], rows)


def write_parquet(table: Path, target: Path, columns: Mapping[str, str]) -> None:
    """The rows of a CSV as Parquet, in their order, with the types of `columns`.

    One thread, so that the bytes do not depend on luck.
    """
    import duckdb

    with duckdb.connect(config={"threads": 1}) as connection:
        rows = connection.read_csv(str(table), header=True, dtype=dict(columns))
        rows.write_parquet(str(target), compression="zstd")


def _values(results: Results, place: Place, figures: Figures) -> Iterator[float | str]:
    exact = closed_form(results, place)
    yield figures.speedup
    yield round(figures.speedup - figures.half_width, DECIMALS)
    yield round(figures.speedup + figures.half_width, DECIMALS)
    yield "" if exact is None else round(exact, DECIMALS)
    yield round(results.cost.speculative_step(place.batch_size, place.gamma), DECIMALS)
    yield figures.acceptance_length
    yield figures.acceptance_rate
    yield figures.slot_utilization
    yield figures.divergence_penalty


def csv_text(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()
