"""The records that benchmarks refer to: sources, engines, models, accelerators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tools.checks.quantity import number
from tools.records.catalog import Entry
from tools.records.parse import Document, Json
from tools.roofline import model as model_facts
from tools.warehouse.fields import Row, below, mappings, text
from tools.warehouse.rows.setting import Filled, Setting

_OPERATIONS = {"TFLOP/s", "TOP/s"}
TERA = 10.0**12
_FIGURES = (
    ("memory", "capacity"),
    ("memory", "bandwidth"),
    ("power", "tdp"),
    ("interconnect", "per_direction"),
)


def source_rows(setting: Setting, entry: Entry, document: Document) -> Filled:
    """The row of a source."""
    yield "sources", {**setting.fields("sources", "source")(_content(document)), "source_id": entry.id}


def engine_rows(setting: Setting, entry: Entry, document: Document) -> Filled:
    """The rows of an engine and its releases."""
    value = _content(document)
    yield "engines", {**setting.fields("engines", "engine")(value), "engine_id": entry.id}
    read = setting.fields("engine_releases", "engine/releases")
    for position, release in mappings(value.get("releases")):
        yield "engine_releases", {"engine_id": entry.id, "position": position, **read(release)}


def model_rows(setting: Setting, entry: Entry, document: Document) -> Filled:
    """The row of a model, with what its architecture gives."""
    value = _content(document)
    facts = model_facts(value)
    yield (
        "models",
        {
            **setting.fields("models", "model")(value),
            "model_id": entry.id,
            "read_per_token": facts.read_per_token,
            "prompt_parameters": facts.prompt_parameters,
            "kv_values_per_token": _kv_values(facts.kv_values(1), facts.kv_values(2), facts.attention.window),
        },
    )


def _kv_values(of_one: float | None, of_two: float | None, window: int | None) -> float | None:
    """Values for each token, where a token costs the same at any length."""
    return of_one if window is None and of_one is not None and of_two == 2 * of_one else None


def accelerator_rows(setting: Setting, entry: Entry, document: Document) -> Filled:
    """The rows of an accelerator, its peaks and what is disputed about either."""
    value = _content(document)
    yield "accelerators", {**setting.fields("accelerators", "accelerator")(value), "accelerator_id": entry.id}
    read = setting.fields("accelerator_peaks", "accelerator/peaks")
    for position, peak in mappings(value.get("peaks")):
        figure = number(peak.get("value"))
        rate = figure * TERA if figure is not None and text(peak.get("unit")) in _OPERATIONS else None
        yield (
            "accelerator_peaks",
            {
                "accelerator_id": entry.id,
                "position": position,
                **read(peak),
                "sparsity": text(peak.get("sparsity")) or "dense",
                "operations_per_s": rate,
            },
        )
    read_other = setting.fields("accelerator_disputes", "accelerator#other_value")
    for pointer, figure_unit, other in _disputed(value):
        row: Row = {"accelerator_id": entry.id, "pointer": pointer, **read_other(other)}
        yield "accelerator_disputes", {**row, "unit": text(other.get("unit")) or figure_unit}


def _disputed(value: Mapping[str, Json]) -> Iterator[tuple[str, Json, dict[str, Json]]]:
    for part, name in _FIGURES:
        figure = below(dict(value), part, name)
        for index, other in mappings(below(figure, "disputed")):
            yield f"/{part}/{name}/disputed/{index}", text(below(figure, "unit")), other
    for position, peak in mappings(value.get("peaks")):
        for index, other in mappings(peak.get("disputed")):
            yield f"/peaks/{position}/disputed/{index}", text(peak.get("unit")), other


def _content(document: Document) -> dict[str, Json]:
    assert isinstance(document.value, dict)
    return document.value
