"""The citations of a record: its own, and those of single results and comparisons."""

from __future__ import annotations

from collections.abc import Iterator

from tools.records.parse import Json
from tools.warehouse.fields import Row, mappings
from tools.warehouse.rows.setting import Filled, Setting


def citation_rows(setting: Setting, record_id: str, value: dict[str, Json]) -> Filled:
    """A row for each citation of a record."""
    read = setting.fields("citations", "record#citation")
    for pointer, index, item in _cited(value):
        yield "citations", {"record_id": record_id, "pointer": pointer, "result_index": index, **read(item)}


def first_citation(setting: Setting, *cited: Json) -> Row:
    """The first citation of the first list that has any."""
    read = setting.fields("citations", "record#citation")
    return next((read(item) for listed in cited for _, item in mappings(listed)), {})


def _cited(value: dict[str, Json]) -> Iterator[tuple[str, int | None, dict[str, Json]]]:
    for index, item in mappings(value.get("sources")):
        yield f"/sources/{index}", None, item
    for key in ("results", "comparisons"):
        for place, outer in mappings(value.get(key)):
            for index, item in mappings(outer.get("sources")):
                yield f"/{key}/{place}/sources/{index}", place if key == "results" else None, item
