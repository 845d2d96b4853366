"""A result as numbers and words: the value in the metric's own unit, and the kind of the number.

What makes a result another one than before (`Kept`) is read here too, for the record as it stands and for each of its
earlier states, so that both sides of `past_results` are told by one function.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from tools.checks.quantity import number
from tools.records.parse import Json
from tools.schema.vocabulary import Metric, UnitError, convert, vocabulary
from tools.warehouse.fields import below, mappings, text

STATED = "stated"
"""The token kind of a metric whose results say it themselves."""


class Kept(NamedTuple):
    """What `as_of` tells of one result and of the record that holds it; the columns of `past_results`."""

    metric: str | None
    statistic: str | None
    value: float | None
    unit: str | None
    filed_value: float | None
    filed_unit: str | None
    scope: str | None
    token_kind: str | None
    bound: str | None
    is_point: bool
    status: str | None
    model_id: str | None
    engine_id: str | None
    engine_version: str | None
    accelerator_ids: tuple[str, ...] | None
    technique: str | None


@cache
def own_unit(metric: str, filed: str) -> str | None:
    """The first unit of a metric into which a unit converts; None where there is no such metric or unit."""
    known = vocabulary().metrics.get(metric)
    dimension = vocabulary().units[filed].dimension if filed in vocabulary().units else ""
    units = known.units if known else ()
    return next((unit for unit in units if vocabulary().units[unit].dimension == dimension), None)


def in_own_unit(
    metric: str | None, filed: str | None, value: float | None
) -> tuple[float | None, str | None]:
    """The value in the metric's own unit, and that unit; None for both where metric and unit do not go together."""
    unit = own_unit(metric, filed) if metric and filed else None
    if unit is None or filed is None:
        return None, None
    if value is None or unit == filed:
        return value, unit
    try:
        return convert(value, filed, unit), unit
    except UnitError:
        return None, unit


def definition_of(result: dict[str, Json]) -> Metric | None:
    """The metric of a result, where it is one of the vocabulary."""
    metric = result.get("metric")
    return vocabulary().metrics.get(metric) if isinstance(metric, str) else None


def token_kind_of(metric: Metric | None, result: dict[str, Json]) -> str | None:
    """Which tokens a result counts: what the metric says, else what the result says."""
    if metric is not None and metric.token_kind != STATED:
        return metric.token_kind
    stated = result.get("token_kind")
    return stated if isinstance(stated, str) else None


def kept_of(record: dict[str, Json]) -> dict[int, Kept]:
    """What stands in each result of a record, by its place."""
    ids = record.get("accelerator_ids")
    shared = (
        _text(record, "status"),
        _text(record, "model_id"),
        _text(record, "engine", "id"),
        _text(record, "engine", "version"),
        tuple(item for item in ids if isinstance(item, str)) if isinstance(ids, list) else None,
        _text(record, "technique", "kind"),
    )
    return {index: Kept(*_own(result), *shared) for index, result in mappings(record.get("results"))}


def _own(result: dict[str, Json]) -> tuple[
    str | None, str | None, float | None, str | None, float | None, str | None, str | None, str | None, str | None, bool
]:  # fmt: skip
    metric = definition_of(result)
    filed_value, filed_unit = number(result.get("value")), _text(result, "unit")
    value, unit = in_own_unit(metric.name if metric else None, filed_unit, filed_value)
    return (
        _text(result, "metric"),
        _text(result, "statistic"),
        value,
        unit,
        filed_value,
        filed_unit,
        metric.scope if metric else None,
        token_kind_of(metric, result),
        _text(result, "bound"),
        "bound" not in result,
    )


def _text(value: Json, *keys: str) -> str | None:
    found = text(below(value, *keys))
    return found if isinstance(found, str) else None
