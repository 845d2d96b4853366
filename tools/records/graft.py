"""Edits of a tree: one node set, added, inserted or taken away, and everything else left as it is.

An edit says what to do at a JSON Pointer; nodes rather than plain values, because a number keeps the digits
it was written with. In text that nobody may lay out anew, `tools.records.splice` does the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from tools.records import pointer as pointers
from tools.records.pointer import PointerError
from tools.records.revise import revised, value_of
from tools.records.tree import Collection, Entry, Node, Scalar, child


@dataclass(frozen=True, slots=True)
class Edit:
    """What comes to stand at a pointer; None takes away what stands there.

    In a list the node takes the place of the item there, unless it `inserts`: then that item and all after it
    move on by one, and the index behind the last item is a place as well.
    """

    pointer: str
    node: Node | None
    inserts: bool = False


def graft(root: Entry, edit: Edit) -> None:
    """Carries out an edit below `root`, in place; raises `PointerError` where it leads nowhere."""
    *above, last = _tokens(edit.pointer)
    holder = root
    for token in above:
        holder = _required(holder.node, token, edit.pointer)
    parent = holder.node
    if isinstance(parent, Scalar):
        raise PointerError(f"{edit.pointer} leads into a single value")
    if edit.inserts:
        parent.entries.insert(insertion_index(parent, last, edit.pointer), Entry(None, _owned(edit.node)))
        return
    target = child(parent, last)
    if target is None:
        if edit.node is None or not parent.is_mapping:
            raise PointerError(f"there is nothing at {edit.pointer}")
        parent.entries.append(Entry(last, bare(edit.node)))
    elif edit.node is None:
        parent.entries = [entry for entry in parent.entries if entry is not target]
    else:
        target.node = merged(target.node, edit.node)


def insertion_index(parent: Node, token: str, pointer: str) -> int:
    """Before which item of a list a token inserts; raises `PointerError` where it cannot."""
    index = pointers.list_index(token)
    if isinstance(parent, Scalar) or parent.is_mapping or index is None or index > len(parent.entries):
        raise PointerError(f"nothing can be inserted at {pointer}")
    return index


def standing(root: Entry, pointer: str) -> Entry | None:
    """The entry at a pointer, or None where nothing is; raises `PointerError` for a malformed pointer."""
    entry: Entry | None = root
    for token in pointers.split(pointer):
        entry = child(entry.node, token) if entry is not None else None
    return entry


def merged(old: Node, new: Node) -> Node:
    """`new`, with the comments that `old` has for what stayed inside; `old` is used up."""
    result = revised(old, value_of(new))
    _respell(result, new)
    return result


def bare(node: Node) -> Node:
    """A copy without comments and places: the values, and the digits they were printed with."""
    if isinstance(node, Scalar):
        return Scalar(node.value, node.spelling)
    return Collection(node.is_mapping, [Entry(entry.key, bare(entry.node)) for entry in node.entries])


def _owned(node: Node | None) -> Node:
    if node is None:
        raise TypeError("an insertion has a node")
    return bare(node)


def _respell(node: Node, model: Node) -> None:
    """Gives the numbers of a tree the digits that an equal one has."""
    if isinstance(node, Scalar) or isinstance(model, Scalar):
        if isinstance(node, Scalar) and isinstance(model, Scalar):
            node.spelling = model.spelling
        return
    for index, entry in enumerate(node.entries):
        other = child(model, entry.key if entry.key is not None else str(index))
        if other is not None:
            _respell(entry.node, other.node)


def _tokens(pointer: str) -> tuple[str, ...]:
    tokens = pointers.split(pointer)
    if not tokens:
        raise PointerError("the whole record cannot be changed in place")
    return tokens


def _required(node: Node, token: str, pointer: str) -> Entry:
    entry = child(node, token)
    if entry is None:
        raise PointerError(f"there is nothing at {pointer}")
    return entry
