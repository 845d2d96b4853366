"""The schema seen from inside a record: its keys at a place, and where else a key is at home."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from tools.schema.load import Schema, in_place

Step = str | int

# Far enough down to find every key of a record by name; shallow enough to end in any schema.
_DEEPEST = 8


def fields_at(document: Schema, at: Sequence[Step]) -> dict[str, Schema]:
    """The keys that a mapping at a place may have, in the order of the schema, each with its schema."""
    return _fields(document, _schemas_at(document, at))


def is_required(document: Schema, at: Sequence[Step]) -> bool:
    """Whether the key at the end of the path has to be there whatever else the record says."""
    return bool(at) and any(
        at[-1] in node.get("required", ())
        for schema in _schemas_at(document, at[:-1])
        for node in in_place(document, schema, always=True)
    )


def homes(document: Schema, key: str, most: int = 3) -> list[str]:
    """Dotted names of the places that know a key, nearest to the top first; none when there are too many."""
    found = _names(_Whole(document)).get(key, [])
    return found if len(found) <= most else []


class _Whole:
    """A schema document as a key of a cache: equal to itself alone."""

    def __init__(self, document: Schema) -> None:
        self.document = document

    def __hash__(self) -> int:
        return id(self.document)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Whole) and other.document is self.document


@lru_cache(maxsize=16)
def _names(whole: _Whole) -> dict[str, list[str]]:
    """The dotted names of all places in records, by their last key."""
    names: dict[str, list[str]] = {}
    level: list[tuple[str, list[Schema]]] = [("", [whole.document])]
    for _ in range(_DEEPEST):
        level = [below for name, schemas in level for below in _below(whole.document, name, schemas)]
        for name, _schemas in level:
            names.setdefault(name.rpartition(".")[2], []).append(name)
    return names


def _schemas_at(document: Schema, at: Sequence[Step]) -> list[Schema]:
    schemas = [document]
    for step in at:
        nodes = [node for schema in schemas for node in in_place(document, schema)]
        if isinstance(step, int):
            schemas = [node["items"] for node in nodes if isinstance(node.get("items"), dict)]
        else:
            schemas = [node["properties"][step] for node in nodes if step in node.get("properties", {})]
    return schemas


def _below(document: Schema, name: str, schemas: list[Schema]) -> Iterator[tuple[str, list[Schema]]]:
    """The places one step further down: the items of lists, and the keys of mappings."""
    for schema in schemas:
        for node in in_place(document, schema):
            if isinstance(node.get("items"), dict):
                yield f"{name}[]", [node["items"]]
    for key, schema in _fields(document, schemas).items():
        yield (f"{name}.{key}" if name else key), [schema]


def _fields(document: Schema, schemas: list[Schema]) -> dict[str, Schema]:
    nodes = [node for schema in schemas for node in in_place(document, schema)]
    # A closed object lists all its keys, with their words; others only add conditions to some of them.
    nodes.sort(key=lambda node: node.get("additionalProperties") is not False)
    fields: dict[str, Schema] = {}
    for node in nodes:
        for key, schema in node.get("properties", {}).items():
            fields.setdefault(key, schema if isinstance(schema, dict) else {})
    return fields
