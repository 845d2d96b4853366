"""croissant.json: the Parquet files in the words of Croissant 1.0 (docs.mlcommons.org/croissant), as JSON-LD.

References between tables are left to datapackage.json: mlcroissant joins the tables where it sees one, and loses every
row that refers to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tools.errors import InternalError
from tools.warehouse.export_about import CREATOR, DESCRIPTION, LICENCE, NAME, TITLE, About
from tools.warehouse.export_package import digest
from tools.warehouse.export_table import ExportedColumn, Table

_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The context that the specification asks for, word for word."""

_TYPES = {
    "VARCHAR": "sc:Text",
    "DOUBLE": "sc:Float",
    "INTEGER": "sc:Integer",
    "BIGINT": "sc:Integer",
    "BOOLEAN": "sc:Boolean",
    "DATE": "sc:Date",
}


def croissant(tables: Sequence[Table], folder: Path, about: About) -> dict[str, Any]:
    """The metadata of all Parquet files, which lie in `folder`."""
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": NAME,
        "alternateName": TITLE,
        "description": DESCRIPTION,
        **({"url": about.url} if about.url else {}),
        "license": LICENCE,
        "version": about.version,
        **({"datePublished": about.published} if about.published else {}),
        "creator": {"@type": "sc:Organization", "name": CREATOR},
        "citeAs": f"{CREATOR}: {TITLE}" + (f", {about.url}" if about.url else ""),
        "distribution": [_file(table, folder) for table in tables],
        "recordSet": [_record_set(table) for table in tables],
    }


def _file(table: Table, folder: Path) -> dict[str, Any]:
    path = folder / table.parquet
    return {
        "@type": "cr:FileObject",
        "@id": f"{table.name}.parquet",
        "name": f"{table.name}.parquet",
        "description": table.comment,
        "contentUrl": table.parquet,
        "contentSize": f"{path.stat().st_size} B",
        "encodingFormat": "application/x-parquet",
        "sha256": digest(path),
    }


def _record_set(table: Table) -> dict[str, Any]:
    made: dict[str, Any] = {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.comment,
        "field": [_field(table, column) for column in table.columns],
    }
    if table.key:
        made["key"] = [{"@id": f"{table.name}/{column}"} for column in table.key]
    return made


def _field(table: Table, column: ExportedColumn) -> dict[str, Any]:
    kind = _TYPES.get(column.type.removesuffix("[]"))
    if kind is None:
        raise InternalError(f"column {column.name} has a type that an export cannot tell: {column.type}")
    made: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"{table.name}/{column.name}",
        "name": column.name,
        "description": column.comment,
        "dataType": kind,
        "source": {"fileObject": {"@id": f"{table.name}.parquet"}, "extract": {"column": column.name}},
    }
    if column.is_list:
        made["repeated"] = True
    return made
