"""Edits of text that is not in canonical form: only what an edit names is written, every other byte stays.

A single value gives way to another where it stands; an entry comes in below its neighbour, or goes with the
comments that are its own. A value that needs another number of lines is laid out anew together with its key.
Inside brackets (`tools.records.brackets`) an entry is written into the line. Places come from the tree of the
text, which is read again for each edit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tools.records import pointer as pointers
from tools.records.blocks import UNORDERED, KeyOrder, entry_lines, flow_text, line_beside, order_inside
from tools.records.brackets import add_inside, remove_inside, replace_inside
from tools.records.comments import entry_comments, read_commented_page
from tools.records.graft import Edit, insertion_index, merged
from tools.records.pointer import PointerError
from tools.records.spans import (
    NotHereError,
    comment_follows,
    comments_inside,
    end_of_line,
    end_of_region,
    end_of_value,
    ends_in_text_block,
    has_comment,
    replaced,
    start_of_lead,
    start_of_line,
)
from tools.records.spelling import spell_text
from tools.records.tree import Collection, Entry, Node, Scalar, child

_BEFORE_ENTRY = re.compile(r" *(?:- +)*")


@dataclass(frozen=True, slots=True)
class _Place:
    """An entry on the way to an edit: its key order inside, the collection that holds it, its index there."""

    entry: Entry
    order: KeyOrder
    parent: Collection | None = None
    index: int = 0


def splice(text: str, edit: Edit, order: KeyOrder) -> str:
    """The text after an edit.

    The parser must have found no problem in it. Raises `PointerError` for an edit that leads nowhere, and
    `NotHereError` where nothing but a new layout would do.
    """
    *above, last = pointers.split(edit.pointer)
    way = [_Place(read_commented_page(text).root, order)]
    for token in above:
        way.append(_inner(way[-1], token, edit.pointer))
    parent = way[-1].entry.node
    if isinstance(parent, Scalar):
        raise PointerError(f"{edit.pointer} leads into a single value")
    splicer = _Splicer(text)
    if edit.node is not None and (edit.inserts or child(parent, last) is None):
        if edit.inserts:
            index = insertion_index(parent, last, edit.pointer)
            return splicer.add(way[-1], Entry(None, edit.node), index)
        if not parent.is_mapping:
            raise PointerError(f"there is nothing at {edit.pointer}")
        return splicer.add(way[-1], Entry(last, edit.node), _rank(parent, last, way[-1].order))
    target = _inner(way[-1], last, edit.pointer)
    return splicer.remove(way[-1], target) if edit.node is None else splicer.replace(target, edit.node)


def _inner(place: _Place, token: str, pointer: str) -> _Place:
    node = place.entry.node
    entry = child(node, token)
    if entry is None or isinstance(node, Scalar):
        raise PointerError(f"there is nothing at {pointer}")
    index = next(index for index, known in enumerate(node.entries) if known is entry)
    return _Place(entry, order_inside(entry, place.order), node, index)


def _rank(parent: Collection, key: str, order: KeyOrder) -> int:
    """Where a key goes: behind the last that canonical text has before it, else at the end."""
    rank = {name: number for number, name in enumerate(order.keys)}
    own = rank.get(key, len(rank))
    before = [n for n, entry in enumerate(parent.entries) if rank.get(entry.key or "", len(rank)) <= own]
    return before[-1] + 1 if before else len(parent.entries)


@dataclass(frozen=True, slots=True)
class _Splicer:
    text: str

    def replace(self, place: _Place, node: Node) -> str:
        """Puts a node in the place of an entry's value."""
        old, parent = place.entry.node, place.parent
        if parent is not None and parent.is_flow:
            return replace_inside(self.text, place.entry, node, place.order)
        start, end = old.start.offset, end_of_value(self.text, place.entry)
        if isinstance(node, Scalar) and isinstance(old, Scalar) and not old.is_block and start < end:
            beside = line_beside(node, UNORDERED, old.start.column, self._begin(place)[1])
            if beside is not None and len(beside) == 1:
                return replaced(self.text, start, end, beside[0])
        return self._laid_out(place, node)

    def remove(self, holder: _Place, place: _Place) -> str:
        """Takes an entry out of the collection that `holder` has."""
        parent = place.parent
        if parent is None:
            raise NotHereError
        if parent.is_flow:
            return remove_inside(self.text, parent, place.index)
        if len(parent.entries) == 1:
            return self._laid_out(holder, Collection(parent.is_mapping))
        begin, column = self._begin(place)
        end = end_of_region(self.text, place.entry, column)
        line = start_of_line(self.text, begin)
        if not self.text[line:begin].strip(" "):
            above = parent.entries[place.index - 1].node if place.index > 0 else None
            if above and ends_in_text_block(above) and comment_follows(self.text, end, column):
                raise NotHereError
            return replaced(self.text, start_of_lead(self.text, line, place.entry, begin), end, "")
        if place.index > 0:
            raise NotHereError
        # It stands beside a dash: the entry below moves up to it.
        following = _Place(parent.entries[1], place.order, parent, 1)
        next_begin, _ = self._begin(following)
        if has_comment(self.text[end_of_line(self.text, end_of_value(self.text, place.entry)) : next_begin]):
            rest = Collection(parent.is_mapping, parent.entries[1:])
            return self._laid_out(holder, rest)
        return replaced(self.text, begin, next_begin, "")

    def add(self, holder: _Place, entry: Entry, index: int) -> str:
        """Puts an entry before the one at an index of the collection that `holder` has."""
        parent = holder.entry.node
        if isinstance(parent, Scalar):
            raise NotHereError
        order = order_inside(entry, holder.order)
        if holder.parent is not None and holder.parent.is_flow and not parent.entries:
            return replace_inside(
                self.text, holder.entry, Collection(parent.is_mapping, [entry]), holder.order
            )
        if not parent.entries:
            return self._laid_out(holder, Collection(parent.is_mapping, [entry]))
        if parent.is_flow:
            return add_inside(self.text, parent, entry, index, holder.order)
        neighbour = _Place(parent.entries[max(index - 1, 0)], order, parent, max(index - 1, 0))
        begin, column = self._begin(neighbour)
        if index > 0:
            offset = end_of_region(self.text, neighbour.entry, column)
        else:
            line = start_of_line(self.text, begin)
            if self.text[line:begin].strip(" "):
                raise NotHereError
            offset = start_of_lead(self.text, line, neighbour.entry, begin)
        lines = self._lines(entry, order, column, offset)
        break_before = "\n" if offset and self.text[offset - 1] != "\n" else ""
        return replaced(self.text, offset, offset, break_before + "\n".join([*lines, ""]))

    def _laid_out(self, place: _Place, node: Node) -> str:
        """Lays out an entry in its place, with another value; only in a collection without brackets."""
        if place.parent is None or place.parent.is_flow:
            raise NotHereError
        begin, column = self._begin(place)
        end = end_of_region(self.text, place.entry, column)
        entry = place.entry
        inside = entry.lead[len(entry.lead) - comments_inside(self.text, entry, begin) :]
        fresh = Entry(entry.key, merged(entry.node, node), lead=inside, note=entry.note)
        written = "\n".join(self._lines(fresh, place.order, column, end))[column:]
        break_after = "\n" if self.text[end - 1] == "\n" else ""
        return replaced(self.text, begin, end, written + break_after)

    def _lines(self, entry: Entry, order: KeyOrder, column: int, end: int) -> list[str]:
        """The lines of an entry that ends at an offset; `order` is that inside its value.

        A comment that follows further in would become part of a block: then the value stands in brackets.
        """
        if not comment_follows(self.text, end, column):
            return entry_lines(entry, order, column)
        if next(entry_comments(Entry(None, entry.node)), None) is not None:
            raise NotHereError
        head = "-" if entry.key is None else f"{spell_text(entry.key)}:"
        line = "  ".join([f"{head} {flow_text(entry.node, order)}", *entry.note[-1:]])
        return [" " * column + text for text in (*entry.lead, *entry.note[:-1], line)]

    def _begin(self, place: _Place) -> tuple[int, int]:
        """Offset and column at which an entry starts: its key, or the dash of an item."""
        parent, entry = place.parent, place.entry
        if parent is None:
            raise NotHereError
        mark = entry.key_start if parent.is_mapping else parent.start
        offset, column = mark.offset, mark.column
        if not parent.is_mapping and place.index > 0:
            offset = self._dash(parent, place.index)
        if not _BEFORE_ENTRY.fullmatch(self.text, start_of_line(self.text, offset), offset):
            raise NotHereError
        return offset, column

    def _dash(self, parent: Collection, index: int) -> int:
        """Where the dash of an item stands that is not the first."""
        column = parent.start.column
        line = end_of_line(self.text, end_of_value(self.text, parent.entries[index - 1]))
        limit = parent.entries[index].node.start.offset
        while line <= limit:
            if self.text[line : line + column].strip(" ") == "" and self.text[line + column] == "-":
                return line + column
            line = end_of_line(self.text, line)
        raise NotHereError
