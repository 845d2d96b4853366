"""The warehouse for everybody else: each table as Parquet and CSV, with metadata that other programs read.

    tables/<table>.parquet, tables/<table>.csv
    datapackage.json    Frictionless Data: types, keys and descriptions of the CSV files
    croissant.json      Croissant 1.0 (MLCommons): the same for the Parquet files, for data-set catalogues
    value_changes.csv   every change of a value that the audit logs tell, oldest first
    README.md           dataset card of the Hugging Face hub

A folder is replaced as a whole once everything in it is written.
"""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.errors import ToolsError
from tools.warehouse.export_about import about
from tools.warehouse.export_card import card
from tools.warehouse.export_croissant import croissant
from tools.warehouse.export_package import data_package
from tools.warehouse.export_table import Table, exported_tables
from tools.warehouse.sandbox import open_warehouse

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MARK = "datapackage.json"
"""The file by which a folder is known to be an export, so that it may be replaced."""

_CHANGES = """
SELECT a.day, c.record_id, a.entry, a.action, c.path, c.before_json, c.after_json, a.reason, a."by"
FROM audit_changes c JOIN audit a ON a.record_id = c.record_id AND a.entry = c.entry
ORDER BY a.day NULLS FIRST, c.record_id, c.entry, c.change
"""


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written."""

    tables: int
    rows: int


def export(warehouse: Path, out: Path, url: str | None = None) -> Exported:
    """Writes the export of a warehouse into the folder `out`; `url` is where it will be found.

    Raises `ToolsError` where there is no warehouse, or `out` holds something that is no export.
    """
    with open_warehouse(warehouse) as locked:
        tables, said = exported_tables(locked), about(locked, url)
    _require_free(out)
    with _taking_place(out) as folder:
        (folder / "tables").mkdir()
        with _copying(warehouse) as connection:
            for table in tables:
                _write(connection, table, folder)
            _copy(connection, _CHANGES, folder / "value_changes.csv", _CSV)
        _write_json(folder / MARK, data_package(tables, folder, said))
        _write_json(folder / "croissant.json", croissant(tables, folder, said))
        (folder / "README.md").write_text(card(tables, said), encoding="utf-8")
    return Exported(len(tables), sum(table.rows for table in tables))


_CSV = "FORMAT csv, HEADER, NULLSTR ''"
_PARQUET = "FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 100000"


@contextmanager
def _copying(warehouse: Path) -> Iterator[DuckDBPyConnection]:
    """A connection that reads the warehouse and may write files: all that it is told stands in this module."""
    import duckdb

    with duckdb.connect(str(warehouse), read_only=True) as connection:
        yield connection


def _write(connection: DuckDBPyConnection, table: Table, folder: Path) -> None:
    order = ", ".join(f'"{column}"' for column in table.key) or "ALL"
    _copy(connection, f'FROM "{table.name}" ORDER BY {order}', folder / table.parquet, _PARQUET)
    # CSV has no lists: their items are written with a bar between them.
    flat = ", ".join(
        f'array_to_string("{column.name}", \'|\') AS "{column.name}"'
        if column.is_list
        else f'"{column.name}"'
        for column in table.columns
    )
    _copy(connection, f'SELECT {flat} FROM "{table.name}" ORDER BY {order}', folder / table.csv, _CSV)


def _copy(connection: DuckDBPyConnection, rows: str, path: Path, how: str) -> None:
    place = str(path).replace("'", "''")
    connection.execute(f"COPY ({rows}) TO '{place}' ({how})")


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _require_free(out: Path) -> None:
    if out.is_file() or (out.is_dir() and any(out.iterdir()) and not (out / MARK).is_file()):
        raise ToolsError(f"{out} holds something that is no export", "name a new or an empty folder")


@contextmanager
def _taking_place(out: Path) -> Iterator[Path]:
    """A folder beside `out` that becomes `out` when everything is written, and goes when something fails."""
    import duckdb

    out.parent.mkdir(parents=True, exist_ok=True)
    folder = out.with_name(f".{out.name}.{secrets.token_hex(4)}.writing")
    folder.mkdir()
    try:
        yield folder
        before = out.with_name(f".{out.name}.{secrets.token_hex(4)}.before")
        if out.exists():
            out.replace(before)
        folder.replace(out)
        shutil.rmtree(before, ignore_errors=True)
    except duckdb.IOException as error:
        raise ToolsError(
            f"cannot write {out}: {str(error).partition(chr(10))[0]}",
            "check the disk and who may write there",
        ) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
