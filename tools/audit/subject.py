"""The record that a question about a life is asked of, found by its id."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from tools.errors import ToolsError
from tools.records.catalog import Catalog
from tools.records.parse import Json


@dataclass(frozen=True, slots=True)
class Subject:
    """One record: id, kind, content, and its file in the ledger."""

    id: str
    kind: str
    value: dict[str, Json]
    file: str


def find_subject(root: Path, record_id: str) -> Subject:
    """The record of an id in the ledger at `root`.

    Raises `ToolsError` when there is none (with the nearest ids), or when its file holds no readable record.
    """
    catalog = Catalog(root)
    entry = catalog.require(record_id)
    value = catalog.record(record_id)
    if value is None:
        raise ToolsError(
            f"the file of `{record_id}` cannot be read as a record", f"`tools validate {entry.path}` says why"
        )
    return Subject(entry.id, entry.kind, value, entry.path.removeprefix(f"{root}{os.sep}"))
