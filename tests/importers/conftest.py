"""A small ledger and a table beside its map, both written by the test, read the way the command reads them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tools.audit.amendment import Signature
from tools.importers.batch import Batch
from tools.importers.names import Names
from tools.importers.table import TableImport
from tools.records.catalog import Catalog
from tools.records.layout import render
from tools.records.parse import parse

CASE_LEDGER = Path(__file__).resolve().parents[1] / "cases" / "ledger"
ALIASES = """kind,alias,id,seen_in,note
model,Example Seven,example-7b,a page,
model,Twofold,example-7b,a page,
model,Twofold,,another page,two models have that name
accelerator,EX80,example-card-80gb-pcie,a page,
accelerator,ex80,,another page,in small letters it may be another part
"""
SIGNED = Signature("tester", date(2026, 6, 1), "Imported.")

MAP: dict[str, Any] = {
    "name": "small",
    "title": "A small table",
    "id": "{run}",
    "cite": [{"source": "example-log", "locator": "row {row}"}],
    "fields": [
        {"field": "/title", "template": "run {run}"},
        {"field": "/evidence", "value": "measured"},
        {"field": "/measured_by", "value": "self"},
    ],
    "results": [{"metric": "tps_aggregate", "column": "rate", "unit": "tok/s"}],
}


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A small ledger with aliases."""
    shutil.copytree(CASE_LEDGER, tmp_path / "ledger")
    (tmp_path / "ledger" / "data" / "aliases.csv").write_text(ALIASES, encoding="utf-8")
    return tmp_path / "ledger"


class Imported:
    """One import: the batch, the names that were not known, and the records by id."""

    def __init__(self, batch: Batch, names: Names, reading: TableImport) -> None:
        self.batch, self.names, self.reading = batch, names, reading

    @property
    def records(self) -> dict[str, Any]:
        """The records as a reader has them."""
        return {name: parse(text.encode()).value for name, text in self.batch.texts.items()}

    @property
    def only(self) -> dict[str, Any]:
        """The one record there is."""
        (record,) = self.records.values()
        return record

    @property
    def reasons(self) -> list[str]:
        """Why rows were refused."""
        return [refusal.reason for refusal in self.batch.refusals]


Run = Callable[..., Imported]


@pytest.fixture
def run(ledger: Path, tmp_path: Path) -> Run:
    """Import a CSV text by `MAP` with some keys of it replaced; `joined` are further tables by file name."""

    def call(text: str | bytes, joined: dict[str, str] | None = None, **changes: Any) -> Imported:
        table = tmp_path / "table.csv"
        table.write_bytes(text if isinstance(text, bytes) else text.encode())
        for name, content in (joined or {}).items():
            (tmp_path / name).write_text(content, encoding="utf-8")
        (tmp_path / "map.yaml").write_text(render({**MAP, **changes}), encoding="utf-8")
        return read(table, tmp_path / "map.yaml", ledger)

    return call


def read(table: Path, map_path: Path, ledger: Path, limit: int | None = None) -> Imported:
    """Import a table by a map into a ledger, without writing."""
    catalog = Catalog(ledger)
    names = Names(catalog)
    reading = TableImport(table, map_path, names, {}, limit)
    batch = Batch(catalog, ledger / "data" / "benchmarks", SIGNED)
    if not reading.faults:
        reading.fill(batch)
    return Imported(batch, names, reading)
