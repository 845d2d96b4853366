"""Where a record holds values of one shared definition of the schema, such as every date or every citation.

The schema is walked once per kind and definition; a record is then visited only along the paths that lead
there.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TypeAlias

from tools.checks.rule import Record
from tools.records.parse import Json
from tools.schema.load import Schema, bundle, in_place, kinds

_Path: TypeAlias = tuple[str | None, ...]
"""Keys from the top of a record; None stands for every item of a list."""


def values_of(record: Record, definition: str) -> list[tuple[str, Json]]:
    """(JSON Pointer, value) of each value that `record.schema.json` defines under this name."""
    found: list[tuple[str, Json]] = []
    for path in _paths(record.kind, definition):
        _follow(record.value, path, 0, "", found)
    return found


def _follow(value: Json, path: _Path, at: int, pointer: str, found: list[tuple[str, Json]]) -> None:
    """Adds what a path leads to, of which `at` steps led to a value at a pointer."""
    if at == len(path):
        found.append((pointer, value))
        return
    step = path[at]
    if step is not None:
        if isinstance(value, dict) and step in value:
            _follow(value[step], path, at + 1, f"{pointer}/{step}", found)
    elif isinstance(value, list):
        following = path[at + 1] if at + 1 < len(path) else None
        for index, item in enumerate(value):
            # Most items lack the key that comes next; passing them over here spares their pointers.
            if following is None or (isinstance(item, dict) and following in item):
                _follow(item, path, at + 1, f"{pointer}/{index}", found)


@cache
def _paths(kind: str, definition: str) -> tuple[_Path, ...]:
    """No paths for a kind that does not exist: the file is refused elsewhere."""
    if kind not in kinds():
        return ()
    document = bundle(kind)
    return tuple(dict.fromkeys(_walk(document, document, f"#/$defs/record.{definition}", ())))


def _walk(document: Schema, schema: Schema, wanted: str, path: _Path) -> Iterator[_Path]:
    for node in in_place(document, schema):
        if node.get("$ref") == wanted:
            yield path
        for key, below in node.get("properties", {}).items():
            yield from _walk(document, below, wanted, (*path, key))
        if isinstance(node.get("items"), dict):
            yield from _walk(document, node["items"], wanted, (*path, None))
