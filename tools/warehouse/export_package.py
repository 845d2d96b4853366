"""datapackage.json: the CSV files in the words of Frictionless Data (specs.frictionlessdata.io, Data Package 1)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tools.errors import InternalError
from tools.warehouse.export_about import DESCRIPTION, LICENCE, NAME, TITLE, About
from tools.warehouse.export_table import ExportedColumn, Table

_TYPES = {
    "VARCHAR": "string",
    "DOUBLE": "number",
    "INTEGER": "integer",
    "BIGINT": "integer",
    "BOOLEAN": "boolean",
    "DATE": "date",
}


def data_package(tables: Sequence[Table], folder: Path, about: About) -> dict[str, Any]:
    """The descriptor of all CSV files, which lie in `folder`."""
    return {
        "profile": "tabular-data-package",
        "name": NAME,
        "title": TITLE,
        "description": DESCRIPTION,
        **({"homepage": about.url} if about.url else {}),
        "version": about.version,
        "licenses": [{"name": "CC-BY-4.0", "path": LICENCE, "title": "Creative Commons Attribution 4.0"}],
        "resources": [_resource(table, folder) for table in tables],
    }


def digest(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _resource(table: Table, folder: Path) -> dict[str, Any]:
    path = folder / table.csv
    schema: dict[str, Any] = {"fields": [_field(column) for column in table.columns], "missingValues": [""]}
    if table.key:
        schema["primaryKey"] = list(table.key)
    if table.references:
        schema["foreignKeys"] = [
            {
                "fields": list(reference.columns),
                # A table that refers to itself is named by an empty string.
                "reference": {
                    "resource": "" if reference.table == table.name else reference.table,
                    "fields": list(reference.other_columns),
                },
            }
            for reference in table.references
        ]
    return {
        "profile": "tabular-data-resource",
        "name": table.name,
        "description": table.comment,
        "path": table.csv,
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "bytes": path.stat().st_size,
        "hash": f"sha256:{digest(path)}",
        "schema": schema,
    }


def _field(column: ExportedColumn) -> dict[str, Any]:
    if column.is_list:
        kind, note = "string", " Items are separated by a bar."
    elif column.type in _TYPES:
        kind, note = _TYPES[column.type], ""
    else:
        raise InternalError(f"column {column.name} has a type that an export cannot tell: {column.type}")
    field: dict[str, Any] = {"name": column.name, "type": kind, "description": column.comment + note}
    # An empty text or list is a value in the database, and an empty cell in CSV.
    if column.is_required and kind != "string":
        field["constraints"] = {"required": True}
    return field
