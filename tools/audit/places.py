"""Whether the places that an amendment names can be meant: each once, none inside another, none in the log."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from tools.audit.amendment import Step, Verb
from tools.audit.entry import AUDIT
from tools.audit.values import shown
from tools.errors import ToolsError
from tools.records import pointer as pointers
from tools.records.pointer import PointerError
from tools.records.revise import value_of
from tools.records.tree import Collection, Entry, child

_LISTED = 12
"""Keys that a hint lists."""


def tokens_of(pointer: str) -> tuple[str, ...]:
    """The tokens of a pointer to a part of the record. Raises `ToolsError` for any other."""
    try:
        tokens = pointers.split(pointer)
    except PointerError as error:
        raise ToolsError(f"`{pointer}` is not a JSON Pointer: {error}", _EXAMPLE) from error
    if not tokens:
        raise ToolsError("an empty pointer means the whole record", _EXAMPLE)
    if tokens[0] == AUDIT:
        raise ToolsError(
            "the audit log is only added to",
            "a wrong entry stays; a later one, made by `tools correct`, says what was wrong with it",
        )
    return tokens


_EXAMPLE = "name a place in the record, such as /results/0/value; / and ~ inside a key are written ~1 and ~0"


def disjoint(steps: Sequence[Step]) -> None:
    """Raises `ToolsError` where a step names the place of another, or one inside it."""
    for one, other in combinations(steps, 2):
        first, second = tokens_of(one.pointer), tokens_of(other.pointer)
        if len(first) > len(second):
            one, other, first, second = other, one, second, first
        if second[: len(first)] != first or first[-1] == "-":
            continue
        if one.verb is not Verb.INSERT and (len(first) < len(second) or other.verb is not Verb.INSERT):
            told = "is named twice" if first == second else f"holds {other.pointer}, which is named too"
            raise ToolsError(f"{one.pointer} {told}", "say what is to be done with each place once")
    for step in steps:
        tokens_of(step.pointer)


def explain_missing(root: Entry, pointer: str) -> ToolsError:
    """The error of a pointer that leads nowhere, with what there is instead."""
    tokens = tokens_of(pointer)
    here = root
    for depth, token in enumerate(tokens):
        inner = child(here.node, token)
        if inner is None:
            return ToolsError(
                f"nothing stands at {pointers.join(tokens[: depth + 1])}", _what_is(here, tokens[:depth])
            )
        here = inner
    return ToolsError(f"nothing can be put at {pointer}")


def _what_is(here: Entry, way: tuple[str, ...]) -> str:
    node, place = here.node, pointers.join(way) or "the record"
    if not isinstance(node, Collection):
        return f"{place} is a single value: {shown(value_of(node), 60)}"
    if node.is_mapping:
        keys = [entry.key or "" for entry in node.entries]
        more = f" and {len(keys) - _LISTED} more" if len(keys) > _LISTED else ""
        return f"{place} has {', '.join(keys[:_LISTED])}{more}"
    count = len(node.entries)
    return f"{place} has {count} {'item' if count == 1 else 'items'}, counted from 0; {place}/- appends one"
