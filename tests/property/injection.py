"""One fault put into a run that was sound: what each family's table of faults is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

Json = dict[str, Any]


@dataclass(frozen=True)
class Injected:
    """What a fault left behind: the records (the faulty run and whatever the rule has to see beside it), the index of
    the one that the finding is about, and the JSON Pointer whose line it names."""

    records: list[Json]
    pointer: str
    index: int = 0
    also: frozenset[str] = field(default_factory=frozenset)
    """Rules that cannot but fire with it; every other rule must stay quiet about the faulty records."""


@dataclass(frozen=True)
class Injection:
    """A rule and the fault that must fire it. `inject` may change the run it is given, and draws its numbers."""

    rule: str
    inject: Callable[[Json, st.DrawFn], Injected]
    alone: bool = True
    """Whether no other rule may fire; False where one wrong number breaks several identities at once."""
