"""What a failed union means: the branch its reader was aiming for, instead of "none of the schemas".

Three shapes are told apart. An *enumeration* is a `oneOf` of constants, each with its title. A *tagged union*
has a key that every branch fixes to a constant (the metric of a result): the branch is known as soon as the
tag is. In any other union the branch that got furthest is taken.

The outcome is failures of single keywords, ready for a sentence each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tools.schema.failure import Failure
from tools.schema.load import Schema


def settle(failure: Failure) -> Iterator[Failure]:
    """The failures of single keywords that a failure comes down to; itself unless it is of a union."""
    if failure.keyword not in ("oneOf", "anyOf"):
        yield failure
    elif is_enumeration(failure.schema):
        yield replace(failure, keyword="enum", branches=())
    elif (tag := tag_of(failure.schema.get("oneOf", []))) is not None:
        yield from _settle_tagged(failure, tag)
    elif failure.branches and all(failure.branches):
        yield from _settle_best(failure)
    else:
        yield failure


def is_enumeration(schema: Schema) -> bool:
    """Whether a schema is a list of constants, each with words of its own."""
    branches = schema.get("oneOf", [])
    return bool(branches) and all(isinstance(branch, dict) and "const" in branch for branch in branches)


def tag_of(branches: list[Schema]) -> str | None:
    """The key that every branch of a union fixes to a constant; None when there is no such key."""
    fixed = [
        {key for key, schema in branch.get("properties", {}).items() if "const" in schema}
        if isinstance(branch, dict)
        else set[str]()
        for branch in branches
    ]
    return min(set.intersection(*fixed), default=None) if fixed else None


def _settle_tagged(failure: Failure, tag: str) -> Iterator[Failure]:
    value = failure.value
    if not isinstance(value, dict):
        yield failure
        return
    if tag not in value:
        yield replace(failure, keyword="required", keys=(tag,), branches=())
        return
    branches: list[Schema] = failure.schema["oneOf"]
    for branch, against in zip(branches, failure.branches, strict=True):
        if branch["properties"][tag]["const"] == value[tag]:
            for inner in against:
                for settled in settle(inner):
                    yield replace(settled, tag=settled.tag or (tag, value[tag]))
            return
    known = [branch["properties"][tag] for branch in branches]
    yield replace(
        failure,
        at=(*failure.at, tag),
        keyword="tag",
        schema={"oneOf": known, "title": tag},
        branches=(),
    )


def _settle_best(failure: Failure) -> Iterator[Failure]:
    """Alternatives that only lack keys become one failure that names all; else the best branch speaks."""
    lacking = tuple(
        " and ".join(key for inner in branch for key in inner.keys)
        for branch in failure.branches
        if all(inner.keyword == "required" and inner.at == failure.at for inner in branch)
    )
    if lacking:
        yield replace(failure, keys=lacking, branches=())
        return
    settled = [[leaf for inner in branch for leaf in settle(inner)] for branch in failure.branches]
    yield from min(settled, key=lambda leaves: _distance(leaves, len(failure.at)))


def _distance(leaves: list[Failure], depth: int) -> tuple[bool, int, int]:
    """How far a value is from a branch: of another type, then how early it fails, then how often."""
    other_type = any(leaf.keyword == "type" and len(leaf.at) == depth for leaf in leaves)
    return other_type, -max(len(leaf.at) for leaf in leaves), len(leaves)
