"""Edits inside brackets (`{a: 1}`, `[1, 2]`): an entry is written into the line, or taken out of it.

What is written there stands on one line whatever its depth. A comment in the way is never written over.
"""

from __future__ import annotations

from tools.records.blocks import KeyOrder, flow_entry, flow_text
from tools.records.spans import NotHereError, end_of_line, end_of_value, has_comment, replaced
from tools.records.tree import Collection, Entry, Node


def replace_inside(text: str, entry: Entry, node: Node, order: KeyOrder) -> str:
    """Puts a node in the place of the value of an entry in brackets; `order` is that inside the value."""
    start, end = entry.node.start.offset, entry.node.end.offset
    written = flow_text(node, order)
    if start == end:
        # The value was left empty, perhaps with its colon.
        end = end_of_value(text, entry)
        start = end
        written = f" {written}" if text[end - 1 : end] == ":" else f": {written}"
    if isinstance(entry.node, Collection) and has_comment(text[start:end]):
        raise NotHereError
    return replaced(text, start, end, written)


def add_inside(text: str, parent: Collection, entry: Entry, index: int, order: KeyOrder) -> str:
    """Puts an entry before the one at an index; `order` is that of the collection, which is not empty."""
    written = flow_entry(entry, order)
    first = parent.entries[0].start
    if index == 0:
        return replaced(text, first.offset, first.offset, f"{written}, ")
    end = end_of_value(text, parent.entries[index - 1])
    each_on_a_line = first.line > parent.start.line and not has_comment(text[end : end_of_line(text, end)])
    gap = "\n" + " " * first.column if each_on_a_line else " "
    return replaced(text, end, end, f",{gap}{written}")


def remove_inside(text: str, parent: Collection, index: int) -> str:
    """Takes the entry at an index out of its brackets, with the comma that parted it from the others."""
    entries = parent.entries
    if len(entries) == 1:
        start, end = parent.start.offset + 1, parent.end.offset - 1
    elif index == 0:
        start, end = entries[0].start.offset, entries[1].start.offset
    else:
        start, end = end_of_value(text, entries[index - 1]), end_of_value(text, entries[index])
    if has_comment(text[start:end]):
        raise NotHereError
    return replaced(text, start, end, "")
