"""Two versions of one audit log: what was added, and what no longer stands as it stood.

A log only grows. An entry is found again by its content, whatever its spelling; between the old ones there may be
new ones, as a merge of two branches leaves them, but each old entry has to be there, and in its order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from tools.audit.difference import identity
from tools.audit.values import same
from tools.records.parse import Json

_ALIKE = 0.5
"""Share of equal members from which a new entry is taken for an old one that was edited."""


@dataclass(frozen=True, slots=True)
class Rewriting:
    """An old entry that is not as it was: its index then, and its index now (None where it is gone).

    `members` are the keys that differ; none where the whole entry moved to another place.
    """

    old: int
    new: int | None
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Trail:
    """What became of a log: entries both versions begin with, indices that were added, what was rewritten."""

    shared: int
    added: tuple[int, ...]
    rewritten: tuple[Rewriting, ...]


def compare_logs(old: Sequence[Json], new: Sequence[Json]) -> Trail:
    """What became of a log between two versions of its record."""
    before, after = [identity(entry) for entry in old], [identity(entry) for entry in new]
    shared = next(
        (n for n, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), None
    )
    shared = min(len(before), len(after)) if shared is None else shared
    found = _in_order(before, after) or _longest(before, after)
    lost = [index for index in range(len(old)) if index not in found]
    fresh = [index for index in range(len(new)) if index not in found.values()]
    rewritten = []
    for index in lost:
        match = _counterpart(index, old, new, fresh, before, after)
        if match is None:
            rewritten.append(Rewriting(index, None))
        else:
            fresh.remove(match)
            rewritten.append(Rewriting(index, match, tuple(_differing(old[index], new[match]))))
    return Trail(shared, tuple(fresh), tuple(rewritten))


def _in_order(before: list[str], after: list[str]) -> dict[int, int]:
    """Old index to new index where all the old stand among the new in their order; empty where they do not."""
    found: dict[int, int] = {}
    place = 0
    for index, entry in enumerate(before):
        try:
            place = after.index(entry, place)
        except ValueError:
            return {}
        found[index] = place
        place += 1
    return found


def _longest(before: list[str], after: list[str]) -> dict[int, int]:
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    return {block.a + n: block.b + n for block in blocks for n in range(block.size)}


def _counterpart(
    index: int,
    old: Sequence[Json],
    new: Sequence[Json],
    fresh: list[int],
    before: list[str],
    after: list[str],
) -> int | None:
    moved = next((place for place in fresh if after[place] == before[index]), None)
    if moved is not None:
        return moved
    likeness, _, place = max(
        ((_likeness(old[index], new[place]), -place, place) for place in fresh), default=(0.0, 0, 0)
    )
    return place if likeness >= _ALIKE else None


def _likeness(one: Json, other: Json) -> float:
    if not isinstance(one, dict) or not isinstance(other, dict):
        return 0.0
    keys = one.keys() | other.keys()
    return 1 - len(list(_differing(one, other))) / len(keys) if keys else 0.0


def _differing(one: Json, other: Json) -> Iterator[str]:
    if isinstance(one, dict) and isinstance(other, dict):
        for key in [*one, *(key for key in other if key not in one)]:
            if key not in one or key not in other or not same(one[key], other[key]):
                yield key
