"""The canonical text of an imported record, with the digits of its file.

`tools.records.layout` lays out any value with care for comments; thousands of records without comments go through
here, by the same words for every value. Each is read again before it is believed.
"""

from __future__ import annotations

from collections.abc import Iterable

from tools.errors import InternalError, ToolsError
from tools.importers.printed import Printed
from tools.importers.tree import Tree
from tools.records.blocks import UNORDERED, WIDTH, KeyOrder, line_beside
from tools.records.parse import Document, Json, parse
from tools.records.revise import is_same
from tools.records.spelling import spell_number, spell_text
from tools.records.tree import Scalar
from tools.schema.load import key_order

_STEP = 2


def document_of(record: dict[str, Tree], value: Json, kind: str = "benchmark") -> Document:
    """The text of a record, with what a reader has of it; `value` is the record as plain values.

    Raises `ToolsError` for a value that no record can hold.
    """
    text = "\n".join([*_fields(record, key_order(kind), 0), ""])
    again = parse(text.encode("utf-8"))
    if again.problems:
        raise ToolsError(f"the value cannot be written as a record: {again.problems[0].message}")
    if not is_same(again.value, value):
        raise InternalError("the layout of an imported record changed a value")
    return again


def _fields(tree: dict[str, Tree], order: KeyOrder, indent: int) -> list[str]:
    lines: list[str] = []
    margin = " " * indent
    for key, value in _ordered(tree, order):
        head = f"{margin}{spell_text(key)}:"
        inside = order.keys.get(key) or UNORDERED
        beside = _beside(value, inside, len(head) + 1, indent)
        if beside is None:
            lines.append(head)
            lines += _inside(value, inside, indent + _STEP)
        else:
            lines.append(f"{head} {beside[0]}")
            lines += beside[1:]
    return lines


def _items(tree: list[Tree], order: KeyOrder, indent: int) -> list[str]:
    lines: list[str] = []
    head = f"{' ' * indent}-"
    inside = order.items or UNORDERED
    for value in tree:
        beside = _beside(value, inside, len(head) + 1, indent)
        if beside is None:
            below = _inside(value, inside, indent + _STEP)
            lines.append(head + below[0][indent + 1 :])
            lines += below[1:]
        else:
            lines.append(f"{head} {beside[0]}")
            lines += beside[1:]
    return lines


def _inside(value: Tree, order: KeyOrder, indent: int) -> list[str]:
    if isinstance(value, dict):
        return _fields(value, order, indent)
    if isinstance(value, list):
        return _items(value, order, indent)
    raise TypeError("a single value always has a line")


def _beside(value: Tree, order: KeyOrder, column: int, indent: int) -> list[str] | None:
    """What stands beside a key or dash; None for a collection that must be written below it."""
    if isinstance(value, (dict, list)):
        if not value:
            return ["{}" if isinstance(value, dict) else "[]"]
        flow = _flow(value, order)
        return [flow] if flow is not None and column + len(flow) <= WIDTH else None
    if isinstance(value, str):
        spelled = spell_text(value)
        is_long = column + len(spelled) > WIDTH or "\n" in value
        return line_beside(Scalar(value), order, column, indent) if is_long else [spelled]
    return [_spelled(value)]


def _flow(value: dict[str, Tree] | list[Tree], order: KeyOrder) -> str | None:
    """A collection in brackets; None for one that holds more than single values on one line."""
    inner = value.values() if isinstance(value, dict) else value
    if any(isinstance(one, (dict, list)) or (isinstance(one, str) and "\n" in one) for one in inner):
        return None
    if isinstance(value, list):
        return f"[{', '.join(map(_in_flow, value))}]"
    content = ", ".join(f"{spell_text(key, True)}: {_in_flow(one)}" for key, one in _ordered(value, order))
    return f"{{{content}}}"


def _in_flow(value: Tree) -> str:
    return spell_text(value, True) if isinstance(value, str) else _spelled(value)


def _spelled(value: Tree) -> str:
    if isinstance(value, Printed):
        return value.spelling or spell_number(value.value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return spell_number(value)
    raise TypeError(f"no record can hold {value!r}")


def _ordered(tree: dict[str, Tree], order: KeyOrder) -> Iterable[tuple[str, Tree]]:
    if not order.rank:
        return tree.items()
    rank, last = order.rank.get, len(order.rank)
    return sorted(tree.items(), key=lambda item: rank(item[0], last))
