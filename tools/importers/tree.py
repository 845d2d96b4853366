"""A record under construction: plain mappings and lists, with numbers that remember their digits.

A place takes a value once. The same value again is no change; another one is a `ConflictError`, because two
statements of a file about one place cannot both go into a record.
"""

from __future__ import annotations

from typing import TypeAlias

from tools.importers.printed import Printed
from tools.records import pointer as pointers
from tools.records.parse import Json

Tree: TypeAlias = "bool | int | float | str | Printed | list[Tree] | dict[str, Tree] | None"


class ConflictError(Exception):
    """Two statements about one place that cannot both stand; the text names both."""


def place(holder: Tree, pointer: str, value: Tree) -> None:
    """Puts a value below a mapping and makes the mappings and lists on the way.

    Raises `ConflictError` where another value stands there.
    """
    tokens = pointers.split(pointer)
    for token, following in zip(tokens, (*tokens[1:], None), strict=True):
        is_list = following is not None and pointers.list_index(following) is not None
        fresh: Tree = value if following is None else [] if is_list else {}
        holder = _step(holder, token, fresh, pointer, is_last=following is None)


def _step(holder: Tree, token: str, fresh: Tree, pointer: str, *, is_last: bool) -> Tree:
    if isinstance(holder, list):
        index = pointers.list_index(token)
        if index is None or index > len(holder):
            raise ConflictError(f"{pointer}: the items of a list are given in their order, from 0")
        if index == len(holder):
            holder.append(fresh)
            return fresh
        standing = holder[index]
    elif isinstance(holder, dict):
        if token not in holder:
            holder[token] = fresh
            return fresh
        standing = holder[token]
    else:
        raise ConflictError(f"{pointer}: {plain(holder)} stands in the way")
    if is_last and plain(standing) != plain(fresh):
        raise ConflictError(f"two values of {pointer}: {plain(standing)} and {plain(fresh)}")
    return standing


def at(tree: Tree, pointer: str) -> Tree:
    """What stands at a pointer; None for nothing."""
    for token in pointers.split(pointer):
        if isinstance(tree, dict):
            tree = tree.get(token)
        elif isinstance(tree, list):
            index = pointers.list_index(token)
            tree = tree[index] if index is not None and index < len(tree) else None
        else:
            return None
    return tree


def plain(tree: Tree) -> Json:
    """The tree as the values that a reader of the record has."""
    if isinstance(tree, Printed):
        return tree.value
    if isinstance(tree, dict):
        return {key: plain(inner) for key, inner in tree.items()}
    if isinstance(tree, list):
        return [plain(inner) for inner in tree]
    return tree
