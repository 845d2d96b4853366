"""JSON Pointers (RFC 6901): the address of a value inside a record, in findings and in the audit trail.

Changes follow JSON Patch (RFC 6902): `put` is its *add*, `replace` and `remove` are its own. Where a pointer
stands in the text is told by `tools.records.parse.Document.locate`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tools.records.parse import Json

_INDEX = re.compile(r"0|[1-9][0-9]{0,17}")
_BAD_ESCAPE = re.compile(r"~(?![01])")


class PointerError(LookupError):
    """A pointer that is malformed, or that leads nowhere in the value it was followed into."""


def split(pointer: str) -> tuple[str, ...]:
    """The tokens of a pointer, unescaped; () for the whole record. Raises `PointerError` if malformed."""
    if not pointer:
        return ()
    if not pointer.startswith("/"):
        raise PointerError(f"a pointer starts with /: {pointer}")
    if _BAD_ESCAPE.search(pointer):
        raise PointerError(f"~ is written ~0 and / is written ~1 inside a pointer: {pointer}")
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/"))


_kept_split = lru_cache(maxsize=1024)(split)
"""Rules ask for the same few hundred places in every record."""


def join(tokens: tuple[str | int, ...] | list[str | int]) -> str:
    """The pointer of these tokens, escaped where needed; "" for none."""
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens)


def list_index(token: str) -> int | None:
    """The position in a list that a token names, or None; a sign or a leading zero makes it no position."""
    return int(token) if _INDEX.fullmatch(token) else None


def get(value: Json, pointer: str) -> Json:
    """What stands at the pointer; raises `PointerError` if nothing does."""
    for token in split(pointer):
        value = _step(value, token, pointer)
    return value


def find(value: Json, pointer: str) -> Json:
    """What stands at the pointer, or None where nothing does or the pointer is malformed."""
    try:
        tokens = _kept_split(pointer)
    except PointerError:
        return None
    for token in tokens:
        if isinstance(value, dict):
            value = value.get(token)
        elif isinstance(value, list):
            index = list_index(token)
            value = value[index] if index is not None and index < len(value) else None
        else:
            return None
    return value


def put(value: Json, pointer: str, new: Json) -> None:
    """Sets a key, or inserts into a list before an index (`-` appends), in place.

    Raises `PointerError` where the parent does not exist, is no collection, or is a shorter list, and for the
    whole record, which cannot be changed in place.
    """
    parent, token = _parent(value, pointer)
    if isinstance(parent, dict):
        parent[token] = new
        return
    index = len(parent) if token == "-" else list_index(token)
    if index is None or index > len(parent):
        raise PointerError(f"nothing can be inserted at {pointer}: the list has {len(parent)} items")
    parent.insert(index, new)


def replace(value: Json, pointer: str, new: Json) -> Json:
    """Puts `new` in the place of what stands at the pointer, in place, and gives back what stood there.

    Raises `PointerError` if nothing does, and for the whole record.
    """
    parent, token = _parent(value, pointer)
    old = _step(parent, token, pointer)
    if isinstance(parent, dict):
        parent[token] = new
    else:
        parent[int(token)] = new
    return old


def remove(value: Json, pointer: str) -> Json:
    """Takes out what stands at the pointer, in place, and gives it back; raises as `replace` does."""
    parent, token = _parent(value, pointer)
    old = _step(parent, token, pointer)
    if isinstance(parent, dict):
        del parent[token]
    else:
        del parent[int(token)]
    return old


def _parent(value: Json, pointer: str) -> tuple[list[Json] | dict[str, Json], str]:
    tokens = split(pointer)
    if not tokens:
        raise PointerError("the whole record cannot be changed in place")
    for token in tokens[:-1]:
        value = _step(value, token, pointer)
    if not isinstance(value, (dict, list)):
        raise PointerError(f"{pointer} leads into a single value")
    return value, tokens[-1]


def _step(value: Json, token: str, pointer: str) -> Json:
    if isinstance(value, dict):
        if token in value:
            return value[token]
    elif isinstance(value, list):
        index = list_index(token)
        if index is not None and index < len(value):
            return value[index]
    raise PointerError(f"there is nothing at {pointer}")
