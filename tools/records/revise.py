"""A tree that holds another value: what stayed keeps its comments and the digits it was printed with.

Items of a list are told apart by their content: an equal item is the same item wherever it moved among the
others, and an item that changed in its place keeps what did not change inside.
"""

from __future__ import annotations

import json
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from tools.records.tree import Collection, Entry, Node, Scalar

if TYPE_CHECKING:
    from tools.records.parse import Json


def node_of(value: Json) -> Node:
    """The tree of a plain value; raises `TypeError` for what no record can hold, such as a date."""
    if isinstance(value, dict):
        return Collection(True, [Entry(key, node_of(inner)) for key, inner in value.items()])
    if isinstance(value, list):
        return Collection(False, [Entry(None, node_of(inner)) for inner in value])
    if value is None or isinstance(value, (bool, int, float, str)):
        return Scalar(value)
    raise TypeError(f"no record can hold {value!r}")


def value_of(node: Node) -> Json:
    if isinstance(node, Scalar):
        return node.value
    if node.is_mapping:
        return {entry.key: value_of(entry.node) for entry in node.entries if entry.key is not None}
    return [value_of(entry.node) for entry in node.entries]


def is_same(one: Json, other: Json) -> bool:
    """Whether a record holds the same: 1, 1.0 and true differ, the order of keys does not count."""
    return _identity(one) == _identity(other)


def revised(node: Node, value: Json) -> Node:
    """The tree of `value`, made of what `node` has of it; `node` is used up."""
    if is_same(value_of(node), value):
        return node
    if isinstance(node, Collection):
        if node.is_mapping and isinstance(value, dict):
            node.entries = _revised_fields(node.entries, value)
            return node
        if not node.is_mapping and isinstance(value, list):
            node.entries = _revised_items(node.entries, value)
            return node
    return node_of(value)


def _revised_fields(entries: list[Entry], value: dict[str, Json]) -> list[Entry]:
    kept = [entry for entry in entries if entry.key in value]
    for entry in kept:
        entry.node = revised(entry.node, value[entry.key or ""])
    known = {entry.key for entry in kept}
    return kept + [Entry(key, node_of(inner)) for key, inner in value.items() if key not in known]


def _revised_items(entries: list[Entry], value: list[Json]) -> list[Entry]:
    before = [_identity(value_of(entry.node)) for entry in entries]
    after = [_identity(item) for item in value]
    result: list[Entry] = []
    for _, start, end, new_start, new_end in SequenceMatcher(None, before, after, False).get_opcodes():
        old, new = entries[start:end], value[new_start:new_end]
        for entry, item in zip(old, new, strict=False):
            entry.node = revised(entry.node, item)
            result.append(entry)
        result += [Entry(None, node_of(item)) for item in new[len(old) :]]
    return result


def _identity(value: Json) -> str:
    return json.dumps(value, sort_keys=True)
