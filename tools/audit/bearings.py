"""How a record stands to others: who refers to it, and whether another may take its place."""

from __future__ import annotations

from pathlib import Path

from tools.errors import ToolsError
from tools.records.catalog import Catalog
from tools.schema.references import references

_FALLEN = ("retracted", "superseded")
_LISTED = 5


def check_successor(root: Path, record_id: str, successor: str) -> None:
    """Raises `ToolsError` where a record cannot take the place of another: it is not there, another kind, fallen."""
    catalog = Catalog(root)
    entry, other = catalog.require(record_id), catalog.require(successor)
    if entry.kind != other.kind:
        raise ToolsError(f"`{record_id}` is of kind {entry.kind}, `{successor}` of kind {other.kind}")
    status = (catalog.record(successor) or {}).get("status")
    if status in _FALLEN:
        raise ToolsError(f"`{successor}` is {status} itself", f"`tools history {successor}` tells why")


def referring(catalog: Catalog, record_id: str) -> list[str]:
    """Ids of the other records that name one, in whatever place; every record is read for it."""
    return sorted(catalog.links(references).cited_by.get(record_id, frozenset()) - {record_id})


def listed(ids: list[str]) -> str:
    """Some ids in a sentence; of many, the rest are counted."""
    more = f" and {len(ids) - _LISTED:,} more" if len(ids) > _LISTED else ""
    return ", ".join(f"`{name}`" for name in ids[:_LISTED]) + more
