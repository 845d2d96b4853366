"""What a contributor could recover most cheaply: one source looked up for one condition.

A look-up is one source opened for one condition, whichever records lack it there. It is counted twice: the records
that would state the condition, and of these the records that would then lack nothing. The second count ranks, since a
complete record is one a planner can use. Whether the source has one answer for all of them only the look-up tells.
What is withheld is left out, and so is what has no meaning for the run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from tools.gaps.benchmark import WITHHELD, Benchmark
from tools.gaps.scope import Scope


@dataclass(slots=True)
class LookUp:
    """A source, a condition it may yield and why that is absent so far.

    `benchmarks` would state it, `completes` of them would lack nothing more. `would_need` counts the words in which
    records say what is needed, and `example` is the id of one of them, of those that would be complete if there are
    any.
    """

    source: str | None
    condition: str
    reason: str
    benchmarks: int = 0
    completes: int = 0
    would_need: Counter[str] = field(default_factory=Counter)
    example: str = ""


def look_ups(benchmarks: Iterable[Benchmark], scope: Scope) -> list[LookUp]:
    """Every look-up, the one that completes most records first; on a tie the one that helps more records."""
    found: dict[tuple[str | None, str, str], LookUp] = {}
    for benchmark in benchmarks:
        lacks = benchmark.lacks
        for absence in lacks:
            if absence.reason == WITHHELD or not scope.takes_source(absence.source):
                continue
            key = (absence.source, absence.condition, absence.reason)
            one = found.setdefault(key, LookUp(*key))
            one.benchmarks += 1
            if not one.example or (len(lacks) == 1 and not one.completes):
                one.example = benchmark.id
            one.completes += len(lacks) == 1
            one.would_need[absence.would_need] += 1
    return sorted(
        found.values(),
        key=lambda one: (-one.completes, -one.benchmarks, one.source or "", one.condition, one.reason),
    )
