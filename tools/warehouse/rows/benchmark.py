"""A benchmark as rows: the operating point, its accelerators, its eight conditions, its results and their past."""

from __future__ import annotations

from collections.abc import Mapping

from tools.audit.entry import AuditEntry, read_entries
from tools.checks.point import OperatingPoint
from tools.checks.quantity import number
from tools.checks.rule import Record
from tools.records.catalog import Entry
from tools.records.parse import Document, Json
from tools.schema.conditions import absences, stated, stated_at
from tools.schema.vocabulary import vocabulary
from tools.warehouse.fields import Row, below, mappings, text
from tools.warehouse.rows.citations import first_citation
from tools.warehouse.rows.history import History, history_of
from tools.warehouse.rows.result import definition_of, in_own_unit, token_kind_of
from tools.warehouse.rows.setting import Filled, Setting, result_index

_CORRECTING = frozenset({"correction", "reclassification"})
_UNLIMITED = "inf"


def benchmark_rows(setting: Setting, entry: Entry, document: Document) -> Filled:
    """Every row that is a benchmark's alone."""
    value = document.value
    assert isinstance(value, dict)
    lint = setting.lint_of(entry.id)
    yield (
        "benchmarks",
        {
            **setting.fields("benchmarks", "benchmark")(value),
            "record_id": entry.id,
            **_load(value),
            **_lengths(Record(entry.id, entry.kind, "", value, document)),
            "is_disaggregated": isinstance(value.get("disaggregation"), dict),
            "conditions_stated": len(stated(value)),
            "lint_level": lint.worst,
        },
    )
    ids = value.get("accelerator_ids")
    for position, item in enumerate(ids if isinstance(ids, list) else ()):
        yield (
            "benchmark_accelerators",
            {
                "record_id": entry.id,
                "position": position,
                "accelerator_id": setting.id("accelerator", item),
            },
        )
    yield from _conditions(setting, entry.id, value)
    yield from _results(setting, entry.id, value)
    read = setting.fields("comparisons", "benchmark/comparisons")
    for position, claim in mappings(value.get("comparisons")):
        yield "comparisons", {"record_id": entry.id, "position": position, **read(claim)}


def _load(value: Mapping[str, Json]) -> Row:
    rate = below(value.get("conditions"), "request_rate")
    return {"request_rate": number(rate), "is_sent_at_once": True if rate == _UNLIMITED else None}


def _lengths(record: Record) -> Row:
    point = OperatingPoint(record)
    row: Row = {}
    for side, name in (("input", "isl"), ("output", "osl")):
        length = point.length(side)
        if length is not None:
            row[f"{name}_mean"] = length.quantity.value
            row[f"{name}_is_measured"] = length.measured
    return row


def _conditions(setting: Setting, record_id: str, value: dict[str, Json]) -> Filled:
    read = setting.fields("conditions", "benchmark/absent")
    declared = {absence.condition: absence for absence in absences(value)}
    for name, condition in vocabulary().conditions.items():
        row: Row = {"record_id": record_id, "condition": name, "state": "undeclared"}
        absence = declared.get(name)
        if absence is not None:
            row |= {"state": "absent", "pointer": absence.pointer, **read(absence.said)}
        place = stated_at(value, condition)
        if place is not None:
            row |= {"state": "present", "pointer": place, **_value(below(value, *place[1:].split("/")))}
        yield "conditions", row


def _value(found: Json) -> Row:
    """A condition's value, written out, and as a number or a range where it is one."""
    row: Row = {"value_text": _written(found)}
    if isinstance(found, dict):
        single = number(found.get("mean")) or number(found.get("nominal"))
        low, high = number(found.get("min")), number(found.get("max"))
        return {**row, "value_number": single, "value_min": low, "value_max": high}
    return {**row, "value_number": number(found)}


def _written(found: Json) -> str:
    if isinstance(found, dict):
        return ", ".join(f"{key}: {_written(inner)}" for key, inner in found.items())
    if isinstance(found, list):
        return ", ".join(map(_written, found))
    if isinstance(found, bool):
        return "true" if found else "false"
    return str(found)


def _results(setting: Setting, record_id: str, value: dict[str, Json]) -> Filled:
    read = setting.fields("results", "benchmark/results")
    lint, history, reasons = setting.lint_of(record_id), history_of(value), _reasons(value)
    window = text(below(value.get("conditions"), "window"))
    own = first_citation(setting, value.get("sources"))
    for index, result in mappings(value.get("results")):
        cited = first_citation(setting, result["sources"]) if "sources" in result else own
        row = read(result)
        metric = definition_of(result)
        filed_unit = text(result.get("unit"))
        unit = filed_unit if isinstance(filed_unit, str) and filed_unit in vocabulary().units else None
        name = metric.name if metric else None
        row["value"], row["unit"] = in_own_unit(name, unit, number(result.get("value")))
        tolerance = number(result.get("tolerance"))
        if tolerance is None:
            tolerance = number(cited.get("tolerance"))
        original = below(result.get("derived_from"), "original", "value")
        row |= {
            "record_id": record_id,
            "result_index": index,
            "pointer": f"/results/{index}",
            "metric": name,
            "filed_unit": unit,
            "scope": metric.scope if metric else None,
            "token_kind": token_kind_of(metric, result),
            "direction": metric.direction if metric else None,
            "is_point": "bound" not in result,
            "tolerance": None if tolerance is None else in_own_unit(name, unit, tolerance)[0],
            "window_kind": text(result.get("window")) or window,
            "original_number": number(original),
            "original_text": text(original),
            "source_id": cited.get("source_id"),
            "locator": cited.get("locator"),
            "read_from": cited.get("read_from"),
            "correction_reason": reasons.get(index, reasons.get(None)),
            "is_replayable": history.is_replayable,
            "valid_from": _iso(history, index),
            "lint_level": lint.of(index),
        }
        yield "results", row
    for past in history.past:
        kept = past.kept._asdict()
        ids = kept["accelerator_ids"]
        yield (
            "past_results",
            {
                "record_id": record_id,
                "result_index": past.place,
                "version": past.version,
                "valid_from": past.since.isoformat() if past.since else None,
                "valid_until": past.until.isoformat(),
                **kept,
                "accelerator_ids": None if ids is None else list(ids),
            },
        )


def _iso(history: History, index: int) -> str | None:
    since = history.since.get(index)
    return since.isoformat() if since else None


def _reasons(value: dict[str, Json]) -> dict[int | None, str]:
    """The reason of the last step that corrected each result; under None, of one that wrote the list anew."""
    reasons: dict[int | None, str] = {}
    for entry in read_entries(value):
        if entry.action in _CORRECTING:
            reasons.update(dict.fromkeys(_touched(entry), entry.reason))
    return reasons


def _touched(entry: AuditEntry) -> set[int | None]:
    return {result_index(change.path) for change in entry.changes if change.path.startswith("/results")}
