"""Plain facts out of a record's mapping, and the error for one that is missing.

Records are read before they are known to be valid, so every reader takes anything and gives None for what is not of
its type.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TypeVar

from tools.errors import ToolsError
from tools.records import pointer
from tools.records.parse import Json

AnyFact = TypeVar("AnyFact")

_REMEMBERED = 512

_LARGEST = 1 << 53
"""Whole numbers up to here are floats without loss, and products of several of them too are below infinity."""


def positive(value: Json, path: str) -> float | None:
    """The finite number above zero at a JSON Pointer, else None."""
    found = pointer.find(value, path)
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        return None
    try:
        plain = float(found)
    except OverflowError:
        return None
    return plain if math.isfinite(plain) and plain > 0 else None


def whole(value: Json, path: str) -> int | None:
    """The integer of at least zero at a JSON Pointer, else None; also None for one that no model has."""
    found = pointer.find(value, path)
    return (
        found if isinstance(found, int) and not isinstance(found, bool) and 0 <= found <= _LARGEST else None
    )


def text(value: Json, path: str) -> str | None:
    """The text at a JSON Pointer, else None."""
    found = pointer.find(value, path)
    return found if isinstance(found, str) else None


def required(fact: AnyFact | None, what: str, record_id: str, where: str) -> AnyFact:
    """The fact. Raises `ToolsError` when it is None: `what` is missing in the record, `where` says which field
    holds it."""
    if fact is None:
        raise ToolsError(
            f"`{record_id}` does not state {what}",
            f"nothing stands in for a missing fact: add `{where}` to the record with its source, or take another",
        )
    return fact


def remembered(
    read: Callable[[Mapping[str, Json]], AnyFact],
) -> Callable[[Mapping[str, Json]], AnyFact]:
    """`read`, done once for each mapping; a mapping that was read must not be changed afterwards.

    Rules ask for the same few records once for each of ten thousand benchmarks. Entries are kept by identity with
    the mapping itself, so that an identity is never used again while it is known here.
    """
    known: dict[int, tuple[Mapping[str, Json], AnyFact]] = {}

    def ask(value: Mapping[str, Json]) -> AnyFact:
        entry = known.get(id(value))
        if entry is None:
            if len(known) >= _REMEMBERED:
                known.clear()
            entry = known[id(value)] = (value, read(value))
        return entry[1]

    return ask
