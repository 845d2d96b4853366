"""What any record fills, and which functions fill the tables of its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tools.records.catalog import Entry
from tools.records.parse import Document, Json
from tools.warehouse.fields import text
from tools.warehouse.rows.audit import audit_rows
from tools.warehouse.rows.benchmark import benchmark_rows
from tools.warehouse.rows.citations import citation_rows
from tools.warehouse.rows.facts import accelerator_rows, engine_rows, model_rows, source_rows
from tools.warehouse.rows.setting import Filled, Setting

_OF_KIND: Mapping[str, Callable[[Setting, Entry, Document], Filled]] = {
    "source": source_rows,
    "engine": engine_rows,
    "model": model_rows,
    "accelerator": accelerator_rows,
    "benchmark": benchmark_rows,
}


def record_rows(setting: Setting, entry: Entry, file: str, document: Document) -> Filled:
    """Every row of one record; of a file that holds no mapping, the row that says that it is there."""
    value = document.value if isinstance(document.value, dict) else {}
    lint = setting.lint_of(entry.id)
    yield (
        "records",
        {
            "record_id": entry.id,
            "kind": entry.kind,
            "title": text(value.get("title", value.get("name"))),
            "status": text(value.get("status")),
            "file": file,
            "lint_level": lint.worst,
            "errors": lint.counts["error"],
            "warnings": lint.counts["warning"],
            "infos": lint.counts["info"],
            "acknowledged": lint.acknowledged,
            "rows_digest": setting.digests[entry.id],
        },
    )
    readable = document if document.value is value else Document(dict[str, Json](), document.text, [])
    yield from _OF_KIND[entry.kind](setting, entry, readable)
    yield from citation_rows(setting, entry.id, value)
    yield from audit_rows(setting, entry.id, value)
