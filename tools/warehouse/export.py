"""The warehouse for everybody else: each table as Parquet and CSV, with metadata that other programs read.

    tables/<table>.parquet, tables/<table>.csv
    datapackage.json    Frictionless Data: types, keys and descriptions of the CSV files
    croissant.json      Croissant 1.0 (MLCommons): the same for the Parquet files, for data-set catalogues
    value_changes.csv   every change of a value that the audit logs tell, oldest first
    README.md           dataset card of the Hugging Face hub

An earlier export is replaced as a whole once everything is written.
"""

from __future__ import annotations

import json
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
from tools.warehouse.export_place import MARK, TABLES, require_free, taking_place
from tools.warehouse.export_table import Table, exported_tables
from tools.warehouse.interrupts import interruptible
from tools.warehouse.sandbox import DAMAGED, open_warehouse, told

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

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
    require_free(out)
    with open_warehouse(warehouse):
        pass
    with taking_place(out) as folder:
        (folder / TABLES).mkdir()
        # One connection, so that all files tell of one build, whoever builds meanwhile.
        with _copying(warehouse) as connection:
            tables, said = exported_tables(connection), about(connection, url)
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

    with interruptible(), duckdb.connect(str(warehouse), read_only=True) as connection:
        try:
            yield connection
        except duckdb.IOException as error:
            if str(warehouse) not in str(error):
                raise
            raise _damaged(warehouse, error) from error
        except duckdb.Error as error:
            raise _damaged(warehouse, error) from error


def _damaged(warehouse: Path, error: Exception) -> ToolsError:
    return ToolsError(f"{warehouse} cannot be read: {told(error)}", DAMAGED)


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
