"""The canonical text of an imported record, with the digits of its file.

`tools.records.layout` lays out any value with care for comments; thousands of records without comments go through
here, and each is still read again before it is believed.
"""

from __future__ import annotations

from tools.errors import InternalError, ToolsError
from tools.importers.printed import Printed
from tools.importers.tree import Tree, plain
from tools.records.blocks import page_text
from tools.records.parse import parse
from tools.records.revise import is_same, node_of
from tools.records.tree import Collection, Entry, Node, Page, Scalar
from tools.schema.load import key_order


def text_of(record: dict[str, Tree], kind: str = "benchmark") -> str:
    """The text of a record; raises `ToolsError` for a value that no record can hold."""
    text = page_text(Page(Entry(None, _node(record))), key_order(kind))
    again = parse(text.encode("utf-8"))
    if again.problems:
        raise ToolsError(f"the value cannot be written as a record: {again.problems[0].message}")
    if not is_same(again.value, plain(record)):
        raise InternalError("the layout of an imported record changed a value")
    return text


def _node(tree: Tree) -> Node:
    if isinstance(tree, Printed):
        return Scalar(tree.value, tree.spelling)
    if isinstance(tree, dict):
        return Collection(True, [Entry(key, _node(inner)) for key, inner in tree.items()])
    if isinstance(tree, list):
        return Collection(False, [Entry(None, _node(inner)) for inner in tree])
    return node_of(tree)
